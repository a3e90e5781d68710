"""Trade Comm: say a word, then trade items that only their owners have seen.

Each of two partners gets an item. In turn both say one word, which has no meaning but the one they give it, and then
both ask in secret to trade one item for another. Both get a point if they asked for the trade of their two items, one
from each side. Sokota et al., *Solving common-payoff games with approximate policy iteration* (2021).
"""

from collections.abc import Mapping

from parlor.game import CHANCE, OVER, Floats, Ints, State, View, option, private, public
from parlor.game.words import player

TITLE = "Trade Comm"
PLAYERS = 2
ITEMS = option("items", 3, 2, 10, "kinds of items, and as many words")
TRADES = ITEMS * ITEMS  # an item to give, an item to get
NAMES = ("apple", "bell", "candle", "drum", "egg", "fish", "gem", "hat", "ink", "jug")

OPPONENT = "truthful"
ACTIONS = ITEMS + TRADES  # words, then trades
OUTCOMES = ITEMS * ITEMS
LENGTH = 1 + 2 * PLAYERS
ZERO_SUM = False
KIND = "common-payoff"
PAYOFFS = (0.0, 1.0, 2.0)
STATE = {
    "item": private(PLAYERS),  # 1 … n, 0 before the deal
    "said": public(PLAYERS),  # likewise
    "asked": private(PLAYERS),  # for which trade: 1 … n * n
    "moves": public(),
}


def start(s: State) -> None:
    """Nobody has an item yet."""


def turn(s: State) -> int:
    """The items, a word of each player, a trade of each player."""
    if s.item[0] == 0:
        return CHANCE
    return OVER if s.moves == 2 * PLAYERS else s.moves % PLAYERS


def odds(s: State, out: Floats) -> int:
    """Both get an item, each as likely as the others; it may be the same one."""
    for pair in range(OUTCOMES):
        out[pair] = 1.0 / OUTCOMES
    return OUTCOMES


def legal(s: State, out: Ints) -> int:
    """Any word, then any trade, also one of items that nobody has."""
    first = 0 if s.moves < PLAYERS else ITEMS
    count = ITEMS if s.moves < PLAYERS else TRADES
    for i in range(count):
        out[i] = first + i
    return count


def play(s: State, a: int) -> None:
    """Hand out the items, say a word, or ask for a trade."""
    if s.item[0] == 0:
        s.item[0] = a // ITEMS + 1
        s.item[1] = a % ITEMS + 1
        return
    p = s.moves % PLAYERS
    if s.moves < PLAYERS:
        s.said[p] = a + 1
    else:
        s.asked[p] = a - ITEMS + 1
    s.moves += 1


def trade(give: int, get: int) -> int:
    """The number of a trade of two items, as `asked` has it."""
    return (give - 1) * ITEMS + get


def payoff(s: State, p: int) -> float:
    """One if both asked to give their own item for the other's."""
    first = s.asked[0] == trade(s.item[0], s.item[1])
    return 1.0 if first and s.asked[1] == trade(s.item[1], s.item[0]) else 0.0


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its item, the words, the progress of the game, and its request."""
    words = (s.item[p] * 16 + s.said[0]) * 16 + s.said[1]
    return ((words * 8 + s.moves) * 128 + s.asked[p]) * PLAYERS + p


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.item[0] == 0:
        return f"{NAMES[a // ITEMS]} to player 0, {NAMES[a % ITEMS]} to player 1"
    return f"say {NAMES[a]}" if s.moves < PLAYERS else trade_words(a - ITEMS + 1)


def trade_words(asked: int) -> str:
    """Trade apple for bell."""
    return f"trade {NAMES[(asked - 1) // ITEMS]} for {NAMES[(asked - 1) % ITEMS]}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.item[0] == 0:
        first, second = NAMES[a // ITEMS], NAMES[a % ITEMS]
        return {"verb": "deal", "text": f"{first} to {player(0)}, {second} to {player(1)}"}
    if s.moves < PLAYERS:
        return {"verb": "say", "word": NAMES[a]}
    return {"verb": "trade", "give": NAMES[(a - ITEMS) // ITEMS], "get": NAMES[(a - ITEMS) % ITEMS]}


def secret(s: State, a: int, p: int) -> bool:
    """Items and trades are secret, words are not. Of the deal everybody sees only the own item, in the view."""
    return s.item[0] == 0 or s.moves >= PLAYERS


def display(view: View) -> dict[str, list[str]]:
    """My item, what was said, my trade; and all items there are."""
    return {
        "item": [NAMES[view.item - 1]] if view.item else [],
        "said": [NAMES[word - 1] for word in view.said if word],
        "asked": [NAMES[(view.asked - 1) // ITEMS], NAMES[(view.asked - 1) % ITEMS]] if view.asked else [],
        "items": list(NAMES[:ITEMS]),
    }


def show(view: View) -> str:
    """One line for a person."""
    item = f"the {NAMES[view.item - 1]}" if view.item else "no item yet"
    said = [f"{player(p, 'said')} {NAMES[word - 1]}" for p, word in enumerate(view.said) if word]
    asked = f"; asked to {trade_words(view.asked)}" if view.asked else ""
    return f"{player(view.player, 'has')} {item}; {', '.join(said) or 'nothing was said'}{asked}"
