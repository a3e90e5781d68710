"""Parlor's games as PettingZoo environments: `to_pettingzoo(game)` is an AEC environment.

Terry et al., *PettingZoo: Gym for multi-agent reinforcement learning* (2021). Agents are `player_0`, `player_1`, …; an
observation holds the bits of the player's view (see `features.py`) and the mask of its legal actions, all zero while it
is not its turn. Chance is played by the environment from a random stream of its own: after `reset(seed=s)`, game n
uses stream n of seed s. All rewards come at the end. An illegal action is an error and changes nothing; to make it
lose the game instead, put PettingZoo's TerminateIllegalWrapper around the environment.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.rng import choose, seed_stream
from parlor.game.seats.observation import own_numbers
from parlor.policies.feature_vectors import FeatureVectors

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'parlor-games[interop]'.") from None


def to_pettingzoo(game: Game, seed: int = 0, render_mode: str | None = None) -> Environment:
    """The game as an AEC environment; `seed` is used until `reset` gives another."""
    return Environment(game, seed, render_mode)


class Environment(AECEnv):  # type: ignore[misc]
    """An environment in which the agents of PettingZoo play one game after the other."""

    def __init__(self, game: Game, seed: int, render_mode: str | None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise GameError(f"{game.name} is shown as text only: render_mode is 'ansi' or None, not {render_mode!r}.")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"parlor_{re.sub(r'[^a-z0-9]+', '_', game.name.lower()).strip('_')}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.features = FeatureVectors(game)
        self.possible_agents = [f"player_{p}" for p in range(game.players)]
        low, high = (0.0, 1.0) if game.features is None else (-np.inf, np.inf)
        seen = spaces.Box(low, high, (self.features.size,), np.float32)
        mask = spaces.Box(0, 1, (game.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.actions) for agent in self.possible_agents}
        self._seed, self._index = seed, 0
        self._stream = [0, 0, 0, 0]

    def observation_space(self, agent: str) -> Any:
        """Bits of the view, and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All action ids of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game, or the first one of another seed."""
        if seed is not None:
            self._seed, self._index = seed, 0
        seed_stream(self._stream, self._seed, self._index)
        self._index += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._reach(self.game.start())

    def _reach(self, position: Position) -> None:
        """Play all chance turns from `position` to the next agent, or to the end."""
        while position.turn == CHANCE:
            odds = list(position.odds.values())
            position = position.after(position.actions[choose(self._stream, odds, len(odds))])
        self.position = position
        if position.over:
            self.rewards = dict(zip(self.agents, position.payoffs, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[position.turn]

    def step(self, action: Any) -> None:
        """The agent whose turn it is plays `action`; after the end it steps with None, one agent after the other."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.position.actions:
            raise GameError(
                f"{agent} cannot play action {action} here; legal actions are "
                + ", ".join(f"{a} ({name})" for a, name in zip(self.position.actions, self.position.legal, strict=True))
                + "."
            )
        self._reach(self.position.after(int(action)))
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation and the legal actions of an agent."""
        player = self.possible_agents.index(agent)
        actions = self.position.actions if self.position.turn == player else []
        own = own_numbers(self.game, self.position.state, player)
        return self.features.observed(self.position.view(player), self.position.key(player), actions, own)

    def render(self) -> str | None:
        """The view of the agent to move, in a line, if the environment was made with render_mode 'ansi'."""
        if self.render_mode is None:
            return None
        return self.position.show(self.possible_agents.index(self.agent_selection))

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
