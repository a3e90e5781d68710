"""The strategy browser: every information set of a tabular policy, in words; and two policies side by side."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from parlor.game import Game
from parlor.game.keys import name_of
from parlor.game.words import players_named
from parlor.page.seated_agent import SeatedAgent, reference
from parlor.sequence_form.tree import tree_if_small
from parlor.server.refusal import Refusal
from parlor.server.schemas.strategies import ComparedInfoset, ComparisonPage, Infoset, InfosetAction, InfosetPage
from parlor.solvers.policy_words import tree_words

Order = Literal["visits", "-visits", "entropy", "-entropy", "key", "words"]
Apart = Literal["-distance", "distance", "-visits", "words"]
MAX_WORDS = 20_000  # information sets that are put into words here, if their file has none: a second or two


@dataclass(frozen=True)
class StrategyEntry:
    """An information set in the browser."""

    key: int
    name: str
    player: int | None
    words: str
    actions: tuple[str, ...]
    row: tuple[float, ...]
    regrets: tuple[float, ...] | None
    visits: int | None
    reach: float | None
    entropy: float


@dataclass(frozen=True)
class InfosetQuery:
    """Which information sets are shown: with these words, with a possible action, of a player."""

    words: tuple[str, ...]
    action: str
    player: int | None

    def fits(self, e: StrategyEntry) -> bool:
        """Whether an information set matches."""
        return (
            (self.player is None or e.player == self.player)
            and (not self.action or self.action in e.actions)
            and all(word in e.words.casefold() for word in self.words)
        )


def entries(opponent: SeatedAgent) -> list[StrategyEntry]:
    """All information sets, in the order of their keys; computed once."""
    if "entries" not in opponent.cache:
        opponent.cache["entries"] = list(_entries(opponent))
    made: list[StrategyEntry] = opponent.cache["entries"]
    return made


def _entries(opponent: SeatedAgent) -> list[StrategyEntry]:
    policy, game = opponent.policy, opponent.agent.game
    if policy is None:
        raise Refusal(404, f"{opponent.name} has no table of information sets to browse.")
    starts, probabilities = policy.starts.tolist(), policy.probabilities.tolist()
    t = tree_if_small(game) if game.words.decode_key is None else None
    owners = {} if t is None else dict(zip(t.keys.tolist(), t.player.tolist(), strict=True))
    words = policy.words
    if not words and t is not None and len(policy) <= MAX_WORDS:
        words = tree_words(t, owners)
    made = []
    for i, key in enumerate(policy.keys.tolist()):
        row = tuple(probabilities[starts[i] : starts[i + 1]])
        learned = opponent.entries.get(key, {})
        seen, actions, player = _described(game, words, owners, key, len(row), learned)
        regrets = learned.get("regrets")
        visits = learned.get("updates")
        made.append(
            StrategyEntry(
                key,
                f"{key:016x}" if player is None else name_of(game, player, key),
                player,
                seen,
                actions,
                row,
                tuple(regrets) if regrets is not None and len(regrets) == len(row) else None,
                None if visits is None else int(visits),
                learned.get("reach"),
                -sum(p * math.log2(p) for p in row if p > 0.0),
            )
        )
    return made


def _described(
    game: Game,
    words: Mapping[int, tuple[str, tuple[str, ...]]],
    owners: Mapping[int, int],
    key: int,
    n: int,
    learned: Mapping[str, Any],
) -> tuple[str, tuple[str, ...], int | None]:
    """The text of an information set, its actions, and its player, as far as they are known."""
    player: int | None = learned.get("player")
    if game.words.decode_key is not None:
        state = game.words.decode_key(key)
        actions = tuple(state.get("actions", ()))
        with players_named(_players(game)):
            described = game.words.describe_key(state)
        return described, actions if len(actions) == n else _numbers(n), state.get("player", player)
    seen, names = words.get(key, (f"key {key:016x}", _numbers(n)))
    seen = _for_people(game, seen)
    return seen, names, owners.get(key) if player is None else player


def _players(game: Game) -> list[str]:
    """People count from one."""
    return [f"player {p + 1}" for p in range(game.players)]


def _for_people(game: Game, text: str) -> str:
    """A text of a file, which has players by their number in the rules and moves by their names in records."""
    text = re.sub(r"\bplayer (\d+)\b", lambda found: f"player {int(found[1]) + 1}", text)
    said = {name: f"“{words}”" for name, words in game.words.action_words.items()}
    return re.sub(r"[\w-]+", lambda found: said.get(found[0], found[0]), text)


def _numbers(n: int) -> tuple[str, ...]:
    return tuple(f"action {i}" for i in range(n))


SORTS: Mapping[str, Callable[[StrategyEntry], Any]] = {
    "visits": lambda e: (e.visits or 0, e.key),
    "-visits": lambda e: (-(e.visits or 0), e.key),
    "entropy": lambda e: (e.entropy, e.key),
    "-entropy": lambda e: (-e.entropy, e.key),
    "key": lambda e: e.key,
    "words": lambda e: (e.words, e.key),
}


def browse(opponent: SeatedAgent, query: InfosetQuery, sort: Order, offset: int, limit: int) -> InfosetPage:
    """A page of the information sets that match."""
    everything = entries(opponent)
    fits = sorted(filter(query.fits, everything), key=SORTS[sort])
    return InfosetPage(
        agent=reference(opponent),
        game=opponent.agent.game.name,
        players=opponent.agent.game.players,
        all=len(everything),
        total=len(fits),
        offset=offset,
        action_words=_action_words(opponent),
        items=[_shown(e, opponent.agent.game) for e in fits[offset : offset + limit]],
    )


def _action_words(opponent: SeatedAgent) -> dict[str, str]:
    if "names" not in opponent.cache:
        opponent.cache["names"] = sorted({name for e in entries(opponent) for name in e.actions})[:200]
    made: list[str] = opponent.cache["names"]
    return {name: opponent.agent.game.words.action_words.get(name, name) for name in made}


def _shown(e: StrategyEntry, game: Game) -> Infoset:
    regrets = e.regrets or (None,) * len(e.row)
    actions = [
        InfosetAction(name=name, text=game.words.action_words.get(name, name), probability=p, regret=regret)
        for name, p, regret in zip(e.actions, e.row, regrets, strict=True)
    ]
    return Infoset(
        key=e.name,
        player=e.player,
        words=e.words,
        actions=actions,
        visits=e.visits,
        reach=e.reach,
        entropy=round(e.entropy, 6),
    )


def compare(
    a: SeatedAgent, b: SeatedAgent, query: InfosetQuery, sort: Apart, offset: int, limit: int
) -> ComparisonPage:
    """Compare two policies of the same abstraction at the information sets that match."""
    if a.agent.game.name != b.agent.game.name:
        raise Refusal(409, f"{a.name} is for {a.agent.game.name} and {b.name} for {b.agent.game.name}.")
    ours, theirs = {e.key: e for e in entries(a)}, {e.key: e for e in entries(b)}
    either = theirs | ours
    rows = [_compared(ours.get(key), theirs.get(key)) for key in sorted(either) if query.fits(either[key])]
    orders: Mapping[str, Callable[[ComparedInfoset], Any]] = {
        "-distance": lambda r: -r.distance,
        "distance": lambda r: r.distance,
        "-visits": lambda r: -((r.visits_a or 0) + (r.visits_b or 0)),
        "words": lambda r: r.words,
    }
    rows.sort(key=orders[sort])
    mean = sum(row.distance for row in rows) / len(rows) if rows else 0.0
    return ComparisonPage(
        a=reference(a),
        b=reference(b),
        game=a.agent.game.name,
        total=len(rows),
        offset=offset,
        all=len(either),
        players=a.agent.game.players,
        action_words=dict(sorted((_action_words(a) | _action_words(b)).items())),
        mean_distance=round(mean, 6),
        items=rows[offset : offset + limit],
    )


def _compared(a: StrategyEntry | None, b: StrategyEntry | None) -> ComparedInfoset:
    """One information set; a policy that does not have it plays uniformly."""
    known = a or b
    assert known is not None
    even = [1.0 / len(known.actions)] * len(known.actions)
    ours, theirs = (list(e.row) if e and e.actions == known.actions else None for e in (a, b))
    distance = sum(abs(x - y) for x, y in zip(ours or even, theirs or even, strict=True)) / 2.0
    return ComparedInfoset(
        key=known.name,
        player=known.player,
        words=known.words,
        names=list(known.actions),
        a=ours,
        b=theirs,
        visits_a=a.visits if a else None,
        visits_b=b.visits if b else None,
        distance=round(distance, 6),
    )
