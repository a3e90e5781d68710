"""Nothing a seat is sent depends on what is hidden from it.

A game is played to somewhere, and everything a seat can ask for is asked. Then what the seat has not seen is changed in
the database (other cards for the other side, another deck, other secret bids) so that all the seat has been told stays
true, and everything is asked again: the answers must be the same to the byte.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection, delete, text, update
from websockets.sync.client import connect

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.loading import load
from parlor.game.seats.play import sample, uniform_agent
from parlor.game.seats.visibility import public_view, visible_move
from parlor.runs.config import Config
from parlor.runs.files.strategy_files import save
from parlor.runs.training import TrainingRun
from parlor.server.explain import expected_value, mind
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.store import MoveRow, Store, TableRow
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.solve import solve
from tests.server.people import Person, client_of, sit, unfinished
from tests.server.test_seats import OPEN, RANDOM, YOU, host, join, put, refresh

pytestmark = [pytest.mark.slow(seconds=40), pytest.mark.usefixtures("hastier")]


@pytest.fixture
def hastier(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """All values that can be counted out soon are, as in Kuhn's game; the others come from a few games and worlds."""
    monkeypatch.setattr(expected_value, "MAX_NODES", 300)
    monkeypatch.setattr(mind, "DRAWN", 12)


Told = tuple[list[str | None], list[object], list[int]]


def as_told(game: Game, moves: Sequence[str], seat: int | None) -> Told:
    """All that a seat or a spectator gets to know of a game: names, views, whose turn it was."""
    position, names, views, turns = game.start(), [], [], []
    for move in moves:
        names.append(visible_move(position, move, seat))
        turns.append(position.turn)
        position = position.after(move)
        views.append(seen(position, seat))
    return names, views, turns


def seen(position: Position, seat: int | None) -> object:
    return public_view(position) if seat is None else position.view(seat)


def unnoticed(
    path: Sequence[Position], moves: Sequence[str], begin: int, seat: int | None, told: Told
) -> list[Position]:
    """The positions along other moves from a ply on; as far as the seat has been told the same."""
    found = list(path[: begin + 1])
    for ply in range(begin, len(moves)):
        position = found[-1]
        if (visible_move(position, moves[ply], seat), position.turn) != (told[0][ply], told[2][ply]):
            break
        after = position.after(moves[ply])
        if seen(after, seat) != told[1][ply]:
            break
        found.append(after)
    return found


def another_world(game: Game, moves: Sequence[str], seat: int | None, dice: random.Random) -> list[str]:
    """The same game to the seat, with other things where it could not look: as different as random changes make it."""

    def differences(one: Sequence[str]) -> int:
        return sum(a != b for a, b in zip(one, moves, strict=True))

    known = as_told(game, moves, seat)
    secret = [ply for ply, name in enumerate(known[0]) if name is None]
    world = list(moves)
    path = [game.start()]  # the positions along it
    for move in world:
        path.append(path[-1].after(move))
    for _ in range(80):
        if not secret:
            break
        ply = dice.choice(secret)
        changed, other, way = list(world), dice.choice(secret), dice.randrange(6)
        begin = min(ply, other)
        if way < 2:
            changed[ply], changed[other] = changed[other], changed[ply]
        elif way > 3:  # each goes where the other went: of a deck that is dealt card by card, two change places
            for here, there in ((ply, other), (other, ply)):
                gone = path[there]
                with contextlib.suppress(LookupError):  # it has no name here, where other moves are made
                    changed[here] = game.words.describe(path[here].state, gone.actions[gone.legal.index(world[there])])
        else:  # something else there, or at both
            begin = ply if way == 2 else begin
            for here in sorted({ply} if way == 2 else {ply, other}):
                try:
                    changed[here] = dice.choice(path[begin].after(*changed[begin:here]).legal)
                except GameError:
                    break
        if differences(changed) < differences(world):
            continue
        try:
            along = unnoticed(path, changed, begin, seat, known)
        except (GameError, ValueError):
            continue  # what was done openly would not have been possible
        if len(along) == len(path):
            world, path = changed, along
    return world


