"""A match in one line, and as a small table for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlor.game.html import html_table

if TYPE_CHECKING:
    from parlor.arena.match import Match


def summary(match: Match) -> str:
    """The game, the agents, and the first agent's results."""
    facts = ", ".join(f"{name} {fact}" for name, fact in _facts(match).items())
    return f"<match of {match.game}: {' against '.join(match.agents)}, {facts}>"


def summary_html(match: Match) -> str:
    """The same as an HTML table."""
    facts = _facts(match)
    return html_table(f"{match.game}: {' against '.join(match.agents)}", tuple(facts), [tuple(facts.values())])


def _facts(match: Match) -> dict[str, str]:
    rate, payoff = match.rate, match.payoff
    return {
        "games": f"{match.games:,}",
        "win rate": f"{rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})",
        "payoff": f"{payoff.value:+.3f} ({payoff.low:+.3f} to {payoff.high:+.3f})",
    }
