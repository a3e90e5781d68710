"""Agents on the command line: evaluate --against, compare, agents, play against an agent."""

import io
import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

import parlor as library
from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.tournament import Tournament, play_tournament
from parlor.cli import cross_table
from parlor.cli.commands import compare, evaluate
from parlor.cli.commands.play import verdict
from parlor.cli.main import main
from parlor.cli.screen import print_json
from parlor.cli.seating import seat_all
from parlor.runs.files.strategy_files import save
from tests.blueprints import tiny_blueprint
from tests.cli.test_cli import parlor

pytestmark = pytest.mark.slow(seconds=20)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A policy for leduc/ranks."""
    game = library.load("leduc/ranks")
    solved, _ = library.solve(game, "cfr+", iterations=50)
    return str(library.save(solved, tmp_path_factory.mktemp("policies") / "ranks.json"))


def test_agents_are_listed_with_their_options() -> None:
    text = parlor("agents").stdout
    assert all(name in text for name in AGENTS)
    assert "temperature=2" in text
    rows = {row["name"]: row for row in json.loads(parlor("agents", "leduc", "--json").stdout)}
    generic = ["random", "look-ahead", "max-n", "mcts", "search", "solver", "sampled", "self-posterior", "rational"]
    assert list(rows) == generic  # the others play only their own games


def test_a_policy_is_measured_in_games(policy: str) -> None:
    arguments = ("evaluate", policy, "--against", "random", policy, "--games", "4000", "--start", "both")
    result = json.loads(parlor(*arguments, "--json").stdout)
    assert result["game"] == "leduc"
    assert [(m["against"], m["start"], m["duplicate"]) for m in result["matches"]] == [
        ("random", "first", False),
        ("random", "alternating", True),
        (policy, "first", False),
        (policy, "alternating", True),
    ]
    random, itself = result["matches"][1], result["matches"][3]
    assert random["payoff"]["low"] > 0
    assert itself["wins"] == itself["losses"]
    assert itself["payoff"]["value"] == 0
    again = json.loads(parlor(*arguments, "--json", "--threads", "1").stdout)
    for a, b in zip(result["matches"], again["matches"], strict=True):
        assert all(a[key] == b[key] for key in a if key not in ("seconds", "games_per_second"))
    text = parlor(*arguments).stdout
    assert "wins %" in text
    assert "alternating" in text


def test_the_probes_of_a_game_say_who_loses_to_them(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(here(capsys, "evaluate", "rule-based", "--probes", "--games", "4000", "--json"))
    names = [m["against"] for m in told["matches"]]
    assert names == list(library.load("holdem").training.probes)
    assert len(names) == 10
    low = {m["against"]: m["payoff"]["low"] for m in told["matches"]}
    high = {m["against"]: m["payoff"]["high"] for m in told["matches"]}
    assert told["probes"]["lost"] == [name for name in names if high[name] < 0]
    assert told["probes"]["undecided"] == [name for name in names if low[name] <= 0 <= high[name]]
    assert told["probes"]["lost"]  # it folds too much to bets before the flop
    assert main(["evaluate", "rule-based", "--probes", "--games", "4000"]) == 0
    printed = capsys.readouterr()
    assert all(name in printed.out for name in names)
    assert f"It loses to {', '.join(told['probes']['lost'])}" in " ".join(printed.err.split())


def test_compare_prints_a_cross_table(policy: str) -> None:
    text = parlor("compare", policy, "random", "--games", "1000").stdout
    assert "leduc, 1,000 games a pair" in text
    assert "ranks" in text
    assert "mean payoff" in text  # poker is about points
    result = json.loads(parlor("compare", policy, "random", "--games", "1000", "--json").stdout)
    assert result["agents"] == [policy, "random"]
    assert result["mean_payoffs"][0] > 0.3 > result["mean_payoffs"][1]
    assert result["matches"][0]["games"] == 1000


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, in this process: others have the kernels to compile again."""
    capsys.readouterr()
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_among_three_one_plays_alone_against_copies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Training, evaluate and compare: the share of equals is a third."""
    folder, three = tmp_path / "run", ("--game", "kuhn(players=3)", "--games", "6000")
    learn = ("--algorithm", "mccfr-external", "--games", "2000", "--evaluate-every", "2000", "--evaluate-games", "900")
    text = here(capsys, "train", "kuhn(players=3)", *learn, "--out", str(folder))
    assert "payoff against" in text
    told = json.loads((folder / "metrics.jsonl").read_text().splitlines()[-1])["wins"]["random"]
    assert told["alternating"]["payoff"]["low"] > 0
    assert told["first"]["games"] == told["alternating"]["games"] == 900
    text = here(capsys, "evaluate", str(folder), "--against", "random", *three)
    assert "run in kuhn(players=3), alone against 2 of each; equal agents would win 33.3 %" in text
    assert all(told in text for told in ("payoff", "win-share %", "ties, split", "seat 2"))
    assert "welfare" not in text  # it is 0
    result = json.loads(here(capsys, "compare", str(folder), "random", *three, "--json"))
    one, other = result["matches"]
    assert (one["agent"], one["against"], other["agent"]) == (str(folder), "random", "random")
    assert one["payoff"]["low"] > 0 > other["payoff"]["high"]
    assert result["ratings"] == []
    text = " ".join(
        here(capsys, "compare", "random", "random", "--game", "goofspiel(players=3)", "--games", "30").split()
    )
    assert "win share in % (of equals 33.3; ties, " in text
    assert "plays alone against 2 of the column" in text


def test_points_for_everybody_are_told_with_welfare(capsys: pytest.CaptureFixture[str]) -> None:
    game = ("--game", "goofspiel(returns=total-points)")
    arguments = ("evaluate", "random", "--against", "random", "--games", "100", *game)
    text = here(capsys, *arguments)
    assert all(measure in text for measure in ("payoff", "win-share %", "ties, split", "welfare"))
    text = here(capsys, *arguments, "--measure", "nash-product", "inequity")
    assert "nash-product" in text
    assert "inequity" in text
    assert "welfare" not in text


@pytest.mark.parametrize(
    ("game", "payoffs", "seat", "words"),
    [
        ("kuhn", [2, -2], 0, "You won 2"),
        ("kuhn", [2, -2], 1, "You lost 2"),
        ("goofspiel", [0, 0], 1, "Nobody won"),
        ("goofspiel(returns=total-points)", [0, 7], 0, "You got 0, not the most; player 1 got 7"),
        ("goofspiel(returns=total-points)", [6, 4], 0, "You got 6, the most; player 1 got 4"),
        ("goofspiel(returns=total-points)", [5, 5], 1, "You got 5, tied for the most with player 0; player 0 got 5"),
        ("goofspiel(players=3)", [1, -0.5, -0.5], 2, "You got -0.5, not the most; player 0 got 1, player 1 got -0.5"),
    ],
)
def test_the_end_of_a_game_is_told_by_what_everybody_got(
    game: str, payoffs: list[float], seat: int, words: str
) -> None:
    assert verdict(library.load(game), payoffs, seat) == words


def test_a_comparison_that_did_not_get_far_tells_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One pair of three: who has not played has a dash, and in JSON null."""
    game = library.load("leduc")
    agents = [make_agent("random", game)] * 3
    cut = play_tournament(game, agents, 100, on_progress=lambda pair, done: False)
    assert len(cut.matches) == 1
    for pairs in (cut.matches, {}):
        shown = Tournament(cut.game, ("a", "b", "c"), pairs, cut.units)
        screen = Console(file=io.StringIO(), width=100, highlight=False)
        for module in (compare, cross_table):
            monkeypatch.setattr(module, "out", screen)
        compare._print(shown)
        assert isinstance(screen.file, io.StringIO)
        text = screen.file.getvalue()
        assert "nan" not in text
        assert ("100 games a pair, 1 of 3 pairs" in text) if pairs else ("no games were played" in text)
        print_json(shown.row())
        row = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
        assert row["mean_rates"][2] is None
        assert row["ratings"][2] is None


