"""Facts that a hold'em agent's decision depends on: its bucket, how it maps bets, how often it expects to win.

Everything is looked up in cached tables; what is not cached is not computed while a request waits.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlor.compile import NotCached, cache_only
from parlor.game import GameError, Position, View
from parlor.game.game import move_of
from parlor.game.moves import Move
from parlor.game.rng import seed_stream
from parlor.game.seats.visibility import public_view
from parlor.games.holdem.agents.endgame import RIVER, endgame_probabilities
from parlor.games.holdem.agents.reading import by_samples, judge
from parlor.games.holdem.agents.river_solver import DEALT
from parlor.games.holdem.bets import CALL, FOLD, STREET
from parlor.games.holdem.hand_buckets import bucket_at
from parlor.games.holdem.page.schemas import HandStreet, HoldemView
from parlor.games.holdem.rules import HANDS
from parlor.games.holdem.sizes import ALL_IN, SMALLEST, TREES
from parlor.games.holdem.words import STREET_NAMES
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import MindFact
from parlor.poker.blueprint import Blueprint, cards_of
from parlor.poker.hands.buckets import SHOWN, SUMMARIES, Buckets, cards_shown, suitless_name
from parlor.poker.hands.equity_tables import SCALE, equities, equities_by_class, look_up
from parlor.poker.hands.isomorphism import class_name, hand_class

# Only constants that no option changes are imported: this module serves games of all options.
WHOLE_BOARD = SHOWN[-1]
_SHARES = {25: "¼ pot", 33: "⅓ pot", 50: "½ pot", 66: "⅔ pot", 75: "¾ pot", 100: "pot", 150: "1½ pot", 200: "2× pot"}


def tree_of(plan: Blueprint) -> str:
    """The name of its betting tree."""
    return plan.game.rpartition("/")[2]


def buckets_of(opponent: SeatedAgent) -> Buckets:
    """The card abstraction of a blueprint, from the cache."""
    plan = opponent.plan
    assert plan is not None
    if "buckets" not in opponent.cache:
        with cache_only():
            opponent.cache["buckets"] = cards_of(plan, opponent.name)
    found: Buckets = opponent.cache["buckets"]
    return found


def view(position: Position, before: Sequence[Position], player: int | None) -> HoldemView:
    """The view of `player` or of a spectator: cards, chips, and the hand so far."""
    assert position.game.words.display is not None
    things = dict(position.game.words.display(public_view(position) if player is None else position.view(player)))
    things["folded"] = None if things["folded"] < 0 else things["folded"]
    things["history"] = [HandStreet.model_validate(street) for street in things["history"]]
    return HoldemView(player=player, **things)


def tree_name(plan: Blueprint, street: int, made: Move) -> str:
    """The name of a move inside a betting tree; its verb and amount are those of the concrete move."""
    move = made.id
    if move in (FOLD, CALL):
        return made.verb
    tree = tree_of(plan)
    if move == ALL_IN:
        return "all-in"
    size = TREES[tree].sizes[street][move - SMALLEST]
    if TREES[tree].blinds:
        return f"{size / 100:g} big blinds more"
    return _SHARES.get(size, f"{size} % of the pot")


def action_name(opponent: SeatedAgent, position: Position, action: int) -> str:
    """An action as the agent sees it: for a blueprint the move of its tree."""
    made = move_of(opponent.agent.game, position.state, action)
    return made.text if opponent.plan is None else tree_name(opponent.plan, position.state.betting[STREET], made)


def hidden(seen: View) -> str:
    """A player's cards are dealt."""
    return "a card face down" if seen is None or seen.player is None else "a card face down to the other"


def facts(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """The bucket, if it uses buckets; the exact equity of the cards; its own estimate, if it makes one."""
    found = []
    if opponent.agent.fill_probabilities is endgame_probabilities and _is_solved(opponent, position):
        text = f"solved anew, hand by hand, for all {DEALT:,} possible hands"
        found.append(MindFact(name="the river", text=text))
    elif opponent.plan is not None:
        found = _bucket(opponent, position)
    if cards_shown(position.game.options) == WHOLE_BOARD:
        found.append(MindFact(name="equity against any hand", text=_equity(position)))
    return found + _estimate(opponent, position)


def reason(opponent: SeatedAgent, position: Position, move: int) -> str:
    """The hand, and how often it would win against any other."""
    assert position.game.words.display is not None
    things = position.game.words.display(position.view(position.turn))
    hand = f"with {' '.join(things['cards'])}{', ' + things['made'] if things['made'] else ''}"
    share = _share(position) if cards_shown(position.game.options) == WHOLE_BOARD else None
    return hand if share is None else f"{hand}, which wins {100.0 * share:.0f} % of the time against any hand"


def _is_solved(opponent: SeatedAgent, position: Position) -> bool:
    """Whether this is a river at which an endgame solver has a decision in its tree."""
    plan, public_history, state = opponent.plan, opponent.agent.game.abstraction.public_history, position.state
    assert plan is not None
    assert public_history is not None
    return bool(state.betting[STREET] == RIVER and (plan.code == public_history(state, position.turn)).any())


def _bucket(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    plan, state, player = opponent.plan, position.state, position.turn
    assert plan is not None
    assert opponent.agent.game.abstraction.public_history is not None
    street, cards = state.betting[STREET], buckets_of(opponent)
    bucket, count = bucket_at(state, player, cards.data), cards.counts[street]
    if street == 0 or plan.cards == "suitless":
        text = f"{suitless_name(street, bucket) if street else class_name(bucket)}, one of {count:,} kinds of hands"
    else:
        text = f"{bucket + 1:,} of {count:,}, of which 1 is the weakest ({SUMMARIES[plan.cards]})"
    where = f"bucket on the {STREET_NAMES[street]}" if street else "bucket before the flop"
    nodes = (plan.code == opponent.agent.game.abstraction.public_history(state, player)).nonzero()[0]
    if not len(nodes):
        met = "no: in its tree all chips are in by now, so it only calls"
    else:
        learned = plan.strategy(int(nodes[0]))[bucket].any()
        met = "yes" if learned else "no: it plays as with the nearest trained bucket"
    return [
        MindFact(name=where, text=text),
        MindFact(name="trained", text=met),
    ]


def _equity(position: Position) -> str:
    share = _share(position)
    if share is None:
        return "unknown: the card tables have not been computed on this machine; run `parlor cards`"
    return f"{100.0 * share:.2f} %"


def _share(position: Position) -> float | None:
    """The equity of the cards against any hand; None if the tables for it are not there."""
    state, player = position.state, position.turn
    hand, board = state.hole[player], state.board[: state.dealt - HANDS]
    try:
        with cache_only():
            return float(
                look_up(equities(len(board)), hand, board) / SCALE if board else equities_by_class()[hand_class(*hand)]
            )
    except NotCached:
        return None


def _estimate(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    agent, state, player = opponent.agent, position.state, position.turn
    if agent.slots.get(judge) is not by_samples:
        return []
    stream, data = [0, 0, 0, 0], agent.data(False)
    seed_stream(stream, 0, agent.concrete_game.rules.key(state, player))  # as when it decided
    rate = by_samples(state, player, stream, data)
    return [MindFact(name="its own estimate", text=f"it wins {100.0 * rate:.0f} % of {data[0]:,} simulated deals")]


def blueprint_of(opponent: SeatedAgent) -> Blueprint:
    """The blueprint; GameError if it is none."""
    if opponent.plan is None:
        raise GameError(f"{opponent.name} is not a blueprint of hold'em, so it has no grid of hands.")
    return opponent.plan
