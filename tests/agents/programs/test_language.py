"""Language models as agents: against a server on this machine that answers as such servers do."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import parlor
from parlor.agents.language.model import LanguageAgent, language_agent, move_in
from parlor.agents.language.prompt import question, rules_text
from parlor.agents.language.relabel import Relabelling
from parlor.game import GameError
from parlor.game.errors import AgentError, Forfeit
from parlor.game.seats.observation import observe


@contextmanager
def model(*answers: str, status: int = 200) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Its address, and what it is asked; the last answer is given again and again."""
    asked: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body | {"path": self.path, "key": self.headers.get("Authorization")})
            said = answers[min(len(asked), len(answers)) - 1]
            legal = body["messages"][1]["content"].rpartition("Legal moves: ")[2]
            text = said.replace("FIRST", json.dumps(json.loads(legal)[0])[1:-1])
            reply = {
                "choices": [{"message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 7},
            }
            data = json.dumps(reply).encode() if said != "garbage" else b"<html>"
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def seated(url: str, **settings: object) -> LanguageAgent:
    more = "".join(f",{name}={value}" for name, value in settings.items())
    return language_agent(f"llm(model=tiny,url={url}{more})", parlor.load("kuhn"))


FACING_A_BET = ("J to player 0", "K to player 1", "bet")


def test_a_model_plays_a_match_and_its_cost_is_counted() -> None:
    with model('I will think.\n{"move": "FIRST"}') as (url, asked):
        agent = seated(url)
        match = parlor.play_match("kuhn", [agent, parlor.load_agent("random", "kuhn")], games=6)
    assert match.games == 6
    usage = agent.endpoint.usage
    assert usage.decisions == usage.calls == len(asked) >= 6
    assert (usage.tokens_in, usage.tokens_out) == (100 * usage.calls, 7 * usage.calls)
    assert (usage.illegal, usage.lost) == (0, 0)
    assert "0 games lost" in agent.failure_report()
    assert asked[0]["path"] == "/v1/chat/completions"
    assert asked[0]["model"] == "tiny"


def test_it_may_think_again_once_and_then_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOR_LLM_KEY", "secret")
    position = parlor.load("kuhn").start().after(*FACING_A_BET)
    with model('{"move": "castle"}', '{"move": "FIRST"}') as (url, asked):
        agent = seated(url)
        assert agent(position) == {"pass": 1.0, "bet": 0.0}
        assert "'castle' cannot be played here" in str(asked[1]["messages"])
        assert agent.endpoint.usage.illegal == 1
        assert asked[0]["key"] == "Bearer secret"
    with model("no idea") as (url, asked):
        agent = seated(url)
        with pytest.raises(Forfeit, match="no JSON object"):
            agent(position)
        assert (len(asked), agent.endpoint.usage.illegal, agent.endpoint.usage.lost) == (2, 2, 1)


def test_a_server_that_does_not_answer_is_an_error_and_no_lost_game() -> None:
    position = parlor.load("kuhn").start().after(*FACING_A_BET)
    with model("garbage") as (url, _), pytest.raises(AgentError, match="did not answer as a chat completion"):
        seated(url)(position)
    with model("x", status=503) as (url, _), pytest.raises(AgentError, match="HTTP status 503"):
        seated(url)(position)
    with pytest.raises(AgentError, match="could not be reached"):
        seated(url)(position)


def test_a_model_is_named_with_its_address() -> None:
    game = parlor.load("kuhn")
    for text, wrong in {
        "llm": "llm needs a model",
        "llm(model=x)": "llm needs a url",
        "llm(model=x,url=ftp://y)": "must begin with http",
        "llm(model=x,url=http://y,heat=2)": "no option 'heat'",
    }.items():
        with pytest.raises(GameError, match=wrong):
            language_agent(text, game)


def test_the_last_object_with_a_move_counts() -> None:
    assert move_in('{"move": "bet"} or rather {"move": "pass"} {"sure": true}', ["pass", "bet"]) == ("pass", "")
    assert move_in('{"move": ["bet"]}', ["bet"])[0] == ""
    assert move_in("{move: bet}", ["bet"])[0] == ""


def test_the_question_holds_what_the_seat_sees_and_nothing_else() -> None:
    game = parlor.load("kuhn")
    asked = {question(observe(game.start().after(card, "K to player 1", "bet"), 1)) for card in FACING_A_BET[:1]}
    asked |= {question(observe(game.start().after("Q to player 0", "K to player 1", "bet"), 1))}
    assert len(asked) == 1
    [text] = asked
    assert "- chance: (hidden from you)\n- chance: K to player 1\n- player 0: bet" in text
    assert "zero" not in rules_text(parlor.load("trade-comm"))
    assert "all players always get the same" in rules_text(parlor.load("trade-comm"))


def test_a_relabelled_game_has_other_words_and_the_same_tree() -> None:
    leduc = parlor.load("leduc")
    position = leduc.start().after("K♠ to player 0", "J♥ to player 1", "raise")
    other = Relabelling(leduc, 3)
    names = [other.name(name) for name in position.legal]
    assert len(set(names)) == 3
    assert not set(names) & set(position.legal)
    assert names == [Relabelling(leduc, 3).name(name) for name in position.legal]
    assert names != [Relabelling(leduc, 4).name(name) for name in position.legal]
    told = other.text(rules_text(leduc) + position.show(1))
    assert not any(word in told.lower() for word in ("raise", "fold", "leduc", "♠", "♥"))
    assert names[2] in told  # the same word in the rules as in the moves


def test_a_model_answers_in_the_words_that_it_was_told() -> None:
    position = parlor.load("kuhn").start().after(*FACING_A_BET)
    with model('{"move": "FIRST"}') as (url, asked):
        assert seated(url, relabel=5)(position) == {"pass": 1.0, "bet": 0.0}
    assert "pass" not in str(asked[0]["messages"]).lower()