def test_one_can_sit_down_against_an_agent() -> None:
    text = parlor(
        "play", "leduc", "--against", "random", "--seat", "0", "--seed", "1", "--peek", given="1\n" * 3 + "q\n"
    ).stdout
    assert "player 1:" in text
    assert "█" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("evaluate carful --against random --game monopoly-deal", "There is no agent 'carful'; did you mean careful?"),
        ("evaluate careful --against random --game kuhn", "careful plays monopoly-deal, not kuhn."),
        ("evaluate random --against random", "Name the game first"),
        ("compare fish careful", "Name the game first"),
        ("compare random nowhere/run --game kuhn", "There is no file or folder nowhere/run."),
        ("evaluate careful", "monopoly-deal is too large to measure careful exactly; play games: --against random."),
        ("evaluate random --against nowhere.json --game kuhn", "There is no file nowhere.json."),
        ("evaluate random --against random --game kuhn --games 0", "games must be at least 1, not 0."),
        ("evaluate random --against random --game kuhn --threads 0", "threads must be between 1 and"),
        ("compare random --game kuhn", "compare needs at least two agents"),
        (
            "evaluate random --against random --game kuhn --measure luck",
            "There is no measure 'luck'; there are: payoff,",
        ),
        ("evaluate random --probes --game kuhn", "kuhn declares no probes; name agents to play against"),
        ("evaluate random --probes --game holdem --lbr all", "omit --against, --probes and --aivat"),
        ("evaluate random --against random --game leduc(players=3) --aivat", "for poker between two"),
        ("agents kuhm", "There is no game 'kuhm'; did you mean kuhn?"),
        ("play kuhn --against careful", "careful plays monopoly-deal, not kuhn."),
    ],
)
def test_wrong_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in parlor(*arguments.split(), code=1).stderr


