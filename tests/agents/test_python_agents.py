"""Anybody's agent: Python classes and functions everywhere that compiled agents sit, and nowhere with more to see."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import parlor
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent
from parlor.arena.tournament import play_tournament
from parlor.cli.main import main
from parlor.game import CHANCE, GameError, Position
from parlor.game.errors import AgentError
from parlor.game.loading import load
from parlor.game.seats.distribution import check_distribution
from parlor.game.seats.observation import Event, Observation, observe
from parlor.game.seats.play import PositionAgent, play_game, uniform_agent
from parlor.game.seats.python_agent import PythonAgent
from parlor.interop.openspiel_bot import indistinguishable
from parlor.runs.metrics import read_metrics
from parlor.runs.saved_agents import load_agent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import Unknown
from parlor.server.explain.mind import inside
from parlor.server.operations.settings import ServerSettings
from tests.server.people import serving, sit

MY_AGENTS = '''
from neighbour import TRUST


class Cautious:
    """Folds unless it trusts."""

    def __init__(self, risk=TRUST):
        self.risk = risk

    def act(self, observation):
        if "fold" in observation.legal:
            return {"fold": 1 - self.risk, "call": self.risk}
        return "call"


class Broken:
    def begin(self, player, observation):
        self.cards = {}

    def act(self, observation):
        return self.cards[observation.show()]


def short(observation):
    return {name: 0.3 for name in observation.legal[:2]}


NOTHING = 3
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with agents of somebody's own, in which one works."""
    (tmp_path / "my_agents.py").write_text(MY_AGENTS)
    (tmp_path / "neighbour.py").write_text("TRUST = 0.2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def uniformly(observation: Observation) -> Mapping[str, float]:
    return dict.fromkeys(observation.legal, 1.0 / len(observation.legal))


# --------------------------------------------------------------------------------------------------- on equal terms


@pytest.mark.parametrize(("name", "natively"), [("leduc", True), ("monopoly-deal(preset=tiny)", False)])
def test_code_that_plays_as_a_compiled_agent_does_gets_the_same_payoffs(name: str, natively: bool) -> None:
    """The same luck, the same deals, the same seats: only the language differs."""
    game = load(name)
    compiled, other = (make_agent("random(abstraction=none)", game) for _ in range(2))
    expected = parlor.play_match(game, [compiled, other], 60, seed=4, compiled=natively)
    found = parlor.play_match(game, [uniformly, other], 60, seed=4)
    assert found.agents == ("uniformly", "random(abstraction=none)")
    assert np.array_equal(found.payoffs, expected.payoffs)
    assert np.array_equal(parlor.play_match(game, [other, uniformly], 60, seed=4).payoffs, expected.payoffs)


def test_a_move_may_be_answered_by_name_by_id_or_with_probabilities() -> None:
    game = load("leduc")

    def by_name(observation: Observation) -> str:
        return observation.legal[-1]

    def by_id(observation: Observation) -> int:
        return observation.actions[-1]

    def by_number(observation: Observation) -> Any:
        return np.int64(observation.actions[-1])

    def for_certain(observation: Observation) -> dict[Any, float]:
        return {observation.legal[0]: 0.0, observation.actions[-1]: 1.0}

    records = {play_game(game, [player, uniform_agent], 3) for player in (by_name, by_id)}
    records |= {play_game(game, [player, uniform_agent], 3) for player in (by_number, by_name)}
    assert len(records) == 1
    assert play_game(game, [for_certain, for_certain]).moves[2:] == play_game(game, [by_name, by_name]).moves[2:]


def test_policies_functions_and_classes_sit_in_one_tournament(folder: Path) -> None:
    game = load("leduc")
    policy = parlor.Policy.uniform(game)
    result = play_tournament(game, [policy, uniformly, load_agent("my_agents.py:Cautious", game)], 20)
    assert result.agents == ("policy for leduc", "uniformly", "my_agents.py:Cautious")
    match = result.match(0, 1)
    assert match is not None
    assert match.payoff.value == 0.0  # two uniform players on duplicate deals, with the same luck


# --------------------------------------------------------------------------------------------------- what it is told


def test_an_agent_is_told_everything_once_and_in_order() -> None:
    told: dict[int, list[tuple[str, Any]]] = {}

    class Diarist:
        def begin(self, player: int, observation: Observation) -> None:
            self.lines = told.setdefault(player, [])
            self.lines.append(("begin", observation))

        def observe(self, event: Event, observation: Observation) -> None:
            assert observation.history[-1] == event
            self.lines.append(("observe", observation))

        def act(self, observation: Observation) -> str:
            assert observation == self.lines[-1][1]
            self.lines.append(("act", observation))
            return observation.legal[0]

        def end(self, payoffs: tuple[float, ...]) -> None:
            self.lines.append(("end", payoffs))

    game = load("leduc")
    record = play_game(game, [Diarist, Diarist], seed=2)
    for player, lines in told.items():
        position, expected = game.start(), [("begin", observe(game.start(), player))]
        for move in record.moves:
            if position.turn == player:
                expected.append(("act", observe(position, player)))
            position = position.after(move)
            expected.append(("observe", observe(position, player)))
        assert lines == [*expected, ("end", record.payoffs)]
    assert sorted(told) == [0, 1]


def test_every_seat_of_every_game_has_an_instance_of_its_own() -> None:
    alive: list[object] = []
    seats: list[set[int]] = []

    class Keeper:
        def __init__(self) -> None:
            alive.append(self)
            self.players: set[int] = set()
            seats.append(self.players)
            self.history: tuple[Event, ...] = ()

        def act(self, observation: Observation) -> str:
            assert observation.history[: len(self.history)] == self.history  # the same game, seen by the same seat
            self.history = observation.history
            self.players.add(observation.player)
            return "pass"

    parlor.play_match(load("kuhn"), [Keeper, Keeper], 10)
    assert len(alive) == 20
    assert all(len(players) <= 1 for players in seats)


def test_an_agent_is_shown_no_state() -> None:
    def curious(observation: Any) -> str:
        assert isinstance(observation, Observation)
        assert not hasattr(observation, "state")
        assert not hasattr(observation, "after")
        return str(observation.legal[0])

    play_game(load("kuhn"), [curious, curious])
    parlor.play_match(load("kuhn"), [curious, curious], 2)
    PythonAgent(curious)(load("kuhn").start().after("K to player 0", "Q to player 1"))


# --------------------------------------------------------------------------------------------------- distributions


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"pass": 0.3, "bet": 0.3}, r"wrong gave probabilities that sum to 0.6, not to 1: pass 0.3, bet 0.3\."),
        ({"pass": 1.1}, "wrong gave probabilities that sum to 1.1, not to 1"),
        ({"pass": 0.0, "bet": 0.0}, "wrong gave probabilities that sum to 0, not to 1"),
        ({}, "wrong gave probabilities that sum to 0, not to 1: none"),
        ({"pass": float("nan"), "bet": 1.0}, "wrong gave 'pass' the probability nan, which must be a number"),
        ({"pass": float("inf"), "bet": 0.0}, "wrong gave 'pass' the probability inf"),
        ({"pass": 1.5, "bet": -0.5}, "wrong gave 'bet' the probability -0.5"),
        ({"pass": "1"}, "wrong gave 'pass' the probability '1'"),
        (
            {"pass": 0.5, "fold": 0.5},
            "wrong gave a probability to 'fold', which cannot be played here; legal moves: pass",
        ),
        ("fold", r"wrong answered 'fold', which cannot be played here; legal moves: pass \(0\), bet \(1\)\."),
        (7, "wrong answered 7, which cannot be played here"),
        (True, "wrong answered True; an answer is a move's name, its id, or a probability for each name"),
        (None, "wrong answered None; an answer is a move's name"),
        (["pass"], r"wrong answered \['pass'\]; an answer is"),
    ],
)
def test_an_answer_that_is_none_is_named(answer: Any, sentence: str) -> None:
    kuhn = load("kuhn")

    def wrong(observation: Observation) -> Any:
        return answer

    with pytest.raises(AgentError, match=sentence):
        parlor.play_match(kuhn, [wrong, uniform_agent], 2)
    if isinstance(answer, dict):  # functions of positions are held to the same
        with pytest.raises(AgentError, match=sentence):
            play_game(kuhn, [PositionAgent("wrong", lambda position: answer)] * 2)


