"""Tiny Bridge: an auction with eight cards, two suits and partners.

Two suits of jack, queen, king and ace; West, North, East and South hold two cards each. The auction is that of bridge:
a bid of level one or two names the tricks to be made and trumps (hearts, spades, none), and is higher than the last
one. The two tricks are not played: everybody would play them perfectly, seeing all cards. With two players only
West and East bid, for the mean over the cards the others may hold. By Edward Lockhart for OpenSpiel; as there, but
unlike in bridge, the last bidder is declarer, and the seat before it leads.
"""

from collections.abc import Mapping

from parlor.compile import AlwaysCompiled
from parlor.game import CHANCE, OVER, Floats, Ints, State, View, option, private, public
from parlor.game.rng import mix
from parlor.game.words import player

TITLE = "Tiny Bridge"
PLAYERS = option("players", 2, 2, 4, "the number of players: one partnership, or both", step=2)
SEATS, CARDS, RANKS = 4, 8, 4  # hearts J Q K A, then spades
HANDS = CARDS * (CARDS - 1) // 2
WEST, EAST = 0, 2
TEAM = 2  # partners sit two seats apart

PASS, BIDS, DOUBLE, REDOUBLE = 0, 6, 7, 8
STRAINS = 3  # hearts, spades, no trumps
CALL_NAMES = ("pass", "1♥", "1♠", "1NT", "2♥", "2♠", "2NT", "double", "redouble")
CALLS = 1 + BIDS + 1 if PLAYERS == TEAM else 3 + BIDS * 9 + 1  # a bid, pass, pass, double, pass, pass, redouble, …

MADE, OVERTRICK, SLAM, SLAM_WITHOUT_TRUMPS, UNDERTRICK = 10, 10, 30, 35, -20  # points

ACTIONS = 1 + BIDS if PLAYERS == TEAM else REDOUBLE + 1
OUTCOMES = HANDS
LENGTH = PLAYERS + CALLS
ZERO_SUM = PLAYERS > TEAM
KIND = "common-payoff"
PAYOFFS = (-40.0, 35.0, 70.0) if PLAYERS == TEAM else (-160.0, 160.0, 0.0)
UNITS = {"points": 1.0}
STATE = {
    "hand": private(PLAYERS),  # 8 * the lower card + the higher one, 0 before the deal
    "dealt": public(),
    "calls": public(CALLS),  # in turn: the call + 1, 0 for none yet
    "made": public(),  # how many
}


def start(s: State) -> None:
    """No cards are dealt, no call is made."""


def low(hand: int) -> int:
    """The lower card of a hand, 0 … 7."""
    return hand // CARDS


def high(hand: int) -> int:
    """The higher card of a hand."""
    return hand % CARDS


def cards_of(hand: int) -> int:
    """Both cards, a bit each."""
    return 1 << low(hand) | 1 << high(hand)


def hand_of(outcome: int) -> int:
    """The hand of an outcome: J♥Q♥, J♥K♥, …, K♠A♠."""
    card = 0
    while outcome >= CARDS - 1 - card:  # so many hands have this card as the lower one
        outcome -= CARDS - 1 - card
        card += 1
    return card * CARDS + card + 1 + outcome


def held(s: State) -> int:
    """All cards that have been dealt, a bit each."""
    cards = 0
    for p in range(s.dealt):
        cards |= cards_of(s.hand[p])
    return cards


def turn(s: State) -> int:
    """Deal; then call in turn, until all others pass a bid, or all pass."""
    if s.dealt < PLAYERS:
        return CHANCE
    passes = s.made - 1 - last_call(s)
    ends = PLAYERS if passes == s.made else PLAYERS - 1
    return OVER if passes >= ends else s.made % PLAYERS


def odds(s: State, out: Floats) -> int:
    """Every hand of the remaining cards has the same probability."""
    taken = held(s)
    left = CARDS - 2 * s.dealt
    for h in range(HANDS):
        out[h] = 0.0 if cards_of(hand_of(h)) & taken else 2.0 / (left * (left - 1))
    return HANDS


def last_call(s: State) -> int:
    """When somebody last did not pass, or -1."""
    i = s.made - 1
    while i >= 0 and s.calls[i] - 1 == PASS:
        i -= 1
    return i


def last_bid(s: State) -> int:
    """When the last bid was made, or -1."""
    i = s.made - 1
    while i >= 0 and (s.calls[i] - 1 == PASS or s.calls[i] - 1 > BIDS):
        i -= 1
    return i


