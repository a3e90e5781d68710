"""Linear algebra on one thread.

The matrices of meta-solvers are small: several threads of BLAS save little on a machine that is idle, and on one that
is busy they wait for each other (a Cholesky factorisation of 500 rows took 0.7 s instead of 0.01). Numbers then do not
depend on how many processors there are, either.
"""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any


@functools.cache
def _controller() -> Any:
    """Return the controller of BLAS's threads; None where threadpoolctl is not installed."""
    try:
        import scipy.linalg  # noqa: F401  its BLAS must be there to be found
        import threadpoolctl
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """While it lasts, BLAS has one thread; without threadpoolctl, as many as it likes."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")
