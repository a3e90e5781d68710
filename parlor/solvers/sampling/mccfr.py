"""Monte-Carlo CFR: regret minimisation by sampling, over a table that grows with what is seen.

Lanctot et al., *Monte Carlo sampling for regret minimization in extensive games* (2009). One iteration is one traversal
for each player. *External* sampling tries all actions of the traverser and samples chance and the others; *outcome*
sampling plays a single game and weights it by its probability; *robust* sampling tries `keep` actions of the traverser,
drawn uniformly (Li, Hu, Zhang, Qi and Song, *Double neural counterfactual regret minimization*, 2020): with 1 it plays
single games, with all it is external sampling; *chance* sampling draws chance alone and tries all actions of
everybody (Zinkevich et al., 2007). Iteration i uses random stream i of the seed, so one thread gives the
same table however the work is cut into calls, and several threads share the iterations by number.

`linear`: iteration t counts t times (the linear CFR of Brown and Sandholm, 2019, as a weight instead of a discount).

`baseline`: what an action is worth is remembered, as an exponential average at this rate, and only the difference to
it is sampled (Schmid, Burch, Lanctot, Moravčík, Kadlec and Bowling, *Variance reduction in Monte Carlo counterfactual
regret minimization (VR-MCCFR) for extensive form games using baselines*, 2019). A baseline belongs to a traverser, to
the information set of whoever moves, and to an action, so that it takes any number of players and any payoffs; chance
has none.

`prune`: in 19 traversals of 20, actions of the traverser are left out whose regret is below minus this, at the weight
of the iteration, unless they end the game; regrets are not allowed to fall much further, so that actions can come back
(Brown and Sandholm, *Regret-based pruning in extensive-form games*, 2015; sampled, as in *Superhuman AI for multiplayer
poker*, 2019). An action that is played, if only because all regrets are negative, is never left out.

Departures: information sets with one legal action are not stored; outcome and robust sampling weight what they add to
the average strategy by the traverser's choices, so that exploring does not bias the average.
"""

from __future__ import annotations

import abc
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.game.loading import as_game
from parlor.game.parameters import Settings, setting
from parlor.game.rng import below, choose, seed_stream
from parlor.policies.policy import Policy
from parlor.sequence_form.enumeration import spot_check
from parlor.solvers.sampling.chance_sampling import every_action
from parlor.solvers.sampling.infoset_table import MAX_ACTIONS, ROWS, STOP, InfosetTable, crowded, find
from parlor.solvers.sampling.traversals import (
    BY_STRATEGY,
    Iterations,
    SamplingOptions,
    TraversalScratch,
    external,
    outcome,
    robust,
    run_iterations,
    traverse,
)
from parlor.solvers.solver import SolverRow

MAX_LINES = 1e9  # in a traversal: minutes
MAX_PLAIN_LINES = 1e7  # the same for games that cannot be compiled
MAX_ROWS = 1_000_000  # after the first iteration, if so many were not expected


#: A traversal of `traversals`, and its options.
Kernel = tuple[Callable[..., int], SamplingOptions]


@dataclass(frozen=True)
class SamplingSettings(Settings, abc.ABC):
    """A way of sampling. These are the settings that all have."""

    linear: bool = setting(False, "give later iterations more weight")
    baseline = 0.0
    everybody = False  # whether all actions of all players are tried

    @property
    def tried(self) -> int:
        """The largest number of the traverser's actions that are tried at a decision."""
        return 1

    @abc.abstractmethod
    def kernel(self) -> Kernel:
        """The kernel that traverses the game."""


