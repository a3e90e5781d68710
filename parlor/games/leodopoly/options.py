"""The options and the presets of Leodopoly.

The dissertation that Leodopoly comes from says one thing in its text and does another in its code, in twelve places.
Each of them is an option; a preset sets all of them, and every option can still be set on its own:
`leodopoly(preset=published,buying=choice)`. Some are rules, others are how the strategies of the dissertation reason:
their agents read them from the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.game import Word, choice, option

#: option -> its words, the preset's default for (published, text, corrected), what it is about
DIFFERENCES: Mapping[str, tuple[tuple[str, ...], tuple[str, str, str], str]] = {
    "buying": (
        ("auction-only", "choice"),
        ("auction-only", "choice", "choice"),
        "what happens on an unowned property: an auction at once, or its price is offered first",
    ),
    "deals": (
        ("none", "announced", "applied"),
        ("announced", "applied", "applied"),
        "whether properties are put up for sale, and whether a deal changes anything",
    ),
    "offers": (
        ("before", "after"),
        ("before", "after", "after"),
        "whether offers for several properties are all made before the first of them is sold",
    ),
    "winner": (
        ("money", "rent", "worth"),
        ("money", "rent", "worth"),
        "who wins: most money; with the rents of the properties; with their costs",
    ),
    "unwanted": (
        ("lander", "bank"),
        ("lander", "bank", "bank"),
        "who gets what nobody bids for: the player who landed there, for nothing, or the bank keeps it",
    ),
    "ties": (("nobody", "shared"), ("nobody", "nobody", "shared"), "whether a tie counts for nobody or is shared"),
    "accepts": (
        ("value", "gain"),
        ("value", "gain", "gain"),
        "strategies sell if the value afterwards, or if what they gain, is at least their margin",
    ),
    "jeopardy": (
        ("all", "owned"),
        ("all", "owned", "owned"),
        "strategies fear rents of all spaces that are not theirs, or of those that somebody owns",
    ),
    "judges": (
        ("bid", "price"),
        ("bid", "price", "price"),
        "strategies judge a raise by the bid that stands, or by what they would pay",
    ),
    "rivals": (
        ("all", "able"),
        ("all", "able", "able"),
        "strategies bid against everybody, or against those who can pay",
    ),
    "irrational": (
        ("passive", "random"),
        ("passive", "random", "random"),
        "the strategy called irrational has zeros everywhere, or moves at random",
    ),
    "greedy": (
        ("code", "text"),
        ("code", "text", "text"),
        "the numbers of the strategy called greedy, in the code or in the text",
    ),
}
PRESETS = ("published", "text", "corrected")
ABOUT = {
    "published": Word("As its code plays", "Everything is auctioned, deals change nothing, most money wins."),
    "text": Word("As its text says", "Buy, auction and deal; money and rents decide."),
    "corrected": Word("Corrected", "Buy, auction and deal; the richest, deeds included, wins, and ties are shared."),
}
PRESET = choice("preset", "corrected", PRESETS, "the defaults of all options", ABOUT)


def _difference(name: str, about: Mapping[str, Word] | None = None) -> int:
    """Declare one of the twelve; the rules see the index of its word."""
    words, defaults, help = DIFFERENCES[name]
    return choice(name, defaults[PRESET], words, help, about)


PLAYERS = option("players", 3, 2, 6, "the number of players")
ROUNDS = option("rounds", 40, 1, 200, "rounds, after which the game ends")
MONEY = option("money", 500, 50, 1000, "what everybody starts with")
AUCTIONS: Sequence[str] = ("sealed", "english")
SEALED = not choice(
    "auction",
    "sealed",
    AUCTIONS,
    "how properties are auctioned",
    {
        "sealed": Word("Sealed limits", "Everybody names a limit in secret, and the bids go up to it by ones."),
        "english": Word("English", "Everybody in turn raises by one or passes."),
    },
)
BUYING = bool(_difference("buying"))
NO_DEALS, ANNOUNCED, APPLIED = range(3)
DEALS = _difference("deals")
OFFERS_BEFORE = not _difference("offers")
BY_MONEY, BY_RENT, BY_WORTH = range(3)
WINNER = _difference("winner")
LANDER_TAKES = not _difference("unwanted")
TIES_SHARED = bool(_difference("ties"))
for _name in ("accepts", "jeopardy", "judges", "rivals", "irrational", "greedy"):
    _difference(_name)  # read by the agents
