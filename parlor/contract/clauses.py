"""The contract of all games, and a check that explains itself.

`CLAUSES` says what Parlor relies on. `check` plays the game in plain Python (see `playthrough.py`) and gives a
finding for each clause: kept, broken (one sentence: which rule, where, the numbers, and what would be right), or not
checked, and why. Small games are walked through completely, so for them a kept clause is proven; for larger ones it
held in everything that was seen, and the coverage says what that was.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from parlor.compile import CannotCompile, version
from parlor.compile.random_games import run_random_games
from parlor.contract.coverage import Coverage, coverage
from parlor.contract.hidden_worlds import check_worlds
from parlor.contract.imagination import check_imagine
from parlor.contract.networks import check_networks, traces
from parlor.contract.playthrough import Observed, Playthrough
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.words import html_table
from parlor.sequence_form.tree import tree

FIRST_LOOK_HISTORIES = 5000  # histories of a game that is walked through even at a glance
SECONDS = 20.0  # for random games of a large game


@dataclass(frozen=True)
class Finding:
    """The result for one clause."""

    name: str
    ok: bool | None  # None: not checked, or not applicable
    sentence: str

    @property
    def mark(self) -> str:
        """✓, ✗, or – for what was not checked."""
        return "–" if self.ok is None else "✓" if self.ok else "✗"

    def __str__(self) -> str:
        return f"{self.mark}  {self.name:<10}  {self.sentence}"


@dataclass(frozen=True)
class CheckReport:
    """The findings of a check, clause by clause, and the coverage."""

    findings: tuple[Finding, ...]
    coverage: Coverage

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The clauses that are broken."""
        return tuple(finding for finding in self.findings if finding.ok is False)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.findings), f"Seen: {self.coverage}."])

    def __repr__(self) -> str:
        kept = sum(finding.ok is True for finding in self.findings)
        return f"<{kept} clauses kept, {len(self.broken)} broken; seen: {self.coverage}>"

    def _repr_html_(self) -> str:
        rows = [(finding.mark, finding.name, finding.sentence) for finding in self.findings]
        return html_table(f"Seen: {self.coverage}.", ("", "clause", "finding"), rows, limit=len(rows))


def check(
    game: Game | str, games: int | None = None, seed: int = 0, seconds: float = SECONDS, compiled: bool = True
) -> CheckReport:
    """Check `game` against every clause; without `games`, random games are played for `seconds`.

    Unless `compiled`, nothing is compiled, and the clause about compiled rules is left out.
    """
    playthrough = Playthrough(as_game(game))
    playthrough.run(games, seed, seconds)
    findings: list[Finding] = []
    for clause in CLAUSES:
        findings.append(_finding(clause, playthrough, [f.name for f in findings if f.ok is False], compiled))
    return CheckReport(tuple(findings), coverage(playthrough, compiled))


def glance(game: Game, games: int = 40, seconds: float = 1.0) -> tuple[Finding, ...]:
    """The clauses that some random games show to be broken, in little time: silence proves nothing."""
    playthrough = Playthrough(game)
    playthrough.run(games, 0, seconds, walked=FIRST_LOOK_HISTORIES)
    findings: list[Finding] = []
    for clause in _PLAIN:
        findings.append(_finding(clause, playthrough, [f.name for f in findings if f.ok is False], False))
    return tuple(finding for finding in findings if finding.ok is False)


