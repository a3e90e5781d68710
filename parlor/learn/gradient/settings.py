"""Settings of the learners by policy gradients."""

from __future__ import annotations

from dataclasses import dataclass

from parlor.game.errors import GameError
from parlor.game.parameters import Settings, setting
from parlor.search.backups import BACKUPS, OWN_PAYOFF

AUTO, NATIVE, JAX = ACTING = ("auto", "native", "jax")
UNIFORM, MOVING = MAGNETS = ("uniform", "moving")
OWN, EITHER = NEXT = ("own", "either")
EQUAL, PRIORITISED = PAST = ("equal", "prioritised")


@dataclass(frozen=True)
class GradientSettings(Settings):
    """Settings of all of them."""

    objective: str = setting(
        OWN_PAYOFF, "what the learner is paid; the game, and what is measured, stay as they are", words=tuple(BACKUPS)
    )
    layers: tuple[int, ...] = setting((128, 128), "the hidden layers of the network", low=1, high=4096, items=int)
    lockstep: int = setting(256, "games that are played side by side; thousands on a GPU", low=1)
    window: int = setting(64, "decisions of each of these games between two updates", low=2)
    epochs: int = setting(2, "how often an update goes through all decisions", low=1)
    minibatches: int = setting(16, "gradient steps each time", low=1)
    rate: float = setting(0.0005, "the learning rate of Adam at the beginning", low=0.0)
    rate_end: float = setting(0.00005, "the learning rate at the end of the schedule", low=0.0)
    entropy: float = setting(0.03, "the weight of the policy's entropy at the beginning", low=0.0)
    entropy_end: float = setting(0.003, "the weight of the policy's entropy at the end of the schedule", low=0.0)
    decisions: int = setting(
        0, "decisions in which learning rate and entropy go down; 0: those of the whole run", low=0, flag="decisions"
    )
    fading: float = setting(
        0.95, "λ of the advantages: 1 trusts what happened, 0 the network's values", low=0.0, high=1.0
    )
    bootstrap: str = setting(
        OWN,
        "whose next decision tells what a decision was worth: one's own; or either player's, where what one gains the "
        "other loses, which is less noisy, but wrong where the other does not know what one knows",
        words=NEXT,
    )
    averaging: float = setting(
        0.0,
        "how far the mean of the weights, which the run returns, comes nearer in an update; 0: it returns the newest",
        low=0.0,
        high=1.0,
    )
    value: float = setting(0.5, "the weight of the error of values", low=0.0, flag="value_weight")
    norm: float = setting(0.5, "longer gradients are cut to this length", low=0.0)
    past: float = setting(
        0.0, "the share of games that are played against former versions of itself", low=0.0, high=1.0
    )
    past_every: int = setting(50, "updates between two versions that are kept", low=1)
    past_size: int = setting(8, "versions that are kept: the newest", low=1)
    past_choice: str = setting(
        EQUAL, "which of them are met: all equally, or rather those that it does worst against", words=PAST
    )
    rivals: tuple[str, ...] = setting((), "agents to learn against: names, files, and folders of runs")
    rivals_share: float = setting(
        1.0, "the share of games that are played against them, if there are any", high=1.0, low=0.0
    )
    acting: str = setting(
        AUTO,
        "where the network that plays is computed: in the loop that plays (native), or for all games together (jax); "
        "auto: jax if there is a GPU",
        words=ACTING,
    )
    normalise: bool = setting(True, "divide advantages by their standard deviation among those of a gradient step")
    half: bool = setting(True, "compute with 16 bits on a GPU")

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if not self.layers:
            raise GameError("layers must name at least one hidden layer.")
        if self.window * self.lockstep % self.minibatches:
            raise GameError(
                f"window × lockstep must be a multiple of minibatches, but {self.window} × {self.lockstep} is none "
                f"of {self.minibatches}."
            )
        if self.past + (self.rivals_share if self.rivals else 0.0) > 1.0:
            raise GameError("past and rivals_share are shares of the games: together they must not pass 1.")


@dataclass(frozen=True)
class PpoSettings(GradientSettings):
    """Proximal policy optimisation (Schulman et al., 2017)."""

    bootstrap: str = setting(EITHER, "whose next decision tells what a decision was worth, own or either", words=NEXT)
    clip: float = setting(0.2, "how far the probability of an action may move in an update", low=0.0)


@dataclass(frozen=True)
class MmdSettings(GradientSettings):
    """Magnetic mirror descent (Sokota et al., 2023)."""

    epochs: int = setting(4, "how often an update goes through all decisions", low=1)
    entropy: float = setting(0.05, "the weight of the distance to the magnet at the beginning", low=0.0)
    entropy_end: float = setting(0.005, "the weight of the distance to the magnet at the end of the schedule", low=0.0)
    normalise: bool = setting(False, "divide advantages by their standard deviation among those of a gradient step")
    proximal: float = setting(0.05, "the weight of the distance to the policy before the update", low=0.0)
    magnet: str = setting(UNIFORM, "what draws the policy: uniform, or its own slowly moving mean", words=MAGNETS)
    magnet_rate: float = setting(0.01, "how far a moving magnet comes nearer in an update", low=0.0, high=1.0)


@dataclass(frozen=True)
class A2cSettings(GradientSettings):
    """Advantage actor-critic (Mnih et al., 2016)."""

    window: int = setting(16, "decisions of each of these games between two updates", low=2)
    epochs: int = setting(1, "how often an update goes through all decisions", low=1)
    minibatches: int = setting(1, "gradient steps each time", low=1)
    rate: float = setting(0.001, "the learning rate of Adam at the beginning", low=0.0)
    rate_end: float = setting(0.0001, "the learning rate at the end of the schedule", low=0.0)


@dataclass(frozen=True)
class CriticSettings(A2cSettings):
    """Policies that follow the values of all actions (Srinivasan et al., 2018)."""

    minibatches: int = setting(4, "gradient steps each time", low=1)
    value: float = setting(1.0, "the weight of the error of values", low=0.0, flag="value_weight")
