"""Populations on disk: with those of their members that are played, or with the names of their members' files.

`pack` puts the members that are played into the file itself, each with its own header and its own arrays. A PSRO run
has each member in a file already: its header names these, relative to its own folder. The aggregate policy is in the
file as well, where it is known, so that nothing is enumerated to play it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.policies.mixture import Mixture, marginals_of, product
from parlor.policies.policy import Policy
from parlor.policies.population import Population, chosen, part_of, support
from parlor.policies.strategy import Strategy
from parlor.runs.files import table_files
from parlor.runs.files.container import FileError, explained, read_arrays, source_of
from parlor.runs.files.file_kinds import SINGLE, Content, kind_among, read_header

TABLE = "table."  # how names of arrays begin


def pack(population: Population, head: Mapping[str, Any]) -> Content:
    """The entries of the header and the arrays; if `head` has the `members`, as names of files, they are not in it."""
    own: dict[str, Any] = {"embedded": {}}
    arrays: dict[str, Any] = {}
    if "members" not in head:
        population = population.played()
        population = dataclasses.replace(population, average=population.table)
        names: dict[int, str] = {}
        for one in (one for some in (*population.members, population.newest) for one in some):
            if id(one) not in names:
                names[id(one)] = name = f"member.{len(names)}"
                entries, rows = SINGLE[one.kind].pack(one, {})
                made_for = {"game": one.game, "rules": one.rules, "about": dict(one.about)}
                own["embedded"][name] = {"format": SINGLE[one.kind].formats[0], **made_for, **entries}
                arrays |= {f"{name}.{part}": array for part, array in rows.items()}
        own["members"] = [[names[id(one)] for one in some] for some in population.members]
        own["newest"] = [names[id(one)] for one in population.newest]
    mixture = population.mixture
    own |= {"independent": mixture.independent, "note": mixture.note}
    own["labels"] = [list(some) for some in population.labels]
    weights = mixture.marginals if mixture.independent else (mixture.joint,)
    arrays |= {f"mixture.{i}": array for i, array in enumerate(weights)}
    if population.average is not None:
        _, table = table_files.pack(population.average, {})
        arrays |= {f"{TABLE}{name}": array for name, array in table.items()}
    return own, arrays


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any], everybody: bool = False) -> Population:
    """A population with those of its members that are played, or with everybody, to go on with a run."""
    mixture = _mixture(head, arrays)
    kept = [list(range(n)) for n in mixture.joint.shape] if everybody else support(mixture)
    names = chosen(head["members"], kept)
    newest = head.get("newest") or [some[-1] for some in head["members"]]
    found = {name: _member(head, arrays, name) for name in dict.fromkeys(n for some in (*names, newest) for n in some)}
    average = None
    if f"{TABLE}keys" in arrays:
        average = table_files.unpack(head, _part(arrays, TABLE))
    members = tuple(tuple(found[name] for name in some) for some in names)
    last = tuple(found[name] for name in newest)
    labels = chosen(head["labels"], kept)
    population = Population(members, part_of(mixture, kept), head["about"], labels, average, last)
    if (population.game, population.rules) != (head["game"], head["rules"]):
        raise FileError(f"its members are for {population.game}, or for other rules, not for {head['game']}.")
    return population


def load_everybody(path: Path) -> Population:
    """A population with all members, also those that are not played."""
    with explained(path, "population"):
        head, arrays = read_arrays(path)
        return unpack({**head, "source": source_of(head, path), "path": path}, arrays, everybody=True)


def read_mixture(path: Path) -> Mixture:
    """The mixture of a population, without its members."""
    with explained(path, "population"):
        return _mixture(*read_arrays(path))


def version_of(path: Path) -> str:
    """The version of a population: a hash of what it plays, not of what only a run needs."""
    with explained(path, "population"):
        head, arrays = read_arrays(path)
        found = hashlib.sha256(head["game"].encode())
        for weights, names in zip(_mixture(head, arrays).marginals, head["members"], strict=True):
            found.update(weights.tobytes())
            for name in (name for name, weight in zip(names, weights.tolist(), strict=True) if weight > 0.0):
                if name not in head["embedded"]:
                    found.update(SINGLE["policy"].version(path.parent / name).encode())
                for _, array in sorted(_part(arrays, f"{name}.").items()):
                    found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()[:16]


def _part(arrays: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _mixture(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Mixture:
    """As it was, to the bit: nothing is made to sum to one again."""
    if head["independent"]:
        marginals = tuple(arrays[f"mixture.{p}"] for p in range(len(head["members"])))
        return Mixture(product(marginals), marginals, True, head["note"])
    return Mixture(arrays["mixture.0"], marginals_of(arrays["mixture.0"]), False, head["note"])


def _member(head: Mapping[str, Any], arrays: Mapping[str, Any], name: str) -> Strategy:
    """A member from the population's own arrays, or from its own file, beside that of the population."""
    path = Path(head["path"])
    if name in head["embedded"]:
        own = head["embedded"][name]
        kind = SINGLE[kind_among(SINGLE, own) or Policy.kind]
        return kind.unpack({**own, "source": head["source"]}, _part(arrays, f"{name}."))
    if Path(name).is_absolute():
        raise FileError(f"its member {name} is not named relative to it.")
    member = Path(os.path.normpath(path.parent / name))
    if not member.is_file():
        raise FileError(f"there is no file {member}.")
    return SINGLE[kind_among(SINGLE, read_header(member)) or Policy.kind].load(member, in_memory=True)
