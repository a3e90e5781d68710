"""The contract every game keeps: `clauses.py`; the games played to see: `rehearsal.py`; who looks: `witness.py`."""

from parlor.contract.clauses import CLAUSES, Clause, Finding, check

__all__ = ["CLAUSES", "Clause", "Finding", "check"]
