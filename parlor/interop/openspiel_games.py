"""Any game of OpenSpiel, by its string: `openspiel:kuhn_poker(players=3)`.

Lanctot et al., *OpenSpiel: a framework for reinforcement learning in games* (2019). A state here is a handle on a state
of OpenSpiel, which the seven rules call. Such a game cannot be compiled, but whatever runs in plain Python runs
on it: positions, random games, enumeration, sampling. Handles share a state of OpenSpiel until one of them moves on, so
that a copy costs nothing and a walk through all histories makes each state once.

Departures: moves made at once are made one after the other in secret (OpenSpiel's own conversion); the outcomes of a
chance turn are numbered 0, 1, … in the order in which OpenSpiel lists them; moves with equal names get their number
behind the name, so that a name is always unique; where nothing is hidden, players know the whole history, of which
OpenSpiel's goofspiel forgets the order.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import logging
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints, Rules, Words, title_of
from parlor.game.game import HiddenInformation

log = logging.getLogger("parlor.interop.openspiel_games")

TURN_BASED = "turn_based_simultaneous_game"  # the type of a game whose players moved at the same time
REMEMBERED = 1 << 16  # texts of information sets whose keys are cached

#: What a player knows in a state of OpenSpiel, as a text.
Text = Callable[[Any, int], str]


class Handle:
    """A state of OpenSpiel, and its cached answers."""

    __slots__ = ("actions", "names", "odds", "shared", "state", "who")

    def __init__(self) -> None:
        self.state: Any = None
        self.shared = True  # another handle may hold the same state: it must not be changed in place
        self.who = OVER
        self.actions: Sequence[int] = ()  # what can be played, as OpenSpiel numbers it; empty: not computed yet
        self.odds: Sequence[float] = ()  # at a chance turn, of each of them
        self.names: dict[int, str] = {}

    def assign(self, other: Handle) -> None:
        """Become equal to `other`; the state is shared until one of the two changes."""
        self.state = other.state
        self.shared = other.shared = True
        self.who = other.who
        self.actions = other.actions
        self.odds = other.odds
        self.names = other.names

    def copy(self) -> Handle:
        """Another handle on the same state."""
        made = Handle()
        made.assign(self)
        return made

    def hold(self, state: Any) -> None:
        """Hold a new state, with nothing cached."""
        who = state.current_player()
        self.state = state
        self.who = who if who >= CHANCE else OVER
        self.actions = ()
        self.names = {}

    def __repr__(self) -> str:
        return f"Handle({'' if self.state is None else self.state.history_str()})"


@dataclass(frozen=True)
class View:
    """A player's information state, in OpenSpiel's words."""

    player: int
    text: str


# --------------------------------------------------------------------------------------------------- the rules


def start(initial: Any, s: Handle) -> None:
    """All games begin in the same state, which is never changed."""
    s.shared = True
    s.hold(initial)


def turn(s: Handle) -> int:
    """The player to act."""
    return s.who


def outcomes(s: Handle) -> Sequence[int]:
    """At a chance turn: the outcomes as OpenSpiel numbers them."""
    if not s.actions:
        s.actions, s.odds = zip(*s.state.chance_outcomes(), strict=True)
    return s.actions


def odds(s: Handle, out: Floats) -> int:
    """Their probabilities."""
    n = len(outcomes(s))
    if n > len(out):
        raise GameError(f"{s.state.get_game()} has {n} outcomes of chance at a turn but declared at most {len(out)}.")
    out[:n] = s.odds
    return n


def legal(s: Handle, out: Ints) -> int:
    """The legal actions; OpenSpiel numbers them for the whole game, so few of many are legal."""
    if not s.actions:
        s.actions = s.state.legal_actions()
    n = len(s.actions)
    if n > len(out):
        raise GameError(f"{s.state.get_game()} has {n} actions at a turn but declared at most {len(out)}.")
    out[:n] = s.actions
    return n


def play(s: Handle, a: int) -> None:
    """Change the state in place if no other handle holds it, otherwise a copy."""
    move = outcomes(s)[a] if s.who == CHANCE else a
    if s.shared:
        s.shared = False
        s.hold(s.state.child(move))
    else:
        s.state.apply_action(move)
        s.hold(s.state)


def payoff(s: Handle, p: int) -> float:
    """The player's return."""
    return float(s.state.player_return(p))


