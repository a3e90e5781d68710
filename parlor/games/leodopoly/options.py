"""The options and the presets of Leodopoly.

The dissertation that Leodopoly comes from says one thing in its text and does another in its code, in twelve places.
Each of them is an option; a preset sets all of them, and every option can still be set on its own:
`leodopoly(preset=published,buying=choice)`. Some are rules, others are how the strategies of the dissertation reason:
their agents read them from the game.

What the dissertation left for later are further options, each of which can be had on its small board too: cards, a
jail, houses, mortgages, a salary, trades. The preset `classic` has all of them on the board of forty spaces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.game import Word, choice, option, switch

#: option -> its words, the default of (published, text, corrected), what it is about; `classic` is like `corrected`
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
PRESETS = ("published", "text", "corrected", "classic")
ABOUT = {
    "published": Word("As its code plays", "Everything is auctioned, deals change nothing, most money wins."),
    "text": Word("As its text says", "Buy, auction and deal; money and rents decide."),
    "corrected": Word("Corrected", "Buy, auction and deal; the richest, deeds included, wins, and ties are shared."),
    "classic": Word("The classic game", "Forty spaces, two dice, houses, mortgages, cards, jail, trades."),
}
PRESET = choice("preset", "corrected", PRESETS, "the defaults of all options", ABOUT)
CLASSIC = PRESETS.index("classic") == PRESET


def _difference(name: str, about: Mapping[str, Word] | None = None) -> int:
    """Declare one of the twelve; the rules see the index of its word."""
    words, defaults, help = DIFFERENCES[name]
    return choice(name, defaults[min(PRESET, len(defaults) - 1)], words, help, about)


PLAYERS = option("players", 4 if CLASSIC else 3, 2, 6, "the number of players")
ROUNDS = option("rounds", 200 if CLASSIC else 40, 1, 200, "rounds, after which the game ends")
MONEY = option("money", 1500 if CLASSIC else 500, 50, 2000, "what everybody starts with")
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

# ------------------------------------------------------------------------------------ the rest of Monopoly, by choice

FULL_BOARD = bool(
    choice(
        "board",
        "classic" if CLASSIC else "leeds",
        ("leeds", "classic"),
        "the board",
        {
            "leeds": Word("Leeds", "Eleven spaces; cards and a jail add two each."),
            "classic": Word("Classic", "The forty spaces of the American edition, with stations, utilities and taxes."),
        },
    )
)
DICE_ROLLED = option("dice", 2 if CLASSIC else 1, 1, 2, "how many dice are rolled; with two, doubles roll again")
TWO_DICE = DICE_ROLLED == 2
SALARY = option("salary", 200 if CLASSIC else 0, 0, 500, "what the bank pays for passing the first space")
JAIL = bool(switch("jail", CLASSIC, "whether there is a jail, and a space that sends there"))
CARDS = bool(switch("cards", CLASSIC, "whether there are Chance and Community Chest"))
HOUSES = bool(switch("houses", CLASSIC, "whether houses and hotels can be built on full sets"))
MORTGAGES = bool(switch("mortgages", CLASSIC, "whether properties can be mortgaged"))
TRADES = option("trades", 1 if CLASSIC else 0, 0, 3, "how many trades a player may propose in a turn")
LAST_PLAYER = bool(
    choice(
        "ending",
        "last-player" if CLASSIC else "bankruptcy",
        ("bankruptcy", "last-player"),
        "whether the first bankruptcy ends the game, or the rest play on until one is left",
    )
)
UNIT = option("unit", 10 if CLASSIC else 1, 1, 50, "offers, limits and raises are multiples of this")
#: Whether anything is played that the dissertation left out; without it, states have no fields for it.
EXTENDED = (
    FULL_BOARD or TWO_DICE or JAIL or CARDS or HOUSES or MORTGAGES or LAST_PLAYER or SALARY + TRADES > 0 or UNIT > 1
)