def test_rounding_is_no_mistake() -> None:
    assert check_distribution({"b": 1.0 / 3, "a": 2.0 / 3 + 5e-7}, ["a", "b"], "one") == {"a": 2 / 3 + 5e-7, "b": 1 / 3}
    with pytest.raises(AgentError):
        check_distribution({"b": 1.0 / 3, "a": 2.0 / 3 + 5e-6}, ["a", "b"], "one")


def short_probabilities(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
    for i in range(n):
        out[i] = 0.3


def negative_probabilities(states: Any, g: int, p: int, moves: Any, n: int, out: Any, r: Any, data: Any) -> None:
    out[0] = 1.5
    out[1] = -0.5


@pytest.mark.parametrize("compiled", [False, True])
def test_compiled_agents_are_held_to_it_too(compiled: bool) -> None:
    kuhn = load("kuhn")
    other = make_agent("random", kuhn)
    short, negative = (CompiledAgent(f.__name__, kuhn, f) for f in (short_probabilities, negative_probabilities))
    with pytest.raises(AgentError, match=r"short_probabilities gave probabilities that sum to 0.6, not to 1"):
        parlor.play_match(kuhn, [short, other], 10, compiled=compiled)
    with pytest.raises(AgentError, match=r"negative_probabilities gave .* the probability -0.5"):
        parlor.play_match(kuhn, [negative, other], 10, compiled=compiled)
    with pytest.raises(AgentError, match=r"sum to 0.6, not to 1: pass 0.3, bet 0.3"):
        short(kuhn.start().after("K to player 0", "Q to player 1"))


# --------------------------------------------------------------------------------------------------- by name


def test_an_agent_is_loaded_by_file_and_by_module_with_its_options(folder: Path) -> None:
    game = load("leduc")
    raised = game.start().after("J♥ to player 0", "Q♠ to player 1", "raise")
    agent = load_agent("my_agents.py:Cautious", game)
    assert agent(raised) == pytest.approx({"fold": 0.8, "call": 0.2, "raise": 0.0})
    for text in ("my_agents.py:Cautious(risk=0.9)", f"{folder}/my_agents.py:Cautious( risk = 0.9 )"):
        assert load_agent(text, game)(raised)["call"] == 0.9
    (folder / "package_of_mine.py").write_text(MY_AGENTS.replace("0.3", "0.5"))
    assert load_agent("package_of_mine:Cautious(risk=0.7)", game)(raised)["call"] == 0.7


def test_a_file_that_has_changed_is_read_again(folder: Path) -> None:
    game = load("leduc")
    raised = game.start().after("J♥ to player 0", "Q♠ to player 1", "raise")
    before = load_agent("my_agents.py:Cautious", game)
    (folder / "my_agents.py").write_text(MY_AGENTS.replace("risk=TRUST", "risk=0.5"))
    assert load_agent("my_agents.py:Cautious", game)(raised)["call"] == 0.5
    assert before(raised)["call"] == 0.2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("my_agents.py:Cautous", "There is no Cautous in my_agents.py; did you mean Cautious?"),
        ("elsewhere.py:Cautious", "There is no file elsewhere.py."),
        ("no_such_module:Cautious", "There is no module no_such_module"),
        ("my_agents.py:Cautious(rsk=1)", "Cautious cannot be made: got an unexpected keyword argument 'rsk'; its"),
        ("my_agents.py:Cautious(1)", "'1' in 'my_agents.py:Cautious(1)' should read option=value."),
        ("my_agents.py:short(risk=1)", "short is a function, which takes an observation and has no options."),
        ("my_agents.py:NOTHING", "3 is no agent: it must be a class with a method act, or a function."),
        ("slip.py:Any", "slip.py, line 2: "),
        ("late.py:Any", "late.py failed in late.py, line 2, in <module>: ZeroDivisionError: division by zero."),
    ],
)
def test_what_cannot_be_loaded_gets_a_sentence(text: str, sentence: str, folder: Path) -> None:
    (folder / "slip.py").write_text("import os\nclass Any\n")
    (folder / "late.py").write_text("import os\n1 / 0\n")
    with pytest.raises(GameError) as caught:
        load_agent(text, load("leduc"))
    assert sentence in str(caught.value)


