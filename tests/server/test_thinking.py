"""What takes long is done in processes of its own, with a limit, and moves go on meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import httpx
import pytest

from parlor.game import GameError
from parlor.runs.workers import WorkerProcess
from parlor.server.catalogue.catalogue import Offered
from parlor.server.catalogue.seating import limits_of
from parlor.server.explain import jobs
from parlor.server.operations.settings import ServerSettings
from parlor.server.refusal import Refusal
from parlor.server.thinking import pool as pools
from parlor.server.thinking import thinking as module
from parlor.server.thinking.pool import METHOD, PoolFullError, WorkerPool
from parlor.server.thinking.thinking import Thinking, asker
from tests.server.people import client_of, sit
from tests.server.tasks import double, ever, number, once_more, refuses, unknown

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here they are real."""
    monkeypatch.setattr(pools, "started", lambda nice: WorkerProcess(nice, METHOD))


def with_pool(work: Callable[[WorkerPool], Awaitable[None]], processes: int = 1, seconds: float = 60.0) -> None:
    async def run() -> None:
        made = WorkerPool("test", processes, seconds, 60.0, 2)
        try:
            await work(made)
        finally:
            await made.close()

    asyncio.run(run())


async def begun(path: Path) -> int:
    """The number of the process that works."""
    while not (path.exists() and path.read_text()):
        await asyncio.sleep(0.01)
    return int(path.read_text())


async def gone(pid: int) -> None:
    """Wait until a process has ended."""
    while Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text():
        await asyncio.sleep(0.01)


