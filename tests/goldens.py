"""Golden playthroughs and tree hashes: what they are, and how to write them anew (`make goldens`, then read the diff).

A playthrough is chosen by hand to show a rule and is written down by the names of its moves, with what both sides see
and what is legal at every step. A tree hash covers every history of a small setting.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from parlor.game.loading import load
from parlor.sequence_form.tree import tree

FOLDER = Path(__file__).parent / "golden"

#: title -> (game, moves)
PLAYTHROUGHS: dict[str, tuple[str, list[str]]] = {
    "kuhn: two passes show down for the antes": ("kuhn", ["Q to player 0", "J to player 1", "pass", "pass"]),
    "kuhn: a bet that is not called wins the ante": ("kuhn", ["J to player 0", "K to player 1", "bet", "pass"]),
    "kuhn: the second player bets and is called": ("kuhn", ["K to player 0", "Q to player 1", "pass", "bet", "bet"]),
    "kuhn: three players, the last bets, one of two calls": (
        "kuhn(players=3)",
        ["T to player 0", "K to player 1", "Q to player 2", "pass", "pass", "bet", "pass", "bet"],
    ),
    "kuhn: four players, everybody answers the first bet": (
        "kuhn(players=4)",
        ["9 to player 0", "T to player 1", "J to player 2", "K to player 3", "bet", "bet", "pass", "bet"],
    ),
    "leduc: a pair with the board beats a higher card": (
        "leduc",
        ["J♥ to player 0", "K♠ to player 1", "call", "call", "board J♠", "raise", "raise", "call"],
    ),
    "leduc: two raises a round and no more": (
        "leduc",
        ["K♥ to player 0", "Q♥ to player 1", "raise", "raise", "call", "board J♥", "call", "raise", "raise", "call"],
    ),
    "leduc: equal ranks share the pot": (
        "leduc",
        ["Q♥ to player 0", "Q♠ to player 1", "call", "raise", "call", "board K♥", "call", "call"],
    ),
    "leduc: a fold ends it before the board": ("leduc", ["Q♥ to player 0", "K♥ to player 1", "call", "raise", "fold"]),
    "leduc: three players, one folds, the first one left opens the second round": (
        "leduc(players=3)",
        [
            *("T♥ to player 0", "K♥ to player 1", "K♠ to player 2"),
            *("call", "raise", "call", "fold"),
            *("board Q♥", "call", "raise", "raise", "call"),
        ],
    ),
    "liars-dice: a bid that holds through a wild six": (
        "liars-dice",
        ["player 0 rolls 6", "player 1 rolls 3", "1-3", "2-3", "liar"],
    ),
    "liars-dice: a lie is called": ("liars-dice", ["player 0 rolls 2", "player 1 rolls 4", "1-2", "2-5", "liar"]),
    "liars-dice: sixes count only sixes, and the highest bid must be called": (
        "liars-dice",
        ["player 0 rolls 5", "player 1 rolls 6", "1-5", "2-6", "liar"],
    ),
    "liars-dice: two dice each, the order of a roll is forgotten": (
        "liars-dice(dice=2,faces=3)",
        ["player 0 rolls 3", "player 0 rolls 1", "player 1 rolls 2", "player 1 rolls 2", "2-2", "4-2", "liar"],
    ),
    "goofspiel: a tie discards the prize, the last cards play themselves": (
        "goofspiel",
        ["bid 4", "bid 4", "bid 1", "bid 2", "bid 3", "bid 1"],
    ),
    "goofspiel: perfect information shows the bids of finished rounds": (
        "goofspiel(cards=3,imperfect=false)",
        ["bid 3", "bid 1", "bid 1", "bid 3"],
    ),
    "goofspiel: chance turns up the prizes, three players, a tie of the highest two": (
        "goofspiel(players=3,cards=3,order=random,returns=point-difference)",
        ["prize 2", "bid 3", "bid 3", "bid 1", "prize 3", "bid 1", "bid 2", "bid 3"],
    ),
    "battleship: a ship is sunk, the same cell is shot at again, and the first fleet that is lost ends it": (
        "battleship(values=13)",
        [
            *("place A1", "place B1", "place A2-B2", "place A1-A2"),
            *("shoot B1", "shoot A1", "shoot A1", "shoot A1", "shoot A2"),
        ],
    ),
    "battleship: no ship may take the room of the next, and no cell is shot at twice": (
        "battleship(width=3,height=1,shots=2,repeats=false)",
        ["place C1", "place A1", "place A1-B1", "place B1-C1", "shoot C1", "shoot A1", "shoot B1", "shoot B1"],
    ),
    "phantom-tic-tac-toe: who runs into a stone tries again, and the other does not know": (
        "phantom-tic-tac-toe",
        ["b2", "b2", "a1", "a1", "c1", "c1", "a3", "a3", "a2", "a2", "c2", "c2", "b3", "b3", "b1", "b1", "c3"],
    ),
    "phantom-tic-tac-toe: abrupt, who runs into a stone has lost the turn": (
        "phantom-tic-tac-toe(version=abrupt)",
        ["b2", "b2", "a1", "c1", "c3"],
    ),
    "dark-hex: the first player connects the top with the bottom, though all its stones touch only aslant": (
        "dark-hex",
        ["c1", "c1", "b1", "b2", "b2", "a2", "a3"],
    ),
    "dark-hex: the second player connects left with right, tries are seen": (
        "dark-hex(width=2,height=2,sees=turns,version=abrupt)",
        ["a1", "a1", "b1", "b2", "b2", "a2"],
    ),
    "sheriff: only the last offer and the last answer count": (
        "sheriff",
        ["load 2", "offer 2", "inspect", "offer 1", "let pass"],
    ),
    "sheriff: an inspection finds the goods": ("sheriff", ["load 2", "offer 2", "let pass", "offer 2", "inspect"]),
    "sheriff: an inspection in vain": ("sheriff(rounds=1,sheriff_penalty=3)", ["load 0", "offer 0", "inspect"]),
    "normal-form: nobody swerves": ("normal-form", ["go on", "go on"]),
    "trade-comm: words are heard by both, trades only by who asks; both asked for the right one": (
        "trade-comm",
        [
            "bell to player 0, candle to player 1",
            "say bell",
            "say apple",
            "trade bell for candle",
            "trade candle for bell",
        ],
    ),
    "trade-comm: one who gives what it does not have spoils it": (
        "trade-comm",
        ["bell to player 0, bell to player 1", "say apple", "say apple", "trade bell for bell", "trade apple for bell"],
    ),
    "deal-or-no-deal: proposals in turn, and an agreement to the last one": (
        "deal-or-no-deal",
        ["1,2,3 8,1,0 4,0,2", "keep 1,2,0", "keep 1,0,3", "keep 1,1,0", "agree"],
    ),
    "deal-or-no-deal: waiting costs, and chance ends it": (
        "deal-or-no-deal(turns=4,discount=90,end=25)",
        ["2,2,1 1,3,2 0,1,8", "keep 2,2,0", "keep 2,2,1", "go on", "keep 0,2,0", "end"],
    ),
    "deal-or-no-deal: both see all values, the last turn is for an agreement": (
        "deal-or-no-deal(turns=3,discount=50,values=shown)",
        ["2,2,1 1,3,2 0,1,8", "keep 2,2,0", "keep 0,1,1", "agree"],
    ),
    "tiny-bridge: the partners bid up to a slam, and get the mean of what the others' cards allow": (
        "tiny-bridge",
        ["A♠ K♠ to player 0", "J♠ A♥ to player 1", "1♠", "2♠", "2NT", "pass"],
    ),
    "tiny-bridge: all pass": ("tiny-bridge", ["Q♥ J♥ to player 0", "J♠ K♥ to player 1", "pass", "pass"]),
    "tiny-bridge: four players, a redoubled bid is outbid, and a doubled one is made with an overtrick": (
        "tiny-bridge(players=4)",
        [
            *("A♠ Q♠ to player 0", "A♥ Q♥ to player 1", "J♠ K♥ to player 2", "K♠ J♥ to player 3"),
            *("pass", "1♥", "double", "redouble", "1♠", "double", "pass", "pass", "pass"),
        ],
    ),
    "monopoly-deal: a rent is paid from the bank, and a full set wins": (
        "monopoly-deal(preset=tiny)",
        [
            *("player 0 draws brown", "player 1 draws $1"),
            *("player 0 draws brown rent", "play brown", "player 1 draws brown", "bank $1"),
            *("player 0 draws brown", "charge brown rent of $1", "pay $1 from the bank"),
            *("player 1 draws Just Say No", "play brown", "player 0 draws brown rent", "play brown"),
        ],
    ),
    "monopoly-deal: Just Say No ends a demand, a property is paid to the other side's property": (
        "monopoly-deal(preset=tiny)",
        [
            *("player 0 draws brown", "player 1 draws Just Say No"),
            *("player 0 draws brown rent", "play brown", "player 1 draws brown", "play brown"),
            *("player 0 draws brown rent", "charge brown rent of $1", "Just Say No"),
            *("player 1 draws brown", "player 1 draws $1", "pass", "charge brown rent of $1"),
            "pay the property brown",
        ],
    ),
    "holdem: the button opens, bets are raised by the least, all-in for less, and the board is dealt": (
        "holdem(stack=15)",
        [
            *("A♠ to the button", "K♦ to the button", "9♣ to the big blind", "9♥ to the big blind"),
            *("button raises to 4", "big blind calls 2", "flop Q♠", "flop 7♠", "flop 2♥"),
            *("big blind bets 2", "button raises to 4", "big blind raises to 9", "button raises to 11, all-in"),
            *("big blind calls 2, all-in", "turn 4♦", "river K♣"),
        ],
    ),
    "holdem: all-in before the flop, and the pot is shared": (
        "holdem(stack=6)",
        [
            *("A♠ to the button", "3♦ to the button", "A♣ to the big blind", "2♥ to the big blind"),
            *("button calls 1", "big blind raises to 6, all-in", "button calls 4, all-in"),
            *("flop Q♠", "flop Q♥", "flop K♥", "turn K♦", "river J♣"),
        ],
    ),
    "holdem: in the order of PyPokerEngine the small blind opens again, and the first raise may be small": (
        "holdem(small_blind=2,big_blind=4,stack=16,order=engine)",
        [
            *("A♠ to the small blind", "3♦ to the small blind", "8♣ to the big blind", "8♥ to the big blind"),
            *("small blind raises to 6", "big blind calls 2", "flop Q♠", "flop Q♥", "flop K♥"),
            *("small blind bets 4", "big blind folds"),
        ],
    ),
    "clue: the first clockwise who can must show a card, own cards win nothing, the cards of the file do": (
        "clue(preset=tiny)",
        [
            *("player 1 is dealt the first card", "Miss Scarlet into the file", "Candlestick to player 1"),
            *("Knife into the file", "Hall to player 0", "Lounge to player 1", "Dining Room into the file"),
            *("Kitchen to player 2", "suggest Miss Scarlet with the Candlestick in the Lounge", "show Lounge"),
            *("suggest Miss Scarlet with the Candlestick in the Dining Room",),
            *("suggest Miss Scarlet with the Knife in the Dining Room",),
        ],
    ),
    "clue: a wrong accusation puts a player out, who still refutes; the last suggestion leaves one accusation": (
        "clue(preset=standard,players=4,suspects=1,weapons=2,rooms=4,cap=2)",
        [
            *("Miss Scarlet into the file", "Candlestick to player 1", "Knife into the file", "Hall to player 0"),
            *("Lounge to player 2", "Dining Room into the file", "Kitchen to player 3"),
            *("accuse Miss Scarlet with the Knife in the Lounge",),
            *("suggest Miss Scarlet with the Knife in the Hall", "show Hall", "end turn"),
            *("suggest Miss Scarlet with the Knife in the Dining Room",),
            *("accuse Miss Scarlet with the Knife in the Dining Room",),
        ],
    ),
}

#: settings small enough to be hashed whole
TREES = [
    *("kuhn", "kuhn(players=3)", "kuhn(players=4)"),
    *("leduc", "leduc(players=3)", "leduc/ranks"),
    *("liars-dice", "liars-dice(faces=3)", "liars-dice(dice=2,faces=2)"),
    *("goofspiel", "goofspiel(cards=3,order=random)", "goofspiel(cards=3,order=ascending,returns=point-difference)"),
    *("monopoly-deal(preset=tiny)", "clue(preset=tiny,cap=2)"),
    "clue(preset=tiny,suspects=2,weapons=1,rooms=3,cap=3)",
    "clue(preset=standard,suspects=1,weapons=1,rooms=4,cap=1)",
    *("battleship", "sheriff", "normal-form"),
    "phantom-tic-tac-toe(width=3,height=2,row=2)",
    "phantom-tic-tac-toe(width=2,height=2,row=2,version=abrupt,sees=turns)",
    *("dark-hex(width=2,height=2)", "dark-hex(width=2,height=2,version=abrupt)"),
    *("trade-comm(items=2)", "trade-comm", "tiny-bridge", "deal-or-no-deal(turns=2,least=3,most=3)"),
    *("goofspiel(imperfect=false)", "goofspiel(players=3,cards=3)", "goofspiel(players=3,returns=total-points)"),
]


ELSEWHERE = ("learned", "matches")  # written by the tests that read them


def playthrough(name: str, moves: list[str]) -> list[dict[str, Any]]:
    """What happens in a game, step by step."""
    game = load(name)
    position = game.start()
    steps: list[dict[str, Any]] = []
    for move in [*moves, None]:
        steps.append({"sees": [position.show(p) for p in range(game.players)], "legal": _shortened(position.legal)})
        if move is not None:
            steps[-1] |= {"turn": position.turn, "plays": move}
            position = position.after(move)
    steps[-1]["payoffs"] = position.payoffs
    return steps


def _shortened(names: list[str], most: int = 13) -> list[str]:
    """A list without the middle of what is too long to be read, a deck of cards for one."""
    return names if len(names) <= most else [*names[:3], f"… {len(names) - 5} more …", *names[-2:]]


def summary(name: str, compiled: bool | None = None) -> dict[str, Any]:
    """Counts and hash of a tree."""
    t = tree(load(name), compiled=compiled)
    counts = {"histories": t.histories, "endings": t.endings, "infosets": t.infosets, "sequences": t.sequences}
    return {**counts, "hash": t.digest()}


def main() -> None:
    """Write all goldens anew."""
    for old in FOLDER.glob("*.json"):
        if old.stem not in ELSEWHERE:
            old.unlink()
    for game in sorted({title.split(":")[0] for title in PLAYTHROUGHS}):
        chosen = {title: playthrough(*PLAYTHROUGHS[title]) for title in PLAYTHROUGHS if title.startswith(f"{game}:")}
        text = json.dumps(chosen, indent=1, ensure_ascii=False)
        (FOLDER / f"{game}.json").write_text(text + "\n")
    trees = {name: summary(name) for name in TREES}
    (FOLDER / "trees.json").write_text(json.dumps(trees, indent=1) + "\n")


if __name__ == "__main__":
    main()
