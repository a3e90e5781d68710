"""What a game declares for networks: its own numbers, parts of actions and given logits, by hand on Kuhn poker."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load, load_strategy, save
from parlor.agents.network import make
from parlor.compile import version
from parlor.contract.clauses import CheckReport, check
from parlor.contract.networks import traces
from parlor.game import Game
from parlor.games.kuhn import rules as kuhn_rules
from parlor.policies import network as network_module
from parlor.policies.features import features, network_inputs
from parlor.policies.nets import action_logits, apply, initial_weights, parameters, policy_head
from parlor.policies.network import NetworkPolicy, remember, tabulated
from parlor.policies.opponents import DECLARED, LEARNER, opponent_arrays
from parlor.sequence_form.tree import tree

KUHN = Path(kuhn_rules.__file__).read_text()

#: A bet has two parts, the second that of a pass; the logit of a bet is given: a half of the card's rank.
DECLARED_KUHN = """
from parlor.game import ActionHead, OwnFeatures

def features(s, p, out, work):
    work[0] = s.card[p]
    out[0] = s.card[p] / 3
    out[1] = 1.0 if s.moves > 1 else 0.0

def given(s, p, moves, n, out, work):
    for i in range(n):
        out[i] = 0.5 * work[0] if moves[i] == 1 else 0.0

