"""Standings of the arena's matches: ratings and payoffs with intervals, by the statistics of every other match."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from parlor.arena.match import Match, beyond_wins, rotated
from parlor.arena.measures import most
from parlor.arena.ratings import ANCHOR, ratings, results_of
from parlor.arena.statistics import Estimate, mean, rate
from parlor.game import Game
from parlor.server.schemas.arena import AgainstPeople, ArenaStanding, ArenaStandings, Pairing
from parlor.server.schemas.runs import Interval
from parlor.server.tables.store import Row

WIDEST = 2000.0  # points: who always wins, or always loses, cannot be rated


def interval(estimate: Estimate) -> Interval:
    """An estimate as the page gets it."""
    low, high = (bound if math.isfinite(bound) else None for bound in (estimate.low, estimate.high))
    return Interval(value=estimate.value, low=low, high=high)


def match_of(game: Game, names: tuple[str, str], payoffs: Sequence[Sequence[float]]) -> Match:
    """The games of two agents as a match, seen from the first."""
    lineups = rotated(2, game.players, 0, len(payoffs), "alternating")
    bounds = game.payoffs and game.payoffs[:2]
    return Match(game.name, names, "alternating", True, 0, lineups, np.array(payoffs, float), declared=bounds)


def pairs_of(game: Game, rows: Sequence[Row]) -> list[Match]:
    """A match for each pair of agents, by id: all that they have played, the one with the smaller id first.

    Where more than two play, the agent that sat alone comes first, so that a pair may have two matches.
    """
    played: defaultdict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for row in reversed(rows):  # they come newest first
        played[row["one"], row["other"]] += row["payoffs"]
    if game.players == 2:
        for one, other in [pair for pair in played if pair[0] > pair[1]]:
            games = played.pop((one, other))  # of a deal, the first has `one` in seat 0, the second `other`
            played[other, one] += [games[i ^ 1] for i in range(len(games))]
    return [match_of(game, pair, payoffs) for pair, payoffs in played.items() if payoffs]


def standings(
    game: Game, agents: Sequence[Row], matches: Sequence[Row], connected: set[str], people: Sequence[AgainstPeople]
) -> ArenaStandings:
    """The standings at a game."""
    pairs = pairs_of(game, matches)
    in_points = any(beyond_wins(pair.payoffs) for pair in pairs)
    results = results_of({"in_points": in_points, "matches": [pair.row() for pair in pairs]})
    anchor = next((row["id"] for row in agents if row["built_in"] == ANCHOR), "")
    rated = {agent: rating for agent, rating in ratings(results, anchor).items() if rating.high - rating.low < WIDEST}
    failures: Counter[str] = Counter()
    for row in matches:
        failures.update({agent: sum(kinds.values()) for agent, kinds in row["failures"].items()})
    listed = [
        ArenaStanding(
            agent=row["id"],
            name=row["name"],
            own=row["built_in"] is not None,
            connected=row["built_in"] is not None or row["id"] in connected,
            games=sum(pair.games for pair in pairs if row["id"] in pair.agents),
            lost_by_failing=failures[row["id"]],
            rating=interval(rated[row["id"]]) if row["id"] in rated else None,
            payoff=_payoff(row["id"], pairs),
        )
        for row in agents
    ]
    return ArenaStandings(
        game=game.name,
        title=game.words.title,
        players=game.players,
        agents=sorted(listed, key=_order),
        pairs=[_pairing(pair) for pair in pairs],
        people=list(people),
    )


def _order(one: ArenaStanding) -> tuple[bool, float, str]:
    """By rating; those without one come last, by payoff."""
    strength = one.rating or one.payoff
    return (one.rating is None, -(strength.value or 0.0) if strength else 0.0, one.name)


def _payoff(agent: str, pairs: Sequence[Match]) -> Interval | None:
    """The mean of an agent over all deals that it has played; where several copies of it played, of each."""
    deals = [
        pair.values("payoff", pair.agents.index(agent)).reshape(-1, pair.players).mean(axis=1)
        for pair in pairs
        if agent in pair.agents
    ]
    return interval(mean(np.concatenate(deals), bounds=pairs[0].declared)) if deals else None


def _pairing(pair: Match) -> Pairing:
    return Pairing(
        one=pair.agents[0],
        other=pair.agents[1],
        games=pair.games,
        payoff=interval(pair.payoff),
        other_payoff=interval(pair.measure("payoff", 1)),
        win_share=interval(pair.measure("win-share")),
    )


def against_people(rows: Sequence[Row], names: Mapping[str, str]) -> list[AgainstPeople]:
    """The results of agents against people, by agent, in games in which everybody sat to the end."""
    tables: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        tables[row["id"]].append(row)
    found: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for seats in tables.values():
        if not any(seat["token"] for seat in seats) or any(seat["left"] for seat in seats):
            continue
        payoffs = np.array([seats[0]["payoffs"]], float)
        first = most(payoffs)[0]
        for seat in seats:
            if seat["kind"] == "agent":
                p = seat["seat"]
                found[seat["agent"]].append((float(payoffs[0, p]), float(first[p] / first.sum())))
    return [
        AgainstPeople(
            agent=agent,
            name=names.get(agent, agent),
            games=len(games),
            payoff=interval(mean(np.array([payoff for payoff, _ in games]))),
            win_share=interval(rate(np.array([share for _, share in games]))),
        )
        for agent, games in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