def test_an_instance_is_refused_for_it_would_be_shared() -> None:
    class Own:
        def act(self, observation: Observation) -> str:
            return observation.legal[0]

    with pytest.raises(GameError, match=r"Own must be given as a class, PythonAgent\(Own, options={…}\)"):
        play_game(load("kuhn"), [Own(), Own()])  # type: ignore[list-item]
    with pytest.raises(GameError, match=r"dict is no agent: a class needs a method act\(self, observation\)"):
        PythonAgent(dict)


def test_code_is_loaded_only_where_it_is_named_itself(folder: Path) -> None:
    game = load("monopoly-deal(preset=tiny)")
    with pytest.raises(GameError, match="is not compiled, so another agent cannot be made from it"):
        make_agent("look-ahead(policy=my_agents.py:Cautious)", game)
    with pytest.raises(GameError, match="is not compiled"):
        make_agent("my_agents.py:Cautious", game)


# ------------------------------------------------------------------------------------------------- on the command line


@pytest.mark.slow
def test_it_is_compared_and_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "my_agents.py:Cautious", "random", "--game", "leduc", "--games", "40", "--json"]) == 0
    [match] = json.loads(capsys.readouterr().out)["matches"]
    assert (match["agent"], match["against"], match["games"]) == ("my_agents.py:Cautious", "random", 40)
    evaluate = ["evaluate", "my_agents.py:Cautious", "--game", "leduc"]
    assert main([*evaluate, "--against", "random", "--games", "40", "--json"]) == 0
    [again] = json.loads(capsys.readouterr().out)["matches"]
    assert again["payoff"] == match["payoff"]
    assert main(["compare", "my_agents.py:Cautious", "my_agents.py:short", "--game", "leduc", "--games", "2"]) == 1
    assert "my_agents.py:short gave probabilities that sum to 0.6, not to 1" in capsys.readouterr().err
    assert main(["compare", "random", "my_agents.py:Broken", "--game", "leduc", "--games", "2"]) == 1
    [told] = filter(None, capsys.readouterr().err.splitlines())
    assert "my_agents.py:Broken failed in my_agents.py, line 22, in act: KeyError:" in told
    assert main([*evaluate, "--json"]) == 0  # exactly: it is asked at every decision
    exact = parlor.evaluate("leduc", parlor.tabulate("leduc", "my_agents.py:Cautious"))
    assert json.loads(capsys.readouterr().out)["values"] == list(exact.values)
    assert main(["compare", "my_agents.py:Cautious", "random"]) == 1
    assert "Name the game" in capsys.readouterr().err


