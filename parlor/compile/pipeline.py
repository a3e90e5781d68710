"""Numba's compiler without what our kernels have no use for: much less time for code that is as fast.

Left out are, for every function: timers and dumps between the passes, checks of Numba's own passes, looking for new
extensions of Numba where there are none, and machine code of helpers, which are linked into kernels as bitcode. LLVM
optimizes a helper as a part of the kernels it is linked into, and before only a little, to make it smaller: Numba would
have it optimized by itself, and again in every helper that calls it. What Numba has found out about the types of a call
is remembered. All this depends on Numba's insides: it is used with the versions that it is tested with, and for others
there is `plain`.
"""

# mypy: allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import base, codegen, compiler, compiler_machinery, event, ir, postproc, targetconfig, transforms, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.types import functions
from numba.core.typing import context as typing_context
from numba.np import linalg

parse_bitcode: Any = vars(codegen)["ll"].parse_bitcode
Library: Any = codegen.JITCodeLibrary
Passes: Any = compiler_machinery.PassManager
Pipeline: Any = compiler.CompilerBase


class LeanPasses(Passes):
    """The passes one after the other, and nothing else."""

    def _runPass(self, index: int, pss: Any, state: Any) -> None:
        pss.analysis = self._analysis
        mutated = pss.run_initialization(state)
        mutated |= pss.run_pass(state)
        mutated |= pss.run_finalizer(state)
        if compiler_machinery._pass_registry.get(type(pss)).mutates_CFG:
            if mutated:
                postproc.PostProcessor(state.func_ir).run()
            else:
                state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)