def _finding(clause: Clause, playthrough: Playthrough, failed: list[str], compiled: bool) -> Finding:
    game = playthrough.game
    if clause.needs_schema and game.schema is None:
        return Finding(clause.name, None, f"not applicable to {game.name}, whose states belong to another library")
    if clause.needs_lossless and not game.abstraction.lossless:
        return Finding(clause.name, None, f"not applicable to {game.name}, an abstraction, which may forget on purpose")
    if clause.needs_seats and not game.abstraction.seat_in_keys:
        return Finding(clause.name, None, f"not applicable to {game.name}, whose keys leave out the seat on purpose")
    if clause.needs_imagine and game.hidden.imagine is None:
        return Finding(clause.name, None, f"not applicable to {game.name}, which has no imagine: its belief is derived")
    if clause.needs_worlds and game.hidden.worlds is None:
        return Finding(clause.name, None, f"not applicable to {game.name}, which has no codes for what is hidden")
    if clause.needs_networks and game.features is None and game.head is None:
        return Finding(clause.name, None, f"not applicable to {game.name}, whose networks read its view")
    failure = playthrough.checks.failures.get(clause.name, "")
    waits = next((name for name in failed if name in clause.after), "" if failure else playthrough.stopped)
    if waits:
        return Finding(clause.name, None, f"not checked; first fix {waits}")
    if clause is _NATIVE and not compiled:
        return Finding(clause.name, None, "not checked: nothing was to be compiled")
    failure = failure or clause.test(playthrough)
    if failure:
        return Finding(clause.name, False, failure)
    evidence = f" ({playthrough.evidence()})" if clause is CLAUSES[0] else ""
    if clause.needs_imagine:
        evidence = f" (frequencies counted at {playthrough.counted} positions)"
    return Finding(clause.name, True, clause.demand + evidence)


# --------------------------------------------------------------------------------------------------- what players know


def _clash(
    sights: Iterable[Observed], same: Callable[[Observed], Hashable], differ: Callable[[Observed], object]
) -> tuple[Observed, Observed] | None:
    """Two observations that agree in one respect and differ in another."""
    first: dict[Hashable, Observed] = {}
    for observed in sights:
        other = first.setdefault(same(observed), observed)
        if differ(other) != differ(observed):
            return other, observed
    return None


def _decisions(playthrough: Playthrough) -> list[Observed]:
    return [observed for observed in playthrough.sights if observed.legal is not None]


def _owners(playthrough: Playthrough) -> str:
    clash = _clash(_decisions(playthrough), lambda x: x.key, lambda x: x.player)
    if clash is None:
        return ""
    places = " and ".join(
        f"for player {observed.player} {playthrough.checks.story(observed.place)}" for observed in clash
    )
    return f"key is {clash[0].key} both {places}; put the player's number into its keys."


def _actions(playthrough: Playthrough) -> str:
    clash = _clash(_decisions(playthrough), lambda x: x.key, lambda x: x.legal)
    if clash is None:
        return ""
    one, two = clash
    return (
        f"player {one.player} has the key {one.key} {_both(playthrough, clash)}, but legal lists "
        f"{list(one.legal or ())} in one and {list(two.legal or ())} in the other; the same key must mean the same "
        f"actions in the same order."
    )


def _recall(playthrough: Playthrough) -> str:
    clash = _clash(_decisions(playthrough), lambda x: x.key, lambda x: x.past)
    if clash is None:
        return ""
    pasts = [f"key {s.past[0]} and its action {s.past[1]}" if s.past else "no decision of its own" for s in clash]
    return (
        f"player {clash[0].player} has the key {clash[0].key} {_both(playthrough, clash)}, but came there from "
        f"{pasts[0]} in one and from {pasts[1]} in the other; key must keep what its player knew and did before."
    )


def _hidden(playthrough: Playthrough) -> str:
    keyed = [observed for observed in playthrough.sights if observed.key is not None]
    for rule, sights, answer in (
        ("key", keyed, lambda x: x.key),
        ("legal", _decisions(playthrough), lambda x: x.legal),
        ("view", playthrough.sights, lambda x: x.view),
        ("show (or display)", playthrough.sights, lambda x: x.words),
        ("describe", _decisions(playthrough), lambda x: x.names),
    ):
        clash = _clash(sights, lambda x: (x.player, x.fields), answer)
        if clash:
            player = clash[0].player
            change = playthrough.checks.difference(*(playthrough.checks.state(observed.place) for observed in clash))
            unseen = f" ({change[0]} is {change[1]} and {change[2]})" if change else ""
            return (
                f"{rule} leaks something to player {player}: it is not the same {_both(playthrough, clash)}, which "
                f"differ only in what player {player} does not see{unseen}; "
                f"{rule} may use only fields that are public or the player's own."
            )
    return ""