def key(text: Text, s: Handle, p: int) -> int:
    """A hash of what the player knows."""
    return digest(p, text(s.state, p))


@functools.lru_cache(REMEMBERED)
def digest(player: int, text: str) -> int:
    """63 bits that stand for the player and the text."""
    return int.from_bytes(hashlib.blake2b(f"{player} {text}".encode(), digest_size=8).digest(), "big") >> 1


def unseen(text: Text, s: Handle, a: int, p: int) -> bool:
    """Whether a move of another player changes neither what the player knows nor whose turn it is."""
    if s.who in (CHANCE, p):
        return False
    after = s.state.child(a)
    return after.current_player() == s.who and text(after, p) == text(s.state, p)


# --------------------------------------------------------------------------------------------------- the words


def view(text: Text, s: Handle, p: int) -> View:
    """The information state of the player."""
    return View(p, text(s.state, p))


def show(view: View) -> str:
    """The same in one line."""
    lines = (" ".join(line.split()) for line in view.text.splitlines())
    return f"player {view.player}: {'; '.join(filter(None, lines)) or 'nothing yet'}"


def describe(s: Handle, a: int) -> str:
    """OpenSpiel's name of a move or an outcome, with its number where two have the same."""
    if not s.names:
        moves = dict(enumerate(outcomes(s))) if s.who == CHANCE else {a: a for a in s.state.legal_actions()}
        names = {a: " ".join(s.state.action_to_string(s.who, move).split()) for a, move in moves.items()}
        times = Counter(names.values())
        s.names = {a: name if name and times[name] == 1 else f"{name} #{a}".strip() for a, name in names.items()}
    return s.names[a]


# --------------------------------------------------------------------------------------------------- loading


def load(string: str) -> Game:
    """The game of OpenSpiel that the string names; spaces and line breaks in it do not matter."""
    try:
        import pyspiel
    except ImportError:
        raise GameError("OpenSpiel is not installed: pip install 'parlor-games[interop]'.") from None
    string = _tidy(string)
    base = string.partition("(")[0]
    types = _types(pyspiel, base)
    if base not in types:
        near = difflib.get_close_matches(base, types, 3, 0.7)
        part = sorted(name for name in types if len(base) > 2 and base in name)
        nearest = ", ".join(difflib.get_close_matches(base, types, 3, 0.0))
        hint = f"it has {len(types)} others; the nearest in name are {nearest}."
        hint = f"did you mean {' or '.join(near or part[:5])}?" if near or part else hint
        raise GameError(f"OpenSpiel has no game {base!r}; {hint}")
    if string != base and not string.endswith(")"):
        raise GameError(f"{string!r} must end with the bracket that closes its parameters.")
    try:
        with _quiet():
            game = pyspiel.load_game(string)
            declared = game.get_type()
            _refuse(pyspiel, string, declared)
            if declared.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
                game = pyspiel.convert_to_turn_based(game)
            initial = game.new_initial_state()
    except GameError:
        raise
    except Exception as error:  # SpielError, and whatever a game written in Python may raise
        raise GameError(f"OpenSpiel cannot load {string}: {_load_error(error, types[base])}") from None
    text = _text(pyspiel, string, declared, game.get_type())
    return Game(
        name=f"openspiel:{string}",
        rules=Rules(functools.partial(start, initial), turn, odds, legal, play, payoff, functools.partial(key, text)),
        players=game.num_players(),
        actions=game.num_distinct_actions(),
        outcomes=max(game.max_chance_outcomes(), 1),
        length=_length(pyspiel, game),
        kind=_kind(pyspiel, declared),
        new_state=Handle,
        view=functools.partial(view, text),
        words=Words(describe, show, title=title_of(string), summary=f"{declared.long_name}, from OpenSpiel."),
        hidden=_hidden(pyspiel, text, declared),
        options={name: str(value) for name, value in game.get_parameters().items()},
    )


def _hidden(pyspiel: Any, text: Text, declared: Any) -> HiddenInformation:
    """Hidden information of an OpenSpiel game: with hidden state and alternating moves, a move may go unnoticed."""
    perfect = declared.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    in_turn = declared.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    return HiddenInformation(unseen=functools.partial(unseen, text) if in_turn and not perfect else None)


