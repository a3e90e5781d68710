"""Types of what kernels work on: arrays in compiled code; rules and vectors may be lists in plain Python."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from parlor.game import State

States: TypeAlias = MutableSequence[State]
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
Float32Array: TypeAlias = npt.NDArray[np.float32]
Bits: TypeAlias = npt.NDArray[np.uint8]
