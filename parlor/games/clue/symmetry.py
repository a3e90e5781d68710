"""The card symmetry of Clue: what a player knows, up to the names of cards within a kind.

Martin (2020), section III B: Plum, Knife and Ballroom are as good as Plum, Knife and Study if nothing else was said of
the two rooms. Here a card is named by the first suggestion or accusation that mentions it, seats are counted from the
player who looks, and cards that nobody has mentioned differ only by whose they are: mine or not.

Moves name cards by their ranks in the same order: those that were mentioned, then one for all my others, and one for
all the rest. Chance draws which of them it is. It must not be, say, the first in the order of the deck: whoever asks
for the second of the cards that nobody has mentioned would then say that the first is their own.
"""

from __future__ import annotations

from parlor.game import CHANCE, Floats, Ints, State
from parlor.game.rng import mix
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked
from parlor.games.clue.options import ACCUSATIONS, CAP, CARDS, PLAYERS, ROOMS, SUSPECTS, TRIPLES, WEAPONS
from parlor.games.clue.rules import ACCUSE, END_TURN, LENGTH, OUTCOMES, SHOW, key, odds, play, triple_cards, turn
from parlor.games.clue.words import CARD_NAMES, describe

KINDS = 3
KIND_NAMES = ("suspect", "weapon", "room")
FIRST = (0, SUSPECTS, SUSPECTS + WEAPONS)  # the first card of each kind
SIZE = (SUSPECTS, WEAPONS, ROOMS)
STEP = (WEAPONS * ROOMS, ROOMS, 1)  # between triples with neighbouring cards of a kind
DRAWING = 2  # `suggested` from here on: cards of a move are being drawn, see `drawn`
PLACE_BITS = 4  # of a card within its kind


def mentions(s: State) -> int:
    """The number of places for mentions of a triple: all suggestions, then an accusation of each player."""
    return s.suggestions + PLAYERS


def mentioned(s: State, p: int, i: int) -> int:
    """The triple of a mention: suggestions in order, then accusations clockwise from `p`; -1 if there is none."""
    if i < s.suggestions:
        return triple_asked(s.asked[i])
    return (s.accused[(p + i - s.suggestions) % PLAYERS] & (1 << TRIPLE_BITS) - 1) - 1


def place_of(triple: int, kind: int) -> int:
    """The card of a triple, counted within its kind."""
    if kind == 0:
        return triple // (WEAPONS * ROOMS)
    return triple // ROOMS % WEAPONS if kind == 1 else triple % ROOMS


def first_mention(s: State, p: int, kind: int, place: int) -> int:
    """The first mention of a card."""
    for i in range(mentions(s)):
        triple = mentioned(s, p, i)
        if triple >= 0 and place_of(triple, kind) == place:
            return i
    return mentions(s)


def named(s: State, p: int, triple: int) -> int:
    """A triple without names: of each of its cards, the first mention, and whether it is mine."""
    code = 0
    for kind in range(KINDS):
        place = place_of(triple, kind)
        mine = s.hand[p] >> FIRST[kind] + place & 1
        code = code << 10 | first_mention(s, p, kind, place) << 1 | mine
    return code


def kind_shown(shown: int) -> int:
    """The kind of a card of `shown`, + 1; 0 if nobody showed it to me."""
    if shown == 0:
        return 0
    return 1 if shown <= SUSPECTS else 2 if shown <= SUSPECTS + WEAPONS else 3