def test_a_policy_sits_only_at_the_table_of_its_game(policy: str) -> None:
    result = parlor("evaluate", policy, "--against", "random", "--game", "kuhn", code=1)
    assert f"{policy} is a policy for leduc/ranks, but the game here is kuhn." in result.stderr


def test_a_game_too_large_to_enumerate_can_still_be_measured(tmp_path: Path) -> None:
    game = library.load("goofspiel(cards=13)")
    path = str(library.save(library.Policy.uniform(game), tmp_path / "large.npz"))
    result = parlor("evaluate", path, code=1)
    assert "is too large to be measured exactly" in result.stderr
    assert "--against random." in result.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [(compare, ["compare", "random", "random"]), (evaluate, ["evaluate", "random", "--against", "random"])],
    ids=["compare", "evaluate"],
)
def test_what_is_interrupted_prints_what_was_played(
    monkeypatch: pytest.MonkeyPatch, command: ModuleType, words: list[str]
) -> None:
    sent: list[int] = []

    @contextmanager
    def interrupted(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
        def show(what: str, done: int, total: int) -> None:
            assert not sent
            if done:
                sent.append(done)
                signal.raise_signal(signal.SIGINT)

        yield show

    monkeypatch.setattr(command, "games_bar", interrupted)
    told = parlor(*words, "--game", "leduc", "--games", "1000000000", "--json", code=130)
    assert "Interrupted: these are the games played so far." in told.stderr
    result = json.loads(told.stdout)
    assert result["interrupted"] is True
    played = result["matches"][0]["games"]
    assert 0 < played < 1_000_000_000
    sent.clear()
    told = parlor(*words, "--game", "leduc", "--games", "1000000000", code=130)
    assert "1,000,000,000" not in told.stdout


def test_agents_of_one_game_need_not_be_told_which() -> None:
    game, agents = seat_all(["fish", "random", "rule-based"], None)
    assert game.name == "holdem"
    assert [agent.name for agent in agents] == ["fish", "random", "rule-based"]


def test_an_agent_that_is_made_from_a_file_plays_where_that_fits(tmp_path: Path) -> None:
    save(tiny_blueprint(), tmp_path / "plan.npz")
    game, _ = seat_all(["fish", f"cfr-v1(blueprint={tmp_path / 'plan.npz'})"], None)
    assert game.name == "holdem(stack=20)"  # all streets of it
    game, _ = seat_all(["fish", str(tmp_path / "plan.npz")], None)
    assert game.name == "holdem(stack=20,streets=2)"
