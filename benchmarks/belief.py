"""How near learned beliefs come to the exact posterior, in games where that can be computed.

    python benchmarks/belief.py                                  # all of them
    python benchmarks/belief.py --only kuhn leduc --seed 2
    python benchmarks/belief.py --games 2 --decisions 200        # twice the games to learn from, fewer decisions

A belief learns from games of one policy (`parlor train GAME --algorithm belief`): a few iterations of CFR+ in the games
that are solved, else an agent whose moves tell what it holds. At decisions of games that it has not seen, the expected
log score of the exact posterior, of what was learned, and of chance alone are compared, in nats. The bar: the learned
score is within 5 % of the posterior's. The last line is JSON: `excess_GAME`, how much worse it is, as a share.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from typing import Any, NamedTuple

import parlor
from parlor.agents.registry import make_agent, policy_agent
from parlor.agents.searching.searching import self_play_policy
from parlor.learn.belief.training import FieldBeliefLearner, FieldBeliefSettings
from parlor.search.learned.log_scores import log_scores

SETTINGS = FieldBeliefSettings(layers=(128,), units=64, rate=0.004, updates=48)
FRESH = 77  # the seed of the games of the measurement


class Case(NamedTuple):
    """A game, whose moves are watched, and for how long."""

    game: str
    of: str  # an agent, or a number of iterations of CFR+
    games: int
    decisions: int  # of the measurement
    worlds: int = 5_000  # at most, where they are listed


CASES = {
    "kuhn": Case("kuhn", "50", 8_192, 400),
    "leduc": Case("leduc", "20", 24_576, 400),
    "liars_dice": Case("liars-dice", "20", 49_152, 400),
    "deal_or_no_deal": Case("deal-or-no-deal", "conceding", 49_152, 200),
    "clue": Case("clue(preset=tiny)", "stateless", 24_576, 200),
}


def main() -> None:
    """Learn, measure, print."""
    a = arguments()
    found: dict[str, Any] = {}
    for name in a.only or CASES:
        found |= {f"{key}_{name}": value for key, value in measured(name, CASES[name], a).items()}
    print(json.dumps(found), flush=True)


def measured(name: str, case: Case, a: argparse.Namespace) -> dict[str, float]:
    """The scores in a game."""
    game = parlor.load(case.game)
    began = time.perf_counter()
    if case.of.isdigit():
        policy: Any = parlor.solve(game, "cfr+", iterations=int(case.of)).policy
        player = policy_agent(policy, game)
    else:
        policy = player = make_agent(case.of, game)
    games = round(case.games * a.games / SETTINGS.round) * SETTINGS.round
    learner = FieldBeliefLearner(game, replace(SETTINGS, schedule=games), a.seed, [self_play_policy(game, player)])
    learner.run_to(games)
    learned = time.perf_counter() - began
    scores = log_scores(
        game, learner.trainer.belief(), policy, 10**6, FRESH, case.worlds, a.decisions or case.decisions
    )
    print(
        f"{name:16} exact {scores.exact:8.4f}  learned {scores.learned:8.4f}  chance {scores.chance:8.4f}  "
        f"excess {100 * scores.excess:5.1f} %  {games:,} games, {learned:.0f} s; {scores.decisions} decisions, "
        f"{time.perf_counter() - began - learned:.0f} s",
        flush=True,
    )
    return {"exact": scores.exact, "learned": scores.learned, "chance": scores.chance, "excess": scores.excess}


def arguments() -> argparse.Namespace:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=list(CASES), help="these games")
    parser.add_argument("--games", type=float, default=1.0, help="times the games to learn from")
    parser.add_argument("--decisions", type=int, default=0, help="of a measurement, at most; 0: as many as are usual")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
