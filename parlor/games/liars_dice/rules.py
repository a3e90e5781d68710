"""Liar's dice: bid on all the dice, seeing only yours.

Two players roll secretly. In turn they raise the bid "at least q dice show face f" or call the other a liar; the
highest face is wild. Then all dice are shown: the bidder wins if the bid holds, else the caller does. Bids go up by
quantity, then by face. Lisý, Lanctot and Bowling, *Online Monte Carlo counterfactual regret minimization* (2015).
"""

import math
from collections.abc import Mapping

from parlor.game import CHANCE, OVER, Floats, GameError, Ints, State, View, option, private, public
from parlor.game.rng import mix
from parlor.game.words import has_reader, player

TITLE = "Liar's Dice"
PLAYERS = 2
DICE = option("dice", 1, 1, 5, "dice of each player")
FACES = option("faces", 6, 2, 10, "sides of a die")
BIDS = PLAYERS * DICE * FACES
LIAR = BIDS  # the action after all bids
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SIX = 6  # sixes
if BIDS > 60:
    raise GameError(f"dice={DICE} and faces={FACES} make {BIDS} bids; there can be at most 60.")

OPPONENT = "counting"
ACTIONS = BIDS + 1
OUTCOMES = FACES
LENGTH = PLAYERS * DICE + BIDS + 1
ZERO_SUM = True
STATE = {
    "rolled": public(),  # dice, so far
    "dice": private(PLAYERS, FACES),  # how many of mine show each face
    "bids": public(),  # one bit for each bid that was made
    "last": public(),  # the standing bid + 1, 0 for none
    "actor": public(),
    "called": public(),
}


def start(s: State) -> None:
    """Nothing is on the table before the roll."""


def turn(s: State) -> int:
    """Roll everything, then bid in turn until somebody calls."""
    if s.rolled < PLAYERS * DICE:
        return CHANCE
    return OVER if s.called else s.actor


def odds(s: State, out: Floats) -> int:
    """A fair die."""
    for face in range(FACES):
        out[face] = 1.0 / FACES
    return FACES


def legal(s: State, out: Ints) -> int:
    """Any higher bid; calling, once there is a bid."""
    count = 0
    for bid in range(s.last, BIDS):
        out[count] = bid
        count += 1
    if s.last > 0:
        out[count] = LIAR
        count += 1
    return count


