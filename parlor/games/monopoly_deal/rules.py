"""The rules of Monopoly Deal for two, as seven functions.

Deal, then streaks in turn: draw, play up to so many cards or pass. A card that demands something hands control to the
other player (see `responses`), and the turn ends when that is answered. Enough complete sets win, at any step.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State, hidden, private, public
from parlor.game.rng import below, mix
from parlor.games.monopoly_deal.cards import (
    ACTIONS,
    CAP,
    COLOURS,
    DECK,
    DRAWS,
    EMPTY_HAND,
    HAND,
    JUST_SAY_NO,
    KINDS,
    PASS,
    PAYABLE,
    PLAYERS,
    PROPERTY,
    RENT,
    SET_SIZE,
    SETS,
    SLY_DEAL,
    STALEMATE,
    TURNS,
)
from parlor.games.monopoly_deal.responses import (
    can_demand,
    close,
    demand,
    is_demand,
    respond,
    response_complete,
    response_required,
    valid_responses,
)

OUTCOMES = KINDS
# Every card is drawn at most once; a turn is one move and at most 7 payments (rent is at most 7), a refusal or a yield.
LENGTH = sum(DECK) + CAP * (1 + 8)
ZERO_SUM = True
STATE = {
    "deck": hidden(KINDS),  # how many of each kind are left: the order does not exist until cards are drawn
    "left": public(),
    "hand": private(PLAYERS, KINDS),
    "held": public(PLAYERS),  # size of the hands
    "cash": public(PLAYERS, PAYABLE),  # the banks
    "property": public(PLAYERS, COLOURS),
    "discard": public(KINDS),
    "dealt": public(),  # hands dealt
    "drawing": public(),  # cards that `drawer` still draws
    "drawer": public(),
    "actor": public(),  # whose streak it is
    "streak": public(),  # turns taken in it
    "turn": public(),  # turns taken in all
    "idle": public(),  # streaks in a row in which no card was played
    "demand": public(),  # the response phase: what is demanded, 0 for nothing
    "owed": public(),
    "paid": public(),
    "wanted": public(),  # the colour of a property to be stolen
    "settled": public(),
    "seen": private(PLAYERS),  # a hash of all this player has seen happen, in order
}


def start(s: State) -> None:
    """Shuffle; the first hand is dealt."""
    for kind in range(KINDS):
        s.deck[kind] = DECK[kind]
        s.left += DECK[kind]
    s.drawing = HAND


def complete_sets(s: State, p: int) -> int:
    """Colours of which `p` has a whole set."""
    count = 0
    for colour in range(COLOURS):
        if s.property[p][colour] >= SET_SIZE[colour]:
            count += 1
    return count


def finished(s: State) -> bool:
    """A win, all cards played, too many turns, or a stalemate."""
    if complete_sets(s, 0) >= SETS or complete_sets(s, 1) >= SETS:
        return True
    if s.drawing > 0 or response_required(s):
        return False
    if s.left == 0 and s.held[0] == 0 and s.held[1] == 0:
        return True
    return s.turn >= CAP or (STALEMATE == 1 and s.idle >= 2 and s.left == 0)


def turn(s: State) -> int:
    """Chance draws; the other player responds; else it is the actor's turn."""
    if finished(s):
        return OVER
    if s.drawing > 0:
        return CHANCE
    return 1 - s.actor if response_required(s) else s.actor


def odds(s: State, out: Floats) -> int:
    """Any card of the deck."""
    share = 1.0 / s.left
    for kind in range(KINDS):
        out[kind] = s.deck[kind] * share
    return KINDS


def deal(s: State, out: Floats, r: Ints) -> int:
    """Draw a card by these odds, faster than through them."""
    card = below(r, s.left)
    kind = 0
    while card >= s.deck[kind]:
        card -= s.deck[kind]
        kind += 1
    return kind


def legal(s: State, out: Ints) -> int:
    """Play a card from the hand or pass; or respond."""
    if response_required(s):
        return valid_responses(s, 1 - s.actor, out)
    p = s.actor
    count = 0
    for a in range(PASS):
        if s.hand[p][card_of(a)] > 0 and a != JUST_SAY_NO and (a < RENT or can_demand(s, p, a)):
            out[count] = a
            count += 1
    out[count] = PASS
    return count + 1


def card_of(a: int) -> int:
    """The kind of card that an action on one's own turn plays."""
    return min(a, SLY_DEAL)


def play(s: State, a: int) -> None:
    """Draw, respond or take a turn, and update what was seen."""
    remember(s, a)
    advance(s, a)


def remember(s: State, a: int) -> None:
    """Both see every move; the card drawn is seen by the drawer only."""
    for p in range(PLAYERS):
        told = a if s.drawing == 0 or s.drawer == p else ACTIONS
        s.seen[p] = mix(s.seen[p], told)


def advance(s: State, a: int) -> None:
    """Apply an action or an outcome."""
    if s.drawing > 0:
        draw(s, a)
    elif response_required(s):
        respond(s, 1 - s.actor, a)
        settle(s)
    else:
        take_turn(s, a)


def draw(s: State, kind: int) -> None:
    """A card from the deck; after the last one of the deal, the next hand or the first streak."""
    p = s.drawer
    s.deck[kind] -= 1
    s.left -= 1
    s.hand[p][kind] += 1
    s.held[p] += 1
    s.drawing -= 1
    if s.drawing == 0 and s.dealt < PLAYERS:
        s.dealt += 1
        if s.dealt < PLAYERS:
            s.drawer = s.dealt
            s.drawing = HAND
        else:
            begin_streak(s, 0)


def begin_streak(s: State, p: int) -> None:
    """The next player draws: more, if the hand is empty."""
    s.actor = p
    s.streak = 0
    s.drawer = p
    s.drawing = min(s.left, EMPTY_HAND if s.held[p] == 0 else DRAWS)


def take_turn(s: State, a: int) -> None:
    """Pass, or play a card."""
    p = s.actor
    if a == PASS:
        s.turn += 1
        s.idle = s.idle + 1 if s.streak == 0 else 0
        begin_streak(s, 1 - p)
        return
    s.idle = 0
    kind = card_of(a)
    s.hand[p][kind] -= 1
    s.held[p] -= 1
    if kind < PROPERTY:
        s.cash[p][kind] += 1
    elif kind < RENT:
        s.property[p][kind - PROPERTY] += 1
    else:
        s.discard[kind] += 1
        if is_demand(a):
            demand(s, p, a)
    settle(s)


def settle(s: State) -> None:
    """End the turn, if nothing is demanded or the demand is answered."""
    if response_required(s):
        if not response_complete(s):
            return
        close(s)
    s.turn += 1
    s.streak += 1
    if s.streak == TURNS:
        begin_streak(s, 1 - s.actor)


def payoff(s: State, p: int) -> float:
    """Win, lose or draw."""
    if complete_sets(s, p) >= SETS:
        return 1.0
    return -1.0 if complete_sets(s, 1 - p) >= SETS else 0.0


def key(s: State, p: int) -> int:
    """The information set of `p`: the player and all that it has seen."""
    return mix(s.seen[p], p)
