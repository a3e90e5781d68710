"""Networks: the compiled forward pass, JAX's, and what is learned."""

from typing import Any

import numpy as np
import pytest

from parlor.learn.experience import ReplayBatch, draw_batch, new_ring, write_decision
from parlor.learn.gradients import DqnTrainer
from parlor.policies.nets import apply, forward, forward_slowly, initial_weights, parameters, softmax

pytestmark = pytest.mark.slow

SIZES = (40, 32, 16, 5)


@pytest.fixture(scope="module")
def inputs() -> Any:
    return (np.random.default_rng(1).random((20, 40)) < 0.3).astype(np.float32)


@pytest.mark.parametrize("sizes", [SIZES, (40, 5)])
def test_the_compiled_forward_pass_is_that_of_jax(sizes: tuple[int, ...], inputs: Any) -> None:
    jax = pytest.importorskip("jax")
    weights = initial_weights(sizes, 1)
    assert len(weights) == parameters(sizes)
    expected = np.asarray(apply(sizes, jax.numpy.asarray(weights), jax.numpy.asarray(inputs)))
    layers, out, active = np.zeros((2, 40), np.float32), np.zeros(5, np.float32), np.zeros(40, np.int64)
    for x, row in zip(inputs, expected, strict=True):
        ones = np.flatnonzero(x)
        active[: len(ones)] = ones
        forward(np.array(sizes), weights, active, len(ones), layers, out)
        assert out == pytest.approx(row, abs=1e-5)
        plain = np.zeros(5, np.float32)
        forward_slowly(np.array(sizes), weights, active, len(ones), layers, plain)
        assert np.array_equal(plain, out)


def test_softmax_goes_from_uniform_to_greedy() -> None:
    values, out = np.array([1.0, 3.0, 3.0, 2.0]), np.zeros(4)
    softmax(values, 4, 1e9, out)
    assert out == pytest.approx([0.25] * 4)
    softmax(values, 4, 1.0, out)
    assert out == pytest.approx(np.exp(values) / np.exp(values).sum())
    softmax(values, 4, 0.0, out)
    assert out.tolist() == [0.0, 1.0, 0.0, 0.0]


def test_training_finds_the_values_of_two_decisions_in_a_row() -> None:
    """A first decision that leads to a second one is worth what the best legal action there is worth."""
    pytest.importorskip("jax")
    first, second, last = np.zeros(4, np.uint8), np.zeros(4, np.uint8), np.zeros(4, np.uint8)
    first[0], second[1] = 1, 1
    rows = [  # seen, action, payoff, seen later, legal then
        (first, 0, 0.0, second, (1, 1, 0)),
        (first, 1, -1.0, last, (0, 0, 0)),
        (second, 0, 1.5, last, (0, 0, 0)),
        (second, 1, 0.5, last, (0, 0, 0)),
        (second, 2, 9.0, last, (0, 0, 0)),  # not legal there: nobody gets this
    ]
    some = [np.array(column) for column in zip(*rows, strict=True)]
    batch = ReplayBatch(*(np.repeat(column[None], 100, axis=0) for column in some))
    batch = batch._replace(action=batch.action.astype(np.int32), payoff=batch.payoff.astype(np.float32))
    trainer = DqnTrainer((4, 16, 3), initial_weights((4, 16, 3), 1), 20)
    losses = [trainer.train(batch, 0.01) for _ in range(15)]
    values = apply((4, 16, 3), trainer.weights, np.stack([first, second]).astype(np.float32))
    assert losses[-1] < 0.01 * losses[0]
    assert values[0, :2] == pytest.approx([1.5, -1.0], abs=0.02)
    assert values[1] == pytest.approx([1.5, 0.5, 9.0], abs=0.02)


def test_a_ring_forgets_the_oldest_and_draws_transitions() -> None:
    """Five places, seven decisions of one player, 70 features: the last two overwrite the first two."""
    ring, places = new_ring(5, 70, 3), list[int]()
    for number in range(7):
        place = write_decision(ring, np.array([number, 69]), 2, np.array([0, 2]), 2, number % 2)
        if places:
            ring.after[places[-1]] = place
        places.append(place)
    ring.payoff[places[-1]] = 3.0
    assert places == [0, 1, 2, 3, 4, 0, 1]
    batch = draw_batch(ring, 70, 3, 1, 200, 1, 1)
    for seen, action, payoff, after, legal in zip(*(array[0] for array in batch), strict=True):
        number = int(np.flatnonzero(seen)[0])
        assert np.flatnonzero(seen).tolist() == [number, 69]
        assert action == (0, 2)[number % 2]
        assert payoff == (3.0 if number == 6 else 0.0)
        assert np.flatnonzero(after).tolist() == ([] if number == 6 else [number + 1, 69])
        assert legal.tolist() == ([0, 0, 0] if number == 6 else [1, 0, 1])
    assert {int(np.flatnonzero(seen)[0]) for seen in batch.seen[0]} == {2, 3, 4, 5, 6}
    batch = draw_batch(ring, 70, 3, 1, 200, 1, 1, steps=3)  # over three decisions: 2 → 5, 3 → 6, others to the end
    for seen, payoff, after in zip(batch.seen[0], batch.payoff[0], batch.after[0], strict=True):
        number = int(np.flatnonzero(seen)[0])
        assert payoff == (0.0 if number < 4 else 3.0)
        assert np.flatnonzero(after).tolist() == ([number + 3, 69] if number < 4 else [])