def play(s: State, a: int) -> None:
    """Roll a die or make a move."""
    if s.rolled < PLAYERS * DICE:
        s.dice[s.rolled // DICE][a] += 1
        s.rolled += 1
    elif a == LIAR:
        s.called = 1
    else:
        s.bids |= 1 << a
        s.last = a + 1
        s.actor = 1 - s.actor


def matching(s: State, face: int) -> int:
    """Dice that show the face or the wild one."""
    count = 0
    for p in range(PLAYERS):
        count += s.dice[p][face]
        if face != FACES - 1:
            count += s.dice[p][FACES - 1]
    return count


def payoff(s: State, p: int) -> float:
    """The caller (who is still the actor) wins if the bid was a lie."""
    bid = s.last - 1
    honest = matching(s, bid % FACES) >= bid // FACES + 1
    return 1.0 if honest == (p != s.actor) else -1.0


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its dice, and the bids made: they only rise, so the set is the order."""
    mine = p
    for face in range(FACES):
        mine = mine * (DICE + 1) + s.dice[p][face]
    return mix(mix(s.rolled, mine), s.bids)


def bid_name(bid: int) -> str:
    """2-5: at least two fives."""
    return f"{bid // FACES + 1}-{bid % FACES + 1}"


def bid_words(bid: int) -> str:
    """Two fives."""
    count, face = bid // FACES + 1, bid % FACES + 1
    return f"{NUMBERS[count]} {NUMBERS[face]}{'' if count == 1 else 'es' if face == SIX else 's'}"


ACTION_WORDS = {bid_name(bid): bid_words(bid) for bid in range(BIDS)}


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.rolled < PLAYERS * DICE:
        return f"player {s.rolled // DICE} rolls {a + 1}"
    return "liar" if a == LIAR else bid_name(a)


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.rolled < PLAYERS * DICE:
        roller = s.rolled // DICE
        return {"verb": "roll", "face": a + 1, "to": roller, "text": f"{player(roller, 'rolls')} {a + 1}"}
    if a == LIAR:
        return {"verb": "liar"}
    return {"verb": "bid", "count": a // FACES + 1, "face": a % FACES + 1, "text": bid_words(a)}


def secret(s: State, a: int, p: int) -> bool:
    """Dice are rolled in secret, moves are public."""
    return s.rolled < PLAYERS * DICE and p != s.rolled // DICE


def bids_made(view: View) -> list[int]:
    """The bids in order: each one is higher than the last."""
    return [bid for bid in range(BIDS) if view.bids >> bid & 1]


def display(view: View) -> dict[str, list[str]]:
    """My dice, and the bids in order."""
    return {
        "dice": [str(face + 1) for face in range(FACES) for _ in range(view.dice[face])],
        "said": [bid_name(bid) for bid in bids_made(view)],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    dice, bids = " ".join(things["dice"]), " ".join(things["said"])
    if has_reader():
        bids = ", ".join(bid_words(bid) for bid in bids_made(view))
    called = ", called" if view.called else ""
    return f"{player(view.player)} rolled {dice or 'nothing yet'}; bids: {bids or 'none'}{called}"


# --------------------------------------------------------------------------------------------------- what is hidden

WORLDS = math.comb(DICE + FACES - 1, DICE)  # the other's dice without their order, few low faces first


def throws(dice: int, faces: int) -> int:
    """The number of different throws, disregarding their order."""
    count = 1
    for i in range(dice):
        count = count * (faces + i) // (i + 1)
    return count


def shown(code: int, face: int) -> int:
    """The number of dice in a throw that show a face."""
    left = DICE
    count = 0
    for f in range(face + 1):
        count = 0
        if f == FACES - 1:
            return left
        while code >= throws(left - count, FACES - 1 - f):
            code -= throws(left - count, FACES - 1 - f)
            count += 1
        left -= count
    return count


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """Every throw; the more orders it has, the likelier it is."""
    for code in range(WORLDS):
        codes[code] = code
        orders = 1
        rolled = 0
        for face in range(FACES):
            for i in range(shown(code, face)):
                rolled += 1
                orders = orders * rolled // (i + 1)
        weights[code] = float(orders)
    return WORLDS


def set_hidden_state(s: State, p: int, code: int) -> None:
    """The other has thrown this."""
    for face in range(FACES):
        s.dice[1 - p][face] = shown(code, face)


def hidden(s: State, p: int) -> int:
    """The other's throw."""
    code = 0
    left = DICE
    for face in range(FACES - 1):
        for _ in range(s.dice[1 - p][face]):
            code += throws(left, FACES - 1 - face)
            left -= 1
    return code


def decisions(s: State) -> int:
    """Bids, and the call."""
    count = s.called
    for bid in range(BIDS):
        count += s.bids >> bid & 1
    return int(count)


def decision(s: State, k: int) -> int:
    """The k-th bid, or the call."""
    before = 0
    for bid in range(BIDS):
        if s.bids >> bid & 1:
            if before == k:
                return bid
            before += 1
    return LIAR


def rewind(s: State, k: int) -> None:
    """Only the first k bids were made."""
    if k == decisions(s):
        return
    kept = 0
    last = 0
    for i in range(k):
        last = decision(s, i) + 1
        kept |= 1 << (last - 1)
    s.bids = kept
    s.last = last
    s.actor = k % PLAYERS
    s.called = 0


def world_numbers(code: int) -> list[int]:
    """A world as numbers: the other's dice of each face."""
    return [shown(code, face) for face in range(FACES)]


def describe_world(code: int) -> str:
    """The other's dice."""
    return " ".join(str(face + 1) for face in range(FACES) for _ in range(shown(code, face)))
