"""The schedule, drawn from the seed of the study and the secret of its database: conditions, who meets whom and in
which seat, the agents' delays.

Everything here is a pure function of these and of numbers that the database keeps, so that any server decides the
same, also after a crash. The file may be public: without the secret a participant could work out that the partner is a
program, by when it answers, or what cards it holds.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

from parlor.game.rng import below, seed_stream, uniform
from parlor.study.design.description import Condition, Delay

LARGEST_BLOCK = 100

T = TypeVar("T")
First = Literal["random", "alternate"]

#: What is drawn from: a number, or the seed of a study with its secret, which nobody knows.
Key = int | bytes


class ScheduledGame(NamedTuple):
    """One game of a tournament: its round, counted from 0, and who sits where, by place in the group."""

    round: int
    seats: tuple[int, ...]


def key(seed: int, secret: str) -> Key:
    """The key of a study: its file may be public, so the secret of its database is mixed in."""
    return hmac.digest(bytes.fromhex(secret), f"schedule {seed}".encode(), "sha256")


def _digest(seed: Key, *names: object) -> bytes:
    """256 bits for whatever is named: with a secret key, nobody can work out one from others."""
    if isinstance(seed, bytes):
        return hmac.digest(seed, repr(names).encode(), "sha256")
    return hashlib.sha256(repr((seed, *names)).encode()).digest()


def _stream(seed: Key, *names: object) -> list[int]:
    """The random stream of whatever is named."""
    digest = _digest(seed, *names)
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


def condition_of(seed: Key, conditions: Sequence[Condition], number: int) -> str:
    """The condition of the participant with this number, counted from 0 in the order in which they passed the test."""
    names = block(conditions)
    which, place = divmod(number, len(names))
    return shuffled(names, _stream(seed, "block", which))[place]


# --------------------------------------------------------------------------------------------------- tournaments


def round_robin(seed: Key, group: int, size: int, rounds: int, first: First) -> list[ScheduledGame]:
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


def agents_in_order(seed: Key, group: int, agents: Sequence[str], rounds: int) -> list[str]:
    """Every agent once, in random order."""
    return shuffled(agents, _stream(seed, "agents", group))[:rounds]


def own_seats(seed: Key, group: int, rounds: int, players: int, first: First) -> list[int]:
    """The seat of a participant who plays with agents, in each round."""
    stream = _stream(seed, "seats", group)
    if first == "alternate":
        begin = below(stream, players)
        return [(begin + round) % players for round in range(rounds)]
    return [below(stream, players) for _ in range(rounds)]


def deal(seed: Key, group: int, round: int, players: Sequence[int]) -> str:
    """The secret of a game's deals: of its tournament, its round, and the numbers of those who play it.

    The study's secret is in the key: else a participant could work out what the other was dealt.
    """
    return _digest(seed, "deal", group, round, *sorted(players))[:16].hex()


# --------------------------------------------------------------------------------------------------- delays


def delay(seed: Key, episode: str, ply: int, drawn: Delay) -> float:
    """Seconds before an agent's move at a ply of a game: normal (Box and Muller, 1958), and not below the least."""
    stream = _stream(seed, "delay", episode, ply)
    radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(stream))), 2.0 * math.pi * uniform(stream)
    return max(drawn.least, drawn.mean + drawn.deviation * radius * math.cos(angle))
