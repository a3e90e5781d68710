"""The tournament of agents that negotiate: Li et al., *Combining tree-search, generative models, and Nash bargaining
concepts in game-theoretic reinforcement learning* (2023), section 5.3.2 and appendix E.2. The parts:

    train    PSRO runs on Deal or No Deal, sixteen meta-solvers × four values that search backs up; DQN in self-play
    pool     two agents of each run, self-posterior and rational planning, and the one of DQN: every pair plays
    select   who competes, who cooperates and who is fair: Comp1, Comp2, Coop and Fair are chosen from the pool
    tables   tables 6 to 8: those four and DQN among themselves, in games that were not used to choose them
    exploit  figure 13: what an approximate best response with uniform beliefs wins from each of them
    curve    what more games to learn from and more simulations bring, for two runs

`python -m experiments negotiation` does all of it and writes report.md and the figures beside this file. It can be
interrupted at any time and goes on where it was. `--threads 32` spreads runs and games over the cores of a machine,
`--backend ray --address HOST:PORT` over a cluster; `--paper` trains with the settings of table 5. The chosen agents are
written to runs/experiments/negotiation/selected, where `parlor serve` finds them.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy: a run is one process, and BLAS threads wait for others

import dataclasses
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from experiments.lab import Lab, LabOptions, MissingError, run_experiment
from experiments.negotiation.report import NAMES, TABLE_5, USUAL, draw, draw_curve, report
from experiments.negotiation.runs import Pairs, Training, Workers, clocked, newest_of, taken, train
from experiments.negotiation.selection import against_all, select
from experiments.psro.experiment import SOLVERS
from parlor.game.loading.registry import split
from parlor.population.run.checkpoints import PsroConfig
from parlor.runs.config import Config

PARTS = ("train", "pool", "select", "tables", "exploit", "curve")
GAME = "deal-or-no-deal"
BACKUPS = ("own", "inequity", "welfare", "nash-product")
KINDS = {"SP": "self-posterior(population={run})", "RP": "rational(population={run},simulations={simulations})"}
INDEPENDENT = "IndRL"
MASS = 0.005  # table 5: the least probability of a strategy in the mixture that is answered
#: Runs of the curve: one that cooperates, one that competes.
CURVE = (("uniform", "nash-product"), ("mgcce", "own"))
#: Measures of a pair, and whether of its mean payoffs or game by game.
TABLES = {
    "payoff": ("payoff", False),
    "welfare": ("welfare", False),
    "product": ("nash-product", True),
    "product of games": ("nash-product", False),
    "difference": ("inequity", False),
}


@dataclass(frozen=True)
class Options(LabOptions):
    """The tournament of agents that negotiate."""

    solvers: tuple[str, ...] = SOLVERS
    """Meta-solvers of the runs."""
    backups: tuple[str, ...] = BACKUPS
    """Values that search backs up."""
    iterations: int = 3
    """Iterations of a PSRO run."""
    episodes: int | None = None
    """Games that a response learns from: 5,000."""
    simulations: int | None = None
    """Simulations of a search while it learns: 64."""
    entries: int | None = None
    """Games of each entry of the empirical game that a PSRO run solves: 200."""
    rational: int | None = None
    """Simulations of rational planning: 64."""
    dqn_games: int = 204_800
    """Games that DQN learns from in self-play."""
    games: int = 100
    """Games of each pair of the pool."""
    table_games: int = 10_000
    """Games of each pair of the chosen agents."""
    game: str = GAME
    """The game; another one that says what is hidden as a code can be tried."""
    exploit_episodes: int | None = None
    """Games that an approximate best response to a chosen agent learns from: 5,000."""
    exploited: tuple[str, ...] = NAMES
    """Chosen agents that an approximate best response is learned to."""
    curve_episodes: tuple[int, ...] = (1_250, 2_500, 5_000, 10_000)
    """Games that a response learns from, on the curve."""
    curve_simulations: tuple[int, ...] = (16, 64, 300)
    """Simulations of a search, on the curve."""
    curve_games: int = 2_000
    """Games of each pair on the curve."""
    paper: bool = False
    """Responses, search and entries as in table 5 of the paper, but for what is given."""
    seed: int = 1
    """Of everything random."""
    backend: str = "processes"
    """processes of this machine, or ray."""
    address: str | None = None
    """Join the Ray cluster there."""

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        for name, value in (TABLE_5 if self.paper else USUAL).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self,
            game="kuhn",
            solvers=("mgcce",),
            backups=("nash-product",),
            iterations=1,
            episodes=50,
            simulations=4,
            entries=10,
            rational=4,
            dqn_games=512,
            games=4,
            table_games=8,
            exploit_episodes=50,
            exploited=("Coop",),
            curve_episodes=(50,),
            curve_simulations=(4,),
            curve_games=4,
            paper=False,
            threads=1,
        )


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab, folder: Path) -> None:
        self.options, self.lab, self.folder = options, lab, folder
        self.workers = Workers(options.threads, options.backend, options.address)
        self.trainings = [self._training(solver, backup) for solver in options.solvers for backup in options.backups]
        self.about = {"trainings": [training.about for training in self.trainings], "dqn": self._dqn.data()}

    # -------------------------------------------------------------------------------------------------------- training

    def train(self) -> Any:
        """PSRO runs with every meta-solver and every value that is backed up, and DQN in self-play."""
        runs, failed = self._runs(), {}
        left = [training for training in self.trainings if training.name not in runs]
        if not self.lab.closed:
            self.lab.train("dqn", self._dqn)
        if left and not self.lab.closed:
            with clocked(self.lab, "train", self.about):
                failed = train(self.lab, left, self.workers)
            runs = self._runs()
            if lost := [training.name for training in left if training.name not in {*runs, *failed}]:
                raise SystemExit(
                    f"{', '.join(lost)}: trained, but nothing came back; machines of a cluster need a folder that they "
                    f"share, as --kept."
                )
        if not runs:
            raise MissingError("train")
        wall = taken(self.lab, "train", self.about)
        return {"runs": runs, "failed": failed, "wall": wall, "threads": self.options.threads}

    def _training(
        self, solver: str, backup: str, episodes: int | None = None, simulations: int | None = None
    ) -> Training:
        """A run; on the curve with other numbers."""
        o = self.options
        label = f"{episodes}x{simulations}" if episodes and simulations else ""
        episodes, simulations = episodes or o.episodes, simulations or o.simulations
        if (episodes, simulations) == (o.episodes, o.simulations):
            label = ""
        learning: dict[str, Any] = {"episodes": episodes, "simulations": simulations, "backup": backup}
        learning |= {"paper": "yes"} if o.paper else {}
        oracle = f"abr({','.join(f'{name}={value}' for name, value in learning.items())})"
        values: dict[str, Any] = {
            "iterations": o.iterations,
            "games": o.entries,
            "seed": o.seed,
            "explore": MASS * o.iterations,
        }
        return Training(solver, backup, PsroConfig.of(o.game, meta=solver, oracle=oracle, **values), label)

    @property
    def _dqn(self) -> Config:
        games, seed = self.options.dqn_games, self.options.seed
        return Config.of(
            self.options.game, "dqn", games=games, schedule=games, seed=seed, evaluate_every=0, checkpoint_every=0
        )

    def _runs(self) -> dict[str, Any]:
        """What came of the runs that are over, by their names."""
        closed = dataclasses.replace(self.lab, closed=True)
        found = {}
        for training in self.trainings:
            try:
                run = training.ask(closed)
            except MissingError:
                continue
            found[training.name] = run | {"solver": training.solver, "backup": training.backup}
        return found

    # -------------------------------------------------------------------------------------------------------- the pool

    def agents(self) -> dict[str, str]:
        """The agents of the pool: what they are called -> as Parlor loads them."""
        runs, found = self._runs(), {}
        for training in self.trainings:
            run = training.folder(self.lab)
            for kind, text in KINDS.items():
                if training.name in runs:
                    agent = text.format(run=run, simulations=self.options.rational)
                    found[f"{training.solver}, {training.backup}, {kind}"] = agent
        closed = dataclasses.replace(self.lab, closed=True)
        return found | {INDEPENDENT: str(closed.train("dqn", self._dqn).checkpoint)}

    def _pairs(self) -> Pairs:
        return Pairs("pool", self.options.game, tuple(self.agents().values()), self.options.games, self.options.seed)

    def pool(self) -> Any:
        """Every pair of the pool, roles by coin."""
        pairs = self._pairs()
        game = pairs.ask(self.lab, self.workers)
        names = {agent: name for name, agent in self.agents().items()}
        rows = [row | {"agent": names[row["agent"]]} for row in against_all(game)]
        found = {"against_all": rows, "games": game.games, "agents": len(names), "wall": self._wall(pairs)}
        return found | {"file": str(pairs.file(self.lab)), "failures": sorted(set(game.failures.values()))}

    def _wall(self, pairs: Pairs) -> float:
        return taken(self.lab, pairs.name, pairs.about)

    # ------------------------------------------------------------------------------------------------------ the chosen

    def select(self) -> Any:
        """Rankings of the pool by what each gets, by what is good for both, and by how equal it is."""
        agents, pairs = self.agents(), self._pairs()
        names = {agent: name for name, agent in agents.items()}
        closed = dataclasses.replace(self.lab, closed=True)

        def work() -> dict[str, Any]:
            found = select(pairs.ask(closed, self.workers), apart=[agents[INDEPENDENT]])
            for ranked in found["criteria"].values():
                ranked["agents"] = {names[agent]: row for agent, row in ranked["agents"].items()}
            pool = {names[agent]: row for agent, row in found["pool"].items()}
            chosen = {name: names[agent] for name, agent in found["chosen"].items()}
            return found | {"chosen": chosen, "pool": pool}

        found: dict[str, Any] = self.lab.keep("select", pairs.about, work)
        return found | {"written": self._write(found["chosen"])}

    def _write(self, chosen: dict[str, str]) -> dict[str, str]:
        """The chosen agents, each in a folder or file of its name, and the list of them."""
        agents = self.agents()
        folders = {f"{run.solver}, {run.backup}": run.folder(self.lab) for run in self.trainings}
        out = self.lab.folder / "selected"
        seats = {INDEPENDENT: str(out / "indrl.npz")}
        for name, agent in chosen.items():
            run, kind = agent.rpartition(", ")[::2]
            seats[name] = KINDS[kind].format(run=out / name.lower(), simulations=self.options.rational)
            if not self.lab.closed:
                shutil.rmtree(out / name.lower(), ignore_errors=True)  # perhaps another one, chosen before
                shutil.copytree(folders[run], out / name.lower())
        if not self.lab.closed:
            shutil.copy(agents[INDEPENDENT], out / "indrl.npz")
            made = {INDEPENDENT: "DQN in self-play", **chosen}
            rows = {name: {"agent": seat, "made": made[name]} for name, seat in seats.items()}
            (out / "agents.json").write_text(json.dumps(rows, indent=1) + "\n")
        return seats

    def _five(self) -> dict[str, str]:
        """DQN and the chosen agents, as Parlor loads them."""
        chosen, agents = self.select()["chosen"], self.agents()
        return {INDEPENDENT: agents[INDEPENDENT]} | {name: agents[agent] for name, agent in chosen.items()}

    def tables(self) -> Any:
        """The chosen agents and DQN among themselves."""
        five = self._five()
        pairs = Pairs(
            "tables", self.options.game, tuple(five.values()), self.options.table_games, self.options.seed + 1
        )
        game = pairs.ask(self.lab, self.workers)
        found: dict[str, Any] = {"names": list(five), "wall": self._wall(pairs), "games": self.options.table_games}
        for name, (measure, of_means) in TABLES.items():
            known = game.estimates(measure, only=list(five.values()), of_means=of_means)
            order = [known.labels[0].index(agent) for agent in five.values()]
            payoffs, widths = (part[0][order][:, order].tolist() for part in (known.payoffs, known.half_widths))
            found[name] = {"mean": payoffs, "half_width": widths}
        return found

    def exploit(self) -> Any:
        """What an approximate best response, with uniform beliefs, wins from each of them."""
        found = {}
        five = self._five()
        for name in (name for name in self.options.exploited if name in five):
            agent = five[name]
            response = self.lab.train(f"exploit-{name.lower()}", self._response(name, agent))
            pair = (agent, str(response.checkpoint))
            game = Pairs(
                f"exploit-{name.lower()}", self.options.game, pair, self.options.table_games, self.options.seed + 2
            ).ask(self.lab, self.workers)
            known = game.estimates()
            itself, won = known.payoffs[0, 0, 0], known.payoffs[0, 1, 0]
            width = np.hypot(known.half_widths[0, 0, 0], known.half_widths[0, 1, 0])
            found[name] = {"itself": itself, "won": won, "won_half_width": known.half_widths[0, 1, 0]}
            found[name] |= {"nash_conv": 2 * (won - itself), "half_width": 2 * width}  # both seats
        draw(self.folder / "figure13.svg", found)
        return found

    def _response(self, name: str, agent: str) -> Config:
        """To its mixture; to one that searches, to the policies that its newest networks have learned from search."""
        o = self.options
        against = agent
        if name != INDEPENDENT:
            against = split(agent)[1]["population"]
            if agent.startswith("rational"):
                against = newest_of(Path(against), self.lab.folder / "newest" / f"{Path(against).name}.npz")
        learning: dict[str, Any] = {"belief": "uniform", "returns": "search", "simulations": o.simulations}
        learning |= {"paper": True} if o.paper else {}
        usual: dict[str, Any] = {"seed": o.seed, "evaluate_every": 0, "checkpoint_every": 0, "against": (against,)}
        return Config.of(o.game, "abr", games=o.exploit_episodes, **usual, **learning)

    # ------------------------------------------------------------------------------------------------------- the curve

    def curve(self) -> Any:
        """What more games to learn from, and more simulations, bring."""
        o = self.options
        assert o.episodes is not None
        assert o.simulations is not None
        numbers = [(episodes, o.simulations) for episodes in o.curve_episodes]
        numbers += [(o.episodes, simulations) for simulations in o.curve_simulations]
        numbers = sorted(set(numbers))
        runs = [self._training(*run, *number) for run in CURVE for number in numbers]
        if not self.lab.closed:
            train(self.lab, runs, self.workers)
        rows: list[dict[str, Any]] = []
        agents: list[str] = []
        for training, (episodes, simulations) in zip(runs, numbers * len(CURVE), strict=True):
            closed = dataclasses.replace(self.lab, closed=True)
            spent = sum(training.ask(closed)["seconds"].values())
            for kind, text in KINDS.items():
                agents.append(text.format(run=training.folder(self.lab), simulations=simulations))
                row = {"run": f"{training.solver}, {training.backup}", "kind": kind, "seconds": spent}
                rows.append(row | {"episodes": episodes, "simulations": simulations})
        pairs = Pairs("curve", o.game, tuple(agents), o.curve_games, o.seed + 3)
        game = pairs.ask(self.lab, self.workers)
        welfare, payoff = game.estimates("welfare"), {row["agent"]: row for row in against_all(game)}
        for row, agent in zip(rows, agents, strict=True):
            i = welfare.labels[0].index(agent)
            row |= {"welfare": welfare.payoffs[0, i, i], "width": welfare.half_widths[0, i, i]}
            row |= {"payoff": payoff[agent]["payoff"], "payoff_width": payoff[agent]["half_width"]}
        draw_curve(self.folder / "curve.svg", rows, {"episodes": o.episodes, "simulations": o.simulations})
        return {"rows": rows, "games": o.curve_games, "wall": self._wall(pairs)}


def main() -> None:
    """Check what is asked for, run it, report."""
    options = tyro.cli(Options, description=__doc__)
    checks: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "solver": (options.solvers, SOLVERS),
        "backup": (options.backups, BACKUPS),
        "chosen agent": (options.exploited, NAMES),
        "backend": ((options.backend,), ("processes", "ray")),
    }
    for what, (asked, known) in checks.items():
        if strange := set(asked) - set(known):
            raise SystemExit(f"There is no {what} {', '.join(sorted(strange))}; there are {', '.join(known)}.")
    run_experiment(options, "negotiation", Experiment, PARTS, report)
