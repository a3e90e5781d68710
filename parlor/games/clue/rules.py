"""The rules of Clue without a board.

A suspect, a weapon and a room lie in the file; the other cards are dealt as evenly as possible. In turn everybody
suggests one card of each kind. Clockwise from there, the first player who holds any of the three must show one of
them, of their choice, to the suggester alone; those before it have none. Without accusations, suggesting the three
cards of the file wins. With them, a player may accuse in their turn, before or after the suggestion, but only once: a
wrong accusation puts the player out, who then only refutes.

Actions: 0 … are suggestions; then accusations, if there are any, in the same order; then cards to show; the last one
ends a turn.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State, hidden, private, public
from parlor.game.rng import mix
from parlor.games.clue.asked import NOBODY, REFUTED, SEAT_BITS, TRIPLE_BITS, triple_asked
from parlor.games.clue.options import (
    ACCUSATIONS,
    CAP,
    CARDS,
    IN_HANDS,
    LARGER,
    PLAYERS,
    ROOMS,
    SUSPECTS,
    TRIPLES,
    WEAPONS,
    ZERO_SUM,
)

ACCUSE = TRIPLES  # the first accusation
SHOW = 2 * TRIPLES if ACCUSATIONS else TRIPLES  # the first card to show
END_TURN = SHOW + CARDS
ACTIONS = END_TURN + 1 if ACCUSATIONS else END_TURN
FILE = PLAYERS  # where a card can be dealt, besides the players
OUTCOMES = PLAYERS + 1
LENGTH = 1 + CARDS + 3 * CAP + PLAYERS

SHOWN_BITS = 5  # a card + 1
SEEN_BITS = TRIPLE_BITS + 2 * SEAT_BITS + SHOWN_BITS  # an entry of `asked` with the card that was shown

STATE = {
    "first": public(),  # the seat that is dealt the first card, + 1; the larger hands lie there and clockwise
    "dealt": public(),  # cards dealt so far, in the order of the deck
    "hand": private(PLAYERS),  # my cards, a bit each
    "file": hidden(),  # its three cards, a bit each
    "actor": public(),  # whose turn it is
    "suggestions": public(),  # how many there were
    "asked": public(CAP),  # all of them, see asked.py
    "shown": private(PLAYERS, CAP),  # the card that I showed or saw then, + 1
    "answering": public(),  # the seat that must show a card, + 1
    "suggested": public(),  # 1: the actor has made the suggestion of this turn
    "accused": public(PLAYERS),  # the wrong accusation of each player: its triple + 1, and the suggestions before it
    "winner": public(),  # seat + 1
    "over": public(),
    "opened": public(),  # at the end, the cards of the file, a bit each
}


def start(s: State) -> None:
    """If all hands are of one size it does not matter who is dealt the first card."""
    if LARGER == 0:
        s.first = 1


def hand_size(s: State, p: int) -> int:
    """The number of cards that player `p` is dealt in all."""
    place = (p - (s.first - 1) + PLAYERS) % PLAYERS  # clockwise from the first
    return IN_HANDS // PLAYERS + (1 if place < LARGER else 0)


def count_bits(cards: int) -> int:
    """The number of cards in a set."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


def kind_start(card: int) -> int:
    """The first card of the same kind."""
    if card < SUSPECTS:
        return 0
    return SUSPECTS if card < SUSPECTS + WEAPONS else SUSPECTS + WEAPONS


def kind_end(card: int) -> int:
    """The card after the last one of the same kind."""
    if card < SUSPECTS:
        return SUSPECTS
    return SUSPECTS + WEAPONS if card < SUSPECTS + WEAPONS else CARDS


def triple_of(suspect: int, weapon: int, room: int) -> int:
    """The number of a suspect, a weapon and a room, given as cards."""
    return (suspect * WEAPONS + weapon - SUSPECTS) * ROOMS + room - SUSPECTS - WEAPONS


def triple_cards(triple: int) -> int:
    """Its three cards, a bit each."""
    suspect = triple // (WEAPONS * ROOMS)
    weapon = SUSPECTS + triple // ROOMS % WEAPONS
    room = SUSPECTS + WEAPONS + triple % ROOMS
    return 1 << suspect | 1 << weapon | 1 << room


def turn(s: State) -> int:
    """Deal, then suggest, refute, and accuse in turn."""
    if s.dealt < CARDS:
        return CHANCE
    if s.over:
        return OVER
    return s.answering - 1 if s.answering else s.actor


