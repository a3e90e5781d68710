"""Gambles: in turn, take a point, gamble for more, or try to rob the leader. Nothing is hidden.

Who has most wins: with two players it is a game of zero sum, with three the winners share a point.
"""

from parlor.game import CHANCE, OVER, Floats, Ints, State, option, public
from parlor.game.rng import mix

PLAYERS = option("players", 2, 2, 3, "the number of players")
ROUNDS = option("rounds", 2, 1, 4, "rounds")
STAKES = option("stakes", 3, 2, 9, "the most that can be gambled for")

TAKE, ROB = 1, 0  # and gambles for 2 … STAKES points
ACTIONS = STAKES + 1
OUTCOMES = 3
LENGTH = 2 * PLAYERS * ROUNDS
ZERO_SUM = PLAYERS == 2
PAYOFFS = (-1.0, 1.0, 0.0) if PLAYERS == 2 else (0.0, 1.0, 1.0)
STATE = {"points": public(PLAYERS), "moves": public(), "risk": public()}  # risk: the action + 1 that needs luck


def start(s: State) -> None:
    """A head start for those who come later."""
    for p in range(PLAYERS):
        s.points[p] = p


def turn(s: State) -> int:
    """A move, then chance if it needs luck."""
    if s.risk:
        return CHANCE
    return OVER if s.moves == PLAYERS * ROUNDS else s.moves % PLAYERS


def odds(s: State, out: Floats) -> int:
    """Fail or succeed; a robber may also get two."""
    stake = s.risk - 1
    if stake == ROB:
        out[0], out[1], out[2] = 0.5, 0.25, 0.25
        return 3
    out[0], out[1] = 1.0 - 0.875 / stake, 0.875 / stake
    return 2


def legal(s: State, out: Ints) -> int:
    """There must be somebody to rob."""
    count = 0
    for stake in range(STAKES, 0, -1):
        out[count] = stake
        count += 1
    if s.points[leader(s, s.moves % PLAYERS)] == 0:
        return count
    out[count] = ROB
    return count + 1


def leader(s: State, p: int) -> int:
    """Of the others, who has most."""
    best = (p + 1) % PLAYERS
    for q in range(PLAYERS):
        if q != p and s.points[q] > s.points[best]:
            best = q
    return best


def play(s: State, a: int) -> None:
    """A move, or what comes of it."""
    p = s.moves % PLAYERS
    if s.risk == 0:
        if a == TAKE:
            s.points[p] += 1
            s.moves += 1
        else:
            s.risk = a + 1
        return
    if s.risk - 1 == ROB:
        victim = leader(s, p)
        booty = min(a, s.points[victim])
        s.points[p] += booty
        s.points[victim] -= booty
    else:
        s.points[p] += a * (s.risk - 1)
    s.risk = 0
    s.moves += 1


def payoff(s: State, p: int) -> float:
    """Who has most wins; ties share."""
    if PLAYERS == 2:
        return float((s.points[p] > s.points[1 - p]) - (s.points[p] < s.points[1 - p]))
    most, winners = 0, 0
    for q in range(PLAYERS):
        if s.points[q] > most:
            most, winners = s.points[q], 0
        winners += s.points[q] == most
    return 1.0 / winners if s.points[p] == most else 0.0


def key(s: State, p: int) -> int:
    """Everything."""
    k = mix(mix(p, s.moves), s.risk)
    for q in range(PLAYERS):
        k = mix(k, s.points[q])
    return k
