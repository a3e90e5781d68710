"""Goofspiel, the game of pure strategy: bid your cards for the prizes.

Everybody holds the cards 1 … n. A prize of 1 … n points is turned up and all bid one card at once; the highest bid
takes the prize, a tie for the highest discards it. Bids are made one after the other in secret, which is the same. With
imperfect information the bids stay face down and only the winner is announced. The last cards are played automatically.
"""

from collections.abc import Mapping

from parlor.game import CHANCE, OVER, Floats, Ints, State, View, choice, option, private, public, switch
from parlor.game.rng import mix
from parlor.game.words import player

PLAYERS = option("players", 2, 2, 3, "the number of players")
CARDS = option("cards", 4, 2, 13, "cards of each player, and prizes")
IMPERFECT = switch("imperfect", True, "bids stay face down, only the winner is announced")
ORDER = choice("order", "descending", ("descending", "ascending", "random"), "how the prizes come")
RETURNS = choice("returns", "win-loss", ("win-loss", "point-difference", "total-points"), "what is played for")
DESCENDING, ASCENDING, RANDOM = range(3)
WIN_LOSS, POINT_DIFFERENCE, TOTAL_POINTS = range(3)

OPPONENT = "matching"
ACTIONS = CARDS
OUTCOMES = CARDS
LENGTH = CARDS * (PLAYERS + 1)
ZERO_SUM = RETURNS != TOTAL_POINTS
STATE = {
    "round": public(),
    "left": public(),  # prizes not yet turned up, a bit each
    "prize": public(),  # on the table: 1 … n, 0 for none
    "prizes": public(),  # all of them so far, four bits each
    "hand": private(PLAYERS),  # my cards, a bit each
    "bid": private(PLAYERS),  # this round: 1 … n, 0 for none yet
    "mine": private(PLAYERS),  # my bids so far, four bits each
    "shown": public(PLAYERS),  # everybody's bids in finished rounds, if information is perfect
    "winners": public(),  # of finished rounds, three bits each: player + 1, 0 for a tie
    "points": public(PLAYERS),
    "bids": public(),  # how many have bid in this round
}


def start(s: State) -> None:
    """Everybody gets all cards; the first prize is turned up unless chance does it."""
    for p in range(PLAYERS):
        s.hand[p] = (1 << CARDS) - 1
    s.left = (1 << CARDS) - 1
    s.prizes = 1
    s.winners = 1
    if ORDER == DESCENDING:
        turn_up(s, CARDS)
    elif ORDER == ASCENDING:
        turn_up(s, 1)


def turn_up(s: State, prize: int) -> None:
    """The next prize."""
    s.prize = prize
    s.left &= ~(1 << (prize - 1))
    s.prizes = s.prizes << 4 | prize


def turn(s: State) -> int:
    """A prize, then a bid of each player."""
    if s.round == CARDS:
        return OVER
    return CHANCE if s.prize == 0 else s.bids


def odds(s: State, out: Floats) -> int:
    """Every remaining prize has the same probability."""
    for prize in range(CARDS):
        out[prize] = 1.0 / (CARDS - s.round) if s.left >> prize & 1 else 0.0
    return CARDS


def legal(s: State, out: Ints) -> int:
    """Any card in hand."""
    count = 0
    for card in range(CARDS):
        if s.hand[s.bids] >> card & 1:
            out[count] = card
            count += 1
    return count


def play(s: State, a: int) -> None:
    """Turn up a prize or make a bid; the last bid settles the round."""
    if s.prize == 0:
        turn_up(s, a + 1)
        return
    bid(s, s.bids, a + 1)
    s.bids += 1
    if s.bids == PLAYERS:
        settle(s)
        if s.round == CARDS - 1:  # one card each and one prize: no choice is left
            turn_up(s, lowest(s.left))
            for p in range(PLAYERS):
                bid(s, p, lowest(s.hand[p]))
            settle(s)
        elif ORDER == DESCENDING:
            turn_up(s, CARDS - s.round)
        elif ORDER == ASCENDING:
            turn_up(s, s.round + 1)


