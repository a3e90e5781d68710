"""Parlor's games as games of OpenSpiel: `to_openspiel(game)`, or after `register()` by name, `parlor_leduc(players=3)`.

A state of the exported game holds the fields of the plain state and lets the seven rules work on them. Options become
parameters of the same name. The information state of a player is what `show` says about the view, followed by the
key; the tensors are the bits of the view (see `features.py`). Outcomes that cannot happen are left out of the list, as
OpenSpiel requires; otherwise ids are the same on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.loading import GAMES, declared_options, load, parse
from parlor.game.schema import fields_of
from parlor.game.seats.observation import own_numbers
from parlor.policies.feature_vectors import FeatureVectors, survey

try:
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install 'parlor-games[interop]'.") from None

Parameter = bool | int | str

UTILITIES = {
    "zero-sum": pyspiel.GameType.Utility.ZERO_SUM,
    "general-sum": pyspiel.GameType.Utility.GENERAL_SUM,
    "common-payoff": pyspiel.GameType.Utility.IDENTICAL,
}

_registered: dict[str, tuple[str, str]] = {}  # short name in OpenSpiel -> Parlor's base name and abstraction
_games: dict[str, Game] = {}  # by Parlor's name: each game is loaded and surveyed once


def to_openspiel(game: Game) -> Any:
    """The game as a `pyspiel.Game`; its name and parameters are registered."""
    base, _, abstraction = parse(game.name)
    survey(game)  # refuses what is not Parlor's own
    _games[game.name] = game
    defaults = _defaults(base, abstraction)
    if set(defaults) != set(game.options):
        raise GameError(f"{game.name} cannot be loaded again by its name, which OpenSpiel requires.")
    parameters = {name: _parameter(value) for name, value in game.options.items() if value != defaults[name]}
    return pyspiel.load_game(_register(base, abstraction), parameters)


def register() -> list[str]:
    """Make every game that comes with Parlor known to `pyspiel.load_game`; returns their names there."""
    return [_register(name, "") for name in GAMES]


def _register(base: str, abstraction: str) -> str:
    short = re.sub(r"\W", "_", f"parlor_{re.split(r'[/.]', base.removesuffix('.py'))[-1]}")
    short += f"_{abstraction.replace('-', '_')}" if abstraction else ""
    if _registered.get(short, (base, abstraction)) != (base, abstraction):
        raise GameError(f"OpenSpiel already knows another game, {_registered[short][0]}, as {short}.")
    if short not in _registered:
        origin = {"short": short, "base": base, "abstraction": abstraction}
        pyspiel.register_game(
            _type(short, _game(base, {}, abstraction), _defaults(base, abstraction)),
            type(short, (ExportedGame,), origin),
        )
        _registered[short] = (base, abstraction)
    return short


def _game(base: str, options: Mapping[str, Parameter], abstraction: str) -> Game:
    """Parlor's game of that name with these options."""
    end = f"/{abstraction}" if abstraction else ""
    if not options and base + end in _games:
        return _games[base + end]
    words = ",".join(f"{name}={_word(value)}" for name, value in options.items())
    game = load(f"{base}({words}){end}")
    return _games.setdefault(game.name, game)


def _defaults(base: str, abstraction: str) -> Mapping[str, str]:
    return _game(base, {}, abstraction).options


def _parameter(value: str) -> Parameter:
    """An option as a parameter: true and false, whole numbers, words."""
    if value in ("false", "true"):
        return value == "true"
    return int(value) if re.fullmatch(r"-?\d+", value) else value


def _word(parameter: Parameter) -> str:
    return str(parameter).lower() if isinstance(parameter, bool) else str(parameter)


def _type(short: str, game: Game, defaults: Mapping[str, str]) -> Any:
    base = parse(game.name)[0]
    seats = declared_options(base).get("players") if base in GAMES else None
    secrets = any(field.seen_by != "all" for field in (game.schema or {}).values())
    return pyspiel.GameType(
        short_name=short,
        long_name=f"Parlor's {game.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if secrets
        else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=UTILITIES[game.kind],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats.high if seats else game.players,
        min_num_players=seats.low if seats else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={name: _parameter(value) for name, value in defaults.items()},
    )


# --------------------------------------------------------------------------------------------------- the game


class ExportedGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Parlor as OpenSpiel sees it; each registered name has a subclass."""

    short: str  # name in OpenSpiel
    base: str  # name in Parlor
    abstraction: str

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.parlor = _game(self.base, parameters, self.abstraction)
        found = survey(self.parlor)
        super().__init__(
            _type(self.short, self.parlor, _defaults(self.base, self.abstraction)),
            pyspiel.GameInfo(
                num_distinct_actions=self.parlor.actions,
                max_chance_outcomes=self.parlor.outcomes,
                num_players=self.parlor.players,
                min_utility=found.lowest,
                max_utility=found.highest,
                utility_sum=0.0 if self.parlor.kind == "zero-sum" else None,
                max_game_length=self.parlor.length,
            ),
            dict(parameters),
        )
        self.features = FeatureVectors(self.parlor)

    def new_initial_state(self) -> ExportedState:
        """The initial state."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer that turns states into tensors and texts."""
        return Observer(self, iig_obs_type, params)

    def __reduce__(self) -> Any:
        """Pickled by name, which another process must register first."""
        return _restored_game, (self.base, self.abstraction, str(self))


def _restored_game(base: str, abstraction: str, string: str) -> Any:
    _register(base, abstraction)
    return pyspiel.load_game(string)


class SpielTable(SimpleNamespace):
    """The fields of a plain state. OpenSpiel copies and pickles a state by its attributes, of which this is one."""

    def __deepcopy__(self, memo: Any) -> SpielTable:
        copy = SpielTable()
        copy.__dict__.update({name: _copied(value) for name, value in self.__dict__.items()})
        return copy


def _copied(value: Any) -> Any:
    return [_copied(v) for v in value] if isinstance(value, list) else value


class ExportedState(pyspiel.State):  # type: ignore[misc]
    """A state of an exported game; the names of the methods are OpenSpiel's."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        state = game.parlor.new_state()
        game.parlor.rules.start(state)
        self.table = SpielTable(**fields_of(state))

    @property
    def parlor(self) -> Game:
        """The game in Parlor."""
        game: Game = self.get_game().parlor
        return game

    def current_player(self) -> int:
        """The player to act."""
        who = self.parlor.rules.turn(self.table)
        if who == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if who == OVER else who

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.parlor.rules.turn(self.table) == OVER

    def _legal_actions(self, player: int) -> list[int]:
        game = self.parlor
        actions = [0] * game.actions
        return sorted(actions[: game.rules.legal(self.table, actions)])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes that can happen and their probabilities."""
        game = self.parlor
        odds = [0.0] * game.outcomes
        return [(i, p) for i, p in enumerate(odds[: game.rules.odds(self.table, odds)]) if p > 0.0]

    def _apply_action(self, action: int) -> None:
        self.parlor.rules.play(self.table, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.parlor.words.describe(self.table, action)

    def returns(self) -> list[float]:
        """The payoffs; zeros before the end."""
        game = self.parlor
        if not self.is_terminal():
            return [0.0] * game.players
        return [game.rules.payoff(self.table, p) for p in range(game.players)]

    def __str__(self) -> str:
        """The views of all players, one a line."""
        game = self.parlor
        return "\n".join(game.words.show(game.view(self.table, p)) for p in range(game.players))

    def __reduce__(self) -> Any:
        return _restored_state, (self.get_game(), self.serialize())


def _restored_state(game: Any, string: str) -> Any:
    return game.deserialize_state(string)


class Observer:
    """The tensors and texts of one player; its observation is its information state."""

    def __init__(self, game: ExportedGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Parlor's observations have no parameters, so they cannot take {params}.")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if isinstance(kind, pyspiel.IIGObservationType) and not (kind.public_info and kind.private_info == single):
            raise ValueError(
                "Parlor's observations are always everything a player sees; other observation types are not supported."
            )
        self.game = game.parlor
        self.features = game.features
        self.tensor = np.zeros(self.features.size, np.float32)
        self.dict = {name: self.tensor[piece] for name, piece in self.features.pieces.items()}

    def set_from(self, state: ExportedState, player: int) -> None:
        """Fill the tensor."""
        table = state.table
        own = own_numbers(self.game, table, player)
        self.tensor[:] = self.features(self.game.view(table, player), self.game.rules.key(table, player), own)

    def string_from(self, state: ExportedState, player: int) -> str:
        """The view in words and the key; in an abstraction, which merges views, the key alone."""
        key = self.game.rules.key(state.table, player)
        if not self.game.abstraction.lossless:
            return f"player {player}, key {key}"
        return f"{self.game.words.show(self.game.view(state.table, player))} [{key}]"
