"""The agents, by name, and how to make one.

An agent is named by a string that carries its options: `random`, `risk-aware(aggressiveness=0.7,temperature=2)`,
`look-ahead(rollouts=50,policy=careful)`. A saved policy is an agent too: `parlor.load_agent` reads it from its file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any

from parlor.agents import network, policy_table, population, random, solver
from parlor.agents.agent import CompiledAgent
from parlor.agents.behaviour import Behaviour
from parlor.agents.listing import Listing, Setting
from parlor.agents.python_files import is_python
from parlor.agents.searching import look_ahead, max_n, mcts, rational, search
from parlor.game import Game, GameError
from parlor.game.loading import GAMES, as_game, beside_rules
from parlor.policies.network import NetworkPolicy
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy

__all__ = [
    "AGENTS",
    "PEOPLE",
    "SEATS",
    "Behaviour",
    "CompiledAgent",
    "Listing",
    "Setting",
    "make_agent",
    "policy_agent",
    "split",
]


#: Agents for any game, then those in the games' own folders.
AGENTS: Mapping[str, Listing] = {
    "random": random.LISTING,
    "look-ahead": look_ahead.LISTING,
    "max-n": max_n.LISTING,
    "mcts": mcts.LISTING,
    "search": search.LISTING,
    "solver": solver.LISTING,
    "sampled": population.SAMPLED,
    "self-posterior": population.SELF_POSTERIOR,
    "rational": rational.LISTING,
} | {name: listing for game in GAMES for name, listing in beside_rules(game, "agents", "AGENTS", {}).items()}

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
}
SEATS |= {kind: make for game in GAMES for kind, make in beside_rules(game, "agents", "SEATS", {}).items()}


def make_agent(text: str, game: Game, read: Callable[[str], Strategy] | None = None) -> CompiledAgent:
    """The agent of that name and options for `game`; `read` loads the strategy if the text names a file."""
    game = concrete_game(game)
    if read is not None and is_path(text):
        return policy_agent(read(text), game, text)
    if is_python(text):
        raise GameError(f"{text} is not compiled, so another agent cannot be made from it.")
    base, given = split(text)
    if base not in AGENTS:
        near = difflib.get_close_matches(base, AGENTS, 1, 0.5)
        playing = ", ".join(name for name, row in AGENTS.items() if row.plays(game) and not row.takes)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"{game.name} is played by {playing}, files that end in .json or .npz, and your own: "
            f"my_agents.py:Cautious."
        )
        raise GameError(f"There is no agent {base!r}; {hint}")
    listing = AGENTS[base]
    if listing.games and game.name.partition("(")[0] not in listing.games:
        raise GameError(f"{base} plays {' and '.join(listing.games)}, not {game.name}.")
    for key in given:
        if key not in listing.settings:
            raise GameError(f"{base} has no option {key!r}; it has: {', '.join(listing.settings) or 'none'}.")
    values = {
        key: setting.read(key, given[key]) if key in given else setting.default
        for key, setting in listing.settings.items()
    }
    for key in listing.named("file"):
        if listing.settings[key].optional and not given.get(key):
            values[key] = None
            continue
        if not given.get(key) or read is None:
            raise GameError(f"{base} needs a {key}: {base}({key}=…), {listing.settings[key].help}.")
        values[key] = found = read(given[key])
        if (kind := listing.settings[key].kind) not in ("", found.kind):
            raise GameError(f"{base} needs a {kind}; {given[key]} is a {found.kind} for {found.game}.")
    for key in listing.named("agent"):
        values[key] = make_agent(str(values[key]), game, read)
    return listing.make(game, text, **values)


def policy_agent(strategy: Strategy, game: Game | str, name: str | None = None) -> CompiledAgent:
    """A policy, or any other strategy, as an agent for `game`."""
    concrete = concrete_game(as_game(game))
    return SEATS[strategy.kind](concrete, name or f"{strategy.kind} for {strategy.game}", strategy)


def opponent(game: Game) -> str:
    """The agent to sit down with if nobody asks for another and none was trained for the game.

    One that solves the game goes first, unless partners would have to know what it has agreed on with itself.
    """
    concrete = concrete_game(game)
    if concrete.kind == "common-payoff" and concrete.training.opponent:
        return concrete.training.opponent
    solving = [name for name, listing in AGENTS.items() if listing.computes and listing.plays(concrete)]
    return next(iter(solving), concrete.training.opponent or LAST_RESORT)


def concrete_game(game: Game) -> Game:
    """The concrete game, in which agents meet."""
    return game.concrete or game


def is_path(text: str) -> bool:
    """Whether a text names a file or a folder rather than an agent."""
    named = text.endswith((".json", ".npz")) or "/" in text.partition("(")[0]
    return named and not is_python(text)


def split(
    text: str, what: str = "an agent", like: str = "random or look-ahead(rollouts=50)"
) -> tuple[str, dict[str, str]]:
    """Split `name(option=value,…)`; a value may have brackets of its own. `what` it names is for an error."""
    match = re.fullmatch(r"([^()]+)(?:\((.*)\))?", text.strip())
    if match is None:
        raise GameError(f"{text!r} is not the name of {what}; write it like {like}.")
    given: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in re.split(r",(?![^(]*\))", match[2] or ""))):
        key, equals, value = item.partition("=")
        if not equals:
            raise GameError(f"{item!r} in {text!r} should read option=value.")
        given[key.strip()] = value.strip()
    return match[1].strip(), given