def symmetric_key(s: State, p: int) -> int:
    """The information set of `p` up to symmetry: cards are named by their first mention, seats are counted from `p`."""
    k = mix(s.dealt, (s.first - 1 - p + PLAYERS) % PLAYERS)
    for kind in range(KINDS):
        held = s.hand[p] >> FIRST[kind] & (1 << SIZE[kind]) - 1
        count = 0
        while held:
            held &= held - 1
            count += 1
        k = mix(k, count)
    for i in range(s.suggestions):
        refuter = refuter_of(s.asked[i])
        seats = (asker_of(s.asked[i]) - p + PLAYERS) % PLAYERS << 4
        seats |= (refuter - p + PLAYERS) % PLAYERS + 1 if refuter >= 0 else 0
        k = mix(k, named(s, p, triple_asked(s.asked[i])) << 12 | seats << 4 | kind_shown(s.shown[p][i]))
    if ACCUSATIONS:
        for i in range(PLAYERS):
            accused = s.accused[(p + i) % PLAYERS]
            triple = (accused & (1 << TRIPLE_BITS) - 1) - 1
            k = mix(k, named(s, p, triple) << 12 | accused >> TRIPLE_BITS if accused else -1)
    return mix(k, (s.actor - p + PLAYERS) % PLAYERS << 8 | s.suggested << 4 | s.over)


# ---------------------------------------------------------------------------------------------------- moves


def ordered(s: State, p: int, kind: int) -> int:
    """The cards of a kind, packed: in the order of their first mention, then my others, then the rest."""
    code = 0
    listed = 0
    count = 0
    for i in range(mentions(s)):
        triple = mentioned(s, p, i)
        if triple >= 0:
            place = place_of(triple, kind)
            if listed >> place & 1 == 0:
                listed |= 1 << place
                code |= place << PLACE_BITS * count
                count += 1
    for mine in (1, 0):
        for place in range(SIZE[kind]):
            if listed >> place & 1 == 0 and s.hand[p] >> FIRST[kind] + place & 1 == mine:
                code |= place << PLACE_BITS * count
                count += 1
    return code


def card_at(s: State, p: int, kind: int, rank: int) -> int:
    """The card, counted within its kind, of a rank in that order."""
    return ordered(s, p, kind) >> PLACE_BITS * rank & (1 << PLACE_BITS) - 1


def like_it(s: State, p: int, kind: int, rank: int) -> int:
    """The size of the class of cards that look like the card of a rank; 0 if that is not the first of its class."""
    place = card_at(s, p, kind, rank)
    if first_mention(s, p, kind, place) < mentions(s):
        return 1
    mine = s.hand[p] >> FIRST[kind] + place & 1
    count = 1
    for other in range(SIZE[kind]):
        alike = other != place and s.hand[p] >> FIRST[kind] + other & 1 == mine
        if alike and first_mention(s, p, kind, other) == mentions(s):
            if other < place:
                return 0
            count += 1
    return count


def symmetric_legal(s: State, out: Ints) -> int:
    """Show a card of a kind; or suggest or accuse cards by their ranks, the first of those that are alike."""
    count = 0
    if s.answering:
        for kind in range(KINDS):
            if s.hand[s.answering - 1] >> FIRST[kind] + place_of(triple_asked(s.asked[s.suggestions - 1]), kind) & 1:
                out[count] = SHOW + kind
                count += 1
        return count
    first = 0  # a bit for each rank of each kind
    for kind in range(KINDS):
        for rank in range(SIZE[kind]):
            if like_it(s, s.actor, kind, rank) > 0:
                first |= 1 << FIRST[kind] + rank
    for begin in (0, ACCUSE) if ACCUSATIONS else (0,):
        if begin > 0 or s.suggested == 0:
            for triple in range(TRIPLES):
                cards = triple_cards(triple)
                if first & cards == cards:
                    out[count] = begin + triple
                    count += 1
    if s.suggested:
        out[count] = END_TURN
        count += 1
    return count


def symmetric_turn(s: State) -> int:
    """As in the game itself; and chance draws one of the cards that are alike."""
    return CHANCE if s.suggested >= DRAWING else turn(s)


def drawn(s: State) -> tuple[int, int, int]:
    """While cards are drawn: the move by ranks, the kind that is drawn now, and `suggested` as it was."""
    code = s.suggested - DRAWING
    return code >> 3, code >> 1 & 3, code & 1