def everything(person: Person, http: httpx.Client, plies: int) -> dict[str, bytes]:
    """All that a seat can ask for without changing anything, errors among it."""
    asked = {"/": person.get().content}
    with contextlib.closing(HTTPConnection(http.base_url.host, http.base_url.port, timeout=600)) as line:
        # on one connection, of Python's own, because there are very many questions

        def ask(what: str) -> None:
            answer, told = None, b""
            while answer is None or unfinished(what, answer.status, told):
                line.request("GET", person.path + what, headers=person.headers)
                answer = line.getresponse()
                told = answer.read()
            asked[what] = told

        for what in ("/mind", "/record", "/preview", "/shuffle", "/question", "/frontier", "/review", "?since=0"):
            ask(what)
        for ply in range(plies + 2):
            ask(f"/replay/{ply}")
            ask(f"/notes/{ply}")
            if ply % 3 == 0 or ply < 12:
                ask(f"/mind/{ply}")
    here = person.state["ply"]
    asked["illegal"] = person.post("/moves", {"ply": here, "move": "no such move"}).content
    asked["repeated"] = person.post("/moves", {"ply": 0, "move": "no such move"}).content
    if person.state["turn"] == "you":
        asked["advance"] = person.post("/advance", {"ply": here}).content
    else:
        asked["move"] = person.post("/moves", {"ply": here, "move": "pass"}).content
    asked["nobody"] = http.get(person.path).content
    address = str(http.base_url).replace("http", "ws", 1) + f"{person.path}/live"
    with connect(address) as socket:
        socket.send(f'{{"token": "{person.token}"}}')
        message = socket.recv(60)
    return asked | {"live": message.encode() if isinstance(message, str) else message}


def accepted(person: Person) -> dict[str, bytes]:
    """The answer to a move, unless the seat got to see a card after it: from another deck comes another card."""
    ply = person.state["ply"]
    if person.state["turn"] != "you":
        return {}
    answer = person.move()
    drawn = [e for e in answer.json()["history"][ply:] if e["by"] == "chance" and not e["secret"]]
    return {} if drawn or person.state["open"] else {"accepted": answer.content}


def let_moves_be_changed(connection: Connection) -> None:
    """Drop the triggers that forbid it."""
    if connection.dialect.name == "sqlite":
        for change in ("update", "delete"):
            connection.execute(text(f"drop trigger if exists moves_no_{change}"))
    else:
        connection.execute(text("drop trigger if exists moves_only_added on moves"))


def rewrite(database: str, table: str, moves: Sequence[str], replaced: bool = False) -> None:
    """Other moves in the database; the game goes on, unless it was replaced by another."""

    def work(connection: Connection) -> None:
        let_moves_be_changed(connection)
        if not replaced:
            connection.execute(update(TableRow).where(TableRow.id == table).values(ended=None, payoffs=None))
        connection.execute(delete(MoveRow).where(MoveRow.table_id == table, MoveRow.ply >= len(moves)))
        for ply, move in enumerate(moves):
            where = (MoveRow.table_id == table) & (MoveRow.ply == ply)
            connection.execute(update(MoveRow).where(where).values(move=move))

    async def write() -> None:
        store = Store(database)
        await store.run(work, whole=True)
        await store.close()

    asyncio.run(write())