def test_training_is_measured_against_it(folder: Path) -> None:
    command = "train kuhn --games 20 --rollouts 1 --evaluate-every 20 --evaluate-games 10 --threads 1 --out run"
    (folder / "timid.py").write_text("def timid(observation):\n    return 'pass'\n")
    assert main([*command.split(), "--against", "timid.py:timid"]) == 0
    row = read_metrics(folder / "run")[-1]
    assert row["wins"]["timid.py:timid"]["alternating"]["games"] == 10


def test_it_sits_at_the_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    answers = iter(["raise", "raise", "raise", "raise"])
    monkeypatch.setattr("rich.prompt.Prompt.ask", lambda *given, **options: next(answers))
    command = "play leduc --seat 0 --seed 1 --games 1 --peek --against my_agents.py:Cautious(risk=0)"
    assert main(command.split()) == 0
    told = capsys.readouterr().out
    assert "player 1: fold" in told
    assert "fold ██████████████████████████████ 1.000" in told
    assert "You won 1" in told


# --------------------------------------------------------------------------------------------------- on a server


@pytest.fixture
def http(folder: Path) -> Iterator[httpx.Client]:
    """A server whose operator allows two agents of their own."""
    allowed = (f"{folder}/my_agents.py:Cautious(risk=0.9)", f"{folder}/my_agents.py:Broken")
    settings = ServerSettings(database_url=f"sqlite:///{folder}/data/parlor.db", rate=0, python_agents=allowed)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def test_a_server_seats_what_its_operator_allows(http: httpx.Client, folder: Path) -> None:
    listed = {row["id"]: row for row in http.get("/api/agents", params={"game": "leduc"}).json()}
    assert listed["Cautious-risk-0-9"]["summary"] == "Folds unless it trusts."
    assert str(folder) not in json.dumps(listed)
    person = sit(http, "leduc", "Cautious-risk-0-9", seat=0, seed=3, mind="always")
    assert person.move("raise").status_code == 200
    ply = next(event["ply"] for event in person.state["history"] if event["by"] == "agent")
    mind = person.get(f"/mind/{ply}").json()
    assert (mind["detail"], mind["moves"]) == ("outside", [])
    person.play()
    mind = person.get(f"/mind/{ply}").json()
    assert mind["detail"] == "inside"
    chances = {row["move"]["name"]: row["probability"] for row in mind["moves"]}
    assert chances == pytest.approx({"fold": 0.1, "call": 0.9})