def _knowledge(playthrough: Playthrough) -> str:
    clash = _clash(_decisions(playthrough), lambda x: x.key, lambda x: x.view)
    if clash:
        one, two = _views(playthrough, clash)
        return (
            f"key forgets something that the view shows: player {clash[0].player} has the key {clash[0].key} "
            f"{_both(playthrough, clash)}, but sees “{one}” in one and “{two}” in the other; "
            f"key must tell them apart."
        )
    clash = _clash(_decisions(playthrough), lambda x: x.view, lambda x: x.key)
    if clash:
        return (
            f"key tells apart what the view does not show: {_both(playthrough, clash)} player {clash[0].player} sees "
            f"“{_views(playthrough, clash)[0]}”, but has the keys {clash[0].key} and {clash[1].key}; either the view "
            f"lacks something or key uses too much."
        )
    return ""


def _events(playthrough: Playthrough) -> str:
    clash = _clash(_decisions(playthrough), lambda x: x.key, lambda x: x.events)
    if clash is None:
        return ""
    player, stories = clash[0].player, [playthrough.noticed(observed) for observed in clash]
    return (
        f"player {player} has the key {clash[0].key} {_both(playthrough, clash)}, but has noticed {stories[0]} in one "
        f"and {stories[1]} in the other, which agents and beliefs get to know; unseen(s, a, p) must say what player "
        f"{player} does not notice, secret which moves it does not see, or key must tell the two apart."
    )


def _views(playthrough: Playthrough, clash: tuple[Observed, Observed]) -> list[str]:
    """The views of a clash in the game's words, or in full if these are equal."""
    game = playthrough.game
    views = [game.view(playthrough.checks.state(observed.place), observed.player) for observed in clash]
    words = [game.words.show(view) for view in views]
    return words if words[0] != words[1] else [str(view) for view in views]


def _both(playthrough: Playthrough, clash: tuple[Observed, Observed]) -> str:
    return f"{playthrough.checks.story(clash[0].place)} and {playthrough.checks.story(clash[1].place)}"


# --------------------------------------------------------------------------------------------------- native


def _native(playthrough: Playthrough) -> str:
    """Compile the rules, and compare them with plain Python."""
    try:
        version(playthrough.game)  # follows all that the rules use, and refuses what cannot be compiled
    except GameError as error:
        return str(error)
    try:
        compiled, plain = _compared(playthrough)
    except CannotCompile as error:
        return str(error).removeprefix(f"{playthrough.game.name}: ")
    except GameError as error:
        return f"the compiled game is different: {error}"
    if compiled == plain:
        return _native_networks(playthrough.game)
    return (
        f"there are {compiled[0]} when compiled and {plain[0]} in plain Python, and the two are not the same; "
        f"check for numbers beyond 64 bits, or an index that is below 0 or too large."
    )


def _native_networks(game: Game) -> str:
    """Compare what is computed for networks, if a game declares anything."""
    if game.features is None and game.head is None:
        return ""
    try:
        same = traces(game, True) == traces(game, False)
    except CannotCompile as error:
        return str(error).removeprefix(f"{game.name}: ")
    return "" if same else "features or given logits are not the same when compiled and in plain Python."


def _compared(playthrough: Playthrough) -> list[tuple[str, str]]:
    """For compiled and plain rules, their size in words and a hash of all they do: complete, or of random games."""
    game, prints = playthrough.game, []
    for compiled in (True, False):
        if playthrough.complete and game.abstraction.lossless:
            t = tree(game, compiled=compiled)
            prints.append((f"{t.histories:,} histories and {t.infosets:,} information sets", t.digest()))
        else:
            trace, totals = run_random_games(game, playthrough.games, 0, compiled)
            prints.append((f"{totals[0]:,.0f} moves in {playthrough.games} games", f"{trace} {totals.tolist()}"))
    return prints