FEATURES = OwnFeatures(2, features, work=1)
HEAD = ActionHead(((0, -1), (1, 0)), given)
"""


def kuhn(folder: Path, text: str = DECLARED_KUHN) -> Game:
    (folder / "my_kuhn.py").write_text(f"{KUHN}\n{text}")
    return load(f"{folder}/my_kuhn.py")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return kuhn(tmp_path_factory.mktemp("kuhn"))


def network(game: Game, weights: Any, *layers: int, **more: Any) -> NetworkPolicy:
    remember(game)
    inputs = network_inputs(game)
    sizes = (inputs.size, *layers)
    return NetworkPolicy(
        game.name, version(game), inputs.code, sizes, weights, 1.0, 1.0, source=game.source, declared=inputs.digest,
        **more,
    )  # fmt: skip


def linear(game: Game) -> NetworkPolicy:
    """Outputs: ½ + card/3, whether more than one move was made, the multiplier b = ¼, and the value."""
    matrix = np.zeros((network_inputs(game).size, 4), np.float32)
    matrix[-2, 0], matrix[-1, 1] = 1.0, 1.0
    return network(game, np.concatenate([matrix.ravel(), [0.5, 0.0, 0.25, 9.0]]).astype(np.float32), 4)


def test_what_a_game_declares_is_what_its_networks_have(game: Game) -> None:
    inputs, head = network_inputs(game), policy_head(game)
    bits = features(game).size
    assert (inputs.bits, inputs.dense, inputs.size) == (bits, 2, bits + 2)
    assert (head.sums, head.outputs, head.terms, head.plain) == (2, 3, 1, False)
    assert head.matrix.tolist() == [[1.0, 1.0], [0.0, 1.0]]
    plain = load("kuhn")
    assert network_inputs(plain).digest == ""
    assert network_inputs(plain).size == network_inputs(plain).bits == features(plain).size
    assert (policy_head(plain).plain, policy_head(plain).outputs) == (True, 2)


def test_logits_by_hand(game: Game) -> None:
    """With the king, 3: a pass ½ + 1; a bet that and 0, and 1¼ times 1½. After two moves the bet has 1 more."""
    one = linear(game)
    position = game.start().after("K to player 0", "J to player 1")
    assert one.values(position) == pytest.approx({"pass": 1.5, "bet": 1.5 + 1.25 * 1.5})
    assert one.values(position.after("pass")) == pytest.approx({"pass": 5 / 6, "bet": 5 / 6 + 1.25 * 0.5})
    bets = 1 + 1.25 * 1.5
    assert one.values(position.after("pass", "bet")) == pytest.approx({"pass": 1.5, "bet": 1.5 + bets})
    assert one(position.after("pass", "bet"))["bet"] == pytest.approx(1 / (1 + math.exp(-bets)))
    outputs = np.array([[1.5, 1.0, 0.25, 9.0]], np.float32)
    logits = action_logits(outputs, policy_head(game), np.array([[0.0, 1.5]]))
    assert logits[0].tolist() == pytest.approx([1.5, 1.5 + bets])


def test_compiled_plain_and_batched_networks_agree(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    size = network_inputs(game).size
    weights = initial_weights((size, 8, 3), 5) * np.float32(3.0)
    one, t = network(game, weights, 8, 3), tree(game)
    plain = tabulated(one, t)
    monkeypatch.setattr(network_module, "PLAIN_INFOSETS", 0)
    compiled = tabulated(one, t)
    assert np.abs(plain.probabilities - compiled.probabilities).max() < 1e-15  # the last bit of exp
    position = game.start().after("K to player 0", "J to player 1", "pass", "bet")
    x = np.zeros((1, size), np.float32)
    x[0, features(game).active(game, position, 0)] = 1.0
    x[0, -2:] = 1.0
    logits = action_logits(apply(one.sizes, weights, x), policy_head(game), np.array([[0.0, 1.5]], np.float32))
    assert list(one.values(position).values()) == pytest.approx(logits[0].tolist(), abs=1e-6)
    assert plain(position) == one(position)


@pytest.mark.slow
def test_gradients_pass_through_the_head(game: Game) -> None:
    jax = pytest.importorskip("jax")
    head, given = policy_head(game), np.array([[0.0, 1.5]], np.float32)

    def chosen(outputs: Any) -> Any:
        return jax.nn.log_softmax(action_logits(outputs, head, given), axis=1)[0, 1]

    at, step = np.array([[0.3, -0.7, 0.2, 4.0]], np.float32), 1e-2
    found = np.asarray(jax.grad(chosen)(at))[0]
    for i in range(4):
        moved = np.eye(4, dtype=np.float32)[i] * step
        assert found[i] == pytest.approx(float(chosen(at + moved) - chosen(at - moved)) / (2 * step), abs=1e-3)
    assert found[0] == pytest.approx(0.0, abs=1e-6)  # it is a part of both
    assert found[3] == 0.0  # the value


def test_it_is_saved_with_what_it_was_made_for(game: Game, tmp_path: Path) -> None:
    one = linear(game)
    save(one, tmp_path / "one.npz")
    again = load_strategy(tmp_path / "one.npz")
    assert isinstance(again, NetworkPolicy)
    position = game.start().after("K to player 0", "J to player 1")
    assert again(position) == one(position)
    other = kuhn(tmp_path, DECLARED_KUHN.replace("s.card[p] / 3", "s.card[p] / 4"))
    for use in (lambda: again.values(other.start().after(2, 0)), lambda: make(other, "one", again)):
        with pytest.raises(GameError, match=r"is not what .* was made for\. Train it anew"):
            use()
    short = network(game, np.zeros(parameters((network_inputs(game).size, 2)), np.float32), 2)
    with pytest.raises(GameError, match=r"has 2 outputs, but .* needs 3"):
        short.check_fit(game)


def test_it_can_be_trained_against(game: Game) -> None:
    one = linear(game)
    members = opponent_arrays(game, [[LEARNER, 0]], [1.0], [one])
    assert members.network.tolist() == [DECLARED]
    assert members.weights.tolist() == one.weights.tolist()


# --------------------------------------------------------------------------------------------------- parlor check


def findings(folder: Path, old: str = "", new: str = "") -> CheckReport:
    assert not old or DECLARED_KUHN.count(old) == 1
    return check(kuhn(folder, DECLARED_KUHN.replace(old, new)), compiled=False)


def test_a_sound_declaration_passes(tmp_path: Path) -> None:
    assert {one.name for one in findings(tmp_path) if not one.ok} == {"imagine", "native"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("out[0] = s.card[p] / 3", "out[0] = s.card[1 - p] / 3", "feature 0 of player 0 is"),
        ("0.5 * work[0]", "0.5 * s.card[1 - p]", "given logit 1 of player"),
        ("out[1] = 1.0 if s.moves > 1 else 0.0", "pass", "number 1 of the features of player 0 is nan"),
        ("out[0] = s.card[p] / 3", "out[0] = s.card[p] / 3; out[2] = 0.0", "more than 2 features are filled"),
        ("work[0] = s.card[p]", "work[0] = s.card[p] if s.moves < 2 else work[0]", "the working memory held"),
        ("work[0] = s.card[p]", "s.moves += 1; work[0] = s.card[p]", "moves is changed from"),
        ("if moves[i] == 1 else 0.0", "if moves[i] == 1 else -math.inf", "given logits of player 0 is -inf"),
    ],
)
def test_who_breaks_the_clause_is_told_how(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = f"import math\n{DECLARED_KUHN.replace(old, new)}"
    broken = check(kuhn(tmp_path, text), compiled=False).broken
    assert [one.name for one in broken] == ["networks"]
    assert words in broken[0].sentence


def test_positions_with_one_key_are_compared_where_no_worlds_are_declared(tmp_path: Path) -> None:
    text = DECLARED_KUHN.replace("out[0] = s.card[p] / 3", "out[0] = s.card[1 - p] / 3")
    broken = check(kuhn(tmp_path, f"{text}\ndel WORLDS, possible, set_hidden_state, hidden\n"), compiled=False).broken
    assert "feature 0 of player" in {one.name: one.sentence for one in broken}["networks"]


def test_compiled_and_plain_numbers_are_compared(game: Game) -> None:
    assert traces(game, True) == traces(game, False)
    assert len(set(traces(game, False))) == 3