def symmetric_odds(s: State, out: Floats) -> int:
    """All cards that are alike have the same probability."""
    if s.suggested < DRAWING:
        return odds(s, out)
    a, kind, _ = drawn(s)
    count = like_it(s, s.actor, kind, place_of(a % TRIPLES, kind))
    for i in range(count):
        out[i] = 1.0 / count
    return count


def symmetric_play(s: State, a: int) -> None:
    """Deal, make a move, or draw a card for it; kinds are drawn one after the other."""
    if s.dealt < CARDS or a == END_TURN:
        play(s, a)
        return
    if s.answering:
        play(s, symmetric_resolve(s, a))
        return
    kind = 0
    suggested = s.suggested
    move = a
    if s.suggested >= DRAWING:
        move, kind, suggested = drawn(s)
        move += a * STEP[kind]
        kind += 1
    while kind < KINDS and like_it(s, s.actor, kind, place_of(move % TRIPLES, kind)) == 1:
        kind += 1
    if kind < KINDS:
        s.suggested = DRAWING + (move << 3 | kind << 1 | suggested)
    else:
        s.suggested = suggested
        play(s, by_ranks(s, move))


def by_ranks(s: State, a: int) -> int:
    """The suggestion or accusation of cards that are given by their ranks."""
    triple = a % TRIPLES
    for kind in range(KINDS):
        rank = place_of(triple, kind)
        a += (card_at(s, s.actor, kind, rank) - rank) * STEP[kind]
    return a


def symmetric_resolve(s: State, a: int) -> int:
    """A move that it stands for: which of the cards that are alike depends on all that the player knows."""
    if s.answering:
        kind = a - SHOW
        return SHOW + FIRST[kind] + place_of(triple_asked(s.asked[s.suggestions - 1]), kind)
    if a == END_TURN:
        return a
    dice = mix(key(s, s.actor), a)
    triple = a % TRIPLES
    for kind in range(KINDS):
        dice = mix(dice, kind)
        a += dice % like_it(s, s.actor, kind, place_of(triple, kind)) * STEP[kind]
    return by_ranks(s, a)


def symmetric_stands_for(s: State, a: int, out: Ints) -> int:
    """All moves that it stands for, each as good as the others."""
    if s.answering or a == END_TURN:
        out[0] = symmetric_resolve(s, a)
        return 1
    triple = a % TRIPLES
    count = 0
    for i in range(like_it(s, s.actor, 0, place_of(triple, 0))):
        for j in range(like_it(s, s.actor, 1, place_of(triple, 1))):
            for k in range(like_it(s, s.actor, 2, place_of(triple, 2))):
                out[count] = by_ranks(s, a + i * STEP[0] + j * STEP[1] + k * STEP[2])
                count += 1
    return count


def symmetric_describe(s: State, a: int) -> str:
    """A suggestion by ranks, as "suggest suspect 1, weapon 3, room 2"; a card that is drawn by its name."""
    if s.dealt < CARDS:
        return describe(s, a)
    if s.suggested >= DRAWING:
        move, kind, _ = drawn(s)
        return CARD_NAMES[FIRST[kind] + card_at(s, s.actor, kind, place_of(move % TRIPLES, kind) + a)]
    if s.answering:
        return f"show the {KIND_NAMES[a - SHOW]}"
    if a == END_TURN:
        return describe(s, a)
    ranks = ", ".join(f"{KIND_NAMES[kind]} {place_of(a % TRIPLES, kind) + 1}" for kind in range(KINDS))
    return f"{'suggest' if a < ACCUSE else 'accuse'} {ranks}"


SYMMETRIC = {
    "turn": symmetric_turn,
    "odds": symmetric_odds,
    "legal": symmetric_legal,
    "play": symmetric_play,
    "key": symmetric_key,
    "resolve": symmetric_resolve,
    "concrete_actions": symmetric_stands_for,
    "describe": symmetric_describe,
    "outcomes": max(OUTCOMES, SUSPECTS, WEAPONS, ROOMS),
    "length": LENGTH + KINDS * (CAP + PLAYERS),
}
