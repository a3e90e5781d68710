"""Output of `parlor solve` for solutions that are not one strategy a player: correlated plans, and a fitted λ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape

from parlor.cli.screen import err, file_name, free_path, out, print_json
from parlor.game import Game, GameError
from parlor.runs.files.container import UNREADABLE, FileError
from parlor.runs.files.container import write as write_file
from parlor.runs.files.strategy_files import save
from parlor.sequence_form.tree import Tree, tree
from parlor.solvers.exact.correlated import CONCEPTS, CorrelatedEquilibrium, correlated_equilibrium
from parlor.solvers.exact.likelihood import estimate_rationality
from parlor.solvers.policy_words import Words, tree_words, with_words

PLAYED = 1e-9  # a recommendation that is less likely is not written


def run_concept(game: Game, concept: str, maximise: str, path: Path | None, as_json: bool) -> int:
    """Compute a correlated equilibrium, write its plan, print what it is worth."""
    with err.status(f"solving {game.name} for its {CONCEPTS.get(concept, concept)}"):
        found = correlated_equilibrium(game, concept, maximise)
    path = path or free_path(Path("runs"), f"{file_name(game.name)}-{concept}", ".json")
    rows = plan_rows(found)
    head: dict[str, Any] = {
        "format": "correlation plan",
        "game": game.name,
        "concept": concept,
        "maximised": found.maximised,
    }
    head |= {"values": list(found.values), "welfare": found.welfare, "gain": found.gain}
    write_file(path, (json.dumps(head | {"plan": rows}, indent=1, ensure_ascii=False) + "\n").encode())
    if as_json:
        print_json(head | {"plan": str(path), "ways": len(rows)})
        return 0
    lines = {
        "game": game.name,
        "concept": f"{CONCEPTS[concept]}, of all the one with the most {found.maximised}",
        "values": ", ".join(f"{v:+.6f}" for v in found.values) + " (player 0, 1, …)",
        "welfare": f"{found.welfare:+.6f}",
        "deviations": f"gain at most {found.gain:.1g}",
        "plan": f"{escape(str(path))}: {len(rows):,} ways to recommend a game",
    }
    _print(lines)
    return 0


def _print(lines: Mapping[str, str]) -> None:
    for name, value in lines.items():
        out.print(f"[dim]{name:<17}[/] {value}", soft_wrap=True)


def plan_rows(found: CorrelatedEquilibrium) -> list[dict[str, Any]]:
    """The endings that are recommended, most likely first, with each player's recommendations on the way there."""
    t = tree(found.game)
    words = tree_words(t)
    order = [int(e) for e in np.argsort(-found.likely, kind="stable") if found.likely[e] > PLAYED]
    return [
        {
            "probability": float(found.likely[e]),
            "recommendations": [_told(t, words, int(sequence)) for sequence in found.endings[e]],
        }
        for e in order
    ]


def _told(t: Tree, words: Words, sequence: int) -> list[str]:
    """The information sets and actions on the way to a sequence."""
    told: list[str] = []
    while t.action[sequence] >= 0:
        i = int(np.flatnonzero((t.first <= sequence) & (sequence < t.first + t.count))[0])
        seen, names = words[int(t.keys[i])]
        told.append(f"{seen}: {names[sequence - int(t.first[i])]}")
        sequence = int(t.parent[i])
    return told[::-1]


def run_fit(game: Game, recorded: Path, path: Path | None, as_json: bool) -> int:
    """Fit λ to recorded games, save the equilibrium, print both."""
    games = recorded_games(game, recorded)
    with err.status(f"fitting logit equilibria of {game.name} to {len(games):,} games"):
        found = estimate_rationality(game, games)
    path = path or free_path(Path("runs"), f"{file_name(game.name)}-logit", ".json")
    save(with_words(game, found.policy), path)
    numbers = {
        name: getattr(found, name) for name in ("rationality", "low", "high", "log_likelihood", "uniform", "moves")
    }
    if as_json:
        numbers["high"] = numbers["high"] if np.isfinite(found.high) else None
        print_json({"game": game.name, "games": found.games, **numbers, "policy": str(path)})
        return 0
    interval = f"{found.low:.4g} to {found.high:.4g}" if np.isfinite(found.high) else f"{found.low:.4g} or more"
    lines = {
        "game": game.name,
        "recorded": f"{found.moves:,} moves with a choice in {found.games:,} games",
        "rationality": f"[bold]{found.rationality:.4g}[/] (95 %: {interval}); 0 is play at random",
        "log-likelihood": f"{found.log_likelihood:.3f}; of play at random {found.uniform:.3f}",
        "policy": escape(str(path)),
    }
    _print(lines)
    return 0


def recorded_games(game: Game, path: Path) -> list[Sequence[str]]:
    """The moves of games in a .jsonl file, as `parlor study data` and `parlor export games` write it.

    Games of other options and games with moves that were removed are left out.
    """
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        named = [row for row in rows if row.get("game", game.name) == game.name]
        games = [[m if isinstance(m, str) else m["move"] for m in row["moves"]] for row in named]
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except (*UNREADABLE, AttributeError, KeyError, TypeError) as error:
        raise FileError(f"{path} does not hold recorded games, one a line ({type(error).__name__}).") from None
    whole: list[Sequence[str]] = [moves for moves in games if None not in moves]
    if not whole:
        raise GameError(f"{path} has no game of {game.name}.")
    return whole