def written(database: str, table: str) -> list[str]:
    async def read() -> list[str]:
        store = Store(database)
        try:
            return [row["move"] for row in await store.moves(table)]
        finally:
            await store.close()

    return asyncio.run(read())


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Policies that know something: solved, and trained a little."""
    folder = tmp_path_factory.mktemp("agents")
    for name in ("kuhn", "leduc"):
        save(solve(load(name), "cfr+", iterations=50)[0], folder / f"{name}.json")
    TrainingRun.begin(folder / "tiny", TINY).run()
    learner = RolloutCfr(load("monopoly-deal/intent"))
    learner.run(20)
    save(learner.policy(), folder / "deal.json")
    return folder


TINY = Config.of(
    "holdem(stack=20,streets=2)/pot", "mccfr-public", games=2000, parallel="none", evaluate_every=0, cards="suitless"
)
#: few instances, so that another one often looks the same to a seat
ALIKE = f"deal-or-no-deal(instances={Path(__file__).with_name('instances.txt')})"
CASES = [
    ("kuhn", "kuhn", (3,)),
    ("leduc", "leduc", (3, 6)),
    ("liars-dice", "random", (4,)),
    ("goofspiel", "random", (3, 5)),
    ("trade-comm", "random", (2, 4)),
    (ALIKE, "reader", (2, 4)),
    ("monopoly-deal", "deal", (14, 45)),
    ("monopoly-deal", "careful", (30,)),
    ("leduc(players=3)", "random", (5, 8)),
    ("holdem(stack=20,streets=2)", "tiny.00002000", (5, 9)),
    ("holdem", "fish", (5, 9)),
    ("clue(preset=small,cap=8)", "random", (20,)),
    ("leodopoly(money=50,rounds=2)", "random", (5,)),
    ("battleship", "random", (2, 4)),
    ("tiny-bridge", "random", (3, 4)),
    ("colored-trails(boards=25)", "random", (2, 3)),
    ("sheriff", "random", (2, 3)),
    ("normal-form(preset=chicken)", "random", (1,)),
]
#: games in which nothing is hidden from the other seat
ONE_SIDED = {"sheriff": {1}, "normal-form(preset=chicken)": {1}}
#: games in which minds are closed until one has decided, and everybody decides once
SEALED = {"normal-form(preset=chicken)"}


@pytest.mark.parametrize(
    ("game", "agent", "stops"), CASES, ids=[f"{g.partition('(instances')[0]}-{a}" for g, a, _ in CASES]
)
def test_answers_do_not_depend_on_what_is_hidden(
    tmp_path: Path, agents: Path, game: str, agent: str, stops: tuple[int, ...]
) -> None:
    database, valued, dice = f"sqlite:///{tmp_path}/parlor.db", 0, random.Random(1)
    changed: set[int] = set()
    settings = ServerSettings(database_url=database, agents=(str(agents),), games=(ALIKE,), rate=0)
    for seed in range(8):
        seat, stop = seed % 2, stops[(seed % 2 + seed // 2) % len(stops)]  # each seat begins with another stop
        if seat in changed:
            continue
        with client_of(settings) as http:
            person = sit(http, game, agent, seat=seat, seed=seed, pace="step", mind="always")
            person.play(stop)
            if person.state["turn"] == "over":
                continue
            here = person.state
            before = everything(person, http, here["ply"]) | accepted(person)
            mine = dict(person.sent)
        moves, person.state = written(database, here["id"]), here
        moves, own = moves[: here["ply"]], moves[here["ply"] :][:1]  # what was played to here; the move after it
        world = another_world(load(game), moves, seat, dice)
        assert all(world[ply] == move for ply, move in mine.items() if ply < len(world))
        if world == moves:
            continue
        changed.add(seat)
        rewrite(database, person.state["id"], world)
        with client_of(settings) as http:
            person.http = http
            after = everything(person, http, here["ply"]) | accepted(person)
        assert before.keys() == after.keys()
        if as_told(load(game), [*moves, *own], seat) != as_told(load(game), [*world, *own], seat):
            before.pop("accepted", None)  # by the rules the move brings it to light, as the last bid does
        minds = [json.loads(answer) for name, answer in before.items() if name.startswith("/mind/")]
        valued += sum(mind.get("value") is not None for mind in minds)
        for name, answer in before.items():
            assert answer == after[name], name
    assert changed == ONE_SIDED.get(game, {0, 1}), "nothing was hidden, so nothing was tested"
    assert valued or game in SEALED, "minds have told no value"


def test_the_test_above_would_notice(tmp_path: Path) -> None:
    """At the end everything is told, and other hidden cards give other answers."""
    database, dice = f"sqlite:///{tmp_path}/parlor.db", random.Random(2)
    settings = ServerSettings(database_url=database, rate=0)
    with client_of(settings) as http:
        person = sit(http, seat=0, seed=3, pace="step")
        person.play(30)
        hidden = person.get().content
        moves = written(database, person.state["id"])
        world = another_world(load("monopoly-deal"), moves, 0, dice)
        assert world != moves
        person.post("/resign", {})
        told_all = person.get().json()
        assert told_all["open"]
        assert not any(event["secret"] for event in told_all["history"])
        assert [event["move"]["name"] for event in told_all["history"]] == moves
        assert told_all["sides"][1]["me"]["hand"]
    before = httpx.Response(200, content=hidden).json()["history"]
    assert any(event["secret"] for event in before)
    assert all((event["move"] is None) == event["secret"] for event in before)


def test_no_outcome_is_told_that_the_view_does_not_show() -> None:
    """Whatever a game's words say about secrets."""
    stream = [1, 2, 3, 4]
    for name in ("kuhn", "leduc", "liars-dice", "goofspiel", "monopoly-deal", "holdem"):
        position: Position = load(name).start()
        while not position.over:
            move = sample(position.odds if position.turn == CHANCE else uniform_agent(position), stream)
            if position.turn == CHANCE:
                for seat in (0, 1):
                    alike = [
                        o for o in position.odds if position.after(o).view(seat) == position.after(move).view(seat)
                    ]
                    assert (visible_move(position, move, seat) is None) == (len(alike) > 1)
            position = position.after(move)


def test_an_outcome_is_not_told_because_nothing_else_could_happen(tmp_path: Path) -> None:
    """Here the second draw is always what the first was, and nobody sees either."""
    rules = tmp_path / "twins.py"
    rules.write_text(
        """
from parlor.game import CHANCE, OVER, hidden, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 1, 2, 3, True
STATE = {"first": hidden(), "second": hidden(), "moves": public()}

def start(s): pass
def turn(s): return CHANCE if s.moves < 2 else 0 if s.moves == 2 else OVER
def odds(s, out):
    out[0] = 0.5 if s.moves == 0 else float(s.first == 0)
    out[1] = 1.0 - out[0]
    return 2
def legal(s, out):
    out[0] = 0
    return 1
def play(s, a):
    if s.moves == 0:
        s.first = a
    elif s.moves == 1:
        s.second = a
    s.moves += 1
def payoff(s, p): return 0.0
def key(s, p): return s.moves * 2 + p
def secret(s, a, p): return False
"""
    )
    position = load(str(rules)).start()
    for _ in range(2):
        move = position.legal[0]
        assert visible_move(position, move, 0) is None
        position = position.after(move)


