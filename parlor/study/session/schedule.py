"""The schedule, drawn from the seed of the study: conditions, who meets whom and in which seat, the agents' delays.

Everything here is a pure function of the seed and of numbers that the database keeps, so that any server decides the
same, also after a crash.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

from parlor.game.rng import below, seed_stream, uniform
from parlor.study.design.description import Condition, Delay

LARGEST_BLOCK = 100

T = TypeVar("T")
First = Literal["random", "alternate"]


class ScheduledGame(NamedTuple):
    """One game of a tournament: its round, counted from 0, and who sits where, by place in the group."""

    round: int
    seats: tuple[int, ...]


def _stream(seed: int, *names: object) -> list[int]:
    """The random stream of whatever is named."""
    digest = hashlib.sha256(repr((seed, *names)).encode()).digest()
    stream = [0, 0, 0, 0]
    seed_stream(stream, int.from_bytes(digest[:7], "big"), int.from_bytes(digest[7:14], "big"))
    return stream


def shuffled(items: Sequence[T], stream: list[int]) -> list[T]:
    """In random order."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


# --------------------------------------------------------------------------------------------------- conditions


def block(conditions: Sequence[Condition]) -> list[str]:
    """The conditions of a block: as few participants as have exactly the shares, or 100 that nearly have them."""
    for size in range(1, LARGEST_BLOCK + 1):
        counts = [condition.share * size for condition in conditions]
        if all(abs(count - round(count)) < 1e-6 for count in counts):
            break
    whole = [math.floor(count + 1e-6) for count in counts]
    left = sorted(range(len(counts)), key=lambda i: (whole[i] - counts[i], i))
    for i in left[: size - sum(whole)]:
        whole[i] += 1
    return [condition.name for condition, count in zip(conditions, whole, strict=True) for _ in range(count)]


def condition_of(seed: int, conditions: Sequence[Condition], number: int) -> str:
    """The condition of the participant with this number, counted from 0 in the order in which they passed the test."""
    names = block(conditions)
    which, place = divmod(number, len(names))
    return shuffled(names, _stream(seed, "block", which))[place]


# --------------------------------------------------------------------------------------------------- tournaments


def round_robin(seed: int, group: int, size: int, rounds: int, first: First) -> list[ScheduledGame]:
    """Everybody meets everybody once, by the circle method: one stays, the others go round."""
    stream = _stream(seed, "group", group)
    circle = shuffled(range(size), stream)
    begun = dict.fromkeys(range(size), 0)  # how often each has had the first seat
    games = []
    for round in range(min(rounds, size - 1)):
        for i in range(size // 2):
            pair = [circle[i], circle[size - 1 - i]]
            if below(stream, 2):
                pair.reverse()
            if first == "alternate":
                pair.sort(key=lambda place: begun[place])  # stable: a tie is drawn
            begun[pair[0]] += 1
            games.append(ScheduledGame(round, (pair[0], pair[1])))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return games


def agents_in_order(seed: int, group: int, agents: Sequence[str], rounds: int) -> list[str]:
    """Every agent once, in random order."""
    return shuffled(agents, _stream(seed, "agents", group))[:rounds]


def own_seats(seed: int, group: int, rounds: int, players: int, first: First) -> list[int]:
    """The seat of a participant who plays with agents, in each round."""
    stream = _stream(seed, "seats", group)
    if first == "alternate":
        begin = below(stream, players)
        return [(begin + round) % players for round in range(rounds)]
    return [below(stream, players) for _ in range(rounds)]


def deal(seed: int, secret: str, group: int, round: int, players: Sequence[int]) -> int:
    """The seed of a game's deals: of its tournament, its round, and the numbers of those who play it.

    The file may be public, so a secret is mixed in: else a participant could work out what the other was dealt.
    """
    return below(_stream(seed, "deal", secret, group, round, *sorted(players)), 2**31 - 1)


# --------------------------------------------------------------------------------------------------- delays


def delay(seed: int, episode: str, ply: int, drawn: Delay) -> float:
    """Seconds before an agent's move at a ply of a game: normal (Box and Muller, 1958), and not below the least."""
    stream = _stream(seed, "delay", episode, ply)
    radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(stream))), 2.0 * math.pi * uniform(stream)
    return max(drawn.least, drawn.mean + drawn.deviation * radius * math.cos(angle))
