"""In every game: what spectators are told, and what its own agents decide, does not depend on what is hidden.

`test_secrets.py` asks servers for everything, `test_unnoticed.py` in games with moves that nobody notices; here is what
they do not have for each game, without a server. Generic agents that search are in tests/agents and tests/search.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from parlor.agents.registry import AGENTS, make_agent
from parlor.game import CHANCE, Game, Position
from parlor.game.loading import GAMES, load
from parlor.game.seats.play import sample, uniform_agent
from parlor.server.tables.session import Session
from parlor.server.tables.table_seats import new_row, person
from tests.server import test_unnoticed
from tests.server.test_secrets import CASES, another_world

#: Each game, and how far it is played.
PLAYED = {game: max(stops) for game, _, stops in CASES if game != "holdem"} | dict.fromkeys(test_unnoticed.GAMES, 5)
#: agents that take very long in plain Python, and with less work
LESS = {"honest": "honest(simulations=3)", "monte-carlo": "monte-carlo(simulations=3)"}


def played(game: Game, plies: int, seed: int) -> list[str]:
    """The moves of a game by chance, which is not over."""
    position, stream = game.start(), [seed, 2, 3, 4]
    while len(position.history) < plies:
        chances = position.odds if position.turn == CHANCE else uniform_agent(position)
        after = position.after(sample(chances, stream))
        if after.over:
            break
        position = after
    return list(position.history)


def test_no_game_is_left_out() -> None:
    assert {name.partition("(")[0] for name in PLAYED} == set(GAMES)


def told(game: Game, moves: Sequence[str]) -> list[str]:
    """What somebody without a seat is sent, at every ply."""
    row = asyncio.run(new_row(game, None)) | {"id": "a table", "created": datetime(2000, 1, 1, tzinfo=UTC)}
    seats = [person(row, seat, f"P{seat}", "token") for seat in range(game.players)]
    session, position, rows = Session(row, seats, game, {}, {}, game.start()), game.start(), []
    for ply, move in enumerate(moves):
        rows.append({"ply": ply, "player": position.turn, "move": move, "agent": None, "agent_version": None})
        rows[-1] |= {"ms": None, "at": row["created"]}
        position = position.after(move)
    session.follow(rows)
    reached = session.number_of(None, False, len(moves))
    plies = [session.ply_of(None, False, number) for number in range(reached + 1)]
    return [session.state(None, False, 0, ply).model_dump_json() for ply in plies]


@pytest.mark.parametrize("name", PLAYED, ids=[name.partition("(instances")[0] for name in PLAYED])
def test_spectators_are_told_the_same(name: str) -> None:
    game, dice, changed = load(name), random.Random(5), 0
    for seed in range(2):
        moves = played(game, PLAYED[name], seed)
        world = another_world(game, moves, None, dice)
        changed += world != moves
        assert told(game, moves) == told(game, world)
    assert changed


SEATED = {
    name: [id for id, spec in AGENTS.items() if spec.games and spec.plays(load(name)) and not spec.game_of_file]
    for name in PLAYED
}


@pytest.mark.parametrize("name", [name for name, own in SEATED.items() if own], ids=lambda name: name.partition("(")[0])
def test_agents_decide_the_same(name: str) -> None:
    """The agents that are a game's own, where others' cards are other ones."""
    game, dice, pairs = load(name), random.Random(6), list[tuple[Position, Position]]()
    for seed in range(12):
        moves = played(game, PLAYED[name] - seed % 2, seed)
        position = game.start().after(*moves)
        if position.turn != CHANCE and len(position.legal) > 1:
            world = another_world(game, moves, position.turn, dice)
            pairs += [(position, game.start().after(*world))] if world != moves else []
        if len(pairs) == 2:
            break
    assert len(pairs) == 2
    for id in SEATED[name]:
        agent = replace(make_agent(LESS.get(id, id), game), slow=False)  # nothing is compiled
        for position, other in pairs:
            assert agent(position) == agent(other), id