def legal(s: State, out: Ints) -> int:
    """Pass, bid higher, double the opponents' bid, redouble their double."""
    bid = last_bid(s)
    out[0] = PASS
    count = 1
    for call in range(s.calls[bid] if bid >= 0 else 1, BIDS + 1):
        out[count] = call
        count += 1
    last = last_call(s)
    if PLAYERS > TEAM and last >= 0 and (s.made - last) % 2 == 1 and s.calls[last] - 1 != REDOUBLE:
        out[count] = REDOUBLE if s.calls[last] - 1 == DOUBLE else DOUBLE
        count += 1
    return count


def play(s: State, a: int) -> None:
    """Deal a hand or make a call."""
    if s.dealt < PLAYERS:
        s.hand[s.dealt] = hand_of(a)
        s.dealt += 1
    else:
        s.calls[s.made] = a + 1
        s.made += 1


def beats(card: int, other: int, trumps: int) -> bool:
    """Whether a card that is played later takes the trick from the other: a higher one of its suit, or a trump."""
    if card // RANKS == other // RANKS:
        return card > other
    return card // RANKS == trumps


def trick(a: int, b: int, c: int, d: int, trumps: int) -> int:
    """The winner of a trick of four cards in the order of play, 0 … 3."""
    winner = 0
    best = a
    if beats(b, best, trumps):
        winner = 1
        best = b
    if beats(c, best, trumps):
        winner = 2
        best = c
    if beats(d, best, trumps):
        winner = 3
    return winner


def follows(card: int, kept: int, led: int) -> bool:
    """Whether a card may be played to the suit that was led: it is of that suit, or the other one is not."""
    return card // RANKS == led // RANKS or kept // RANKS != led // RANKS


def card_at(hand: int, which: int) -> int:
    """The lower (0) or the higher (1) card of a hand."""
    return high(hand) if which else low(hand)


def tricks(leader: int, second: int, third: int, fourth: int, trumps: int) -> int:
    """Tricks of the leader's side if all see the four hands: minimax over the first trick, the second plays itself."""
    best = 0
    for a in range(2):
        a1 = card_at(leader, a)
        a2 = card_at(leader, 1 - a)
        least = 2
        for b in range(2):
            b1 = card_at(second, b)
            b2 = card_at(second, 1 - b)
            if not follows(b1, b2, a1):
                continue
            most = 0
            for c in range(2):
                c1 = card_at(third, c)
                c2 = card_at(third, 1 - c)
                if not follows(c1, c2, a1):
                    continue
                worst = 2
                for d in range(2):
                    d1 = card_at(fourth, d)
                    d2 = card_at(fourth, 1 - d)
                    if follows(d1, d2, a1):
                        worst = min(worst, both_tricks(a1, b1, c1, d1, a2, b2, c2, d2, trumps))
                most = max(most, worst)
            least = min(least, most)
        best = max(best, least)
    return best


def both_tricks(a1: int, b1: int, c1: int, d1: int, a2: int, b2: int, c2: int, d2: int, trumps: int) -> int:
    """Tricks of the first and third player; whoever takes the first trick leads to the second."""
    first = trick(a1, b1, c1, d1, trumps)
    if first == 0:
        second = trick(a2, b2, c2, d2, trumps)
    elif first == 1:
        second = trick(b2, c2, d2, a2, trumps) + 1
    elif first == 2:
        second = trick(c2, d2, a2, b2, trumps) + 2
    else:
        second = trick(d2, a2, b2, c2, trumps) + 3
    return 2 - first % 2 - second % 2


def score(bid: int, won: int) -> int:
    """Points of the declaring side for a bid (a call) and its tricks."""
    level = (bid - 1) // STRAINS + 1
    if won < level:
        return UNDERTRICK * (level - won)
    if level == 1:
        return MADE + OVERTRICK * (won - level)
    return SLAM_WITHOUT_TRUMPS if (bid - 1) % STRAINS == STRAINS - 1 else SLAM


def contract_score(bid: int, seat: int, west: int, north: int, east: int, south: int) -> int:
    """Points of the declaring side for a bid of this seat, with the four hands; the seat before it leads."""
    trumps = (bid - 1) % STRAINS
    if seat == 0:
        lost = tricks(south, west, north, east, trumps)
    elif seat == 1:
        lost = tricks(west, north, east, south, trumps)
    elif seat == TEAM:
        lost = tricks(north, east, south, west, trumps)
    else:
        lost = tricks(east, south, west, north, trumps)
    return score(bid, 2 - lost)


def mean_score(bid: int, seat: int, west: int, east: int) -> float:
    """The mean over the six ways in which North and South may hold the other four cards."""
    taken = cards_of(west) | cards_of(east)
    total = 0
    for h in range(HANDS):
        north = hand_of(h)
        if cards_of(north) & taken == 0:
            south = rest(taken | cards_of(north))
            total += contract_score(bid, seat, west, north, east, south)
    return total / 6.0


