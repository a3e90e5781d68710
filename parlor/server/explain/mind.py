"""The agent's mind: what it saw, its actions with their probabilities, and what it has learned there.

A mind reveals its owner's cards. So while a game runs there is only the view from outside: what somebody who knows
no more than the seat would expect the agent to do, the mean over the worlds that are possible as far as the seat has
seen (`parlor.search.belief`). It is a function of the seat's view and of nothing else. The seat's own
decisions are no secret to it: there everything is shown that the agent would do in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlor.game import Game, GameError, Position
from parlor.game.game import move_of
from parlor.game.keys import name_of
from parlor.game.moves import Move, summed
from parlor.game.seats.python_agent import PythonAgent, as_distribution
from parlor.page.display import move_info, move_range
from parlor.page.seated_agent import AgentRef, SeatedAgent, reference
from parlor.page.shapes import MindFact, MindSearch, MindTerms, MoveInfo, SearchedMoveInfo
from parlor.policies.network import NetworkPolicy
from parlor.search.belief import NoWorld, World, believe
from parlor.search.rollout import SearchFindings
from parlor.server.catalogue.displays import display_of
from parlor.server.explain import sentences
from parlor.server.explain.expected_value import MAX_WORLDS, Mean, expected_value
from parlor.server.explain.sentences import Decision, scale_of, unit_of
from parlor.server.schemas.mind import Mind, MindAction, MoveChance

DRAWN, SLOW_DRAWN = 60, 12  # worlds, where there are too many; and in all, if the agent thinks long
FIRST_DRAWN = 2  # worlds for a first impression of an agent that thinks long
MAX_ACTIONS = 24  # that are listed one by one, with what is known about each
MAX_MEMBERS = 6  # of a population that are named
MAX_SEARCHED = 12  # moves of a search that are told, the most visited
MAX_MOVES = 40  # that are told, the likeliest, where there are hundreds


def decide(opponent: SeatedAgent, position: Position) -> dict[str, float]:
    """The distribution over concrete moves."""
    if not isinstance(opponent.player, PythonAgent):
        _in_order(opponent, position)
    return opponent.player(position)


def inside(
    opponent: SeatedAgent,
    position: Position,
    ply: int,
    chosen: MoveInfo | None,
    own: bool,
    thought: bool = True,
    whole: bool = True,
) -> Mind:
    """Everything that the agent goes by at a position; unless `whole`, without values, which take longest."""
    if isinstance(opponent.player, PythonAgent):
        return _in_python(opponent, opponent.player, position, ply, chosen, own, thought)
    _in_order(opponent, position)
    agent, concrete, state, player = opponent.agent, position.game, position.state, position.turn
    display, (action_probabilities, found) = display_of(concrete.name), agent.explained(position)
    moves = dict.fromkeys(position.actions, 0.0)
    key = agent.game.rules.key(state, player)
    entry = opponent.entries.get(key, {})
    regrets = _aligned(entry.get("regrets"), len(action_probabilities))
    value = expected_value(opponent, position, player) if whole else None
    means = value.actions if value and value.actions else (None,) * len(action_probabilities)
    actions = []
    for (action, chance), regret, mean in zip(action_probabilities, regrets, means, strict=True):
        made = move_of(concrete, state, agent.game.abstraction.resolve(state, action))
        moves[made.id] += chance
        text = display.name(opponent, position, action)
        actions.append(MindAction(text=text, move=move_info(made), probability=chance, regret=regret, **_rounded(mean)))
    known = key in opponent.policy if opponent.policy is not None else None
    listed = _chances([(position.move(action), chance) for action, chance in moves.items()])
    return _mind(
        opponent,
        position,
        ply,
        chosen,
        thought,
        own=own,
        sentence=_sentence(opponent, position, chosen, own or not thought, listed, value.value if value else None),
        infoset=in_words(agent.game, position, key),
        key=name_of(agent.game, player, key),
        known=known,
        visits=_count(entry.get("updates")),
        reach=entry.get("reach"),
        **_rounded(value.value if value else None),
        value_kind=value.kind if value else None,
        facts=[*_estimates(opponent, position), *display.facts(opponent, position), *_members(opponent, position)],
        notes=display.belief(opponent, position),
        terms=display.terms(opponent, position),
        beliefs=display.beliefs(position, found.belief) if found else [],
        search=_search(found, position) if found and found.moves else None,
        actions=actions if len(actions) <= MAX_ACTIONS else [],
        moves=_likeliest(listed, chosen),
        note="" if known is not False else "It has never been here: it plays every action with the same probability.",
    )


def unfinished(
    agent: AgentRef, game: Game, ply: int, player: int, chosen: MoveInfo | None, own: bool, thought: bool
) -> Mind:
    """A mind of which nothing is known yet."""
    told: dict[str, Any] = {"ply": ply, "player": player, "agent": agent, "thought": thought, "chosen": chosen}
    told |= {"own": own, "sentence": "", "moves": [], "note": "", "done": False}
    return Mind(**_empty(game), **told)


def _empty(game: Game) -> dict[str, Any]:
    unknown = ("infoset", "key", "known", "visits", "reach", "value", "value_error", "value_kind", "notes", "terms")
    empty: dict[str, Any] = dict.fromkeys((*unknown, "search", "worlds")) | {"facts": [], "beliefs": [], "actions": []}
    return empty | {"detail": "inside", "scale": scale_of(game), "unit": unit_of(game)}


def _mind(
    opponent: SeatedAgent, position: Position, ply: int, chosen: MoveInfo | None, thought: bool, /, **told: Any
) -> Mind:
    """A mind of which some things are told; what is not known, or hidden, is empty."""
    empty = {"ply": ply, "player": position.turn, "agent": reference(opponent), "thought": thought, "chosen": chosen}
    return Mind(**(_empty(position.game) | empty | told))


def outside(
    opponent: SeatedAgent,
    position: Position,
    seat: int,
    ply: int,
    chosen: MoveInfo | None,
    thought: bool = True,
    whole: bool = True,
) -> Mind:
    """Return an agent's mind as a seat can infer it: the mean over the worlds consistent with the seat's view.

    Unless it is `whole`, of an agent that thinks long only a few of these, and without values.
    """
    python = isinstance(opponent.player, PythonAgent)  # not called in imagined worlds
    possible = () if python else _possible(opponent, position, seat, whole)
    (expected, believed), count = _expected(opponent, possible), len(possible)
    value = expected_value(opponent, position, seat) if whole else None
    note = f"The mean over {count} worlds that are possible as far as you have seen; the rest is told at the end."
    if count == 1:
        note = "Only one world is possible as far as you have seen; the rest is told at the end."
    if not count:
        note = "No world was found that fits what you have seen: its decision is explained at the end."
    if python:
        note = "It is written in Python: its probabilities, if it gives any, are shown at the end."
    return _mind(
        opponent,
        position,
        ply,
        chosen,
        thought,
        own=False,
        detail="outside",
        sentence=sentences.from_your_seat(chosen, expected, count),
        **_rounded(value.value if value else None),
        value_kind=value.kind if value else None,
        terms=_terms(opponent, possible),
        beliefs=display_of(position.game.name).beliefs(position, believed),
        moves=_likeliest(expected, chosen),
        worlds=count,
        note=note,
    )


def _in_python(
    opponent: SeatedAgent,
    agent: PythonAgent,
    position: Position,
    ply: int,
    chosen: MoveInfo | None,
    own: bool,
    thought: bool,
) -> Mind:
    """Return the mind of a Python agent: its observation, and its probabilities, if it gives any."""
    answer, player = agent.answer(position), position.turn
    gives = isinstance(answer, Mapping)
    chances = as_distribution(agent.name, answer, position) if gives else {}
    listed = _chances([(move, chances[move.name]) for move in position.moves if move.name in chances])
    return _mind(
        opponent,
        position,
        ply,
        chosen,
        thought,
        own=own,
        sentence=_sentence(None, position, chosen, own or not thought, listed, None),
        infoset=position.show(player),
        key=name_of(position.game, player, position.key(player)),
        moves=_likeliest(listed, chosen),
        note="" if gives else "It answers with a move, not with probabilities.",
    )


def _estimates(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """The expectation of a network: of each legal move; or of the position, if its moves have only probabilities."""
    network = opponent.strategy
    if not isinstance(network, NetworkPolicy) or opponent.agent.game.concrete is not None:
        return []
    if network.logits:
        expected = network.expectation(position)
        return [] if expected is None else [MindFact(name="The payoff it expects", text=f"{expected:+.3g}")]
    if len(position.actions) > MAX_ACTIONS:
        return []
    worth = network.values(position)
    text = ", ".join(f"{move.text} {worth[move.name]:+.3g}" for move in position.moves)
    return [MindFact(name="Its own estimates", text=text)]


def _sentence(
    opponent: SeatedAgent | None,
    position: Position,
    chosen: MoveInfo | None,
    advice: bool,
    moves: Sequence[MoveChance],
    value: Mean | None,
) -> str:
    """A decision in words: what its agent thought, or what another one would have done there."""
    game = position.game
    scale, unit, reason = scale_of(game), unit_of(game), ""
    if opponent is not None and chosen is not None:
        reason = display_of(game.name).reason(opponent, position, chosen.id)
    made = Decision(position.turn, chosen, reason, moves, value, len(position.actions), scale, unit)
    return sentences.in_its_place(made) if advice else sentences.of_its_own(made)


def _possible(opponent: SeatedAgent, position: Position, seat: int, whole: bool) -> Sequence[World]:
    """Worlds that are possible as far as a seat has seen, with their weights."""
    agent = opponent.agent
    try:
        slow = SLOW_DRAWN if whole else FIRST_DRAWN
        drawn, listed = (slow, slow) if agent.thinks_long else (DRAWN, MAX_WORLDS)
        found = believe(position, seat, drawn, few=listed, own=not agent.uses_history)
    except NoWorld:
        return ()
    if position.game.schema is not None and len({repr(world.state) for world, _ in found.worlds}) == 1:
        return [(found.worlds[0][0], 1.0)]  # nothing is hidden, so that all worlds that were drawn are the same
    return found.worlds


def _expected(opponent: SeatedAgent, possible: Sequence[World]) -> tuple[list[MoveChance], list[tuple[int, float]]]:
    """The mean of what the agent does in possible worlds, the likeliest first, and of what it believes there."""
    total: dict[str, float] = {}
    known: dict[str, Move] = {}
    believed: dict[int, float] = {}
    for world, weight in possible:
        moves, belief = _decided(opponent, world)
        for move, chance in moves.items():
            total[move] = total.get(move, 0.0) + weight * chance
        if not total.keys() <= known.keys():
            known |= {move.name: move for move in world.moves}
        for code, chance in belief:
            believed[code] = believed.get(code, 0.0) + weight * chance
    chances = _chances([(known[name], chance) for name, chance in total.items()])
    rounded = [one.model_copy(update={"probability": round(one.probability, 6)}) for one in chances]
    whole = sum(believed.values())  # it need not believe anything everywhere
    return sorted(rounded, key=lambda one: -one.probability), [
        (code, chance / whole) for code, chance in sorted(believed.items())
    ]


def _decided(opponent: SeatedAgent, world: Position) -> tuple[dict[str, float], Sequence[tuple[int, float]]]:
    """The distribution over concrete moves in a world, and what the agent believes there, if it searches."""
    _in_order(opponent, world)
    agent, moves = opponent.agent, dict.fromkeys(world.legal, 0.0)
    chances, found = agent.explained(world)
    for action, chance in chances:
        moves[world.game.words.describe(world.state, agent.game.abstraction.resolve(world.state, action))] += chance
    return moves, found.belief if found else ()


def _search(found: SearchFindings, position: Position) -> MindSearch:
    """The moves at the root of a search, the most visited first; of two, the one of the higher value."""
    ranked = sorted(found.moves, key=lambda one: (one.visits, one.value or 0.0), reverse=True)
    moves = [(position.move(one.action), one) for one in ranked[:MAX_SEARCHED] if one.visits]
    return MindSearch(
        visits=sum(one.visits for one in found.moves),
        goal=found.goal,
        moves=[
            SearchedMoveInfo(
                move=move_info(move),
                text=move.text,
                visits=one.visits,
                value=None if one.value is None else round(one.value, 6),
            )
            for move, one in moves
        ],
    )


def _members(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """Which members of a population may be playing, by the moves that its player has made so far."""
    population = opponent.population
    if population is None or population.game != position.game.name:
        return []
    weights, labels = population.posterior(position).tolist(), population.labels[position.turn]
    ranked = sorted((one for one in zip(weights, labels, strict=True) if one[0] > 0.0), reverse=True)
    told = [f"{label}: {100.0 * weight:.0f} %" for weight, label in ranked[:MAX_MEMBERS] if weight >= 0.005]
    if len(told) < len(ranked):
        told.append(f"{len(ranked) - len(told)} more")
    text = ", ".join(told) or "none would have made these moves"
    return [MindFact(name="strategies of its population, by the moves so far", text=text)]


def _terms(opponent: SeatedAgent, possible: Sequence[World]) -> MindTerms | None:
    """The evaluation of an agent, if it is the same in all possible worlds."""
    found = None
    for number, (world, _) in enumerate(possible):
        terms = display_of(world.game.name).terms(opponent, world)
        if terms is None or (number and terms != found):
            return None
        found = terms
    return found


def in_words(game: Game, position: Position, key: int) -> str:
    """The information set for a person: its abstraction in words, or what the player sees."""
    if game.words.decode_key is not None:
        return game.words.describe_key(game.words.decode_key(key))
    return game.words.show(position.view(position.turn))


def _in_order(opponent: SeatedAgent, position: Position) -> None:
    """Raise GameError if the actions in a policy's file are in another order than the game's."""
    policy = opponent.policy
    if policy is None or not policy.words:
        return
    game, state = opponent.agent.game, position.state
    words = policy.words.get(game.rules.key(state, position.turn))
    if words is None:
        return
    buffer = [0] * game.actions
    names = tuple(game.words.describe(state, a) for a in buffer[: game.rules.legal(state, buffer)])
    if words[1] != names:
        raise GameError(f"{opponent.name} lists its actions as {', '.join(words[1])}; the game as {', '.join(names)}.")


def _chances(moves: Sequence[tuple[Move, float]]) -> list[MoveChance]:
    return [
        MoveChance(
            move=move_info(one if isinstance(one, Move) else one.moves[0]),
            range=move_range(one),
            text=one.text,
            probability=chance,
        )
        for one, chance in summed(moves)
    ]


def _likeliest(moves: Sequence[MoveChance], chosen: MoveInfo | None) -> list[MoveChance]:
    """All of them, or of hundreds the likeliest and the one that was made, in the same order."""
    ranked = sorted(moves, key=lambda one: -one.probability)[:MAX_MOVES]
    told = {one.move.id for one in ranked} | ({chosen.id} if chosen else set())
    return [one for one in moves if one.move.id in told]


def _rounded(mean: Mean | None) -> dict[str, float | None]:
    """A value and its error with as many digits as are meaningful."""
    return {
        "value": round(mean.value, 6) if mean else None,
        "value_error": round(mean.error, 6) if mean else None,
    }


def _aligned(values: Sequence[float] | None, n: int) -> Sequence[float | None]:
    return values if values is not None and len(values) == n else [None] * n


def _count(value: Any) -> int | None:
    return None if value is None else int(value)
