"""An exact evaluation: what everybody gets from a policy, and from a best response to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlor.game.html import html_table
from parlor.policies.strategy import Strategy


@dataclass(frozen=True)
class Evaluation:
    """The values of a policy when everybody follows it, and of best responses to it."""

    values: tuple[float, ...]  # of the players, when all follow the policy
    best_responses: tuple[float, ...]  # of each player, when it alone departs from it

    @property
    def nash_conv(self) -> float:
        """The sum of what the players could gain."""
        return float(sum(b - v for b, v in zip(self.best_responses, self.values, strict=True)))

    @property
    def exploitability(self) -> float:
        """The mean of what the players could gain."""
        return self.nash_conv / len(self.values)

    def __repr__(self) -> str:
        values, best = (", ".join(f"{x:.4g}" for x in numbers) for numbers in (self.values, self.best_responses))
        return f"<evaluation: values {values}; best responses {best}; exploitability {self.exploitability:.4g}>"

    def _repr_html_(self) -> str:
        rows = [
            (p, f"{v:+.6f}", f"{b:+.6f}", f"{b - v:.6f}")
            for p, (v, b) in enumerate(zip(self.values, self.best_responses, strict=True))
        ]
        return html_table(
            f"exploitability {self.exploitability:.4g}", ("player", "value", "best response", "gain"), rows
        )


Policies = Strategy | Sequence[Strategy]  # one that all players follow, or one for each player