# --------------------------------------------------------------------------------------------------- the clauses


def _watched(playthrough: Playthrough) -> str:
    """For clauses that the playthrough itself checks: nothing more to do."""
    return ""


@dataclass(frozen=True)
class Clause:
    """One thing Parlor relies on."""

    name: str
    demand: str
    test: Callable[[Playthrough], str] = _watched  # a sentence about what is wrong, or ""
    after: tuple[str, ...] = ()  # clauses without which this one means nothing
    needs_schema: bool = False
    needs_lossless: bool = False
    needs_seats: bool = False
    needs_imagine: bool = False
    needs_worlds: bool = False
    needs_networks: bool = False


_SOUND = ("legal", "pure", "keys")
_PLAIN = (
    Clause("runs", "no rule stops with an error"),
    Clause("turns", "turn names a player, CHANCE or OVER"),
    Clause("odds", "odds gives at most OUTCOMES probabilities that sum to one"),
    Clause("legal", "legal lists at least one and at most ACTIONS different ids"),
    Clause("names", "what can be played at the same time has different names"),
    Clause("indexes", "no rule uses an index below 0", needs_schema=True),
    Clause("pure", "only start and play change the state", needs_schema=True),
    Clause("repeatable", "the same moves always lead to the same state"),
    Clause("integers", "every field keeps its shape and holds 64-bit integers", needs_schema=True),
    Clause("ending", "every game ends within LENGTH moves and outcomes"),
    Clause("payoffs", "payoffs are finite, and sum to zero if ZERO_SUM says so"),
    Clause("keys", "keys are whole numbers from 0 to 2⁶³ - 1"),
    Clause("owners", "no key belongs to two players", _owners, _SOUND, needs_seats=True),
    Clause("actions", "positions with the same key have the same legal actions", _actions, (*_SOUND, "owners")),
    Clause(
        "recall", "a key implies what its player knew and did before", _recall, (*_SOUND, "owners"), needs_lossless=True
    ),
    Clause(
        "hidden",
        "nothing a player cannot see changes its view, key or actions, or the words for them",
        _hidden,
        _SOUND,
        needs_schema=True,
    ),
    Clause(
        "secrets",
        "a player sees no more of the others' moves than its view shows",
        after=_SOUND,
        needs_lossless=True,
    ),
    Clause(
        "knowledge", "key and view tell the same positions apart", _knowledge, (*_SOUND, "hidden"), needs_lossless=True
    ),
    Clause(
        "events",
        "positions with the same key have shown their player the same events",
        _events,
        (*_SOUND, "owners", "recall", "hidden", "secrets", "knowledge"),
        needs_lossless=True,
    ),
)
_ALL_PLAIN = tuple(clause.name for clause in _PLAIN)
_IMAGINE = Clause(
    "imagine",
    "imagine draws only what is possible, and as often as chance makes it likely",
    check_imagine,
    _ALL_PLAIN,
    needs_schema=True,
    needs_imagine=True,
)
_WORLDS = Clause(
    "worlds",
    "codes say all that is hidden and nothing that is seen, and moves can be taken back",
    check_worlds,
    _ALL_PLAIN,
    needs_schema=True,
    needs_lossless=True,
    needs_worlds=True,
)
_NETWORKS = Clause(
    "networks",
    "what is computed for networks knows no more than its player",
    check_networks,
    _ALL_PLAIN,
    needs_schema=True,
    needs_networks=True,
)
_NATIVE = Clause(
    "native",
    "compiled and plain rules play the same games",
    _native,
    (*_ALL_PLAIN, "imagine", "worlds", "networks"),
    needs_schema=True,
)
CLAUSES = (*_PLAIN, _IMAGINE, _WORLDS, _NETWORKS, _NATIVE)
