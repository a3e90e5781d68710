"""The contract every game keeps, and a check of it that explains itself.

`CLAUSES` says what Parlor relies on. `check` plays the game in plain Python (see `rehearsal.py`) and answers with a
finding for each clause: kept, broken (one sentence: which rule, where, the numbers, and what would be right), or not
checked, and why. Small games are walked through completely, so for them a kept clause is proven; for larger ones it
held in every random game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from parlor.contract.rehearsal import Rehearsal, Sight
from parlor.game import Game, GameError
from parlor.native import CannotCompile, version
from parlor.play import run_random_games
from parlor.solvers.tree import tree


@dataclass(frozen=True)
class Finding:
    """What was found about one clause."""

    name: str
    ok: bool | None  # None: not checked, or not meant for this game
    sentence: str

    @property
    def mark(self) -> str:
        """✓, ✗, or – for what was not checked."""
        return "–" if self.ok is None else "✓" if self.ok else "✗"

    def __str__(self) -> str:
        return f"{self.mark}  {self.name:<10}  {self.sentence}"


def check(game: Game, games: int = 200, seed: int = 0) -> list[Finding]:
    """Hold `game` to every clause, in their order."""
    rehearsal = Rehearsal(game)
    rehearsal.run(games, seed)
    findings: list[Finding] = []
    for clause in CLAUSES:
        findings.append(_finding(clause, rehearsal, [f.name for f in findings if f.ok is False]))
    return findings


def _finding(clause: Clause, rehearsal: Rehearsal, failed: list[str]) -> Finding:
    game = rehearsal.game
    if clause.needs_schema and game.schema is None:
        return Finding(clause.name, None, f"not for {game.name}, whose states belong to another library")
    if clause.needs_lossless and not game.lossless:
        return Finding(clause.name, None, f"not for {game.name}, an abstraction, which may forget on purpose")
    complaint = rehearsal.witness.failures.get(clause.name, "")
    waits = rehearsal.stopped or next((name for name in failed if name in clause.after), "")
    if waits and not complaint:
        return Finding(clause.name, None, f"not checked; first mend what is said under {waits}")
    complaint = complaint or clause.test(rehearsal)
    if complaint:
        return Finding(clause.name, False, complaint)
    evidence = f" ({rehearsal.evidence()})" if clause is CLAUSES[0] else ""
    return Finding(clause.name, True, clause.demand + evidence)


# --------------------------------------------------------------------------------------------------- what players know


def _clash(
    sights: Iterable[Sight], same: Callable[[Sight], Hashable], differ: Callable[[Sight], object]
) -> tuple[Sight, Sight] | None:
    """Two sights that agree in one respect and differ in another."""
    first: dict[Hashable, Sight] = {}
    for sight in sights:
        other = first.setdefault(same(sight), sight)
        if differ(other) != differ(sight):
            return other, sight
    return None


def _decisions(rehearsal: Rehearsal) -> list[Sight]:
    return [sight for sight in rehearsal.sights if sight.legal is not None]


def _owners(rehearsal: Rehearsal) -> str:
    clash = _clash(_decisions(rehearsal), lambda x: x.key, lambda x: x.player)
    if clash is None:
        return ""
    told = " and ".join(f"for player {sight.player} {rehearsal.witness.story(sight.place)}" for sight in clash)
    return f"key is {clash[0].key} both {told}; put the player's number into its keys."


def _actions(rehearsal: Rehearsal) -> str:
    clash = _clash(_decisions(rehearsal), lambda x: x.key, lambda x: x.legal)
    if clash is None:
        return ""
    one, two = clash
    return (
        f"player {one.player} has the key {one.key} {_both(rehearsal, clash)}, but legal lists "
        f"{list(one.legal or ())} in one and {list(two.legal or ())} in the other; the same key must mean the same "
        f"actions in the same order."
    )


def _recall(rehearsal: Rehearsal) -> str:
    clash = _clash(_decisions(rehearsal), lambda x: x.key, lambda x: x.past)
    if clash is None:
        return ""
    pasts = [f"key {s.past[0]} and its action {s.past[1]}" if s.past else "no decision of its own" for s in clash]
    return (
        f"player {clash[0].player} has the key {clash[0].key} {_both(rehearsal, clash)}, but came there from "
        f"{pasts[0]} in one and from {pasts[1]} in the other; key must keep what its player knew and did before."
    )


def _hidden(rehearsal: Rehearsal) -> str:
    keyed = [sight for sight in rehearsal.sights if sight.key is not None]
    for rule, sights, answer in (
        ("key", keyed, lambda x: x.key),
        ("legal", _decisions(rehearsal), lambda x: x.legal),
        ("view", rehearsal.sights, lambda x: x.view),
    ):
        clash = _clash(sights, lambda x: (x.player, x.fields), answer)
        if clash:
            player = clash[0].player
            change = rehearsal.witness.difference(*(rehearsal.witness.state(sight.place) for sight in clash))
            unseen = f" ({change[0]} is {change[1]} and {change[2]})" if change else ""
            return (
                f"{rule} gives player {player} something away: it is not the same {_both(rehearsal, clash)}, which "
                f"differ only in what player {player} does not see{unseen}; "
                f"{rule} may use only fields that are public or the player's own."
            )
    return ""


def _knowledge(rehearsal: Rehearsal) -> str:
    clash = _clash(_decisions(rehearsal), lambda x: x.key, lambda x: x.view)
    if clash:
        one, two = _views(rehearsal, clash)
        return (
            f"key forgets something that the view shows: player {clash[0].player} has the key {clash[0].key} "
            f"{_both(rehearsal, clash)}, but sees “{one}” in one and “{two}” in the other; "
            f"key must tell them apart."
        )
    clash = _clash(_decisions(rehearsal), lambda x: x.view, lambda x: x.key)
    if clash:
        return (
            f"key tells apart what the view does not show: {_both(rehearsal, clash)} player {clash[0].player} sees "
            f"“{_views(rehearsal, clash)[0]}”, but has the keys {clash[0].key} and {clash[1].key}; either the view "
            f"lacks something or key uses too much."
        )
    return ""


def _views(rehearsal: Rehearsal, clash: tuple[Sight, Sight]) -> list[str]:
    """What was seen, in the game's words, or in full where these say the same."""
    game = rehearsal.game
    views = [game.view(rehearsal.witness.state(sight.place), sight.player) for sight in clash]
    words = [game.show(view) for view in views]
    return words if words[0] != words[1] else [str(view) for view in views]


