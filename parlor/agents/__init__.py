"""The agents, by name, and how to make one.

An agent is named by a string that carries its options: `random`, `risk-aware(aggressiveness=0.7,temperature=2)`,
`look-ahead(rollouts=50,policy=careful)`. A saved policy is an agent too: `parlor.load_agent` reads it from its file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from parlor.agents import look_ahead, policy_table, random
from parlor.agents.agent import Agent
from parlor.agents.holdem import blueprint, cfr, endgame, monte_carlo, rule_based, simple
from parlor.agents.monopoly_deal import careful, risk_aware
from parlor.game import Game, GameError
from parlor.poker.blueprint import Blueprint
from parlor.policy import Policy
from parlor.strategy import Strategy

__all__ = ["AGENTS", "SEATS", "Agent", "Setting", "make_agent", "policy_agent", "split"]


@dataclass(frozen=True)
class Setting:
    """An option of an agent: a number in a range, a word, or a file."""

    default: float | str
    help: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    file: bool = False  # it names the file of a strategy, and has no default
    kind: str = ""  # of that strategy, if only one will do

    def read(self, name: str, text: str) -> Any:
        """What a person wrote, as a value."""
        if isinstance(self.default, str):
            return text
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            kind = "a whole number" if self.whole else "a number"
            raise GameError(f"{name} must be {kind}, not {text!r}.") from None
        if not self.low <= value <= self.high:
            raise GameError(f"{name} must lie between {self.low:g} and {self.high:g}, not {text}.")
        return value


#: Makes an agent of another name, for those that are made from others.
Maker = Callable[[str], Agent]


@dataclass(frozen=True)
class Listing:
    """An agent that comes with Parlor."""

    summary: str
    make: Callable[[Game, str, Mapping[str, Any], Maker], Agent]
    games: tuple[str, ...] = ()  # that it plays; empty: all of them
    settings: Mapping[str, Setting] = field(default_factory=dict)
    believes: bool = False  # it needs a game that can imagine what is hidden
    takes: Callable[[str], str] | None = None  # of its file's game: where it sits with such a file, if anywhere

    def plays(self, game: Game) -> bool:
        """Whether it can sit down at a table of the game."""
        known = not self.games or game.name.partition("(")[0] in self.games
        return known and (not self.believes or game.imagine is not None)


_HOLDEM = ("holdem",)
_BLUEPRINT = Setting(
    "", "the run or file with its first streets: fold, call and one raise", file=True, kind=Blueprint.kind
)
_SIMULATIONS = "deals that are simulated for each decision; 0: read the exact tables"


def _cfr(much: str, simulations: int) -> Listing:
    return Listing(
        f"the dissertation's: a blueprint of two streets, then {much} simulations",
        lambda game, name, given, maker: cfr.make(game, name, **given),
        _HOLDEM,
        {"blueprint": _BLUEPRINT, "simulations": Setting(simulations, _SIMULATIONS, 0, 1_000_000, whole=True)},
        takes=cfr.table_for,
    )


AGENTS: Mapping[str, Listing] = {
    "random": Listing(
        "plays every legal action alike",
        lambda game, name, given, maker: random.make(game, name, **given),
        settings={
            "abstraction": Setting("usual", "whose actions it draws: a name, none for the concrete moves, or usual"),
        },
    ),
    "risk-aware": Listing(
        "the paper's heuristic: properties before cash, or the other way round",
        lambda game, name, given, maker: risk_aware.make(game, name, **given),
        ("monopoly-deal",),
        {
            "aggressiveness": Setting(0.5, "property (1) against cash (0)", 0.0, 1.0),
            "temperature": Setting(2.0, "how much that matters", 0.0, 50.0),
        },
    ),
    "careful": Listing(
        "a good hand-written player: completes sets, protects them, charges when it hurts",
        lambda game, name, given, maker: careful.make(game, name),
        ("monopoly-deal",),
    ),
    "look-ahead": Listing(
        "tries every move in imagined worlds and takes the one that did best",
        lambda game, name, given, maker: look_ahead.make(game, name, given["rollouts"], maker(given["policy"])),
        settings={
            "rollouts": Setting(20, "imagined worlds for each decision", 1, 100_000, whole=True),
            "policy": Setting("random", "the agent, or the file, that plays on in them for both sides"),
        },
        believes=True,
    ),
    "fish": Listing("calls every bet", lambda game, name, given, maker: simple.fish(game, name), _HOLDEM),
    "honest": Listing(
        "calls with cards that win at least half the time, and never bets",
        lambda game, name, given, maker: monte_carlo.honest(game, name, **given),
        _HOLDEM,
        {"simulations": Setting(1000, _SIMULATIONS, 0, 1_000_000, whole=True)},
    ),
    "wild": Listing(
        "folds, calls or raises, each as likely, and by any amount",
        lambda game, name, given, maker: simple.wild(game, name),
        _HOLDEM,
    ),
    "rule-based": Listing(
        "an amateur with rules: few starting hands, value bets, cheap draws",
        lambda game, name, given, maker: rule_based.make(game, name),
        _HOLDEM,
    ),
    "monte-carlo": Listing(
        "goes by how often its cards win against any other hand",
        lambda game, name, given, maker: monte_carlo.make(game, name, **given),
        _HOLDEM,
        {
            "style": Setting("dissertation", "its thresholds, or sane: bets and calls by the pot"),
            "simulations": Setting(10_000, _SIMULATIONS, 0, 1_000_000, whole=True),
        },
    ),
    "cfr-v1": _cfr("few", 50),
    "cfr-v2": _cfr("many", 10_000),
    "endgame": Listing(
        "a blueprint that solves the river anew, every hand by itself",
        lambda game, name, given, maker: endgame.make(game, name, **given),
        _HOLDEM,
        {
            "blueprint": Setting("", "the run or file that it plays until the river", file=True, kind=Blueprint.kind),
            "iterations": Setting(100, "of CFR+ for each river", 1, 100_000, whole=True),
        },
        takes=endgame.table_for,
    ),
}


#: kind of strategy -> how it sits at a table of the concrete game, under a name
SEATS: Mapping[str, Callable[[Game, str, Any], Agent]] = {
    Policy.kind: policy_table.make,
    Blueprint.kind: blueprint.make,
}


def make_agent(text: str, game: Game, read: Callable[[str], Strategy] | None = None) -> Agent:
    """The agent of that name and options at a table of `game`; `read` gets a policy for texts that name a file."""
    game = concrete_game(game)
    if read is not None and is_path(text):
        return policy_agent(read(text), game, text)
    base, given = split(text)
    if base not in AGENTS:
        near = difflib.get_close_matches(base, AGENTS, 1, 0.5)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"{game.name} is played by {', '.join(n for n, row in AGENTS.items() if row.plays(game))}, "
            f"and files that end in .json or .npz."
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
    for key in (key for key, setting in listing.settings.items() if setting.file):
        if not given.get(key) or read is None:
            raise GameError(f"{base} needs a {key}: {base}({key}=…), {listing.settings[key].help}.")
        values[key] = found = read(given[key])
        if (kind := listing.settings[key].kind) not in ("", found.kind):
            raise GameError(f"{base} needs a {kind}; {given[key]} is a {found.kind} for {found.game}.")
    return listing.make(game, text, values, lambda name: make_agent(name, game, read))


def policy_agent(strategy: Strategy, game: Game, name: str | None = None) -> Agent:
    """A policy, or any other strategy, as an agent at a table of `game`."""
    return SEATS[strategy.kind](concrete_game(game), name or f"{strategy.kind} for {strategy.game}", strategy)


def concrete_game(game: Game) -> Game:
    """The concrete game, at whose tables agents meet."""
    return game.concrete or game


def is_path(text: str) -> bool:
    """Whether a text names a file or a folder rather than an agent."""
    return text.endswith((".json", ".npz")) or "/" in text.partition("(")[0]


def split(text: str) -> tuple[str, dict[str, str]]:
    """Split `name(option=value,…)`; a value may have brackets of its own."""
    match = re.fullmatch(r"([^()]+)(?:\((.*)\))?", text.strip())
    if match is None:
        raise GameError(f"{text!r} is not the name of an agent; one looks like random or look-ahead(rollouts=50).")
    given: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in re.split(r",(?![^(]*\))", match[2] or ""))):
        key, equals, value = item.partition("=")
        if not equals:
            raise GameError(f"{item!r} in {text!r} should read option=value.")
        given[key.strip()] = value.strip()
    return match[1].strip(), given
