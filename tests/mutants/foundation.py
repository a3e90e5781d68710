"""Mistakes in the foundation: random numbers, states, the compiler, names."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

SPECTATORS = "tests/server/test_secrets.py::test_neither_seats_nor_spectators_are_told_what_is_hidden_from_them"
OPERATING = "tests/server/test_operating.py"

MISTAKES: list[Mistake] = [
    *of(
        "game/rng.py",
        (
            "streams of two seeds are the same",
            "h = mix(mix(0, seed), index)",
            "h = mix(0, index)",
            "tests/game/test_rng.py",
        ),
        ("a weight of zero can be drawn", "if weights[i] > 0.0:", "if weights[i] >= 0.0:", "tests/game/test_rng.py"),
        (
            "below never gives the highest",
            "return (draw(r) * n) >> 32",
            "return (draw(r) * (n - 1)) >> 32",
            "tests/game/test_rng.py",
        ),
    ),
    *of(
        "game/schema.py",
        (
            "a copied state shares its arrays",
            'f"{value}[:]" if depth == 1',
            'f"{value}" if depth == 1',
            "tests/game/test_game.py tests/games/test_rules.py",
        ),
        (
            "everybody sees what belongs to one",
            'frozen(f"s.{name}[p]" if owned else',
            'frozen(f"s.{name}" if owned else',
            "tests/game/test_game.py tests/games/test_rules.py",
        ),
        ("nobody's fields are seen", 'if field.seen_by != "nobody"}', "}", "tests/game/test_game.py tests/contract"),
    ),
    *of(
        "game/seats/observation.py",
        (
            "the history tells secret moves",
            "Event(before.turn, visible_move(before, move, player))",
            "Event(before.turn, move)",
            "tests/game/test_visibility.py",
        ),
        (
            "whoever acts, everybody sees the legal moves",
            "mine = turn == player",
            "mine = turn >= 0",
            "tests/game/test_visibility.py",
        ),
    ),
    *of(
        "game/seats/distribution.py",
        (
            "negative probabilities pass",
            "not 0.0 <= chance < 1e300",
            "not chance < 1e300",
            "tests/agents/test_python_agents.py",
        ),
        (
            "probabilities may sum to less than one",
            "if not abs(total - 1.0) <= TOLERANCE:",
            "if total > 1.0 + TOLERANCE:",
            "tests/agents/test_python_agents.py",
        ),
    ),
    *of(
        "agents/agent.py",
        (
            "compiled weights are not checked",
            "return n if least >= 0.0 and abs(total - 1.0) <= TOLERANCE else UNSOUND - n",
            "return n",
            "tests/agents/test_python_agents.py",
        ),
    ),
    *of(
        "game/game.py",
        (
            "whoever changes the list of actions changes the position",
            "return self._actions.copy()",
            "return self._actions",
            "tests/game/test_game.py",
        ),
        (
            "outcomes have the odds of others",
            "{name: odds[a] for name, a in zip(",
            "{name: odds[0] for name, a in zip(",
            "tests/games/test_goldens.py tests/games/test_rules.py tests/game/test_game.py",
        ),
    ),
    *of(
        "server/api/connections.py",
        (
            "starting a server closes the log handlers of others",
            "log_config=None,",
            "",
            "tests/cli/test_cards.py",
        ),
    ),
    *of(
        "server/operations/watch.py",
        (
            "the standard output is closed with the log",
            "self._file = _opened(access_log) if access_log and not self._print else None",
            "self._file = sys.stdout if self._print else _opened(access_log) if access_log else None",
            OPERATING,
        ),
    ),
    *of(
        "game/seats/visibility.py",
        ("a spectator sees what is private", 'if field.seen_by != "all":', "if False:", SPECTATORS),
        ("a spectator sees what one player sees", "seen = all(", "seen = any(", SPECTATORS),
        (
            "secret moves are visible",
            "return None if secret else move",
            "return move",
            "tests/server/test_secrets.py tests/cli/test_cli.py",
        ),
        (
            "outcomes count only if possible",
            "number = game.outcomes if position.turn == CHANCE else game.actions",
            "number = len(position.actions)",
            "tests/server/test_secrets.py",
        ),
    ),
    *of(
        "game/moves.py",
        (
            "ids of a range may jump",
            "== step > 0 and this.id - before.id == id_step",
            "== step > 0",
            "tests/game/test_moves.py",
        ),
        ("other cards are in a range", "_alike(first) != _alike(this)", "False", "tests/game/test_moves.py"),
    ),
    *of(
        "policies/policy.py",
        (
            "an agent plays its neighbour's row",
            "return low if low < end and keys[low] == k else -1",
            "return low if low < end else -1",
            "tests/policies/test_policy.py",
        ),
        (
            "unknown keys get a neighbour's row",
            "if i == len(self.keys) or self.keys[i] != key:",
            "if i == len(self.keys):",
            "tests/policies/test_policy.py",
        ),
        (
            "rows of many keys ignore the key",
            "known = self.keys[found] == keys",
            "known = self.keys[found] >= 0",
            "tests/policies/test_policy.py",
        ),
    ),
    *of(
        "compile/link.py",
        (
            "a helper of the same name is taken for another",
            "while linked in names and not _same(names[linked], target):",
            "while False:",
            "tests/compile/test_native.py",
        ),
    ),
    *of(
        "compile/compile.py",
        (
            "the cache does not see the text",
            'digest = hashlib.sha256("\\0".join((text, layout, *settings)).encode()).hexdigest()',
            'digest = hashlib.sha256("\\0".join((entry, layout, *settings)).encode()).hexdigest()',
            "tests/compile/test_native.py",
        ),
        (
            "a stored helper does not see what it uses",
            "reached += [used for used in uses[other] if used in sources and used not in reached]",
            "pass",
            "tests/compile/test_native.py",
        ),
    ),
    *of(
        "compile/helpers.py",
        (
            "a stored helper does not see the fields of a bundle",
            'getattr(type_, "fields", ())',
            "()",
            "tests/compile/test_native.py",
        ),
    ),
]
