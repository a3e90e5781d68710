"""Networks on disk.

A network that learned from search has its planner in the file: the whole policy-value network, and the belief network.
A checkpoint of a run also has what its training needs to go on: the optimiser, the target network and the replay, which
is many times as large. The two newest checkpoints of a run have it; older ones are reduced to the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parlor.policies.beliefs import BeliefNetwork
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays
from parlor.policies.search_networks import SearchNetworks

OTHERS = "others."  # how names of arrays begin: of whom a planner plays against


def pack(network: NetworkPolicy, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header and the arrays of a network."""
    entries = {"sizes": list(network.sizes), "scale": network.scale, "temperature": network.temperature}
    entries |= {"afterstates": True} if network.afterstates else {}
    entries |= {"declared": network.declared} if network.declared else {}
    arrays = {"code": network.code, "weights": network.weights}
    if network.search_networks is not None:
        entries["planner"], own = _taken_apart(network.search_networks)
        arrays |= own
    return entries, arrays


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> NetworkPolicy:
    """A network from its file."""
    return NetworkPolicy(
        head["game"],
        head["rules"],
        arrays["code"].astype(np.int64),
        tuple(map(int, head["sizes"])),
        arrays["weights"].astype(np.float32),
        float(head["scale"]),
        float(head["temperature"]),
        head["about"],
        str(head.get("source", "")),
        bool(head.get("afterstates", False)),
        _put_together(head["planner"], arrays) if "planner" in head else None,
        str(head.get("declared", "")),
    )


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