def _tidy(string: str) -> str:
    """Without white space around the brackets, commas and signs; a value may have spaces inside (universal_poker)."""
    string = re.sub(r"\s*([(),=;\[\]])\s*", r"\1", " ".join(string.split()))
    return string.removesuffix("()") if string.count("(") == 1 else string


def _types(pyspiel: Any, base: str) -> dict[str, Any]:
    """The types of all games by name; those written in Python are registered when they are imported."""
    if base not in pyspiel.registered_names():
        with suppress(ImportError):  # some of them need other packages
            importlib.import_module("open_spiel.python.games")
    return {declared.short_name: declared for declared in pyspiel.registered_games()}


def _refuse(pyspiel: Any, string: str, declared: Any) -> None:
    kinds = pyspiel.GameType
    if declared.dynamics == kinds.Dynamics.MEAN_FIELD:
        raise GameError(f"{string} is a mean-field game: it has a population instead of players.")
    if declared.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(
            f"{string} does not list the odds of its chance moves but only samples them; Parlor needs the odds."
        )


def _text(pyspiel: Any, string: str, declared: Any, turn_based: Any) -> Text:
    """The text of what a player knows: its information state, or the whole history where nothing is hidden."""
    if declared.information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        if declared.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL:
            return _history
        return _state_and_rounds if turn_based.provides_information_state_string else _rounds
    if turn_based.provides_information_state_string:
        return _information_state
    raise GameError(
        f"{string} gives its players only what they see at the moment (an observation), not all that they "
        f"know (an information state), so that different situations cannot be told apart."
    )


def _information_state(state: Any, player: int) -> str:
    text: str = state.information_state_string(player)
    return text


def _history(state: Any, player: int) -> str:
    text: str = state.history_str()
    return text


def _rounds(state: Any, player: int) -> str:
    """Simultaneous moves are known when all are made; before that, only the player's own."""
    table = state.simultaneous_game_state()
    text: str = table.history_str()
    if table.is_simultaneous_node() and player < state.current_player() and table.legal_actions(player):
        mine = [move.action for move in state.full_history() if move.player == player]
        text += f" and {mine[-1]}"
    return text


def _state_and_rounds(state: Any, player: int) -> str:
    return f"{state.information_state_string(player)}\nSo far: {_rounds(state, player)}"


def _length(pyspiel: Any, game: Any) -> int:
    """A bound on moves and outcomes in a game.

    Some games do not count their chance turns, and some with simultaneous moves count too few of them (laser_tag leaves
    out where players appear again): there is one for each move at least.
    """
    moves: int = game.max_game_length()
    try:
        with _quiet():
            chances: int = game.max_chance_nodes_in_history()
    except pyspiel.SpielError:
        chances = moves + 1
    if chances and game.get_type().short_name == TURN_BASED:
        chances = max(chances, moves)
    return moves + chances + game.num_players() + 1


def _kind(pyspiel: Any, declared: Any) -> str:
    utility = pyspiel.GameType.Utility
    return {utility.ZERO_SUM: "zero-sum", utility.IDENTICAL: "common-payoff"}.get(declared.utility, "general-sum")


def _load_error(error: Exception, declared: Any) -> str:
    """OpenSpiel's error as a sentence, with the parameters of the game."""
    said = re.sub(r"/\S+\.(cc|h):\d+ ?", "", " ".join(str(error).split())).rstrip(".") or type(error).__name__
    parameters = ", ".join(sorted(declared.parameter_specification)) or "none"
    return f"{said}." if "vailable parameters" in said else f"{said}. Its parameters are: {parameters}."


@contextmanager
def _quiet() -> Iterator[None]:
    """Within this, OpenSpiel does not print to stderr: errors are raised anyway, and warnings go to the log."""
    try:
        stderr = os.dup(2)
    except OSError:  # there is no stderr
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.dup2(writer, 2)
    os.close(writer)
    said = b""
    try:
        yield
        with suppress(BlockingIOError):  # nothing was printed
            said = os.read(reader, 1 << 16)
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(reader)
    if said:
        log.warning("%s", " ".join(said.decode(errors="replace").split()))