@dataclass(frozen=True)
class ChanceSettings(SamplingSettings):
    """Chance sampling tries all actions of all players."""

    everybody = True

    @property
    def tried(self) -> int:
        """All of them."""
        return MAX_ACTIONS

    def kernel(self) -> Kernel:
        """The one that draws chance alone."""
        return every_action, SamplingOptions(self.tried, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class BaselineSettings(SamplingSettings):
    """Ways of sampling that may have baselines."""

    baseline: float = setting(
        0.0, "reduce variance by baselines that learn at this rate, such as 0.1; 0 for none", low=0.0, high=1.0
    )


@dataclass(frozen=True)
class ExternalSettings(BaselineSettings):
    """External sampling tries all actions, unless they are pruned."""

    prune: float = setting(0.0, "prune actions whose regret is below minus this; 0 for none", low=0.0)

    @property
    def tried(self) -> int:
        """All of them."""
        return MAX_ACTIONS

    def kernel(self) -> Kernel:
        """The fast one where it will do."""
        if not self.baseline and not self.prune:
            return external, SamplingOptions(self.tried, 0.0, 0.0, 0.0)
        return robust, SamplingOptions(self.tried, 0.0, float(self.baseline), float(self.prune))


@dataclass(frozen=True)
class OutcomeSettings(BaselineSettings):
    """Outcome sampling plays single games, with some random moves."""

    explore: float = setting(0.6, "probability of a random training move", low=0.0, high=1.0)

    def kernel(self) -> Kernel:
        """The fast one where it will do."""
        if not self.baseline:
            return outcome, SamplingOptions(1, float(self.explore), 0.0, 0.0)
        return robust, SamplingOptions(BY_STRATEGY, float(self.explore), float(self.baseline), 0.0)


@dataclass(frozen=True)
class RobustSettings(ExternalSettings):
    """Robust sampling tries some actions."""

    keep: int = setting(1, "actions to try at each decision, drawn uniformly", low=1, high=MAX_ACTIONS)

    @property
    def tried(self) -> int:
        """As many as are kept."""
        return self.keep

    def kernel(self) -> Kernel:
        """The general one."""
        return robust, SamplingOptions(self.keep, 0.0, float(self.baseline), float(self.prune))


SAMPLINGS: Mapping[str, type[SamplingSettings]] = {
    "external": ExternalSettings,
    "outcome": OutcomeSettings,
    "robust": RobustSettings,
    "chance": ChanceSettings,
}


class Mccfr:
    """A solve in progress: `run(n)` runs n more iterations, `policy()` is the average strategy so far.

    Settings such as `linear=True` are those of the way of sampling, see `SAMPLINGS`.
    """

    def __init__(
        self,
        game: Game | str,
        sampling: str = "external",
        seed: int = 0,
        threads: int = 1,
        compiled: bool | None = None,
        **settings: Any,
    ) -> None:
        game = as_game(game)
        compiled = game.native if compiled is None else compiled
        if sampling not in SAMPLINGS:
            raise GameError(f"There is no sampling {sampling!r}; there are {', '.join(SAMPLINGS)}.")
        if not 1 <= threads <= 4 * (os.cpu_count() or 1):
            raise GameError(f"threads must be between 1 and {4 * (os.cpu_count() or 1)}, not {threads}.")
        if game.actions > MAX_ACTIONS:
            raise GameError(f"{game.name} has {game.actions} actions; the sampling table holds at most {MAX_ACTIONS}.")
        if game.players < 2:
            raise GameError(f"{game.name} has one player, and sampling is for several; use cfr+.")
        self.name = f"mccfr-{sampling}"
        self.settings = SAMPLINGS[sampling].for_owner(self.name, settings)
        spot_check(game)
        lines = traversal(game, self.settings.tried, self.settings.everybody) if self.settings.tried > 1 else 1.0
        if lines > (MAX_LINES if compiled else MAX_PLAIN_LINES):
            raise self._endless(game, f"about {lines:.0e} of them")
        self._most_rows = max(MAX_ROWS, 100.0 * lines)
        self.game = game
        self.seed = seed
        self.threads = threads if compiled else 1
        self.iterations = 0
        self.table = self.new_table()
        entry, self._options = self.settings.kernel()
        self._kernel = (compiler.native if compiled else compiler.interpret)(run_iterations, game, {traverse: entry})
        self._scratch = [self._make_scratch(compiled) for _ in range(self.threads)]
        for thread, scratch in enumerate(self._scratch):
            scratch.nodes[1] = thread << 48
        self._some(0, 0, 0)  # compiles, if necessary

    @property
    def baselines(self) -> int:
        """The number of baselines of each action: one for every player, or none."""
        return self.game.players if self.settings.baseline else 0

    @property
    def limit(self) -> float:
        """The regret below which actions are pruned now, as a positive number; 0 if none are."""
        return float(getattr(self.settings, "prune", 0.0) * (self.iterations if self.settings.linear else 1))

    @property
    def nodes(self) -> int:
        """The number of nodes visited since this object was made; those with one action count too."""
        return sum(int(scratch.nodes[0]) for scratch in self._scratch)

    def new_table(self) -> InfosetTable:
        """An empty table."""
        return InfosetTable(self.row_words(self.game.actions))

    def words(self, n: int) -> int:
        """The length of a row: a key, then for n actions the regrets, the weights of the average, the baselines."""
        return 1 + (2 + self.baselines) * n

    def row_words(self, n: int) -> int:
        """The same with what a traversal remembers in it."""
        return self.words(n) + (n + 1 if self.settings.everybody else 0)

    def _make_scratch(self, compiled: bool) -> TraversalScratch:
        depth, actions = self.game.length + 1, self.game.actions
        return TraversalScratch(
            compiler.states(self.game, depth + 4, compiled),
            np.zeros((depth + 1, actions), np.int64),
            np.zeros((depth + 1, actions)),
            np.zeros((depth, actions)),
            np.zeros((depth, 6), np.int64),
            np.zeros(self.game.outcomes),
            np.zeros(4, np.int64),
            np.zeros(2, np.int64),
            np.zeros((depth, actions), np.int64),
            np.zeros((depth, 2)),
        )

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        end = self.iterations + iterations
        nexts = [self.iterations + i for i in range(self.threads)]  # the iteration each thread does next
        with ThreadPoolExecutor(self.threads) as pool:
            while min(nexts) < end and not self.table.counters[STOP]:
                if crowded(self.table.slots, self.table.ints, self.table.counters):
                    if max(nexts) < self.threads and self.table.counters[ROWS] > self._most_rows:  # none is done yet
                        raise self._endless(
                            self.game, f"more than {self._most_rows:,.0f} information sets, without an end"
                        )
                    self.table.grow()
                work = [pool.submit(self._some, i, nexts[i], end) for i in range(self.threads)]
                nexts = [w.result() for w in work]
        self.iterations = min(*nexts, end)

    def stop(self) -> None:
        """Make a `run` in another thread, or under a signal handler, return soon.

        An interrupted iteration leaves what it had learned in the table but is not counted.
        """
        self.table.counters[STOP] = 1

    def go_on(self) -> None:
        """Undo a `stop`."""
        self.table.counters[STOP] = 0

    def _some(self, thread: int, begin: int, end: int) -> int:
        """Iterations begin, begin + threads, … until `end` or until the table must grow; returns the next one to do."""
        reached = self._kernel(
            self.table.arrays,
            self._scratch[thread],
            Iterations(self.game.players, self.seed, begin, end, self.threads, self.settings.linear),
            self._options,
        )
        if reached < 0:
            raise GameError(f"{self.game.name} went on for more than LENGTH = {self.game.length} moves.")
        return int(reached)

    def policy(self) -> Policy:
        """The average strategy."""
        return Policy.from_rows(self.game, *self.table.rows())

    def entries(self) -> Iterator[dict[str, Any]]:
        """All that is needed to go on: regrets, weights of the average strategy and baselines, by information set."""
        for key, row, n in zip(*(a.tolist() for a in self.table.index()), strict=True):
            regrets, weights, *baselines = self.table.floats[row + 1 : row + self.words(n)].reshape(-1, n).tolist()
            entry = {"key": key, "regrets": regrets, "weights": weights}
            yield entry | ({"baselines": baselines} if baselines else {})

    def restore(self, entries: Iterable[Mapping[str, Any]], iterations: int) -> None:
        """Restore the state in which the entries were saved."""
        table = self.new_table()
        for entry in entries:
            if crowded(table.slots, table.ints, table.counters):
                table.grow()
            n = len(entry["regrets"])
            row = find(table.slots, table.ints, table.counters, entry["key"], n, self.row_words(n))
            numbers = np.ravel([entry["regrets"], entry["weights"], *entry.get("baselines", ())])
            table.floats[row + 1 : row + self.words(n)] = numbers
        self.table = table
        self.iterations = iterations

    def _endless(self, game: Game, seen: str) -> GameError:
        lines = "every line" if self.settings.tried == MAX_ACTIONS else "many lines"
        whose = "the players'" if self.settings.everybody else "a player's own"
        return GameError(
            f"One iteration of {self.name.replace('mccfr-', '')} sampling visits {lines} of {whose} moves, in "
            f"{game.name} {seen}; it would not end. Use mccfr-outcome, which samples those too."
        )


def traversal(
    game: Game, tried: int = MAX_ACTIONS, everybody: bool = False, games: int = 16, seconds: float = 2.0
) -> float:
    """Roughly how many lines of a player's own moves, or of everybody's, a traversal visits, from random games.

    Knuth (1975). `tried` is how many actions are tried at a decision, at most. After so many seconds no further game is
    started.
    """
    deadline = time.thread_time() + seconds
    r, moves, chances = [0] * 4, [0] * game.actions, [0.0] * game.outcomes
    rules, total = game.rules, 0.0
    for index in range(games):
        seed_stream(r, 0, index)
        s = game.new_state()
        rules.start(s)
        lines, length = [1.0] * game.players, 0
        while (who := rules.turn(s)) != OVER:
            length += 1
            if length > game.length:
                raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves.")
            if who == CHANCE:
                rules.play(s, choose(r, chances, rules.odds(s, chances)))
            else:
                n = rules.legal(s, moves)
                lines[who] *= min(n, tried)
                rules.play(s, moves[below(r, n)])
        total += math.prod(lines) if everybody else max(lines)
        if time.thread_time() > deadline:
            return total / (index + 1)
    return total / games


def mccfr_row(sampling: str) -> SolverRow:
    """A way of sampling as a solver."""
    return SolverRow(
        f"Monte-Carlo CFR by {sampling} sampling",
        lambda game, seed, threads, settings: Mccfr(game, sampling, seed, threads, **settings.data()),
        samples=True,
        settings=SAMPLINGS[sampling],
    )
