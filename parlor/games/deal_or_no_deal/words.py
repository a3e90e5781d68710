"""Deal or No Deal in words."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from parlor.game import CHANCE, State, View
from parlor.game.words import TextTable, player
from parlor.games.deal_or_no_deal.options import ITEMS, PLAYERS, SHOWN, TURNS
from parlor.games.deal_or_no_deal.rules import AGREE, FORCED_END, KEEPS, turn
from parlor.games.deal_or_no_deal.tables import INSTANCES, KEPT, VECTORS

TITLE = "Deal or No Deal"


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves: a line of the list of instances; keep 1,0,2; agree."""
    if s.pool[0] == 0:
        return instance_name(a)
    if waits_for_chance(s):
        return "end" if a == FORCED_END else "go on"
    return "agree" if a == AGREE else f"keep {','.join(map(str, KEPT[a]))}"


@functools.cache
def instance_name(row: int) -> str:
    """A line of the list of instances."""
    return str(INSTANCES[row])


def agreed(s: State) -> bool:
    """Whether somebody agreed to a proposal."""
    return bool(s.agreed)


def waits_for_chance(s: State) -> bool:
    """Whether chance says if there is another turn; before the deal, too."""
    return turn(s) == CHANCE


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data: of a proposal, how many of each type the proposer keeps."""
    if s.pool[0] == 0:
        pool, values = INSTANCES[a]
        worth = [f"to {player(p)} worth {', '.join(map(str, values[p]))}" for p in range(PLAYERS)]
        return {"verb": "deal", "text": f"{listed(pool)}; {' and '.join(worth)}"}
    if waits_for_chance(s):
        forced = a == FORCED_END
        return {"verb": "end" if forced else "go on", "text": "the negotiation ends" if forced else "it goes on"}
    if a == AGREE:
        return {"verb": "agree"}
    kept = KEPT[a]
    given = [n - k for n, k in zip(s.pool, kept, strict=True)]
    return {"verb": "keep", **dict(zip(ITEMS, kept, strict=True)), "text": f"keep {listed(kept)}, give {listed(given)}"}


def listed(counts: Sequence[int]) -> str:
    """1 book and 2 hats; nothing."""
    parts = [f"{n} {name}{'' if n == 1 else 's'}" for n, name in zip(counts, ITEMS, strict=True) if n]
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else "nothing"


def secret(s: State, a: int, p: int) -> bool:
    """Of the deal everybody sees the own part, in the view; everything else is said aloud."""
    return bool(s.pool[0] == 0 and not SHOWN)


def world_numbers(code: int) -> tuple[int, ...]:
    """A world as numbers: the other's value of each type."""
    return VECTORS[code]


def describe_world(code: int) -> str:
    """The same in words: book 8, hat 1, basketball 0."""
    return ", ".join(f"{item} {value}" for item, value in zip(ITEMS, VECTORS[code], strict=True))


# -------------------------------------------------------------------------------------------------------------- views


def values_of(view: View) -> list[list[int]]:
    """The values that a view shows, for each player; none of the other's if they are hidden."""
    if SHOWN:
        return [list(values) for values in view.values]
    return [list(view.values) if p == view.player else [] for p in range(PLAYERS)]


def share(view: View, t: int, p: int) -> list[int]:
    """The items that player `p` gets by proposal number `t`."""
    kept = view.offers[t]
    return [k if t % PLAYERS == p else n - k for n, k in zip(view.pool, kept, strict=True)]


def worth(view: View, t: int, p: int) -> int | None:
    """The value of that to the player, before a discount; None if the view does not show it."""
    values = values_of(view)[p]
    return sum(v * n for v, n in zip(values, share(view, t, p), strict=True)) if any(values) else None


def over(view: View) -> bool:
    """Whether the negotiation is over."""
    return bool(view.agreed or view.ended or view.made == TURNS)


def display(view: View) -> dict[str, object]:
    """The items, what is known of values, and every proposal as what the proposer keeps."""
    return {
        "items": list(ITEMS),
        "pool": list(view.pool) if any(view.pool) else [],
        "values": values_of(view) if any(view.pool) else [],
        "offers": [list(kept) for kept in view.offers[: view.made]],
        "left": [KEEPS**t for t in range(view.made + 1)],  # of a deal's worth, by each proposal and by the next
        "turns": [view.made + view.agreed, TURNS],
        "agreed": [view.agreed],
        "ended": [view.ended],
    }


def show(view: View) -> str:
    """One line for a person."""
    if not any(view.pool):
        return "nothing is on the table yet"
    parts = [f"on the table: {listed(view.pool)}"]
    for p, values in enumerate(values_of(view)):
        if any(values):
            parts.append(f"worth to {player(p)}: {', '.join(map(str, values))}")
    parts += [f"{player(t % PLAYERS, 'keeps')} {listed(view.offers[t])}" for t in range(view.made)]
    if over(view):
        parts.append(f"{player(view.made % PLAYERS, 'agrees')}" if view.agreed else "no deal")
    return "; ".join(parts)


def table(view: View) -> TextTable:
    """The pool, what it is worth, and what one would get by every proposal."""
    p = view.player or 0
    headings = ["", *(f"{name}s" for name in ITEMS), "points"]
    rows = [["on the table", *map(str, view.pool), ""]]
    for q, values in enumerate(values_of(view)):
        if any(values):
            rows.append([f"each is worth to {player(q)}", *map(str, values), ""])
    for t in range(view.made):
        points = worth(view, t, p)
        said = f"{t + 1}. {player(t % PLAYERS, 'proposes')}: {player(p, 'gets')}"
        rows.append([said, *map(str, share(view, t, p)), "" if points is None else str(points)])
    left = TURNS - view.made
    turns = "this is the last turn: agree, or there is no deal" if left == 1 else f"{left} turns are left"
    lines = [] if over(view) else [turns]
    asked = "what would you keep?" if view.made == 0 else "agree, or what would you keep?"
    return TextTable(headings, rows, lines, asked)


def narrate(before: View, after: View) -> Sequence[str]:
    """Tell of a proposal, with its value to the reader, and of the end."""
    told = []
    if after.made > before.made:
        t = before.made
        proposer = t % PLAYERS
        said = f"{player(proposer, 'proposes')} to keep {listed(after.offers[t])}"
        if after.player is not None and after.player != proposer:
            points = worth(after, t, after.player)
            said += f"; {player(after.player)} would get {listed(share(after, t, after.player))}, {points} points"
        told.append(said)
    if after.agreed and not before.agreed:
        told.append(f"{player(after.made % PLAYERS, 'agrees')}")
    if over(after) and not over(before) and not after.agreed:
        told.append("the negotiation was ended: no deal" if after.ended else "no turn is left: no deal")
    return told
