"""Populations on disk: a NumPy file with a JSON header, which has its members in it or names their files.

`save` puts the members that are played into the file itself, each as the bytes of a file of its own kind. A PSRO run
has each member in a file already: `save_checkpoint` names these, relative to its own folder, and adds what the run
needs to go on, more entries of the header and more arrays. Either way the file is a strategy like any other. The
aggregate policy is in it as well, where it is known, so that nothing is enumerated to play it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.policies.mixture import Mixture, marginals_of, product
from parlor.policies.policy import Policy
from parlor.policies.population import Population, chosen, part_of, support
from parlor.policies.strategy import Strategy
from parlor.runs.files.file_kinds import SINGLE, kind_among, read_header
from parlor.runs.files.policy_files import UNREADABLE, FileError, examine, rules_file, write

FORMAT = "parlor population 1"
EXTRA, TABLE = "extra.", "table."  # how names of arrays begin

ROWS = ("keys", "starts", "probabilities")  # the arrays of a table


def save(population: Population, path: Path) -> None:
    """Write a population with those of its members that are played."""
    population = population.played()
    names: dict[int, str] = {}
    arrays: dict[str, Any] = {}
    for one in (one for some in (*population.members, population.newest) for one in some):
        if id(one) not in names:
            names[id(one)] = f"member.{len(names)}"
            arrays[names[id(one)]] = np.frombuffer(_file_bytes(one), np.uint8)
    members = [[names[id(one)] for one in some] for some in population.members]
    known = dataclasses.replace(population, average=population.table)
    newest = [names[id(one)] for one in population.newest]
    _write(known, path, {"embedded": True, "members": members, "newest": newest}, arrays)


def save_checkpoint(
    population: Population,
    path: Path,
    files: Sequence[Sequence[str]],
    head: Mapping[str, Any],
    extra: Mapping[str, Any],
) -> None:
    """Write a population whose members lie in files, named relative to its own folder, with more entries and arrays.

    Nothing is enumerated here: the aggregate policy is written if it is given as `population.average`.
    """
    arrays = {f"{EXTRA}{name}": array for name, array in extra.items()}
    _write(population, path, {**head, "embedded": False, "members": [list(some) for some in files]}, arrays)


def load_population(path: Path) -> Population:
    """The population of a file, with those of its members that are played."""
    return _load(path, everybody=False)


def load_everybody(path: Path) -> Population:
    """The same with all members, also those that are not played: to go on with a run."""
    return _load(path, everybody=True)


def read_extra(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header, and the arrays that `save_checkpoint` was given besides the population."""
    with _explained(path):
        head, arrays = _read(path)
        return head, {name.removeprefix(EXTRA): array for name, array in arrays.items() if name.startswith(EXTRA)}


def read_mixture(path: Path) -> Mixture:
    """The mixture of a population, without its members."""
    with _explained(path):
        return _mixture(*_read(path))


def version_of(path: Path, population: Population) -> str:
    """The version of a population: a hash of what it plays, not of what only a run needs."""
    with _explained(path):
        head, arrays = _read(path)
        found = hashlib.sha256(head["game"].encode())
        for weights, names in zip(_mixture(head, arrays).marginals, head["members"], strict=True):
            found.update(weights.tobytes())
            for name in (name for name, weight in zip(names, weights.tolist(), strict=True) if weight > 0.0):
                found.update(arrays[name].tobytes() if head["embedded"] else (path.parent / name).read_bytes())
        return found.hexdigest()[:16]


# --------------------------------------------------------------------------------------------------- inside


def _write(population: Population, path: Path, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    if path.suffix != ".npz":
        raise FileError(f"{path} should end in .npz: that is how a population is saved.")
    mixture = population.mixture
    own = {
        "format": FORMAT, "game": population.game, "rules": population.rules, "about": dict(population.about),
        "independent": mixture.independent, "note": mixture.note, "labels": [list(some) for some in population.labels],
    }  # fmt: skip
    header = {**head, **own, **rules_file(population.source, path)}
    weights = mixture.marginals if mixture.independent else (mixture.joint,)
    everything: dict[str, Any] = {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)}
    everything |= {f"mixture.{i}": array for i, array in enumerate(weights)}
    if population.average is not None:
        everything |= {f"{TABLE}{name}": getattr(population.average, name) for name in ROWS}
    everything |= arrays
    buffer = io.BytesIO()
    np.savez(buffer, **everything)
    write(path, buffer.getvalue())


