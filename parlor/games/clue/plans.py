"""Clue by plans: few moves, each of which knows what to do, so that learning is about when to do which.

    believe            suggest the likeliest card of each kind, reading what others suggest
    doubt              the same without that, where it makes a difference
    hide               as `believe`, but with a card of my own in place of one of the three, of any kind: it cannot win,
                       but others read it wrongly, and whoever refutes must show one of the other two; in the first turn
    show the suspect   the weapon, or the room; a card that the suggester has seen from me before is always shown again
    accuse, end turn   with accusations: accuse the likeliest three, as soon as that is as likely as not

How likely cards are is the quick estimate of `estimate.py`. Keys have the turn, how sure one is, and whether believing
and doubting differ; or which kinds could be shown, and whether it is the first round. They do not have the seat: what
is learned in one serves in all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.game import Ints, State
from parlor.game.rng import mix
from parlor.games.clue.asked import asker_of, triple_asked
from parlor.games.clue.estimate import PLACES, estimate
from parlor.games.clue.options import ACCUSATIONS, CARDS, PLAYERS
from parlor.games.clue.rules import ACCUSE, END_TURN, FILE, SHOW, count_bits, key, play, triple_of
from parlor.games.clue.symmetry import FIRST, KIND_NAMES, KINDS, SIZE, STEP, place_of
from parlor.games.clue.words import describe

BELIEVE, DOUBT, HIDE, ACCUSING, ENDING, SHOWING = 0, 1, 2, 3, 4, 5  # the last for each kind
HIDING_TURNS = 1  # later there is more to lose, against players who do not read suggestions
MAX_TURNS = 5
LIKELY = (0.02, 0.06, 0.2, 0.5)  # how likely the best suggestion wins, in steps


def own_turns(s: State, p: int) -> int:
    """The number of suggestions that player `p` has made."""
    count = 0
    for i in range(s.suggestions):
        if asker_of(s.asked[i]) == p:
            count += 1
    return count


def likeliest(chances: Any, kind: int, dice: int) -> int:
    """The card of a kind that is the likeliest in the file; among equals, one drawn by `dice`."""
    best = FIRST[kind]
    highest = -1.0
    for i in range(SIZE[kind]):
        card = FIRST[kind] + (i + dice % SIZE[kind]) % SIZE[kind]
        chance = chances[card * PLACES + FILE]
        if chance > highest * (1.0 + 1e-6) + 1e-9:
            highest = chance
            best = card
    return best


def best_triple(chances: Any, dice: int) -> int:
    """The likeliest of each kind."""
    return triple_of(
        likeliest(chances, 0, dice & 0xFFFF),
        likeliest(chances, 1, dice >> 16 & 0xFFFF),
        likeliest(chances, 2, dice >> 32),
    )


def triple_chance(chances: Any, triple: int) -> float:
    """The probability of a triple if its cards were independent."""
    chance = 1.0
    for kind in range(KINDS):
        chance *= chances[(FIRST[kind] + place_of(triple, kind)) * PLACES + FILE]
    return chance


def doubting_differs(s: State, p: int, believed: Any) -> bool:
    """Whether a player who did not read what others suggest would suggest something else."""
    chances = np.zeros(CARDS * PLACES)
    estimate(s, p, False, chances)
    return triple_chance(chances, best_triple(believed, 0)) < 0.999 * triple_chance(chances, best_triple(chances, 0))


def to_show(s: State) -> int:
    """The kinds that could be shown, a bit each; if the suggester has already seen one of the cards, only that one."""
    p = s.answering - 1
    triple = triple_asked(s.asked[s.suggestions - 1])
    kinds = 0
    for kind in range(KINDS):
        card = FIRST[kind] + place_of(triple, kind)
        if s.hand[p] >> card & 1:
            kinds |= 1 << kind
            for i in range(s.suggestions - 1):
                if s.shown[p][i] == card + 1 and asker_of(s.asked[i]) == s.actor:
                    return 1 << kind
    return kinds


def plans_legal(s: State, out: Ints) -> int:
    """The plans that make sense here."""
    count = 0
    if s.answering:
        kinds = to_show(s)
        for kind in range(KINDS):
            if kinds >> kind & 1:
                out[count] = SHOWING + kind
                count += 1
        return count
    p = s.actor
    chances = np.zeros(CARDS * PLACES)
    estimate(s, p, True, chances)
    if s.suggested == 0:
        out[count] = BELIEVE
        count += 1
        if doubting_differs(s, p, chances):
            out[count] = DOUBT
            count += 1
        if own_turns(s, p) < HIDING_TURNS:
            out[count] = HIDE
            count += 1
    if ACCUSATIONS and triple_chance(chances, best_triple(chances, 0)) >= LIKELY[3]:
        out[count] = ACCUSING
        count += 1
    if s.suggested:
        out[count] = ENDING
        count += 1
    return count


def plans_resolve(s: State, a: int) -> int:
    """The move that a plan comes to."""
    if a >= SHOWING:
        kind = a - SHOWING
        return SHOW + FIRST[kind] + place_of(triple_asked(s.asked[s.suggestions - 1]), kind)
    if a == ENDING:
        return END_TURN
    p = s.actor
    dice = mix(key(s, p), a)
    chances = np.zeros(CARDS * PLACES)
    estimate(s, p, a != DOUBT, chances)
    triple = best_triple(chances, dice)
    if a == ACCUSING:
        return ACCUSE + triple
    return hidden(s, triple, dice) if a == HIDE else triple


def hidden(s: State, triple: int, dice: int) -> int:
    """A triple with one of my own cards, drawn by `dice`, in place of its card of that kind."""
    own = s.hand[s.actor]
    for _ in range(mix(dice, HIDE) % count_bits(own)):
        own &= own - 1
    card = 0
    while own >> card & 1 == 0:
        card += 1
    kind = 0 if card < FIRST[1] else 1 if card < FIRST[2] else 2
    return triple + (card - FIRST[kind] - place_of(triple, kind)) * STEP[kind]


def plans_play(s: State, a: int) -> None:
    """Deal, or do what a plan comes to."""
    play(s, plans_resolve(s, a) if s.dealt == CARDS else a)


def plans_key(s: State, p: int) -> int:
    """The turn, how sure player `p` is, whether doubting differs; or what can be shown, and in which round."""
    if s.answering == p + 1:
        return (min(s.suggestions // PLAYERS, 1) << 3 | to_show(s)) << 1 | 1
    chances = np.zeros(CARDS * PLACES)
    estimate(s, p, True, chances)
    chance = triple_chance(chances, best_triple(chances, 0))
    likely = 0
    for step in LIKELY:
        if chance >= step:
            likely += 1
    differs = 1 if doubting_differs(s, p, chances) else 0
    return ((min(own_turns(s, p), MAX_TURNS) << 3 | likely) << 1 | differs) << 2 | s.suggested << 1


def plans_describe(s: State, a: int) -> str:
    """The name of a plan."""
    if s.dealt < CARDS:
        return describe(s, a)
    if a >= SHOWING:
        return f"show the {KIND_NAMES[a - SHOWING]}"
    return ("believe", "doubt", "hide", "accuse", "end turn")[a]


PLANS = {
    "legal": plans_legal,
    "play": plans_play,
    "key": plans_key,
    "resolve": plans_resolve,
    "describe": plans_describe,
    "seat_in_keys": False,
}