def lowest(cards: int) -> int:
    """The lowest card of a hand."""
    card = 1
    while not cards >> (card - 1) & 1:
        card += 1
    return card


def bid(s: State, p: int, card: int) -> None:
    """Player `p` lays a card face down."""
    s.hand[p] &= ~(1 << (card - 1))
    s.bid[p] = card
    s.mine[p] = s.mine[p] << 4 | card


def settle(s: State) -> None:
    """The highest bid takes the prize if it is alone."""
    winner = -1
    highest = 0
    for p in range(PLAYERS):
        if s.bid[p] > highest:
            highest = s.bid[p]
            winner = p
        elif s.bid[p] == highest:
            winner = -1
    if winner >= 0:
        s.points[winner] += s.prize
    s.winners = s.winners << 3 | (winner + 1)
    for p in range(PLAYERS):
        if not IMPERFECT:
            s.shown[p] = s.shown[p] << 4 | s.bid[p]
        s.bid[p] = 0
    s.prize = 0
    s.bids = 0
    s.round += 1


def payoff(s: State, p: int) -> float:
    """By `returns`: who has most points wins (ties share), or the points against the average, or the points."""
    total = 0
    best = 0
    for q in range(PLAYERS):
        total += s.points[q]
        best = max(best, s.points[q])
    if RETURNS == TOTAL_POINTS:
        return float(s.points[p])
    if RETURNS == POINT_DIFFERENCE:
        return s.points[p] - total / PLAYERS
    winners = 0
    for q in range(PLAYERS):
        winners += 1 if s.points[q] == best else 0
    if winners == PLAYERS:
        return 0.0
    return 1.0 / winners if s.points[p] == best else -1.0 / (PLAYERS - winners)


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, its bids, the prizes and what was shown of the others' bids."""
    k = mix(mix(mix(p, s.mine[p]), s.prizes), s.winners)
    k = mix(k, s.bids)
    for q in range(PLAYERS):
        k = mix(k, s.shown[q])
    return k


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    return f"prize {a + 1}" if s.prize == 0 else f"bid {a + 1}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Prizes and bids as data: both are cards."""
    return {"verb": "prize" if s.prize == 0 else "bid", "card": str(a + 1)}


def secret(s: State, a: int, p: int) -> bool:
    """Bids are made face down; what is shown of them afterwards is in the view."""
    return s.prize != 0


def digits(code: int, bits: int) -> list[int]:
    """The items of a code of so many bits each, first one first."""
    items = []
    while code > 1:
        items.append(code & ((1 << bits) - 1))
        code >>= bits
    return items[::-1]


def display(view: View) -> dict[str, list[int]]:
    """My cards and bids; the prizes so far, and who won them: -1 for nobody."""
    return {
        "cards": [card + 1 for card in range(CARDS) if view.hand >> card & 1],
        "bids": [card for card in digits(1 << 4 * 13 | view.mine, 4) if card],
        "prizes": digits(view.prizes, 4),
        "winners": [winner - 1 for winner in digits(view.winners, 3)],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    rounds = [
        f"{prize} to {player(winner) if winner >= 0 else 'nobody'}"
        for prize, winner in zip(things["prizes"], things["winners"], strict=False)
    ]
    hand = " ".join(map(str, things["cards"]))
    up = f"prize {view.prize} is up" if view.prize else "no prize is up"
    bids = " ".join(map(str, things["bids"])) or "nothing"
    shown = [f"{player(q)} showed {_listed(view.shown[q])}" for q in range(PLAYERS) if view.shown[q]]
    return f"{player(view.player, 'holds')} {hand or 'nothing'}, bid {bids}; {'; '.join([*rounds, *shown, up])}"


def _listed(code: int) -> str:
    return " ".join(str(card) for card in digits(1 << 4 * 13 | code, 4) if card)
