"""Mistakes in networks, what they learn from and what they learn."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

STEPS = "tests/learn/test_hand_steps.py"
NETS = "tests/policies/test_hand_nets.py"
MEMORY = "tests/learn/test_hand_memory.py"
GAMES = "tests/learn/test_hand_games.py"
RESPONSES = "tests/learn/test_hand_responses.py"

FIELDS = "tests/policies/test_field_belief.py"
RESPONSE_AGENTS = "tests/arena/test_best_responses.py"
BELIEFS = "tests/learn/test_field_belief.py"

GRADIENT = "tests/learn/test_gradient.py"

MISTAKES: list[Mistake] = [
    *of(
        "agents/as_opponent.py",
        (
            "what a rival draws depends on the thread that plays it",
            "    seed_stream(members.luck, r[0] ^ r[2], r[1] ^ r[3])",
            "    return",
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/past.py",
        (
            "games against agents count as games against former versions",
            "s.past / here if self.kept",
            "s.past if self.kept",
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/learner.py",
        (
            "what the other expects keeps its sign",
            "after.value[1 - p] = -here",
            "after.value[1 - p] = here",
            GRADIENT,
        ),
        (
            "a payoff comes twice",
            "after.payoff[p] = 0.0\n            after.value[p] = here",
            "after.value[p] = here",
            GRADIENT,
        ),
        (
            "what is cut off counts",
            "after.known[p] = 0",
            "after.known[p] = 1",
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/actors.py",
        (
            "everybody is paid for what the first one wants",
            "backed_up(w.payoffs, p, rules.objective)",
            "backed_up(w.payoffs, 0, rules.objective)",
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/learner.py",
        (
            "an objective does not reach the learner",
            "unit=1.0 / self.scale, objective=s.objective,",
            "unit=1.0 / self.scale,",
            GRADIENT,
        ),
        (
            "payoffs that do not sum to zero are taken to",
            " and s.objective == OWN_PAYOFF",
            "",
            GRADIENT,
        ),
        (
            "the mean of the weights begins with the first ones",
            "max(s.averaging, 1.0 / (self.rounds + 1))",
            "s.averaging",
            GRADIENT,
        ),
        (
            "a resumed run forgets the mean of its weights",
            'state.get("mean", self.weights)',
            "self.weights",
            GRADIENT,
        ),
        (
            "the other player's value always counts",
            "s.bootstrap == EITHER and among_two",
            "among_two",
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/updates.py",
        (
            "the larger of two ratios counts",
            "return -numpy.minimum(some.advantage * ratio, some.advantage * clipped)",
            "return -numpy.maximum(some.advantage * ratio, some.advantage * clipped)",
            GRADIENT,
        ),
        (
            "illegal actions are played",
            "numpy.where(able, logits, IMPOSSIBLE)",
            "logits",
            GRADIENT,
        ),
        (
            "the magnet stays where it was",
            's.magnet_rate * (weights - arrays["magnet"])',
            '0.0 * (weights - arrays["magnet"])',
            GRADIENT,
        ),
    ),
    *of(
        "learn/gradient/actors.py",
        (
            "payoffs are not scaled",
            "rules.objective) * rules.unit",
            "rules.objective)",
            GRADIENT,
        ),
        (
            "the value is another output",
            "return float(outputs[rules.policy])",
            "return float(outputs[0])",
            GRADIENT,
        ),
    ),
    *of(
        "policies/field_belief.py",
        (
            "a softmax forgets its sum",
            "found -= top + np.log(total)",
            "found -= top",
            FIELDS,
        ),
        (
            "bits do not tell those after them",
            "if one == 1: add_row(units, weights, begin + (first + i) * wide)",
            "if one == 2: add_row(units, weights, begin + (first + i) * wide)",
            BELIEFS,
        ),
        (
            "values are not counted from the least",
            "value = min(max(numbers[j] - code[j, LOW], 0), most)",
            "value = min(max(numbers[j], 0), most)",
            FIELDS,
        ),
    ),
    *of(
        "agents/as_opponent.py",
        (
            "an agent's actions are taken for moves",
            "a = own_concrete(states[0], int(actions[j]))",
            "a = int(actions[j])",
            RESPONSE_AGENTS,
        ),
        (
            "the learner sits in one seat only",
            "[LEARNER if q == p else 0 for q in range(concrete.players)]",
            "[LEARNER if q == 0 else 0 for q in range(concrete.players)]",
            RESPONSE_AGENTS,
        ),
    ),
    *of(
        "arena/best_responses.py",
        (
            "a gain is what the response gets",
            "mean((theirs - own).sum(axis=1))",
            "mean(theirs.sum(axis=1))",
            RESPONSE_AGENTS,
        ),
        (
            "a response is measured in one seat",
            "played(p)[:, p]",
            "played(p)[:, 0]",
            RESPONSE_AGENTS,
        ),
    ),
    *of(
        "policies/hidden_numbers.py",
        (
            "hidden numbers are counted from 0",
            "np.cumsum(width) - width, width, whole.astype(np.int64), low",
            "np.cumsum(width) - width, width, whole.astype(np.int64), 0 * low",
            FIELDS,
        ),
    ),
    *of(
        "search/learned/weighed_worlds.py",
        (
            "worlds are weighed without the voice of chance",
            "return voice(net, REAL_VOICE) - voice(net, CHANCE_VOICE)",
            "return voice(net, REAL_VOICE) + voice(net, CHANCE_VOICE)",
            BELIEFS,
        ),
    ),
    *of(
        "learn/belief/training.py",
        (
            "a symbol knows itself",
            "jax.nn.relu(context[:, None] + numpy.cumsum(added, axis=1) - added)",
            "jax.nn.relu(context[:, None] + numpy.cumsum(added, axis=1))",
            BELIEFS,
        ),
        (
            "trust is not earned",
            "best = int(np.argmax(scores))",
            "best = int(np.argmin(scores))",
            BELIEFS,
        ),
    ),
    *of(
        "game/schema.py",
        (
            "the others begin with the seat before",
            'f"s.{name}[(p + 1 + q) % {players}]"',
            'f"s.{name}[(p + 2 + q) % {players}]"',
            FIELDS,
        ),
    ),
    *of(
        "learn/gradients.py",
        (
            "there is no target network",
            "later = numpy.take_along_axis(apply(sizes, target, after), best[:, None], axis=1)[:, 0]",
            "later = numpy.take_along_axis(apply(sizes, weights, after), best[:, None], axis=1)[:, 0]",
            STEPS,
        ),
        (
            "the target network chooses too",
            "best = numpy.argmax(numpy.where(legal, apply(sizes, weights, after), -numpy.inf), axis=1)",
            "best = numpy.argmax(numpy.where(legal, apply(sizes, target, after), -numpy.inf), axis=1)",
            STEPS,
        ),
        (
            "illegal moves are counted on",
            "numpy.where(legal, apply(sizes, weights, after), -numpy.inf)",
            "apply(sizes, weights, after)",
            STEPS,
        ),
        (
            "a game that is over goes on",
            "goal = batch.payoff + numpy.where(legal.any(axis=1), later, 0.0)",
            "goal = batch.payoff + later",
            STEPS,
        ),
        (
            "the target network follows at once",
            "target = numpy.where(count % target_every == 0, weights, target)",
            "target = weights",
            STEPS,
        ),
    ),
    *of(
        "learn/gradients.py",
        (
            "the policy counts illegal moves",
            'legal = numpy.where(batch["legal"] > 0, outputs[states:, :-1], -1e9)',
            "legal = outputs[states:, :-1]",
            STEPS,
        ),
        (
            "the heads overlap",
            "        at += size\n    return loss",
            "        at += 1\n    return loss",
            STEPS,
        ),
        ("the belief is over all codes", 'numpy.where(batch["possible"] > 0, outputs, -1e9)', "outputs", STEPS),
        ("large weights cost nothing", " + l2 * (weights**2).sum()", " + 0.0", STEPS),
    ),
    *of(
        "policies/nets.py",
        ("a hidden layer is not cut off", "            if x[i] > 0.0:", "            if x[i] != 0.0:", NETS),
        (
            "the temperature multiplies",
            "out[i] = np.exp((values[i] - values[best]) / temperature)",
            "out[i] = np.exp((values[i] - values[best]) * temperature)",
            NETS,
        ),
        ("the last layer says as much as others", "(0.1 if i == len(sizes) - 2 else 1.0)", "1.0", NETS),
    ),
    *of(
        "policies/network.py",
        (
            "a softmax of points",
            "softmax(np.array(list(values.values())) / self.scale,",
            "softmax(np.array(list(values.values())),",
            NETS,
        ),
    ),
    *of(
        "policies/search_networks.py",
        (
            "the policy has the value's output",
            "return some_outputs(self.sizes, self.weights, 0, self.sizes[-1] - 1)",
            "return some_outputs(self.sizes, self.weights, 1, self.sizes[-1])",
            NETS,
        ),
    ),
    *of(
        "learn/network_search.py",
        (
            "values are not in points",
            "outputs = apply(sizes, weights, seen)\n            return outputs[:, :-1], outputs[:, -1] * scale",
            "outputs = apply(sizes, weights, seen)\n            return outputs[:, :-1], outputs[:, -1]",
            NETS,
        ),
    ),
    *of(
        "learn/experience.py",
        (
            "a transition over some decisions is one longer",
            "for _ in range(1, steps):",
            "for _ in range(steps):",
            MEMORY,
        ),
        (
            "the legal actions are those before",
            "spread(legal[j], batch.legal[k, b])",
            "spread(legal[i], batch.legal[k, b])",
            MEMORY,
        ),
    ),
    *of(
        "learn/buffers.py",
        (
            "visits are counted by place",
            "buffers.visits[i, moves[k]] = min(visits[moves[k]], MAX_VISITS)",
            "buffers.visits[i, moves[k]] = min(visits[k], MAX_VISITS)",
            MEMORY,
        ),
        ("a value that is known is overwritten", "        if buffers.game[i] >= 0:\n", "        if True:\n", MEMORY),
    ),
    *of(
        "policies/beliefs.py",
        (
            "the farthest code is the nearest",
            "if least < 0 or distance < least:",
            "if least < 0 or distance > least:",
            MEMORY,
        ),
        (
            "heads are read from their beginning",
            "chance *= chances[at + combinations[j, h]]",
            "chance *= chances[combinations[j, h]]",
            MEMORY,
        ),
    ),
    *of(
        "learn/experience.py",
        (
            "all players are paid alike",
            "ring.payoff[last[p]] = payoff(s, p) * unit",
            "ring.payoff[last[p]] = payoff(s, 0) * unit",
            GAMES,
        ),
        (
            "exploring never ends",
            "fresh = max(0.0, 1.0 - index / how.games)",
            "fresh = 1.0",
            GAMES,
        ),
    ),
    *of(
        "learn/batch.py",
        (
            "the truth is that of the other seat",
            "w.codes, m, note_truth(s, p))",
            "w.codes, m, note_truth(s, 1 - p))",
            GAMES,
        ),
        (
            "moves are drawn by their values",
            "w.chances[k] = visits[i, w.moves[k]] / total",
            "w.chances[k] = 1.0 / n",
            GAMES,
        ),
        (
            "what is seen at the end belongs to seat 0",
            "write_state(buffers, w.workspace.active, encode_view(s, p, w.workspace), g * players + p)\n    return 0",
            "write_state(buffers, w.workspace.active, encode_view(s, p, w.workspace), g * players)\n    return 0",
            GAMES,
        ),
    ),
    *of(
        "policies/opponents.py",
        (
            "rows of tables begin with the first table",
            "*(one.starts[:-1] + at for one, at in some)",
            "*(one.starts[:-1] for one, at in some)",
            GAMES,
        ),
        (
            "what follows a move is seen by the next player",
            "weights, workspace.active, encode_view(workspace.worlds[0], p, workspace)",
            "weights, workspace.active, encode_view(workspace.worlds[0], 1 - p, workspace)",
            NETS,
        ),
    ),
    *of(
        "policies/opponents.py",
        (
            "shares of a seat are those of all",
            "shares = np.where(members.lineups.T == LEARNER, members.shares, 0.0)",
            "shares = np.where(members.lineups.T == LEARNER, members.shares, members.shares)",
            GAMES,
        ),
        (
            "a mixture forgets its share",
            "(shares / shares.sum() * share).tolist()",
            "(shares / shares.sum()).tolist()",
            GAMES,
        ),
    ),
    *of(
        "learn/abr.py",
        (
            "everybody learns what seat 0 gets",
            "returns = [[payoffs_as(self.settings.backup, row, p) for p in range(players)] for row in payoffs]",
            "returns = [[payoffs_as(self.settings.backup, row, 0) for p in range(players)] for row in payoffs]",
            RESPONSES,
        ),
        (
            "values are of the own payoff whatever is backed up",
            "returns = [[payoffs_as(self.settings.backup, row, p) for p in range(players)] for row in payoffs]",
            'returns = [[payoffs_as("own", row, p) for p in range(players)] for row in payoffs]',
            RESPONSES,
        ),
        (
            "what searches use is always the latest",
            "if self.games // s.delay > (self.games - s.round) // s.delay:",
            "if True:",
            RESPONSES,
        ),
        (
            "the belief network has the other one's costs",
            "s.optimiser, s.belief_l2, self._codes.heads)",
            "s.optimiser, s.l2, self._codes.heads)",
            RESPONSES,
        ),
        (
            "heads learn codes for numbers",
            'hidden["numbers"] = self._codes.numbers[hidden["code"]].astype(np.int32)',
            'hidden["numbers"] = np.repeat(hidden["code"][..., None], 2, axis=2)',
            RESPONSES,
        ),
        (
            "a resumed response searches with the latest",
            'delayed = np.array(state["delayed"], np.float32)',
            "delayed = self.network.weights",
            RESPONSES,
        ),
    ),
    *of(
        "learn/network_search.py",
        (
            "the belief is that of the first states",
            "count = encode_view(states[first + i], int(players[first + i]), workspace)",
            "count = encode_view(states[i], int(players[i]), workspace)",
            RESPONSES,
        ),
        (
            "new networks are not used",
            "self.searches.network[1][:] = search_networks.weights",
            "pass",
            RESPONSES,
        ),
    ),
    *of(
        "learn/batched_games.py",
        (
            "rational planning believes what the network does",
            'simulations, evaluate, belief="exact"',
            "simulations, evaluate",
            RESPONSES,
        ),
        (
            "members of a population are played as often",
            "share = float(np.prod([share for _, share in chosen]))",
            "share = 1.0 / len(choices[0])",
            RESPONSES,
        ),
    ),
    *of(
        "learn/abr.py",
        ("nobody peeks", "if any(seen != sights[0] for seen in sights):", "if False:", RESPONSES),
    ),
    *of(
        "learn/dqn.py",
        (
            "the rate never goes down",
            "self.loss = self.trainer.train(batch, self.at_now(s.rate, s.rate_end))",
            "self.loss = self.trainer.train(batch, s.rate)",
            RESPONSES,
        ),
        (
            "transitions are always over one decision",
            "mix(self.seed, DRAWING), number, s.steps\n",
            "mix(self.seed, DRAWING), number, 1\n",
            RESPONSES,
        ),
        (
            "a greedy network has a temperature",
            '(getattr(settings, "temperature", 0.0), ',
            '(getattr(settings, "temperature", 1.0), ',
            RESPONSES,
        ),
    ),
    *of(
        "population/oracles.py",
        (
            "the response answers the other player's opponents",
            "found.add_mixture(task.player, task.members, task.mixture)",
            "found.add_mixture(1 - task.player, task.members, task.mixture)",
            GAMES,
        ),
    ),
    *of(
        "policies/features.py",
        (
            "values begin with the second feature",
            "active[count] = first + value",
            "active[count] = first + value - 1",
            NETS,
        ),
    ),
    *of(
        "learn/gradients.py",
        ("the third head begins where the second does", "at += size", "at = size", "tests/learn/test_hand_steps.py"),
    ),
]
