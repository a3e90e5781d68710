"""The contract of all games.

`clauses.py` lists the clauses; `playthrough.py` plays the games in which they are checked, calling the rules by
`parlor.game.position_checks`; `imagination.py` checks a game's own `imagine`; `coverage.py` says what was seen.
"""

from parlor.contract.clauses import CLAUSES, CheckReport, Clause, Finding, check, glance
from parlor.contract.coverage import Coverage

__all__ = ["CLAUSES", "CheckReport", "Clause", "Coverage", "Finding", "check", "glance"]
