"""The coverage of a check: the part of a game that it has seen, and the rest."""

from __future__ import annotations

from dataclasses import dataclass

from parlor.contract.playthrough import Playthrough
from parlor.game import GameError
from parlor.sequence_form.tree import tree_if_small

NAMED = 12  # ids that are listed
COUNTING_LIMIT = 1e10  # histories, as random games suggest them: nothing is compiled to see it


@dataclass(frozen=True)
class Coverage:
    """The part of a game that a check has seen."""

    complete: bool  # whether every history was seen
    games: int  # number of random games
    positions: int
    histories: float  # about how many the game has; if complete, exactly
    information_sets: int
    of_information_sets: int | None  # None: they have not been counted
    actions: int
    unseen_actions: tuple[int, ...]
    outcomes: int
    unseen_outcomes: tuple[int, ...]

    def __str__(self) -> str:
        if self.complete:
            seen = f"all {self.positions:,} histories and {self.information_sets:,} information sets"
        else:
            seen = f"{self.games:,} random games with {self.positions:,} positions, of about {self.histories:.2g}"
            whole = "" if self.of_information_sets is None else f" of {self.of_information_sets:,}"
            seen += f", and {self.information_sets:,}{whole} information sets"
        kinds = (("action", self.actions, self.unseen_actions), ("outcome", self.outcomes, self.unseen_outcomes))
        for kind, number, unseen in kinds:
            if kind == "outcome" and number == len(unseen):
                seen += "; chance has no turn" if self.complete else "; chance had no turn"
                continue
            seen += f"; {number - len(unseen):,} of {number:,} {kind}s"
            if unseen:
                more = "" if len(unseen) <= NAMED else " …"
                seen += f" (never {', '.join(map(str, unseen[:NAMED]))}{more})"
        return seen


def coverage(playthrough: Playthrough, compiled: bool = True) -> Coverage:
    """The coverage of a playthrough; information sets that were not seen are counted by `compiled` rules only."""
    game = playthrough.game
    known = {seen.key for seen in playthrough.sights if seen.legal is not None}
    return Coverage(
        complete=playthrough.complete,
        games=playthrough.games,
        positions=playthrough.positions,
        histories=playthrough.positions if playthrough.complete else playthrough.estimate,
        information_sets=len(known),
        of_information_sets=len(known) if playthrough.complete else _infosets(playthrough, compiled),
        actions=game.actions,
        unseen_actions=tuple(a for a in range(game.actions) if not playthrough.actions[a]),
        outcomes=game.outcomes,
        unseen_outcomes=tuple(a for a in range(game.outcomes) if not playthrough.outcomes[a]),
    )


def _infosets(playthrough: Playthrough, compiled: bool) -> int | None:
    """The number of information sets, if the game is correct and can be enumerated in a second."""
    if playthrough.checks.failures or not playthrough.game.abstraction.lossless:
        return None
    if playthrough.estimate > COUNTING_LIMIT or (playthrough.game.native and not compiled):
        return None
    try:
        whole = tree_if_small(playthrough.game)
    except GameError:
        return None
    return None if whole is None else whole.infosets
