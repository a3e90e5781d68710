"""Learned beliefs on disk: the network over hidden numbers, with the codes of what it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parlor.policies.field_belief import FieldBelief


def pack(belief: FieldBelief, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header and the arrays of a belief."""
    entries = {"sizes": list(belief.sizes), "trust": belief.trust}
    return entries, {"features": belief.features, "hidden": belief.code, "weights": belief.weights}


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> FieldBelief:
    """A belief from its file."""
    return FieldBelief(
        head["game"],
        head["rules"],
        arrays["features"].astype(np.int64),
        arrays["hidden"].astype(np.int64),
        tuple(map(int, head["sizes"])),
        arrays["weights"].astype(np.float32),
        float(head["trust"]),
        head["about"],
        str(head.get("source", "")),
    )
