"""`parlor evaluate POLICY --best-response`: what a response to it wins, as a table."""

from __future__ import annotations

from rich.markup import escape

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import policy_agent
from parlor.arena.best_responses import RESPONSES, BestResponse, best_response
from parlor.cli.screen import Interruption, compiler_notes, err, games_bar, out, plain_table, print_json
from parlor.cli.seating import points, seat_all
from parlor.runs.saved_agents import short_names
from parlor.solvers.tabulate import tabulate


def print_best_response(
    policy: str, named: str | None, kind: str, games: int, budget: int, seed: int, threads: int, json: bool
) -> int:
    """Make a response to a policy, let it play, and print what it gains; the exit status."""
    with compiler_notes():
        game, [agent] = seat_all([policy], named)
        if not isinstance(agent, CompiledAgent):  # of a small game: its table plays the same, compiled
            agent = policy_agent(tabulate(game, agent), game, agent.name)
        with Interruption(lambda: None).caught() as interruption, games_bar(json) as show:

            def on_progress(what: str, done: int, total: int) -> bool:
                show(what, done, total)
                return not interruption.requested

            try:
                found = best_response(game, agent, kind, games, budget, seed, threads, on_progress)
            except KeyboardInterrupt:
                err.print("[yellow]Interrupted, before there was a result.[/]")
                return 130
    if json:
        print_json(found.row())
    else:
        print_gains(found)
    return 0


def print_gains(found: BestResponse) -> None:
    """A row for each seat, and the sum."""
    row = RESPONSES[found.kind]
    unit, scale = next(iter(found.units.items()), ("payoff", 1.0))
    of = "" if unit == "payoff" else f" in {unit}"
    out.print(
        f"[bold]{escape(short_names([found.agent])[0])}[/] in {escape(found.game)}: "
        f"{found.kind} after {found.budget:,} {row.unit} wins from it at least{of}"
    )
    table = plain_table("seat", "the response gets", "it gets there itself", "gain")
    for p, (payoff, own, gain) in enumerate(zip(found.payoffs, found.own, found.gains, strict=True)):
        table.add_row(str(p), points(payoff, scale), points(own, scale), f"[bold]{points(gain, scale)}[/]")
    out.print(table)
    out.print(f"NashConv is at least [bold]{points(found.nash_conv, scale)}[/]")
    if found.nash_conv.high <= 0.0:
        out.print("This response gains nothing, which proves nothing: another, or a larger --budget, may gain more.")
    speed = f"{found.games:,} fresh deals in each seat, the agent in all others, seed {found.seed}"
    out.print(f"[dim]{speed}; {found.seconds:,.0f} s[/]")
