"""Sheriff: smuggle goods past the sheriff, who may be bribed.

The smuggler secretly loads a number of illegal items. Then there are some rounds of bargaining: the smuggler offers a
bribe, and the sheriff says whether the cargo will be inspected. Only the last round counts. If the sheriff lets it
pass, the smuggler gets the value of the items and pays the bribe. If the sheriff inspects, the smuggler pays a fine for
each item to the sheriff; if there is none, the sheriff pays a compensation to the smuggler. After the board game
*Sheriff of Nottingham*; Farina, Ling, Fang and Sandholm, *Correlation in extensive-form games: saddle-point formulation
and benchmarks* (2019).
"""

from collections.abc import Mapping

from parlor.game import OVER, Floats, Ints, State, View, Word, choice, option, private, public
from parlor.game.rng import mix
from parlor.game.words import player

#: preset -> most items, highest bribe, rounds, value of an item, penalty for an item, penalty of the sheriff. The paper
#: is Li et al. (2023) on PSRO, whose string for OpenSpiel has two items and whose text has ten.
PRESETS = {
    "paper": (2, 2, 2, 5, 1, 1),
    "ten-items": (10, 2, 2, 5, 1, 1),
    "openspiel": (3, 3, 4, 1, 2, 3),
}
ABOUT = {
    "paper": Word("Two items", "At most two items, of value 5; bribes up to 2, two rounds."),
    "ten-items": Word("Ten items", "The same with up to ten items: much more to smuggle, and to lose."),
    "openspiel": Word("Four rounds", "At most three items, of value 1; high fines, bribes up to 3, four rounds."),
}
_PRESET = tuple(PRESETS.values())[choice("preset", "paper", tuple(PRESETS), "the defaults of everything below", ABOUT)]

PLAYERS = 2
ITEMS = option("items", _PRESET[0], 1, 50, "the most illegal items")
BRIBE = option("bribe", _PRESET[1], 1, 50, "the highest bribe")
ROUNDS = option("rounds", _PRESET[2], 1, 8, "rounds of bargaining")
ITEM_VALUE = option("item_value", _PRESET[3], 0, 100, "what an item that passes is worth to the smuggler")
ITEM_PENALTY = option("item_penalty", _PRESET[4], 0, 100, "what the smuggler pays for each item that is found")
SHERIFF_PENALTY = option("sheriff_penalty", _PRESET[5], 0, 100, "what the sheriff pays for an inspection in vain")
SMUGGLER, SHERIFF = 0, 1

LET_PASS, INSPECT = 0, 1  # actions; then the numbers of items, and the bribes
LOAD = 2
OFFER = LOAD + ITEMS + 1
ACTIONS = OFFER + BRIBE + 1
OUTCOMES = 0
LENGTH = 1 + 2 * ROUNDS
ZERO_SUM = False
PAYOFFS = (
    -float(max(ITEM_PENALTY * ITEMS, BRIBE, SHERIFF_PENALTY)),
    float(max(ITEM_VALUE * ITEMS, ITEM_PENALTY * ITEMS, BRIBE, SHERIFF_PENALTY)),
    float(ITEM_VALUE * ITEMS),
)
STATE = {
    "items": private(PLAYERS),  # the smuggler's + 1, 0 before the cargo is loaded; the sheriff has none
    "moves": public(),  # how many were made
    "bribe": public(ROUNDS),  # offered in each round
    "answer": public(ROUNDS),  # LET_PASS or INSPECT
}


def start(s: State) -> None:
    """The cargo is empty."""


def turn(s: State) -> int:
    """Load; then offers and answers."""
    if s.moves == LENGTH:
        return OVER
    return SHERIFF if s.moves and s.moves % 2 == 0 else SMUGGLER


def odds(s: State, out: Floats) -> int:
    """Nothing is left to chance."""
    return 0


def legal(s: State, out: Ints) -> int:
    """Any number of items, any bribe, either answer."""
    first, count = LET_PASS, 2
    if s.moves == 0:
        first, count = LOAD, ITEMS + 1
    elif s.moves % 2:
        first, count = OFFER, BRIBE + 1
    for i in range(count):
        out[i] = first + i
    return count


def play(s: State, a: int) -> None:
    """Load, offer or answer."""
    if s.moves == 0:
        s.items[SMUGGLER] = a - LOAD + 1
    elif s.moves % 2:
        s.bribe[s.moves // 2] = a - OFFER
    else:
        s.answer[s.moves // 2 - 1] = a
    s.moves += 1


def payoff(s: State, p: int) -> float:
    """By the last offer and the last answer."""
    items = s.items[SMUGGLER] - 1
    smuggler = ITEM_VALUE * items - s.bribe[ROUNDS - 1]
    sheriff = s.bribe[ROUNDS - 1]
    if s.answer[ROUNDS - 1] == INSPECT:
        smuggler = -ITEM_PENALTY * items if items else SHERIFF_PENALTY
        sheriff = -smuggler
    return float(smuggler if p == SMUGGLER else sheriff)


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its cargo, and all that was said."""
    k = mix(mix(p, s.items[p]), s.moves)
    for i in range(s.moves // 2):
        k = mix(k, s.bribe[i] * 2 + s.answer[i])
    return k


# ------------------------------------------------------------------------------------------------------------- words


def describe(s: State, a: int) -> str:
    """Names of moves."""
    if a >= OFFER:
        return f"offer {a - OFFER}"
    return ("let pass", "inspect")[a] if a < LOAD else f"load {a - LOAD}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Moves as data; answers before the last round are only words."""
    if a >= OFFER:
        bribe = a - OFFER
        return {"verb": "offer", "bribe": bribe, "text": f"offer a bribe of {bribe}" if bribe else "offer no bribe"}
    if a >= LOAD:
        return {"verb": "load", "items": a - LOAD, "text": f"load {counted(a - LOAD)}"}
    text = ("let the cargo pass", "inspect the cargo")[a]
    return {"verb": ("pass", "inspect")[a], "text": text if s.moves == LENGTH - 1 else f"say: I would {text}"}


def counted(items: int) -> str:
    """No item, one item, 2 items."""
    return ("no illegal item", "one illegal item")[items] if items < 2 else f"{items} illegal items"


def secret(s: State, a: int, p: int) -> bool:
    """The cargo is loaded in secret, the rest is said aloud."""
    return bool(s.moves == 0 and p != SMUGGLER)


def display(view: View) -> dict[str, list[int]]:
    """The cargo, if I have one; offers and answers; what everything is worth."""
    return {
        "items": [view.items - 1] if view.items else [],
        "offers": list(view.bribe[: view.moves // 2]),
        "answers": list(view.answer[: max(view.moves - 1, 0) // 2]),
        "most": [ITEMS, BRIBE, ROUNDS],
        "worth": [ITEM_VALUE, ITEM_PENALTY, SHERIFF_PENALTY],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    parts = []
    if view.player == SMUGGLER:
        loaded = counted(things["items"][0]) if things["items"] else "nothing yet"
        parts.append(f"{player(SMUGGLER, 'has')} loaded {loaded}")
    for i, bribe in enumerate(things["offers"]):
        said = f"{player(SMUGGLER, 'offers')} {bribe}"
        if i < len(things["answers"]):
            said += f", {player(SHERIFF, 'says')} {('let pass', 'inspect')[things['answers'][i]]}"
        parts.append(said)
    return "; ".join(parts) or "nothing was offered yet"
