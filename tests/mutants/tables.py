"""Mistakes at the server's tables: the clock, moves taken back, seats, and what is told of decisions."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

TABLES = "tests/server/test_hand_tables.py tests/server/test_hand_undo.py tests/server/test_hand_sessions.py"
VALUES = "tests/server/test_hand_values.py"

MISTAKES: list[Mistake] = [
    *of(
        "server/tables/session.py",
        (
            "a decision is timed from the beginning of the game",
            "return max([*moments, self.last] if self.last else moments)",
            "return max(moments)",
            TABLES,
        ),
        (
            "at the deadline it is too late",
            "return deadline is not None and now() > deadline",
            "return deadline is not None and now() >= deadline",
            TABLES,
        ),
        (
            "moves of agents are taken back",
            "return next((k for k in own if self.deciders[k] == (None, None)), None)",
            "return next(own, None)",
            TABLES,
        ),
        ("older positions are taken from too late", "if k <= max(ply - TAIL, 0))", "if k <= ply)", TABLES),
        (
            "who has nothing in a game for all has won",
            'won = mine > 0 if kind == "zero-sum" else mine == best',
            "won = mine == best",
            TABLES,
        ),
    ),
    *of(
        "server/tables/branches.py",
        (
            "an undone game is dealt anew",
            '(*SETTINGS, "seed", "secret", "root", "host")',
            '(*SETTINGS, "seed", "root", "host")',
            TABLES,
        ),
        (
            "an undone game is a family of its own",
            '(*SETTINGS, "seed", "secret", "root", "host")',
            '(*SETTINGS, "seed", "secret", "host")',
            TABLES,
        ),
        ("undoing is not counted", '"undone": session.row["undone"] + 1', '"undone": session.row["undone"]', TABLES),
    ),
    *of(
        "server/tables/table_seats.py",
        ("a code is good for ever", 'and aware(s["code_expires"]) > now()]', "]", TABLES),
    ),
    *of(
        "server/tables/tables.py",
        ("a family is closed for a day", "ABANDONED = timedelta(days=7)", "ABANDONED = timedelta(days=1)", TABLES),
        (
            "everybody's watchers count as one's own",
            "if Counter(one for one, _ in watchers)[viewer] >= most:",
            "if len(watchers) >= most:",
            TABLES,
        ),
    ),
    *of(
        "server/tables/store.py",
        (
            "moves are accepted at any version",
            ' & (TableRow.version == bindparam("version")) & in_time',
            " & in_time",
            TABLES,
        ),
        (
            "an ended game remembers who made it",
            'return values | {"client": None} if values.get("ended") else values',
            "return values",
            TABLES,
        ),
    ),
    *of(
        "server/tables/table_moves.py",
        (
            "time taken is told in seconds",
            "max(0.0, 1000.0 * (now() - session.since).total_seconds())",
            "max(0.0, (now() - session.since).total_seconds())",
            TABLES,
        ),
    ),
    *of(
        "server/explain/review.py",
        (
            "the error of a sample is that of one number",
            "/ (self.count - 1) / self.count)",
            "/ (self.count - 1))",
            VALUES,
        ),
        ("a few games make a mistake", "MIN_GAMES = 30", "MIN_GAMES = 20", VALUES),
        (
            "arms are not weighed",
            "zip(self.weights, values, strict=True)) / total",
            "zip(self.weights, values, strict=True))",
            VALUES,
        ),
    ),
    *of(
        "server/explain/expected_value.py",
        ("worlds count alike in sums", "mean += weight * enumerated(", "mean += enumerated(", VALUES),
        (
            "the first action is the value of the decision",
            "sum(c * mean.value for (_, c), mean in zip(steps, actions, strict=True))",
            "actions[0].value",
            VALUES,
        ),
    ),
    *of(
        "server/explain/sentences.py",
        (
            "a difference of chances counts twice",
            'return payoff / 2.0 if scale == "chance" else payoff',
            "return payoff",
            VALUES,
        ),
    ),
    *of(
        "server/explain/quiz.py",
        ("moves that are hidden are told", " and visible_move(actual, name, player) is not None", "", VALUES),
    ),
    *of(
        "server/api/limits.py",
        (
            "every request costs the same",
            "(left - cost if enough else left, now)",
            "(left - 1 if enough else left, now)",
            "tests/server/test_hand_limits.py",
        ),
    ),
    *of(
        "server/api/sign_in.py",
        (
            "one more password may be tried",
            "if len(mine) < self.each and",
            "if len(mine) <= self.each and",
            "tests/server/test_hand_limits.py",
        ),
    ),
]
