"""Settings of approximate best responses, as a learner and as an oracle of PSRO.

`paper` is a preset, table 5 of Li et al. (2023): settings that are not given are then those of the table.
The defaults learn quickly on two cores: fewer simulations, smaller networks, Adam, and payoffs divided by their
standard deviation in random games, so that exploration and learning rates suit any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from parlor.game.errors import GameError
from parlor.game.parameters import Settings, setting
from parlor.learn.buffers import MAX_VISITS
from parlor.learn.gradients import ADAM, OPTIMISERS, SGD
from parlor.learn.network_search import NATIVE, WAYS
from parlor.policies.beliefs import HEADS, LEARNED, NETWORKS
from parlor.search.backups import BACKUPS
from parlor.search.posterior import BELIEFS

ALL_BELIEFS = (*BELIEFS, *NETWORKS)
POLICY, VALUE, SEARCH = RETURNS = ("policy", "value", "search")

#: Table 5, but for what depends on the value that is backed up
TABLE_5: Mapping[str, Any] = {
    "belief": HEADS, "returns": VALUE, "simulations": 300, "layers": (256, 256), "belief_layers": (300, 100),
    "optimiser": SGD, "batch": 64, "replay": 1 << 16, "round": 200, "gradient_steps": 1.0, "l2": 1e-3,
    "belief_l2": 1e-3, "belief_rate": 1e-3, "normalise": False,
}  # fmt: skip
EXPLORATION = {"own": 20.0, "inequity": 20.0, "welfare": 40.0, "nash-product": 100.0}
RATES = {"own": 2e-3, "inequity": 2e-3, "welfare": 1e-3, "nash-product": 5e-4}


@dataclass(frozen=True)
class AbrSettings(Settings):
    """Settings of algorithm 2."""

    paper: bool = setting(False, "settings that are not given are those of table 5 of Li et al. (2023)")
    backup: str = setting("own", "what the search backs up, and values are of", words=tuple(BACKUPS))
    belief: str = setting(
        LEARNED,
        "where worlds come from: exact posterior; a network, learned or heads; by chance alone, uniform; always the "
        "first or the last possible one; the true one",
        words=ALL_BELIEFS,
    )
    returns: str = setting(
        POLICY, "what the result plays: its policy network, the best value after a move, or search", words=RETURNS
    )
    temperature: float = setting(
        0.25, "of the policy network that is returned; 1: as often as searches visit a move; 0: the best move", low=0.0
    )
    simulations: int = setting(64, "simulations of a search", low=2, high=MAX_VISITS)
    c: float = setting(2.0, "how much a search explores (PUCT)", low=0.0)
    explore: float = setting(
        0.0, "how often a move in training is drawn by its visits, not the one with most", low=0.0, high=1.0
    )
    tried: int = setting(
        0,
        "moves of a search whose values are learned too, drawn from those that it has tried",
        low=0,
    )
    round: int = setting(50, "games that are played together, with the same networks", low=1)
    gradient_steps: float = setting(0.4, "gradient steps for each game; they follow its round, at least one", low=0.001)
    delay: int = setting(200, "games until the networks that search uses are replaced by the latest", low=1)
    batch: int = setting(64, "entries of each buffer in a gradient step", low=1)
    replay: int = setting(1 << 16, "entries that a buffer keeps", low=16)
    layers: tuple[int, ...] = setting((128, 128), "the hidden layers of the network", low=1, high=4096, items=int)
    belief_layers: tuple[int, ...] = setting((128,), "those of the belief network", low=1, high=4096, items=int)
    optimiser: str = setting(ADAM, "how gradients are followed", words=OPTIMISERS)
    rate: float = setting(0.001, "the learning rate", low=0.0)
    l2: float = setting(1e-5, "the cost of large weights", low=0.0)
    belief_rate: float = setting(0.001, "the learning rate of the belief network", low=0.0)
    belief_l2: float = setting(1e-5, "the cost of large weights of the belief network", low=0.0)
    normalise: bool = setting(True, "divide values by their standard deviation in random games")
    evaluate: str = setting(NATIVE, "who computes the networks in search; jax on a GPU", words=WAYS, flag="evaluator")

    def __new__(cls, *values: Any, **named: Any) -> Self:
        """Note which settings are given: a value may be asked for that is the default, too."""
        made = super().__new__(cls)
        made.__dict__["given"] = {one.name for one, _ in zip(fields(cls), values, strict=False)} | set(named)
        return made

    def __post_init__(self) -> None:
        """Fill in the preset, and refuse invalid values."""
        given = self.__dict__.pop("given")
        if self.paper:
            for name, value in self.table_5().items():
                if name not in given:
                    object.__setattr__(self, name, value)
        super().__post_init__()

    def table_5(self) -> dict[str, Any]:
        """The preset."""
        return {**TABLE_5, "c": EXPLORATION.get(self.backup, 0.0), "rate": RATES.get(self.backup, 0.0)}


@dataclass(frozen=True)
class AbrOracle(AbrSettings):
    """The same, and how long a response learns."""

    episodes: int = setting(5_000, "games that a response learns from, a multiple of the round", low=1)

    def __post_init__(self) -> None:
        """Refuse responses that search when they play, too."""
        super().__post_init__()
        if self.returns == SEARCH:
            raise GameError(
                f"returns of an oracle must be {POLICY} or {VALUE}, not {SEARCH}: in the empirical game a response "
                "would search, but the next one would learn against its policy network."
            )

    def table_5(self) -> dict[str, Any]:
        """The preset."""
        return {**super().table_5(), "episodes": 10_000}