class EntryPipeline(Pipeline):
    """The compiler of a kernel that is called from outside."""

    def compile_extra(self, func: Any) -> Any:
        """The same, at whichever call it happens."""
        with compiling():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """Numba's usual passes."""
        if not self.state.flags.nrt:
            self.state.library = Kernel(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
        return self._passes()

    def _passes(self) -> list[Any]:
        passes: Any = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.__class__ = LeanPasses
        return [passes]


class HelperPipeline(EntryPipeline):
    """The compiler of a function that only kernels call."""

    def define_pipelines(self) -> list[Any]:
        """The same, up to machine code."""
        self.state.library = Bitcode(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return self._passes()


class Lean(Library):
    """Functions are made smaller before they are linked, and no more: all is optimized in the end."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
        for function in ll_module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


class Kernel(Lean):
    """A kernel with its helpers, without reference counts: there is nothing to prepare for removing some of them."""

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class Bitcode(Lean):
    """A helper as kernels link it into themselves: neither optimized by itself nor with machine code of its own."""

    @classmethod
    def loaded(cls, target: Any, name: str, data: bytes) -> Any:
        """One that was stored as bytes."""
        library = cls(target, name)
        library._final_module = library._shared_module = parse_bitcode(data)
        library._finalized = True
        return library

    def stored(self) -> bytes:
        """The bytes that `loaded` reads."""
        return bytes(self._get_module_for_linking().as_bitcode())

    def enable_object_caching(self) -> None:
        """There is no object code."""

    def _optimize_final_module(self) -> None:
        """The kernels' business."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is none."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Numba asks for it to tell the machine code its environment, which `finish` does here."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There is nobody to tell."""


def finish(kernel: Any) -> None:
    """Tell a kernel that has been compiled now the environments of the helpers linked into it."""
    for result in kernel.overloads.values():
        target = result.library.codegen
        for variable in result.library._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv") and target._engine.is_symbol_defined(variable.name):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    target.set_env(variable.name, environment)


# ------------------------------------------------------------------------------------- the same, with less searching

ABSENT = object()
_replaced: list[tuple[Any, str, Any]] = []  # what is replaced while our kernels are compiled: owner, name, by what
_depth = 0


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """While this is entered, Numba searches less; nobody else compiles then, and afterwards it is as it was."""
    global _depth
    with global_compiler_lock:
        originals = [] if _depth else [(owner, name, vars(owner).get(name, ABSENT)) for owner, name, _ in _replaced]
        for owner, name, replacement in _replaced if not _depth else ():
            setattr(owner, name, replacement)
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            for owner, name, original in originals:
                delattr(owner, name) if original is ABSENT else setattr(owner, name, original)


def _replace(owner: Any, name: str, replacement: Any) -> None:
    _replaced.append((owner, name, replacement))


def _name_records_by_their_fields() -> None:
    """The code for a type in the name of a function's machine code.

    Numba numbers records, in another order in each process, and leaves out the shape of arrays in them: stored helpers
    of two games could have one name, and a process that loads both would call the wrong one.
    """

    def mangled(self: Any) -> tuple[str, tuple[str]]:
        return type(self).__name__, (hashlib.sha256(self.name.encode()).hexdigest()[:20],)

    for kind in (types.Record, types.NestedArray):
        _replace(kind, "mangling_args", property(mangled))


def _compare_flags() -> None:
    """Numba compares its flags tens of thousands of times for a kernel, option by option: a tenth of the time."""
    flags: Any = targetconfig.TargetConfig
    one_hash = hash(compiler.Flags())  # that of all
    _replace(flags, "__eq__", lambda self, other: isinstance(other, flags) and self._values == other._values)
    _replace(flags, "__hash__", lambda self: one_hash)


def _remember_calls() -> None:
    """The operators and functions of Numba are called with few types, very often."""
    function: Any = functions.BaseFunction
    resolved = function.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return resolved(self, context, args, kws)
        key = id(self), context, args, targetconfig.ConfigStack.top_or_none()
        if key not in known:
            known[key] = self, resolved(self, context, args, kws)
        return known[key][1]

    _replace(function, "get_call_type", get_call_type)


def _look_for_extensions_once() -> None:
    """Numba reads all its registries before every function; nearly always there is nothing new in them."""
    contexts: list[Any] = [base.BaseContext, typing_context.BaseContext]
    for context in contexts:
        _refresh_if_changed(context)
    _replace(linalg, "ensure_blas", lambda: None)  # it imports SciPy to see whether it is there: a quarter of a second


def _refresh_if_changed(context: Any) -> None:
    refreshed = context.refresh
    seen: dict[int, tuple[Any, list[list[Any]], int]] = {}  # of each context: what it has read, and how much there was

    def refresh(self: Any) -> None:
        _, lists, size = seen.get(id(self), (self, [], 0))
        if lists and sum(map(len, lists)) == size:
            return
        refreshed(self)
        lists = [entries for registry in self._registries for entries in _lists(registry)]
        seen[id(self)] = self, lists, sum(map(len, lists))

    _replace(context, "refresh", refresh)


def _lists(registry: Any) -> list[list[Any]]:
    return [entries for entries in vars(registry).values() if isinstance(entries, list)]


def _list_variables() -> None:
    """The variables of an instruction, without a list for each of its parts."""

    def collect(value: Any, found: list[Any]) -> None:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind is str or kind is int or kind is ir.Loc or value is None:
            return
        elif isinstance(value, ir.Inst):
            found.extend(value.list_vars())
        elif isinstance(value, (list, tuple)):
            for part in value:
                collect(part, found)
        elif isinstance(value, dict):
            for part in value.values():
                collect(part, found)

    def list_variables(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        collect(value, found)
        return found

    _replace(ir.Inst, "_rec_list_vars", list_variables)


def _compute_lifetimes_at_the_end() -> None:
    """Which variables live where is computed after every pass, and used when the last is over."""
    processor: Any = postproc.PostProcessor
    processed = processor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            processed(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
            self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)  # computed if it is read
            self.func_ir.generator_info = None

    _replace(processor, "run", run)


def _time_nothing() -> None:
    """Numba times each call of LLVM, for each function that is being compiled then; the times are never read."""
    _replace(event, "install_timer", lambda kind, callback: contextlib.nullcontext())
    for name in ("start_event", "end_event"):
        _replace(event, name, _if_heard(vars(event)[name]))


def _if_heard(tell: Callable[..., None]) -> Callable[..., None]:
    """Tell only those of an event who have asked to be told."""
    listeners: Any = vars(event)["_registered"]

    def told(kind: str, *data: Any, **more: Any) -> None:
        if listeners[kind]:
            tell(kind, *data, **more)

    return told


_name_records_by_their_fields()
_time_nothing()
_compare_flags()
_remember_calls()
_look_for_extensions_once()
_list_variables()
_compute_lifetimes_at_the_end()