def odds(s: State, out: Floats) -> int:
    """The probability of each first player; then, in the order of the deck, of each place for the next card."""
    if s.first == 0:
        for p in range(PLAYERS):
            out[p] = 1.0 / PLAYERS
        return PLAYERS
    card = s.dealt
    begin = kind_start(card)
    in_file = 0.0  # the probability that this card is the one of its kind in the file
    if s.file >> begin & (1 << kind_end(card) - begin) - 1 == 0:
        in_file = 1.0 / (kind_end(card) - card)
    for_hands = CARDS - s.dealt - (3 - count_bits(s.file))  # cards that are still to come into hands
    for p in range(PLAYERS):
        missing = hand_size(s, p) - count_bits(s.hand[p])
        out[p] = (1.0 - in_file) * missing / for_hands if for_hands else 0.0
    out[FILE] = in_file
    return OUTCOMES


def legal(s: State, out: Ints) -> int:
    """Show one of the suggested cards; or suggest, accuse, or end the turn."""
    count = 0
    if s.answering:
        could = s.hand[s.answering - 1] & triple_cards(triple_asked(s.asked[s.suggestions - 1]))
        for card in range(CARDS):
            if could >> card & 1:
                out[count] = SHOW + card
                count += 1
        return count
    if s.suggested == 0:
        for triple in range(TRIPLES):
            out[count] = triple
            count += 1
    if ACCUSATIONS:
        for triple in range(TRIPLES):
            out[count] = ACCUSE + triple
            count += 1
    if s.suggested:
        out[count] = END_TURN
        count += 1
    return count


def play(s: State, a: int) -> None:
    """Deal a card or make a move."""
    if s.first == 0:
        s.first = a + 1
    elif s.dealt < CARDS:
        if a == FILE:
            s.file |= 1 << s.dealt
        else:
            s.hand[a] |= 1 << s.dealt
        s.dealt += 1
    elif a < ACCUSE:
        suggest(s, a)
    elif a < SHOW:
        accuse(s, a - ACCUSE)
    elif a < END_TURN:
        answer(s, a - SHOW)
    else:
        end_turn(s)


def suggest(s: State, triple: int) -> None:
    """Find the first player clockwise who holds one of the cards; without accusations, the file's cards win."""
    cards = triple_cards(triple)
    result = NOBODY
    for distance in range(1, PLAYERS):
        seat = (s.actor + distance) % PLAYERS
        if s.hand[seat] & cards:
            result = seat + REFUTED
            break
    s.asked[s.suggestions] = triple + 1 | s.actor << TRIPLE_BITS | result << TRIPLE_BITS + SEAT_BITS
    s.suggestions += 1
    s.suggested = 1
    if result != NOBODY:
        s.answering = result - REFUTED + 1
    elif not ACCUSATIONS:
        if cards == s.file:
            win(s)
        else:
            end_turn(s)


def answer(s: State, card: int) -> None:
    """Show a card to the suggester; without accusations that ends the turn."""
    s.shown[s.answering - 1][s.suggestions - 1] = card + 1
    s.shown[s.actor][s.suggestions - 1] = card + 1
    s.answering = 0
    if not ACCUSATIONS:
        end_turn(s)


def accuse(s: State, triple: int) -> None:
    """Right, and the game is won; wrong, and the player is out."""
    if triple_cards(triple) == s.file:
        win(s)
    else:
        s.accused[s.actor] = triple + 1 | s.suggestions << TRIPLE_BITS
        end_turn(s)


def end_turn(s: State) -> None:
    """The next player clockwise who is not out; the game ends if all are, or after the last suggestion."""
    s.suggested = 0
    for distance in range(1, PLAYERS + 1):
        seat = (s.actor + distance) % PLAYERS
        if s.accused[seat] == 0:
            s.actor = seat
            if s.suggestions == CAP:
                finish(s)
            return
    finish(s)


def win(s: State) -> None:
    """The actor has named the three cards."""
    s.winner = s.actor + 1
    finish(s)


def finish(s: State) -> None:
    """Open the file."""
    s.over = 1
    s.opened = s.file


def payoff(s: State, p: int) -> float:
    """The winner gets as many points as there are players, or, if zero-sum, as there are others; who loses, -1."""
    if s.winner == 0:
        return 0.0 if ZERO_SUM else -1.0
    if s.winner != p + 1:
        return -1.0
    return PLAYERS - 1.0 if ZERO_SUM else float(PLAYERS)


def key(s: State, p: int) -> int:
    """The information set of `p`: its cards, suggestions, refuters, cards shown by and to it, accusations."""
    k = mix(mix(p, s.hand[p]), s.first << 8 | s.dealt)
    for i in range(0, s.suggestions, 2):  # two in a number, because most of the time is spent here
        seen = s.asked[i] << SHOWN_BITS | s.shown[p][i]
        if i + 1 < s.suggestions:
            seen |= (s.asked[i + 1] << SHOWN_BITS | s.shown[p][i + 1]) << SEEN_BITS
        k = mix(k, seen)
    if ACCUSATIONS:
        for q in range(PLAYERS):
            k = mix(k, s.accused[q])
    return mix(k, (((s.opened << 3 | s.winner) << 3 | s.answering) << 3 | s.actor) << 1 | s.suggested)
