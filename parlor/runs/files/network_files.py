"""Networks on disk: NumPy files with a JSON header.

A network that learned from search has its planner in the file: the whole policy-value network, and the belief network.

A checkpoint of a run is a network that also has what its training needs to go on: the optimiser, the target network and
the replay, which is many times as large. The two newest checkpoints of a run have it; older ones are reduced to the
network.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.game.errors import GameError
from parlor.policies.beliefs import BeliefNetwork
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays
from parlor.policies.search_networks import SearchNetworks
from parlor.runs.files.policy_files import UNREADABLE, FileError, rules_file, write

FORMAT = "parlor network 1"
STATE, OTHERS = "state.", "others."  # how names of arrays begin: of the learner, and of whom a planner plays against


def save_network(
    network: NetworkPolicy, path: Path, head: Mapping[str, Any] | None = None, state: Mapping[str, Any] | None = None
) -> None:
    """Write a network, with more header entries and the learner's arrays if they are given."""
    if path.suffix != ".npz":
        raise FileError(f"{path} should end in .npz: networks are saved as NumPy arrays.")
    header = {"game": network.game, "rules": network.rules, "about": dict(network.about), **(head or {})}
    header |= rules_file(network.source, path)
    header |= {"format": FORMAT, "sizes": list(network.sizes), "scale": network.scale}
    header |= {"temperature": network.temperature} | ({"afterstates": True} if network.afterstates else {})
    arrays: dict[str, Any] = {"header": b""}  # which comes first
    arrays |= {"code": network.code, "weights": network.weights}
    if network.search_networks is not None:
        header["planner"], own = _taken_apart(network.search_networks)
        arrays |= own
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    arrays |= {STATE + name: np.asarray(array) for name, array in (state or {}).items()}
    write(path, lambda file: np.savez(file, **arrays))


def load_network(path: Path) -> NetworkPolicy:
    """Read a network."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            head = json.loads(arrays["header"].tobytes())
            if head["format"] != FORMAT:
                raise FileError(f"{path} has the format {head['format']!r}; this version reads {FORMAT!r}.")
            source = str(head.get("rules_file", ""))
            return NetworkPolicy(
                head["game"],
                head["rules"],
                arrays["code"].astype(np.int64),
                tuple(map(int, head["sizes"])),
                arrays["weights"].astype(np.float32),
                float(head["scale"]),
                float(head["temperature"]),
                head["about"],
                os.path.normpath(path.absolute().parent / source) if source else "",
                bool(head.get("afterstates", False)),
                _put_together(head["planner"], arrays) if "planner" in head else None,
            )
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except GameError as error:
        raise FileError(f"{path} is not a usable network: {error}") from None
    except UNREADABLE as error:
        raise FileError(f"{path} is not a network, or it is damaged ({type(error).__name__}).") from None


def _taken_apart(search_networks: SearchNetworks) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entry of a planner in the header, and its arrays."""
    entry: dict[str, Any] = {
        name: getattr(search_networks, name) for name in ("scale", "backup", "belief", "simulations", "c")
    }
    arrays = {"planner.weights": search_networks.weights}
    entry["sizes"] = list(search_networks.sizes)
    if search_networks.network is not None:
        entry["network"] = {"kind": search_networks.network.kind, "sizes": list(search_networks.network.sizes)}
        arrays["belief.weights"] = search_networks.network.weights
    if search_networks.others is not None:
        arrays |= {OTHERS + name: array for name, array in search_networks.others._asdict().items()}
    return entry, arrays


def _put_together(entry: Mapping[str, Any], arrays: Mapping[str, Any]) -> SearchNetworks:
    """A planner from its entry and its arrays."""
    belief = entry.get("network")
    return SearchNetworks(
        tuple(map(int, entry["sizes"])),
        arrays["planner.weights"].astype(np.float32),
        float(entry["scale"]),
        entry["backup"],
        entry["belief"],
        int(entry["simulations"]),
        float(entry["c"]),
        belief and BeliefNetwork(belief["kind"], tuple(map(int, belief["sizes"])), arrays["belief.weights"]),
        OpponentArrays(*(arrays[OTHERS + name] for name in OpponentArrays._fields))
        if f"{OTHERS}lineups" in arrays
        else None,
    )


def save_checkpoint(
    path: Path, head: Mapping[str, Any], game: Game, network: NetworkPolicy, entries: Iterable[Mapping[str, Any]]
) -> Path:
    """Write a network with the learner's arrays, which are its one entry."""
    [state] = entries
    path = path.with_suffix(".npz")
    save_network(network, path, head, state)
    return path


def load_checkpoint(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the learner's arrays."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        head: dict[str, Any] = json.loads(arrays["header"].tobytes())
        names = [name for name in arrays.files if name.startswith(STATE)]
        return head, [{name.removeprefix(STATE): arrays[name] for name in names}]


def cut_down(path: Path) -> None:
    """Reduce a checkpoint to its network."""
    head, [state] = load_checkpoint(path)
    if state:
        save_network(load_network(path), path, head)