def _load(path: Path, everybody: bool) -> Population:
    with _explained(path):
        head, arrays = _read(path)
        mixture = _mixture(head, arrays)
        kept = [list(range(n)) for n in mixture.joint.shape] if everybody else support(mixture)
        names = chosen(head["members"], kept)
        newest = head.get("newest") or [some[-1] for some in head["members"]]
        source = str(head.get("rules_file", ""))
        source = os.path.normpath(path.absolute().parent / source) if source else ""
        found = {
            name: _embedded(arrays[name], source) if head["embedded"] else _filed(path, name)
            for name in dict.fromkeys(name for some in (*names, newest) for name in some)
        }
        average = None
        if f"{TABLE}keys" in arrays:
            keys, starts, probabilities = (arrays[f"{TABLE}{name}"] for name in ROWS)
            made_for = head["game"], head["rules"]
            average = Policy(*made_for, keys, starts, probabilities, head["about"], source=source)
            examine(average)
        members = tuple(tuple(found[name] for name in some) for some in names)
        last = tuple(found[name] for name in newest)
        labels = chosen(head["labels"], kept)
        population = Population(members, part_of(mixture, kept), head["about"], labels, average, last)
        if (population.game, population.rules) != (head["game"], head["rules"]):
            raise FileError(f"its members are for {population.game}, or for other rules, not for {head['game']}.")
        return population


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Within this, whatever is wrong with a file becomes a sentence."""
    try:
        yield
    except (FileError, GameError) as error:
        raise FileError(f"{path} is not a usable population: {error}") from None
    except FileNotFoundError as error:
        missing = str(error.filename or path)
        lacks = "" if missing == str(path) else f"{path} is not a usable population: "
        raise FileError(f"{lacks}{'there' if lacks else 'There'} is no file {missing}.") from None
    except UNREADABLE as error:
        raise FileError(f"{path} is not a population, or it is damaged ({type(error).__name__}).") from None


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and all arrays."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        head = json.loads(arrays["header"].tobytes())
        if head["format"] != FORMAT:
            raise FileError(f"its format is {head['format']!r}, this version reads {FORMAT!r}.")
        return head, {name: arrays[name] for name in arrays.files if name != "header"}


def _mixture(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Mixture:
    """As it was, to the bit: nothing is made to sum to one again."""
    if head["independent"]:
        marginals = tuple(arrays[f"mixture.{p}"] for p in range(len(head["members"])))
        return Mixture(product(marginals), marginals, True, head["note"])
    return Mixture(arrays["mixture.0"], marginals_of(arrays["mixture.0"]), False, head["note"])


def _file_bytes(strategy: Strategy) -> bytes:
    """A strategy as the bytes of a file of its kind."""
    if getattr(strategy, "source", ""):  # where the rules are, the population says
        strategy = dataclasses.replace(strategy, source="")  # type: ignore[type-var]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "member.npz"
        SINGLE[strategy.kind].save(strategy, path)
        return path.read_bytes()


def _embedded(data: Any, source: str) -> Strategy:
    """A member from the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "member.npz"
        path.write_bytes(data.tobytes())
        strategy = _strategy(path)
    return dataclasses.replace(strategy, source=source) if source else strategy  # type: ignore[type-var]


def _filed(path: Path, name: str) -> Strategy:
    """A member from its own file, beside that of the population."""
    if Path(name).is_absolute():
        raise FileError(f"its member {name} is not named relative to it.")
    member = Path(os.path.normpath(path.parent / name))
    if not member.is_file():
        raise FileError(f"there is no file {member}.")
    return _strategy(member)


def _strategy(path: Path) -> Strategy:
    kind = SINGLE[kind_among(SINGLE, read_header(path)) or Policy.kind]
    return (kind.read or kind.load)(path)
