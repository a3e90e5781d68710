"""Games from Gambit's files, and games as the text of such files."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.loading.matrix import matrix_game, payoff_tensor
from parlor.interop.gambit.efg import read_efg, write_efg
from parlor.interop.gambit.nfg import StrategicGame, read_nfg, write_nfg
from parlor.interop.gambit.tree_games import tree_game
from parlor.interop.gambit.trees import different, tree_of

KINDS = (".efg", ".nfg")


def load(path: str) -> Game:
    """The game in a file that ends in .efg or .nfg."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise GameError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"{path} cannot be read: {error}.") from None
    if path.endswith(".efg"):
        game = tree_game(read_efg(text, path), path)
    else:
        found = read_nfg(text, path)
        game = matrix_game(found.payoffs, name=path, actions=[different(own) for own in found.strategies])
    return dataclasses.replace(game, source=os.path.abspath(path))


def text_of(game: Game | str, kind: str) -> str:
    """A game in the format of Gambit's files of that kind: .efg, or .nfg if everybody chooses once."""
    game = as_game(game)
    if kind == ".efg":
        return write_efg(tree_of(game))
    if kind != ".nfg":
        raise GameError(f"Gambit's files end in {' or '.join(KINDS)}, not {kind or 'nothing'}.")
    table = payoff_tensor(game)
    strategies = _choices(game, [len(table[p].shape) and table.shape[1 + p] for p in range(game.players)])
    players = [f"Player {p + 1}" for p in range(game.players)]
    return write_nfg(StrategicGame(game.name, players, strategies, table))


def _choices(game: Game, counts: list[int]) -> list[list[str]]:
    """The names of what each player can choose."""
    names: dict[int, list[str]] = {}
    pending = [game.start()]
    while pending and len(names) < game.players:
        position = pending.pop()
        if position.turn >= 0:
            names.setdefault(position.turn, position.legal)
        if not position.over:
            pending.append(position.after(position.actions[0]))
    return [names.get(p, [str(i + 1) for i in range(counts[p])]) for p in range(game.players)]
