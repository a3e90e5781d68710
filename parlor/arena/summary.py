"""A match in one line, and as a small table for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.arena.statistics import Estimate
from parlor.game.html import html_table


def summary(game: str, agents: Sequence[str], facts: Mapping[str, str]) -> str:
    """The game, the agents, and the first agent's results."""
    told = ", ".join(f"{name} {fact}" for name, fact in facts.items())
    return f"<match of {game}: {' against '.join(agents)}, {told}>"


def summary_html(game: str, agents: Sequence[str], facts: Mapping[str, str]) -> str:
    """The same as an HTML table."""
    return html_table(f"{game}: {' against '.join(agents)}", tuple(facts), [tuple(facts.values())])


def facts_of(games: int, rate: Estimate, payoff: Estimate) -> dict[str, str]:
    """The first agent's results, by their names."""
    return {
        "games": f"{games:,}",
        "win rate": f"{rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})",
        "payoff": f"{payoff.value:+.3f} ({payoff.low:+.3f} to {payoff.high:+.3f})",
    }
