"""Compile errors in a sentence.

Numba's errors run over pages and are about its own internals. This finds the rule, the line in it and the reason.
"""

from __future__ import annotations

import re
from pathlib import Path


def explain(error: BaseException) -> str:
    """A compile error as one sentence: the rule, the line in it, and what is wrong there."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File ", "Raised from"))]
    reason = said[0] if said else type(error).__name__
    reason = re.sub(r"\.? Raised from .*|(, defined)? at /\S+ \(\d+\)|: %.*", "", reason).rstrip(" .:")
    call = next((line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")), "")
    if call:
        reason = f"there is no compiled form of {call}"
    elif isinstance(error, KeyError):
        reason = f"there is no {reason}"
    for theirs, ours in _OURS:
        reason = re.sub(theirs, ours, reason)
    rule, line = _whereabouts(text)
    where = f" in the line `{line}`" if line else ""
    return f"{rule} cannot be compiled{where}: {reason}; keep to numbers, tuples of numbers, if, for, while and def."


#: Numba's words -> plain words
_OURS = (
    (r"Literal\[\w+\]\((.*?)\)", r"\1"),
    (r"<iv=[^>]*>", ""),
    (r"type\(CPUDispatcher\(<function (?:\w+\.)?(\w+) at \w+>\)\)", r"\1"),
    (r"unicode_type", "text"),
    (r"nestedarray\(int64, \((.*?),?\)\)", r"field of shape \1"),
    (r"Cannot unify (.*) and (.*) for '(\w+?)[.\d]*'", r"\3 is \1 in one place and \2 in another"),
    (r"Can't unify return type from the following types: (.*)", r"it returns things of different kinds, \1"),
    (r"Use of unsupported opcode \(IMPORT_NAME\) found", "import belongs to the top of the file"),
)


def _whereabouts(text: str) -> tuple[str, str]:
    """The innermost function that a compile error is about, and the line in it, both as in the linked text."""
    found = re.search(r'File "(?P<a>[^"]+\.py)", line (?P<b>\d+)|(?P<c>/\S+\.py) \((?P<d>\d+)\)', text)
    callee = re.search(r"<function (?:\w+\.)?(\w+) at", text)
    path = Path(found["a"] or found["c"]) if found else Path()
    if found and path.is_file():
        source = path.read_text().splitlines()[: int(found["b"] or found["d"])]
        heads = [match[1] for line in source if (match := re.match(r"def (\w+)\(", line))]
        if heads and (callee is None or heads[-1] == callee[1] or heads[-1] not in path.stem):
            return heads[-1].rstrip("_"), source[-1].strip()
    return (callee[1] if callee else "a rule"), ""
