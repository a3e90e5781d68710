"""Mistakes in the linker and in the cache of arrays."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

LINK = "tests/compile/test_hand_link.py"

MISTAKES: list[Mistake] = [
    *of(
        "compile/link.py",
        (
            "arrays of one name are merged",
            'constant("x", a) == constant("x", b)',
            "str(np.shape(a)) == str(np.shape(b))",
            LINK,
        ),
        (
            "what was merged keeps its name",
            "            renamed[used] = linked\n",
            "            renamed[used] = used\n",
            LINK,
        ),
        (
            "every name is a new one",
            "while linked in names and not _same(names[linked], target):",
            "while linked in names:",
            LINK,
        ),
        (
            "a renamed name may be a variable",
            "if linked != used and linked in value.__code__.co_varnames:",
            "if False:",
            LINK,
        ),
        (
            "packed arrays lose their shape",
            'f"numpy.frombuffer({bytes_again}, dtype=numpy.{value.dtype.name}).reshape({value.shape!r})"',
            'f"numpy.frombuffer({bytes_again}, dtype=numpy.{value.dtype.name})"',
            LINK,
        ),
        ("tables of tables become flat", "        uses = {id(n) for n in looked_up}\n", "        break\n", LINK),
        (
            "slots are filled only in the kernel",
            "target = bound.get(target, target)",
            "target = bound.get(target, target) if value in entries else target",
            LINK,
        ),
    ),
    *of(
        "compile/cache.py",
        (
            "arrays of other shapes are the same",
            r'f"{fingerprint([kernel, *after])}\0{np.dtype(dtype)}\0{shape}"',
            r'f"{fingerprint([kernel, *after])}\0{np.dtype(dtype)}"',
            LINK,
        ),
        ("an array that failed is kept", "        draft.unlink(missing_ok=True)\n", "        pass\n", LINK),
    ),
]
