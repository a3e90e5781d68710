"""The agents, by name, and how to make one.

An agent is named by a string that carries its options: `random`, `risk-aware(aggressiveness=0.7,temperature=2)`,
`look-ahead(rollouts=50,policy=careful)`. A saved policy is an agent too: `parlor.load_agent` reads it from its file.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from parlor.agents import network, policy_table, population, random, solver
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.agents.behaviour import Behaviour
from parlor.agents.network import FOLDER, trained_players
from parlor.agents.searching import look_ahead, max_n, mcts, rational, search
from parlor.game import Game, GameError
from parlor.game.loading import GAMES, as_game, beside_rules, folder_of
from parlor.game.loading.registry import is_foreign, split
from parlor.policies.field_belief import FieldBelief
from parlor.policies.network import NetworkPolicy
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy

#: Agents for any game, then those in the games' own folders: written by hand, and trained.
AGENTS: dict[str, AgentSpec] = {
    "random": random.SPEC,
    "look-ahead": look_ahead.SPEC,
    "max-n": max_n.SPEC,
    "mcts": mcts.SPEC,
    "search": search.SPEC,
    "solver": solver.SPEC,
    "sampled": population.SAMPLED,
    "self-posterior": population.SELF_POSTERIOR,
    "rational": rational.SPEC,
} | {name: spec for game in GAMES for name, spec in beside_rules(game, "agents", "AGENTS", {}).items()}
AGENTS |= {name: spec for game in GAMES for name, spec in trained_players(folder_of(game) / FOLDER).items()}

#: game -> how people behave in it, for rehearsals of studies; in all others they move at random
PEOPLE: Mapping[str, Behaviour] = {
    game: behaviour for game in GAMES if (behaviour := beside_rules(game, "agents", "PEOPLE", None)) is not None
}

LAST_RESORT = "look-ahead"  # it plays any game

#: kind of strategy -> makes its agent for the concrete game, under a name
SEATS: dict[str, Callable[[Game, str, Any], CompiledAgent]] = {
    Policy.kind: policy_table.make,
    NetworkPolicy.kind: network.make,
    Population.kind: population.make,
    FieldBelief.kind: search.refuse_belief,
}
SEATS |= {kind: make for game in GAMES for kind, make in beside_rules(game, "agents", "SEATS", {}).items()}


def make_agent(text: str, game: Game, read: Callable[[str], Strategy] | None = None) -> CompiledAgent:
    """The agent of that name and options for `game`; `read` loads the strategy if the text names a file."""
    game = concrete_game(game)
    if read is not None and is_path(text):
        return policy_agent(read(text), game, text)
    if is_foreign(text):
        raise GameError(f"{text} is not compiled, so another agent cannot be made from it.")
    base, given = split(text)
    if base not in AGENTS:
        near = difflib.get_close_matches(base, AGENTS, 1, 0.5)
        playing = ", ".join(name for name, row in AGENTS.items() if row.plays(game) and not row.game_of_file)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"{game.name} is played by {playing}, files that end in .json or .npz, and your own: "
            f"my_agents.py:Cautious."
        )
        raise GameError(f"There is no agent {base!r}; {hint}")
    spec = AGENTS[base]
    if spec.games and game.name.partition("(")[0] not in spec.games:
        raise GameError(f"{base} plays {' and '.join(spec.games)}, not {game.name}.")
    for key in given:
        if key not in spec.settings:
            raise GameError(f"{base} has no option {key!r}; it has: {', '.join(spec.settings) or 'none'}.")
    values = {
        key: setting.parse(given[key]) if key in given else setting.default for key, setting in spec.settings.items()
    }
    for key in spec.named("file"):
        if spec.settings[key].optional and not given.get(key):
            values[key] = None
            continue
        if not given.get(key) or read is None:
            raise GameError(f"{base} needs a {key}: {base}({key}=…), {spec.settings[key].help}.")
        values[key] = found = read(given[key])
        if (kind := spec.settings[key].file_kind) not in ("", found.kind):
            raise GameError(f"{base} needs a {kind}; {given[key]} is a {found.kind} for {found.game}.")
    for key in spec.named("agent"):
        values[key] = make_agent(str(values[key]), game, read)
    return spec.make(game, text, **values)


def policy_agent(strategy: Strategy, game: Game | str, name: str | None = None) -> CompiledAgent:
    """A policy, or any other strategy, as an agent for `game`."""
    concrete = concrete_game(as_game(game))
    return SEATS[strategy.kind](concrete, name or f"{strategy.kind} for {strategy.game}", strategy)


def opponent(game: Game) -> str:
    """The agent to sit down with if nobody asks for another and none was trained for the game here.

    One that solves the game goes first, unless partners would have to know what it has agreed on with itself; then one
    that came trained.
    """
    concrete = concrete_game(game)
    if concrete.kind == "common-payoff" and concrete.training.opponent:
        return concrete.training.opponent
    solving = [name for name, spec in AGENTS.items() if spec.computes and spec.plays(concrete)]
    trained = [name for name, spec in AGENTS.items() if spec.network and spec.plays(concrete)]
    return next(iter([*solving, *trained]), concrete.training.opponent or LAST_RESORT)


def concrete_game(game: Game) -> Game:
    """The concrete game, in which agents meet."""
    return game.concrete or game


def is_path(text: str) -> bool:
    """Whether a text names a file or a folder rather than an agent."""
    named = text.endswith((".json", ".npz")) or "/" in text.partition("(")[0]
    return named and not is_foreign(text)