@pytest.mark.parametrize(
    ("game", "stops"),
    [
        ("kuhn(players=3)", (4, 5)),
        ("kuhn(players=4)", (5, 7)),
        ("leduc(players=3)", (5, 8)),
        ("goofspiel(players=3)", (3, 6)),
        ("monopoly-deal", (41,)),
        ("holdem", (9,)),
        ("clue(preset=small,cap=8)", (18,)),
        ("leodopoly(money=50,rounds=2)", (4,)),
    ],
)
def test_neither_seats_nor_spectators_are_told_what_is_hidden_from_them(
    tmp_path: Path, game: str, stops: tuple[int, ...]
) -> None:
    """People at all seats but one (at both, if there are two), and somebody who watches."""
    database, dice, rules = f"sqlite:///{tmp_path}/parlor.db", random.Random(4), load(game)
    settings = ServerSettings(database_url=database, rate=0)
    changed: dict[int | None, int] = {}
    wishes = [YOU, *[OPEN] * (rules.players - 2), RANDOM if rules.players > 2 else OPEN]
    for seed in range(3):
        for stop in stops:
            with client_of(settings) as http:
                ann = host(http, game, wishes, seed=seed, mind="always", watch=True)
                people = [ann, *(join(ann, player_name=f"P{i}") for i, wish in enumerate(wishes) if wish is OPEN)]
                refresh(*people)
                while ann.state["ply"] < stop and ann.state["turn"] != "over":
                    [mover] = [one for one in people if one.state["turn"] == "you"]
                    calls = [m["name"] for m in mover.state["legal"] if m["verb"] in ("check", "call")]
                    mover.move(calls[0] if game == "holdem" else None)  # all in, nothing is left to ask
                    refresh(*people)
                if ann.state["turn"] == "over":
                    continue
                watcher = Person(http, http.get(ann.path).json(), "")
                viewers = [*people, watcher]
                here = ann.state["ply"]
                before = [everything(one, http, here) for one in viewers]
            moves = written(database, ann.state["id"])
            for one, answers in zip(viewers, before, strict=True):
                world = another_world(rules, moves, one.state["seat"], dice)
                if world == moves:
                    continue
                changed[one.state["seat"]] = changed.get(one.state["seat"], 0) + 1
                rewrite(database, ann.state["id"], world)
                with client_of(settings) as http:
                    one.http = http
                    after = everything(one, http, here)
                assert answers == after, [name for name in answers if answers[name] != after[name]]
            rewrite(database, ann.state["id"], moves)
        if len(changed) == len(wishes) - (rules.players > 2) + 1:
            break
    assert None in changed, "nothing was hidden from spectators, so nothing was tested"
    assert len(changed) > 1


def test_a_game_whose_move_was_taken_back_tells_nothing_before_the_new_one_is_over(tmp_path: Path) -> None:
    database, dice, changed = f"sqlite:///{tmp_path}/parlor.db", random.Random(6), 0
    settings = ServerSettings(database_url=database, rate=0)
    for seed in range(2):
        with client_of(settings) as http:
            old = sit(http, seat=0, seed=seed, mind="always")
            old.play(25)
            made = old.post("/undo", {"ply": old.state["ply"]}).json()
            new = Person(http, made["state"], made["token"])
            put(new, "/watch", {"watch": True})
            refresh(old, new)
            both = [(old, old.state["ply"]), (new, new.state["ply"])]
            before = [everything(one, http, ply) for one, ply in both]
        moves = written(database, old.state["id"])
        world = another_world(load("monopoly-deal"), moves, 0, dice)
        changed += world != moves
        rewrite(database, old.state["id"], world, replaced=True)
        rewrite(database, new.state["id"], world[: new.state["ply"]])
        with client_of(settings) as http:
            old.http = new.http = http
            assert before == [everything(one, http, ply) for one, ply in both]
            new.play()
            assert old.get().json()["open"]
    assert changed


def test_a_running_game_cannot_be_branched(tmp_path: Path) -> None:
    """By branching now, calling to the showdown and looking, again and again, one would learn the other's cards."""
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)
    with client_of(settings) as http:
        person = sit(http, "holdem", "fish", seat=0)
        for ply in range(person.state["ply"] + 1):
            assert person.post("/branch", {"ply": ply}).status_code == 409
            assert http.post(f"{person.path}/branch", json={"ply": ply}).status_code == 409
        person.post("/resign", {})
        made = person.post("/branch", {"ply": person.state["ply"]}).json()
        assert not made["state"]["open"]
        assert person.get().json()["open"], "what was open stays open"