expected_score = AlwaysCompiled(mean_score)  # almost a hundred lines of play


def rest(taken: int) -> int:
    """The hand of the two cards that are left, a bit for each that is taken."""
    hand = 0
    for card in range(CARDS):
        if not taken >> card & 1:
            hand = hand * CARDS + card
    return hand


def payoff(s: State, p: int) -> float:
    """The points of the contract; nothing if all have passed."""
    bid = last_bid(s)
    if bid < 0:
        return 0.0
    if PLAYERS == TEAM:
        return float(expected_score(s.calls[bid] - 1, TEAM * (bid % 2), s.hand[0], s.hand[1]))
    points = contract_score(s.calls[bid] - 1, bid % PLAYERS, s.hand[0], s.hand[1], s.hand[TEAM], s.hand[PLAYERS - 1])
    last = s.calls[last_call(s)] - 1
    points *= 4 if last == REDOUBLE else 2 if last == DOUBLE else 1
    return float(points if (p - bid) % 2 == 0 else -points)


def auction(s: State, k: int) -> int:
    """A number that stands for a hand, or what is known of it, and all calls."""
    for i in range(s.made):
        k = mix(k, s.calls[i])
    return k


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its hand, and the auction."""
    return auction(s, mix(p, s.hand[p] * (PLAYERS + 1) + s.dealt))


def bucket(hand: int) -> int:
    """Hands that are worth about the same have one number, twelve in all; 0 before the deal."""
    if hand == 0:
        return 0
    one, two = low(hand), high(hand)
    if one // RANKS != two // RANKS:  # one card of each suit: only aces count
        return 1 + 2 * (one % RANKS // (RANKS - 1)) + two % RANKS // (RANKS - 1)
    # two of a suit: QJ; KJ or KQ; AJ; AQ or AK
    kind = 3 if two % RANKS == RANKS - 1 and one % RANKS > 0 else two % RANKS - 1
    return 5 + 4 * (one // RANKS) + kind


def key_by_bucket(s: State, p: int) -> int:
    """The same with the bucket of my hand."""
    return auction(s, mix(p, bucket(s.hand[p]) * (PLAYERS + 1) + s.dealt))


ABSTRACTIONS = {"buckets": {"key": key_by_bucket}}


def card_name(card: int) -> str:
    """A♠ for the highest card."""
    return "JQKA"[card % RANKS] + "♥♠"[card // RANKS]


def hand_cards(hand: int) -> list[str]:
    """The cards of a hand, the higher one first; none before the deal."""
    return [card_name(high(hand)), card_name(low(hand))] if hand else []


def seat_name(p: int) -> str:
    """West, North, East or South."""
    return ("West", "North", "East", "South")[p if PLAYERS > TEAM else TEAM * p]


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.dealt < PLAYERS:
        return f"{' '.join(hand_cards(hand_of(a)))} to player {s.dealt}"
    return CALL_NAMES[a]


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.dealt < PLAYERS:
        cards = " ".join(hand_cards(hand_of(a)))
        return {"verb": "deal", "card": cards, "to": s.dealt, "text": f"{cards} to {player(s.dealt)}"}
    if 1 <= a <= BIDS:
        trumps = ("♥", "♠", "NT")[(a - 1) % STRAINS]
        return {"verb": "bid", "level": (a - 1) // STRAINS + 1, "trumps": trumps, "text": CALL_NAMES[a]}
    return {"verb": CALL_NAMES[a]}


def secret(s: State, a: int, p: int) -> bool:
    """Hands are dealt face down, calls are public."""
    return s.dealt < PLAYERS and p != s.dealt


def contract(view: View) -> list[str]:
    """The last bid, the player who made it, and how often it counts; nothing before there is one."""
    said = [call - 1 for call in view.calls[: view.made]]
    bids = [i for i, call in enumerate(said) if 1 <= call <= BIDS]
    if not bids:
        return []
    after = said[bids[-1] :]
    times = 4 if REDOUBLE in after else 2 if DOUBLE in after else 1
    return [CALL_NAMES[after[0]], str(bids[-1] % PLAYERS), str(times)]


def display(view: View) -> dict[str, list[str]]:
    """My cards, the auction in order, the contract as it stands, and who sits where."""
    return {
        "cards": hand_cards(view.hand),
        "said": [CALL_NAMES[call - 1] for call in view.calls[: view.made]],
        "contract": contract(view),
        "seats": [seat_name(p) for p in range(PLAYERS)],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    cards, calls = " ".join(things["cards"]) or "no cards yet", " ".join(things["said"]) or "no call yet"
    return f"{player(view.player, 'holds')} {cards} as {seat_name(view.player)}; {calls}"