def _both(rehearsal: Rehearsal, clash: tuple[Sight, Sight]) -> str:
    return f"{rehearsal.witness.story(clash[0].place)} and {rehearsal.witness.story(clash[1].place)}"


# --------------------------------------------------------------------------------------------------- native


def _native(rehearsal: Rehearsal) -> str:
    """Compile the rules, and compare them with plain Python."""
    try:
        version(rehearsal.game)  # finds all that the rules use, and refuses what cannot be compiled at all
    except GameError as error:
        return str(error)
    try:
        compiled, plain = _compared(rehearsal)
    except CannotCompile as error:
        return str(error).removeprefix(f"{rehearsal.game.name}: ")
    except GameError as error:
        return f"compiled, the game is another one: {error}"
    if compiled == plain:
        return ""
    return (
        f"there are {compiled[0]} when compiled and {plain[0]} in plain Python, and the two are not the same; "
        f"look for numbers beyond 64 bits, or an index that is below 0 or too large."
    )


def _compared(rehearsal: Rehearsal) -> list[tuple[str, str]]:
    """For compiled and plain rules, their size in words and a print of all they do: of everything, or at random."""
    game, prints = rehearsal.game, []
    for compiled in (True, False):
        if rehearsal.complete and game.lossless:
            t = tree(game, compiled=compiled)
            prints.append((f"{t.histories:,} histories and {t.infosets:,} information sets", t.digest()))
        else:
            trace, totals = run_random_games(game, rehearsal.games, 0, compiled)
            prints.append((f"{totals[0]:,.0f} moves in {rehearsal.games} games", f"{trace} {totals.tolist()}"))
    return prints


# --------------------------------------------------------------------------------------------------- the clauses


def _watched(rehearsal: Rehearsal) -> str:
    """For clauses that the rehearsal itself watches over: nothing more to say."""
    return ""


@dataclass(frozen=True)
class Clause:
    """One thing Parlor relies on."""

    name: str
    demand: str
    test: Callable[[Rehearsal], str] = _watched  # a sentence about what is wrong, or ""
    after: tuple[str, ...] = ()  # clauses without which this one means nothing
    needs_schema: bool = False
    needs_lossless: bool = False


_SOUND = ("legal", "pure", "keys")
_PLAIN = (
    Clause("runs", "no rule stops with an error"),
    Clause("turns", "turn names a player, CHANCE or OVER"),
    Clause("odds", "odds gives at most OUTCOMES probabilities that sum to one"),
    Clause("legal", "legal lists at least one and at most ACTIONS different ids"),
    Clause("names", "what can be played at the same time has different names"),
    Clause("pure", "only start and play change the state", needs_schema=True),
    Clause("repeatable", "the same moves always lead to the same state"),
    Clause("integers", "every field keeps its shape and holds 64-bit integers", needs_schema=True),
    Clause("ending", "every game ends within LENGTH moves and outcomes"),
    Clause("payoffs", "payoffs are finite, and sum to zero if ZERO_SUM says so"),
    Clause("keys", "keys are whole numbers from 0 to 2⁶³ - 1"),
    Clause("owners", "no key belongs to two players", _owners, _SOUND),
    Clause("actions", "positions with the same key have the same legal actions", _actions, (*_SOUND, "owners")),
    Clause(
        "recall", "a key implies what its player knew and did before", _recall, (*_SOUND, "owners"), needs_lossless=True
    ),
    Clause(
        "hidden", "nothing a player cannot see changes its view, key or actions", _hidden, _SOUND, needs_schema=True
    ),
    Clause(
        "knowledge", "key and view tell the same positions apart", _knowledge, (*_SOUND, "hidden"), needs_lossless=True
    ),
)
_NATIVE = Clause(
    "native",
    "compiled and plain rules play the same games",
    _native,
    tuple(clause.name for clause in _PLAIN),
    needs_schema=True,
)
CLAUSES = (*_PLAIN, _NATIVE)
