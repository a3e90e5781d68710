"""Compute the equity of a poker hand, with all cards dealt: against a hand, a range, or a random hand.

All cases are counted, unless --samples says how many to deal at random. A range is written as players do: QQ+ (and
higher pairs), AKs (suited), AKo (not), AK (both), ATs+ (up to AKs), TT-77, A5s-A2s, 76s-54s, AsKd (one hand), random.

Examples:
  parlor equity AsKd --board Qs7s2h               against any hand
  parlor equity AsKd QhJh                         against a hand, before the flop
  parlor equity AsKd 'QQ+,AKs,76s-54s' --board Qs7s2h3d
  parlor equity AsKd --board Qs7s2h --samples 10000 --seed 1 --json
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.cli.flags import JsonFlag, SeedFlag
from parlor.cli.screen import compiler_notes, out, print_json
from parlor.poker.hands.cards import board, hand, names, symbols
from parlor.poker.hands.equity import Equity, equity
from parlor.poker.hands.hand_strength import strength, words


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, JsonFlag):
    """Options of `parlor equity`."""

    hand: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="HAND")]
    """Two cards: a rank of 23456789TJQKA and a suit of cdhs each."""
    against: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="[AGAINST]")] = None
    """A hand or a range; if omitted, a random hand."""
    board: Annotated[str, tyro.conf.arg(metavar="CARDS")] = ""
    """Three, four or five cards of the board."""
    samples: int | None = None
    """Deal this many times at random, instead of counting all cases."""


def run(options: Options) -> int:
    """Count and print."""
    mine, lying = hand(options.hand), board(options.board)
    with compiler_notes():
        found = equity(mine, options.against, lying, options.samples, options.seed)
    if options.json:
        print_json(
            {
                "hand": names(mine),
                "against": options.against or "random",
                "board": names(lying),
                "equity": found.value,
                "error": found.error,
                "win": found.wins / found.cases,
                "tie": found.ties / found.cases,
                "lose": found.losses / found.cases,
                "cases": found.cases,
                "exact": found.exact,
            }
        )
        return 0
    against = "any hand" if options.against is None else options.against
    on_board = f" on {symbols(lying)}" if lying else ""
    out.print(f"{symbols(mine)} against {escape(against)}{on_board}: [bold]{_percent(found)}[/]")
    if lying:
        out.print(f"now: {words(strength((*mine, *lying), 2 + len(lying)))}")
    shares = (f"{word} {100 * n / found.cases:.2f} %" for word, n in _outcomes(found).items())
    how = f"all {found.cases:,} cases" if found.exact else f"{found.cases:,} samples, seed {options.seed}"
    out.print(f"[dim]{', '.join(shares)}; {how}[/]")
    return 0


def _outcomes(found: Equity) -> dict[str, int]:
    return {"wins": found.wins, "ties": found.ties, "loses": found.losses}


def _percent(found: Equity) -> str:
    if found.exact:
        return f"{100 * found.value:.3f} %"
    return f"{100 * found.value:.2f} ± {100 * found.error:.2f} %"
