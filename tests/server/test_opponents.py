"""A worthy opponent for every game and every preset: it can be seated, it answers, and nobody has to ask for it."""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.statistics import Estimate
from parlor.arena.tournament import play_tournament
from parlor.game import OVER
from parlor.game.loading import GAMES, declared_options, load
from parlor.game.loading import parse as parse_game
from parlor.game.rng import seed_stream
from parlor.game.seats.play import Agent, play_on, uniform_agent
from parlor.runs.files.strategy_files import save
from parlor.runs.saved_agents import load_agent
from parlor.server.catalogue import seating
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.characters import FIRST_NAMES, character, first_names
from parlor.server.catalogue.standings import Standing
from parlor.solvers.policy_words import with_words
from parlor.solvers.solve import solve

PLAN = Path(__file__).parents[2] / "parlor" / "cli" / "commands" / "server" / "demo.toml"


def listed() -> Iterator[str]:
    """Every game, each preset of it, and each number of players."""
    for name in GAMES:
        options = declared_options(name)
        yield name
        if "preset" in options:
            yield from (f"{name}(preset={word})" for word in options["preset"].words)
        if "players" in options:
            players = options["players"]
            yield from (f"{name}(players={count})" for count in players.numbers)


#: Games whose options make them too large to be solved when somebody sits down.
LARGE = ["goofspiel(cards=13)", "goofspiel(cards=9,players=3)", "liars-dice(dice=5)", "holdem(stack=2000)"]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Of a server without any folder: nothing was trained."""
    return Catalogue()


@pytest.mark.slow(seconds=20)
@pytest.mark.usefixtures("solved_here")
@pytest.mark.parametrize("name", [*dict.fromkeys(listed()), *LARGE])
def test_every_game_has_an_opponent_that_plays_it_to_the_end(catalogue: Catalogue, name: str) -> None:
    [first] = [agent for agent in catalogue.agents(name) if agent.recommended]
    assert first.id == catalogue.recommended(name)
    assert first.id in AGENTS
    assert AGENTS[first.id].default_opponent
    assert first.name
    assert first.made.endswith(".")
    game = catalogue.game(name)
    opponent = catalogue.seat(first.id, game)
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, 0)
    other: Agent = opponent.player if game.players == 2 else uniform_agent
    end = play_on(game.start(), [opponent.player, *[other] * (game.players - 1)], [stream] * (game.players + 1))
    assert end.turn == OVER


def test_every_agent_has_a_name_of_its_own_and_says_how_it_was_made() -> None:
    names = [spec.name for spec in AGENTS.values()]
    assert all(names)
    assert len(set(names)) == len(names)
    assert all(spec.made.endswith(".") for spec in AGENTS.values())


def test_random_play_is_never_seated_unless_it_is_asked_for(tmp_path: Path) -> None:
    game = load("kuhn")
    table = play_tournament(game, [make_agent("random", game), uniform_agent], 100)
    rows = json.loads(json.dumps(table.row()).replace('"uniform"', '"look-ahead(rollouts=5)"'))
    for match in rows["matches"]:  # as if random play won every game
        match["payoff"] = {"value": 1.0, "low": 0.9, "high": 1.1}
        match["by_agent"][1]["payoff"] = {"value": -1.0, "low": -1.1, "high": -0.9}
    (tmp_path / "upside-down.json").write_text(json.dumps(rows))
    assert Catalogue([tmp_path]).recommended("kuhn") == "look-ahead"


@pytest.mark.slow
def test_who_gets_more_than_the_other_is_not_first_in_games_about_agreements(tmp_path: Path) -> None:
    game = load("kuhn")
    rows = json.dumps(play_tournament(game, [make_agent("random", game), uniform_agent], 100).row())
    rows = json.loads(rows.replace('"kuhn"', '"deal-or-no-deal"').replace('"uniform"', '"stubborn"'))
    for match in rows["matches"]:  # as if it won every game
        match["payoff"] = {"value": -1.0, "low": -1.1, "high": -0.9}
        match["by_agent"][1]["payoff"] = {"value": 1.0, "low": 0.9, "high": 1.1}
    (tmp_path / "table.json").write_text(json.dumps(rows))
    catalogue = Catalogue([tmp_path])
    rating = {agent.id: agent.rating for agent in catalogue.agents("deal-or-no-deal")}["stubborn"]
    assert rating is not None
    assert rating > 0.0
    assert catalogue.recommended("deal-or-no-deal") == "comp1"  # which came trained


@pytest.mark.slow
def test_levels_and_the_first_opponent_come_from_cross_tables(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    game = load("leduc")
    save(with_words(game, solve(game, iterations=200).policy), folder / "deep" / "leduc.json")
    save(with_words(game, solve(game, iterations=1).policy), folder / "shallow.json")
    texts = ["random", str(folder / "deep" / "leduc.json"), str(folder / "shallow.json")]
    agents = [load_agent(text, game) for text in texts]
    (folder / "tables").mkdir()
    (folder / "tables" / "leduc.json").write_text(json.dumps(play_tournament(game, agents, 400).row()))
    for where in (folder, tmp_path / "moved"):
        if where != folder:
            shutil.move(folder, where)  # paths in the table still find their files
        catalogue = Catalogue([where])
        found = {agent.id: agent for agent in catalogue.agents("leduc")}
        assert catalogue.recommended("leduc") == "deep-leduc"
        assert (found["random"].level, found["random"].rating) == (1, 0.0)
        best, other = found["deep-leduc"], found["shallow"]
        assert best.level == 10
        assert best.name == "Leduc master"
        assert best.made.startswith("Learned by counterfactual regret minimisation (cfr+): 200 iterations")
        assert best.rating is not None
        assert best.rating_low is not None
        assert best.rating_low > 0.0
        assert other.rating is not None
        assert other.rating < best.rating
        assert "solver" not in found, "the game is solved already"
        assert found["look-ahead"].level is None, "it has not played"
        assert catalogue.agent_info("deep-leduc").level == 10
    assert {a.level for a in catalogue.agents("leduc(players=3)")} == {None}, "another game"


def test_a_solved_file_is_seated_rather_than_solving_the_game_again(tmp_path: Path) -> None:
    game = load("kuhn")
    for iterations in (1, 100):
        save(with_words(game, solve(game, iterations=iterations).policy), tmp_path / f"kuhn-{iterations}.json")
    assert Catalogue([tmp_path]).recommended("kuhn") == "kuhn-100"
    assert Catalogue([tmp_path]).recommended("kuhn(players=3)") == "solver"


@pytest.mark.slow
def test_what_was_computed_for_a_table_in_another_process_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "cache_folder", lambda: tmp_path)
    game = load("goofspiel(cards=3)")
    seated = [Catalogue().seat("solver", game) for _ in range(2)]
    assert seated[0].version == seated[1].version
    assert seated[0].policy is not None
    assert len(seated[0].policy) > 0
    assert [path.name for path in (tmp_path / "solved").iterdir()] == [seating.path_of("solver", game).name]


@pytest.mark.slow
def test_the_demo_has_an_opponent_for_everything_that_is_listed() -> None:
    commands = [shlex.split(line) for part in tomllib.loads(PLAN.read_text())["part"] for line in part["run"]]
    solved = [command[1] for command in commands if command[0] == "solve"]
    rated = [name for command in commands if command[0] == "rate" for name in command[1 : command.index("--agents")]]
    otherwise = {"holdem", "leodopoly", "trade-comm", "deal-or-no-deal", "colored-trails"}  # trained, or by hand
    otherwise |= {"phantom-tic-tac-toe", "dark-hex"}  # by search
    assert {parse_game(name)[0] for name in solved} | otherwise == set(GAMES)
    partners = {"trade-comm", "tiny-bridge"}  # nobody wins against another
    slow = {"clue", "leodopoly"}  # search among hundreds of moves would take minutes
    assert set(rated) | partners | slow == set(GAMES)
    trained = [command[1] for command in commands if command[0] == "train"]
    catalogue = Catalogue()
    made = {catalogue.game(other).name for other in (*solved, *trained)}
    for name in dict.fromkeys(listed()):
        game = catalogue.game(name)
        hand_written = not AGENTS[catalogue.recommended(name)].computes
        assert game.name in made or hand_written, f"the page would have to solve {name} first"


def test_characters_of_a_game_have_names_of_their_own() -> None:
    runs = [(f"run-{n}", "kuhn") for n in range(len(FIRST_NAMES))]
    first = first_names([*runs, *runs, ("run-0", "leduc")])
    assert sorted(first.values()) == sorted(FIRST_NAMES)
    assert first_names(runs[:1])["run-0"] == first["run-0"], "whoever comes later changes no name"
    more = first_names([*runs, ("another", "kuhn")])["another"]
    assert more not in FIRST_NAMES
    learned = {"about": {"games": 20}}
    assert character("Nora", "policy", learned, newest=True) == "Self-taught Nora"
    assert character("Nora", "policy", learned, newest=False) == "Self-taught Nora (20 games)"


@pytest.mark.parametrize(("low", "levels"), [(310.0, [1, 6, 10]), (290.0, [1, None, None])])
def test_a_level_is_told_only_where_intervals_separate(low: float, levels: list[int | None]) -> None:
    ratings = {"random": Estimate(0, 0, 0), "middle": Estimate(220, 100, 300), "best": Estimate(400, low, 500)}
    assert [Standing(ratings).level(id) for id in ratings] == levels