def test_a_request_cannot_load_code(http: httpx.Client, folder: Path) -> None:
    ran = folder / "ran"
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'x')\ndef act(observation):\n    return 0\n")
    for agent in ("evil.py:act", f"{folder}/evil.py:act", "my_agents.py:Cautious", "look-ahead(policy=evil.py:act)"):
        response = http.post("/api/tables", json={"game": "monopoly-deal", "agent": agent})
        assert response.status_code in (404, 422), agent
    assert not ran.exists()


def test_an_agent_that_fails_says_nothing_of_its_cards(http: httpx.Client) -> None:
    person = sit(http, "leduc", "Broken", seat=0, seed=3)
    response = person.move("raise")
    assert response.status_code == 200
    trouble = response.json()["trouble"]
    assert trouble == "The agent Broken cannot move: its answer was invalid; the server's log has the details."


def test_a_mind_without_probabilities_says_so(folder: Path) -> None:
    catalogue = Catalogue([], [], ["my_agents.py:Cautious"])
    game = catalogue.game("leduc")
    seated = catalogue.seat("Cautious", game)
    assert catalogue.folders.title("/somewhere/my_agents.py:Cautious(risk=0.9)") == "Cautious(risk=0.9)"
    first = game.start().after("J♥ to player 0", "Q♠ to player 1")
    assert inside(seated, first, 2, None, False).note == "It answers with a move, not with probabilities."
    with pytest.raises(GameError, match="is written in Python: it has no table"):
        _ = seated.agent
    with pytest.raises(Unknown):
        catalogue.seat("my_agents.py:Cautious", game)


# --------------------------------------------------------------------------------------------------- other libraries


