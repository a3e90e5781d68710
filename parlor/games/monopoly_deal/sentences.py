"""Information sets of Monopoly Deal in sentences.

"player 0, second turn of the streak: may start a property set, bank cash or pass". An abstract state may have any
entries: those with a phrase here get it, others are rendered as `name: value`, so that nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlor.game.words import player as named
from parlor.games.monopoly_deal.words import COLOUR_NAMES, counted, in_hand, sets

#: intent -> its phrase; other actions are their own phrase
INTENT_WORDS = {
    "StartNewPropertySet": "start a property set",
    "AddToPropertySet": "add to a property set",
    "CompletePropertySet": "complete a property set",
    "Cash": "bank cash",
    "AttemptCollectRent": "collect rent",
    "JustSayNo": "say no",
    "GiveOpponentCash": "give cash",
    "GiveOpponentProperty": "give property",
    "Pass": "pass",
    "Yield": "yield",
    "Other": "waste a card",
}
ANSWERS = ("JustSayNo", "GiveOpponentCash", "GiveOpponentProperty", "Yield", "Just Say No", "yield")
ORDINALS = ("first", "second", "third", "fourth", "fifth")

#: entry of an abstract state -> how a sentence about it begins
PHRASES = {
    "owns": "owns",
    "other owns": "the other owns",
    "hand": "holds",
}


def in_words(state: Mapping[str, Any]) -> str:
    """An abstract state: who, when, what can be done, and all else that is known."""
    actions = state.get("actions")
    rest = [entry(name, value) for name, value in state.items() if name not in ("player", "streak", "actions")]
    who = named(state["player"])
    if actions is not None and not actions:
        who = named(state["player"], "waits")
    elif actions and answering(actions):
        who = f"{named(state['player'], 'must')} answer a demand"
    if "streak" in state:
        when = f"{ordinal(state['streak'])} turn of the streak"
        who += f" ({when})" if actions and answering(actions) else f", {when}"
    if actions:
        who += f": {may(actions)}"
    return "; ".join([who, *rest])


def answering(actions: Sequence[str]) -> bool:
    """Whether these are answers to a demand: none of them can be played in a turn of one's own."""
    return all(name in ANSWERS or name.startswith("pay ") for name in actions)


def may(actions: Sequence[str]) -> str:
    """May bank cash, collect rent or pass."""
    words = [INTENT_WORDS.get(name, name) for name in actions]
    return f"may {', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else f"can only {words[0]}"


def ordinal(number: int) -> str:
    """First for 0."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}th"


def entry(name: str, value: Any) -> str:
    """One entry: owns brown 1/2, green 2/3."""
    begin = PHRASES.get(name, f"{name.replace('_', ' ')}:")
    if isinstance(value, Mapping) and all(isinstance(n, int) for n in value.values()):
        return f"{begin} {owned(value) if set(value) <= set(COLOUR_NAMES) else cards(value)}"
    if isinstance(value, Mapping):
        return f"{begin} {', '.join(entry(k, v) for k, v in value.items()) or 'nothing'}"
    if isinstance(value, list | tuple):
        return f"{begin} {', '.join(str(v) for v in value) or 'nothing'}"
    if isinstance(value, bool):
        return f"{begin} {'yes' if value else 'no'}"
    return f"{begin} {value}"


def owned(pile: Mapping[str, int]) -> str:
    """Brown 1/2, green 2/3."""
    return sets(tuple(pile.get(colour, 0) for colour in COLOUR_NAMES))


def cards(pile: Mapping[str, int]) -> str:
    """2 $1, green."""
    return counted(tuple(pile), tuple(pile.values()))


def whole_in_words(player: int, state: Mapping[str, Any]) -> str:
    """The state of a game without abstraction; the order of events, which is also known, is left out."""
    me, other, piles = state["me"], state["opponent"], state["piles"]
    return "; ".join(
        [
            moment(player, state["turn"]),
            f"holds {cards(me['hand'])}",
            f"owns {owned(me['property'])}, bank {cards(me['cash'])}",
            f"the other owns {owned(other['property'])}, bank {cards(other['cash'])}, {in_hand(other['held'])}",
            f"deck {piles['deck']}, discarded {cards(piles['discard'])}",
        ]
    )


def moment(player: int, turn: Mapping[str, Any]) -> str:
    """The phase of the turn for this player."""
    response = turn["response"]
    if response:
        waits = turn["actor"] == player
        who = f"{named(player, 'waits')} for the answer to" if waits else f"{named(player, 'must')} answer"
        debt = f" (${response['owed']} owed, ${response['paid']} paid)" if response["demand"] == "payment" else ""
        return f"{who} {response['action']}{debt}"
    when = f"{ordinal(turn['streak_idx'])} turn of the streak"
    if turn["drawing"]:
        return f"{named(player)}, while {named(turn['drawer'], 'draws')} {turn['drawing']}"
    return f"{named(player)}, {when}" if turn["actor"] == player else f"{named(player, 'waits')}, {when} of the other"