def test_results_come_from_a_process_that_stays(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        jobs = [pool.submit(double, 21), pool.submit(number, None), pool.submit(number, None)]
        for job in jobs:
            await job.over.wait()
        assert [job.state for job in jobs] == ["done"] * 3
        assert jobs[0].best == 42
        assert jobs[1].best == jobs[2].best != os.getpid()
        failed = pool.submit(refuses, None)
        await failed.over.wait()
        assert isinstance(failed.error, Refusal)
        assert (failed.error.status, str(failed.error)) == (404, "Nothing is there.")

    with_pool(work)


def test_who_takes_too_long_is_killed_and_what_was_found_counts(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        await pool.submit(double, 1).over.wait()  # a process is there
        job = pool.submit(ever, str(tmp_path / "pid"))
        await job.over.wait()
        assert (job.state, job.best) == ("late", 7)
        await gone(await begun(tmp_path / "pid"))
        await (after := pool.submit(double, 4)).over.wait()
        assert after.best == 8

    with_pool(work, seconds=3.0)


def test_a_process_that_is_killed_is_replaced_and_its_job_repeated(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        job = pool.submit(once_more, str(tmp_path / "been"))
        await job.over.wait()
        assert (job.state, job.best) == ("done", 5)

    with_pool(work)


def test_a_long_task_is_not_sent_where_all_requests_are_answered() -> None:
    """A process that others leave no time to does not get to read it."""

    async def work(pool: WorkerPool) -> None:
        first = pool.submit(number, None)
        await first.over.wait()
        os.kill(first.best, signal.SIGSTOP)
        too_late = threading.Timer(30.0, os.kill, (first.best, signal.SIGCONT))
        too_late.start()
        job = pool.submit(len, b"x" * 5_000_000)
        for _ in range(10):
            await asyncio.sleep(0.01)
        assert too_late.is_alive()
        too_late.cancel()
        os.kill(first.best, signal.SIGCONT)
        await job.over.wait()
        assert (job.state, job.best) == ("done", 5_000_000)

    with_pool(work)


def test_an_address_has_one_job_at_a_time_and_few_that_wait(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        first = pool.submit(ever, str(tmp_path / "first"), "mallory")
        second = pool.submit(ever, str(tmp_path / "second"), "mallory")
        pid = await begun(tmp_path / "first")
        other = pool.submit(double, 3, "alice")
        await other.over.wait()
        assert other.best == 6, "there is a process for somebody else"
        assert (second.state, pool.working, pool.waiting) == ("waiting", 1, 1)
        pool.submit(double, 1, "mallory")
        with pytest.raises(PoolFullError):
            pool.submit(double, 1, "mallory")
        pool.cancel(first)
        await gone(pid)
        pid = await begun(tmp_path / "second")
        pool.cancel(second)
        await gone(pid)
        assert (first.state, second.state) == ("cancelled", "cancelled")

    with_pool(work, processes=2)


# --------------------------------------------------------------------------------------------------- questions


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has left is noticed soon."""
    monkeypatch.setattr(module, "LEFT", 0.3)


def with_thinking(work: Callable[[Thinking], Awaitable[None]]) -> None:
    async def run() -> None:
        thinking = Thinking()
        try:
            asker.set("alice")
            await work(thinking)
        finally:
            await thinking.close()

    asyncio.run(run())


def test_a_pool_that_is_full_is_told() -> None:
    async def run() -> tuple[list[str], list[str], list[str]]:
        thinking = Thinking()
        told = [thinking.full()]
        for _ in range(2):  # there is one process for pages
            thinking.submit("pages", number, None)
            told.append(thinking.full())
        await thinking.close()
        return told[0], told[1], told[2]

    assert asyncio.run(run()) == ([], [], ["pages"])


def test_the_newest_question_of_a_viewer_replaces_the_one_before(tmp_path: Path) -> None:
    async def work(thinking: Thinking) -> None:
        old = await thinking.grown("minds", "old", ever, str(tmp_path / "old"), "Ann", wait=0.0)
        pid = await begun(tmp_path / "old")
        assert thinking.full() == []
        other = await thinking.grown("minds", "other", ever, str(tmp_path / "other"), "Bob", wait=0.0)
        assert (old.state, other.state) == ("working", "waiting")
        assert thinking.full() == ["minds"]
        new = await thinking.grown("minds", "new", double, 4, "Ann", wait=0.0)
        assert old.state == "cancelled"
        assert not old.finished, "whoever still waits for it asks again, and is not told of an error"
        await gone(pid)
        thinking.pools["minds"].cancel(other)
        await new.over.wait()
        again = await thinking.grown("minds", "new", refuses, None, "Ann", wait=0.0)
        assert again.best == 8, "it is kept"

    with_thinking(work)


@pytest.mark.usefixtures("short")
def test_what_nobody_asks_for_any_more_is_cancelled(tmp_path: Path) -> None:
    async def work(thinking: Thinking) -> None:
        file = tmp_path / "pid"
        job = await thinking.grown("reviews", 1, ever, str(file), wait=0.0)
        while not file.exists():  # whoever asks again and again is still there
            assert await thinking.grown("reviews", 1, ever, str(file), wait=0.05) is job
        pid = await begun(file)
        await job.over.wait()
        assert job.state == "cancelled"
        await gone(pid)

    with_thinking(work)


def test_an_answer_comes_or_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def work(thinking: Thinking) -> None:
        assert await thinking.answer("pages", 1, double, 5) == 10
        with pytest.raises(Refusal, match="Nothing is there"):
            await thinking.answer("pages", 2, refuses, None)
        monkeypatch.setattr(module, "ANSWER", 0.0)
        with pytest.raises(Refusal, match="ask again in a moment") as caught:
            await thinking.answer("pages", 3, ever, str(tmp_path / "pid"))
        assert caught.value.status == 503
        for x in range(16):
            thinking.submit("pages", double, x)
        with pytest.raises(Refusal, match="working on many such things"):
            thinking.submit("pages", double, 20)

    with_thinking(work)


def test_errors_of_games_stay_what_they_are() -> None:
    async def work(thinking: Thinking) -> None:
        with pytest.raises(GameError, match="no such game"):
            await thinking.answer("pages", 1, unknown, "chess")

    with_thinking(work)


# --------------------------------------------------------------------------------------------------- at tables

AGENTS = '''
import pathlib, time
def waits(observation):
    """Decide when a file is there; else think for ever."""
    while not pathlib.Path({release!r}).exists():
        time.sleep(0.01)
    return observation.legal[-1]
'''


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The file for which the agent waits."""
    (tmp_path / "slow_agents.py").write_text(AGENTS.format(release=str(tmp_path / "release")))
    return tmp_path / "release"


def settings(tmp_path: Path) -> ServerSettings:
    agent = f"{tmp_path}/slow_agents.py:waits"
    return ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, python_agents=(agent,))


def test_while_an_agent_thinks_its_table_and_all_others_answer(release: Path, tmp_path: Path) -> None:
    with client_of(settings(tmp_path)) as http, ThreadPoolExecutor() as threads:
        person = sit(http, "kuhn", "waits", seat=0, seed=1)
        ply = person.state["ply"]
        moving = threads.submit(person.move, "pass")
        while not (now := person.get().json())["thinking"]:
            assert now["ply"] <= ply + 1
        assert (now["ply"], now["turn"], now["remark"]) == (ply + 1, "agent", None), "the person has moved"
        other = sit(http, "kuhn", "random", seat=0, seed=1)
        other.play()
        assert http.get("/api/health").json()["full"] == []
        release.touch()
        assert moving.result().status_code == 200
        assert person.state["ply"] > ply + 1
        assert not person.state["thinking"]
        assert person.state["remark"] is None
        event = person.state["history"][ply + 1]
        assert event["by"] == "agent"


def test_an_agent_that_passes_its_limit_moves_all_the_same_and_the_table_says_so(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast(dict[str, object], module.LIMITS), "decisions", module.Limits(0.1, 60.0, 8, 5))
    with client_of(settings(tmp_path)) as http:
        person = sit(http, "kuhn", "waits", seat=0, seed=1)
        ply = person.state["ply"]
        assert person.move("pass").status_code == 200
        assert person.state["history"][ply + 1]["by"] == "agent"
        assert person.state["remark"] == "waits may think for 10 seconds, and then made the best move found so far."
        if person.state["turn"] == "you":
            person.move()
            assert person.state["turn"] == "over"
        assert person.get().json()["history"] == person.state["history"]
        assert (person.get().json()["remark"] is None) == (person.sent[-1][0] > ply)


def test_who_resigns_does_not_wait_for_the_agent(release: Path, tmp_path: Path) -> None:
    with client_of(settings(tmp_path)) as http, ThreadPoolExecutor() as threads:
        person = sit(http, "kuhn", "waits", seat=0, seed=1)
        moving = threads.submit(person.post, "/moves", {"ply": person.state["ply"], "move": "pass"})
        while not person.get().json()["thinking"]:
            pass
        assert person.post("/resign", {}).json()["turn"] == "over"
        assert moving.result().json()["turn"] == "over"


def test_a_search_has_a_first_answer_from_less_work() -> None:
    assert jobs.sooner("mcts") == [f"mcts(simulations={limits_of('mcts')['simulations'] // jobs.FIRST_ANSWER_DIVISOR})"]
    assert jobs.sooner("look-ahead(policy=careful)")[0] == "careful"
    assert jobs.sooner("look-ahead(policy=careful)")[1] == "look-ahead(policy=careful,rollouts=1)"
    assert jobs.sooner("careful") == jobs.sooner("a-file") == []
    played = jobs.Played(Offered(), "kuhn", ("K to player 0", "J to player 1"))
    first, last = jobs.decide(jobs.Decided(played, "mcts"))
    assert first.keys() == last.keys() == {"pass", "bet"}
    assert first != last


@pytest.mark.slow
def test_nothing_is_left_of_a_server_that_is_told_to_end(release: Path, tmp_path: Path) -> None:
    """No traceback, and no process, though an agent thinks and a mind is asked for."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    words = ["-m", "parlor", "serve", "--port", "0", "--python-agents", f"{tmp_path}/slow_agents.py:waits"]
    with subprocess.Popen(
        [sys.executable, *words, "--database-url", f"sqlite:///{tmp_path}/parlor.db"],
        cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        assert server.stderr is not None
        where = next(found[0] for line in server.stdout if (found := re.search(r"http://localhost:\d+", line)))
        with httpx.Client(base_url=where, timeout=600) as http, ThreadPoolExecutor() as threads:
            person = sit(http, "kuhn", "waits", seat=0, seed=1)
            moving = threads.submit(person.post, "/moves", {"ply": person.state["ply"], "move": "pass"})
            while not person.get().json()["thinking"]:
                pass
            server.terminate()
            with contextlib.suppress(httpx.HTTPError):
                moving.result()
        said = server.stderr.read()
    assert "Traceback" not in said, said
    assert "rror" not in said, said