def test_a_bot_of_openspiel_plays_our_games() -> None:
    """It draws nothing itself: with the same luck it plays exactly what our own uniform agent plays."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.bots.uniform_random import UniformRandomBot

    bots = [
        parlor.from_openspiel_bot(lambda game, player: pyspiel.make_uniform_random_bot(player, 7), "C++"),
        parlor.from_openspiel_bot(lambda game, player: UniformRandomBot(player, np.random.RandomState(1))),
    ]
    for name in ("leduc", "openspiel:kuhn_poker"):
        game = load(name)
        expected = parlor.play_match(game, [uniform_agent, uniform_agent], 20, seed=2)
        for bot in bots:
            assert np.array_equal(parlor.play_match(game, [bot, uniform_agent], 20, seed=2).payoffs, expected.payoffs)


def test_an_agent_that_a_file_has_made_is_named_like_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("made.py").write_text(
        "import parlor\n\n\ndef first(observation):\n    return observation.legal[0]\n\n\n"
        "FIRST = parlor.PythonAgent(first)\n"
    )
    agent = parlor.load_agent("made.py:FIRST", "kuhn")
    assert agent.name == "made.py:FIRST"
    assert agent(load("kuhn").start().after("K to player 0", "J to player 1")) == {"pass": 1.0, "bet": 0.0}


def test_matches_and_games_take_names_of_games_and_agents() -> None:
    by_name = parlor.play_match("kuhn", ["random", "look-ahead"], games=20, seed=3)
    kuhn = load("kuhn")
    agents = [parlor.load_agent(name, kuhn) for name in ("random", "look-ahead")]
    assert np.array_equal(by_name.payoffs, parlor.play_match(kuhn, agents, games=20, seed=3).payoffs)
    record = parlor.play_game("kuhn", ["random", "random"], seed=1)
    assert parlor.replay("kuhn", record.moves).payoffs == list(record.payoffs)
    with pytest.raises(GameError, match="There is no agent 'nobody'"):
        parlor.play_match("kuhn", ["random", "nobody"], games=20)


def test_a_bot_that_goes_by_its_information_state_is_asked_about_the_right_one() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    asked: list[tuple[int, str, str]] = []

    class Reader(pyspiel.Bot):  # type: ignore[misc, name-defined]
        def __init__(self, player: int) -> None:
            pyspiel.Bot.__init__(self)
            self.player = player

        def restart(self) -> None:
            pass

        def step(self, state: Any) -> int:
            asked.append((self.player, state.information_state_string(self.player), str(state)))
            return int(state.legal_actions()[-1])

    game = load("leduc")
    bot = parlor.from_openspiel_bot(lambda exported, player: Reader(player), "reader")
    guesses = 0
    for index in range(8):
        asked.clear()
        record = play_game(game, [bot, bot], 5, index)
        position, questions = game.start(), iter(asked)
        for move in record.moves:
            if position.turn != CHANCE:
                player, knows, everything = next(questions)
                assert player == position.turn
                assert knows == f"{position.show(player)} [{position.key(player)}]"
                guesses += everything != "\n".join(position.show(p) for p in range(2))
            position = position.after(move)
    assert guesses > 5  # what it cannot see was made up


def test_a_world_that_cannot_be_told_apart_is_found_in_large_games() -> None:
    game = load("monopoly-deal(preset=tiny)")
    moves = play_game(game, [uniform_agent] * 2, 3).moves
    position, seen = game.start(), [observe(game.start(), 1)]
    for move in moves[: len(moves) // 2]:
        position = position.after(move)
        seen.append(observe(position, 1))
    world = indistinguishable(game, seen)
    assert isinstance(world, Position)
    assert observe(world, 1) == seen[-1]


def test_a_policy_of_pettingzoo_plays_our_games() -> None:
    pytest.importorskip("pettingzoo")
    from parlor.interop.pettingzoo import to_pettingzoo

    game = load("leduc")
    seen: list[dict[str, Any]] = []

    def last_legal(observation: dict[str, Any]) -> Any:
        seen.append(observation)
        return np.flatnonzero(observation["action_mask"])[-1]

    agent = parlor.from_pettingzoo_policy(last_legal)
    assert agent.name == "last_legal"
    record = play_game(game, [agent, agent], 1)
    env = to_pettingzoo(game)
    env.reset()
    position, given = game.start(), iter(seen)
    for move in record.moves:
        if position.turn != CHANCE:
            env.position, observation = position, next(given)
            expected = env.observe(f"player_{position.turn}")
            assert all(np.array_equal(observation[key], expected[key]) for key in expected)
            assert move == position.legal[position.actions.index(max(position.actions))]
        position = position.after(move)
