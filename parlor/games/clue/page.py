"""Clue as JSON: the table as a seat sees it, and what the seat can deduce, for its notepad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from parlor import compile as compiler
from parlor.game import CHANCE, Game, Position
from parlor.game.schema import fields_of
from parlor.game.seats.visibility import public_view
from parlor.game.words import player as named
from parlor.games.clue.agents.detective import believe, detective_probabilities
from parlor.games.clue.agents.evidence import EVIDENCE, NONE
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction.notes import Notes
from parlor.games.clue.words import ROOM_NAMES, SUSPECT_NAMES, WEAPON_NAMES
from parlor.page.display import Display
from parlor.page.seated_agent import SeatedAgent
from parlor.page.shapes import BlockedMove, LegalMove, MindFact, Shape

# Of the rules only what no option changes is imported: this module serves games of all options.


class SuggestionInfo(Shape):
    """A suggestion, and who showed a card; which one, only those two see."""

    by: int
    cards: list[int] = Field(description="The suspect, the weapon and the room.")
    refuter: int | None = Field(description="Who showed a card, or must show one now; null: nobody could.")
    shown: int | None = Field(description="The card, if the reader showed or saw it.")


class AccusationInfo(Shape):
    """A wrong accusation: its player is out."""

    by: int
    cards: list[int]
    after: int = Field(description="The number of suggestions before it.")


class ClueDeck(Shape):
    """The names of all cards. Elsewhere cards are numbers: suspects first, then weapons, then rooms."""

    suspects: list[str]
    weapons: list[str]
    rooms: list[str]


class ClueView(ClueDeck):
    """The view that a seat has of Clue."""

    kind: Literal["clue"] = "clue"
    player: int | None = Field(description="Null: a spectator.")
    hand: list[int]
    sizes: list[int] = Field(description="How many cards everybody holds.")
    dealt: bool = Field(description="Whether all cards are dealt.")
    actor: int = Field(description="Whose turn it is.")
    answering: int | None = Field(description="Who must show a card.")
    suggested: bool = Field(description="Whether the suggestion of this turn has been made.")
    suggestions: list[SuggestionInfo]
    most_suggestions: int
    can_accuse: bool = Field(description="Whether the game is won by an accusation.")
    accusations: list[AccusationInfo]
    winner: int | None


class ClueNotes(ClueDeck):
    """Deductions from all that a player has seen, every deal that is possible being equally likely.

    In an agent's mind it may be `believed`: deals are weighed by what the agent makes of the others' behaviour.
    """

    kind: Literal["clue"] = "clue"
    player: int
    deals: str = Field(description="How many deals are possible, an integer.")
    cards: list[list[float]] = Field(
        description="The probability of each card being with each player, or, in the last place, in the file."
    )
    solutions: list[float] = Field(
        description="The probability of each suspect with each weapon in each room, the room changing fastest."
    )
    believed: bool


def sizes(game: Game) -> tuple[int, int, int]:
    """The numbers of suspects, weapons and rooms."""
    suspects, weapons, rooms = (int(game.options[name]) for name in ("suspects", "weapons", "rooms"))
    return suspects, weapons, rooms


def names(game: Game) -> dict[str, Any]:
    """Of all cards, by kind."""
    suspects, weapons, rooms = sizes(game)
    return {
        "suspects": list(SUSPECT_NAMES[:suspects]),
        "weapons": list(WEAPON_NAMES[:weapons]),
        "rooms": list(ROOM_NAMES[:rooms]),
    }


def deck_names(game: Game) -> list[str]:
    """Of all cards, by their numbers."""
    return [name for kind in names(game).values() for name in kind]


def cards_of(triple: int, game: Game) -> list[int]:
    """The suspect, the weapon and the room of a triple."""
    suspects, weapons, rooms = sizes(game)
    return [triple // (weapons * rooms), suspects + triple // rooms % weapons, suspects + weapons + triple % rooms]


def triple_of(cards: Sequence[int], game: Game) -> int:
    """The number of a suspect, a weapon and a room."""
    suspects, weapons, rooms = sizes(game)
    return (cards[0] * weapons + cards[1] - suspects) * rooms + cards[2] - suspects - weapons


def view(position: Position, before: Sequence[Position], player: int | None) -> ClueView:
    """The table as `player` or a spectator sees it."""
    game = position.game
    seen: Any = public_view(position) if player is None else position.view(player)
    suspects, weapons, rooms = sizes(game)
    suggestions = []
    for entry, shown in zip(seen.asked[: seen.suggestions], seen.shown, strict=False):
        refuter, cards = refuter_of(entry), cards_of(triple_asked(entry), game)
        one = SuggestionInfo(
            by=asker_of(entry),
            cards=cards,
            refuter=refuter if refuter >= 0 else None,
            shown=shown - 1 if shown else None,
        )
        suggestions.append(one)
    wrong = [
        AccusationInfo(by=p, cards=cards_of(triple_asked(entry), game), after=entry >> TRIPLE_BITS)
        for p, entry in enumerate(seen.accused)
        if entry
    ]
    return ClueView(
        player=player,
        **names(game),
        hand=[card for card in range(suspects + weapons + rooms) if seen.hand >> card & 1],
        sizes=game.words.display(seen)["hands"] if game.words.display else [],
        dealt=seen.dealt == suspects + weapons + rooms,
        actor=seen.actor,
        answering=seen.answering - 1 if seen.answering else None,
        suggested=bool(seen.suggested),
        suggestions=suggestions,
        most_suggestions=len(seen.asked),
        can_accuse=game.options["accusations"] == "true",
        accusations=sorted(wrong, key=lambda one: one.after),
        winner=seen.winner - 1 if seen.winner else None,
    )


def blocked(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """The kinds of moves that are not legal now, with reasons."""
    can = {one.verb for one in legal}
    if "show" in can:
        return [BlockedMove(verb="suggest", reason="First you must show one of these cards.")]
    found = []
    if "suggest" not in can:
        found.append(BlockedMove(verb="suggest", reason="You have made the suggestion of this turn."))
    if "accuse" in can and "end" not in can:
        found.append(BlockedMove(verb="end", reason="A turn needs a suggestion or an accusation."))
    return found


def notes(position: Position, player: int) -> ClueNotes | None:
    """The deductions of `player`; None while cards are dealt."""
    if position.turn == CHANCE:
        return None
    found = Notes.of(position, player)
    return noted(position.game, player, found.deals, found.cards, found.solutions.ravel(), False)


def belief(opponent: SeatedAgent, position: Position) -> ClueNotes | None:
    """The notepad of an agent: as it believes, if it weighs the others' behaviour; else what can be deduced."""
    game, player, agent = position.game, position.turn, opponent.agent
    if agent.fill_probabilities is not detective_probabilities or position.state.suggestions == 0:
        return notes(position, player)
    mind: Any = agent.data(True)
    states = compiler.states(game, 1, True)
    for name, value in fields_of(position.state).items():
        states[0][name] = value
    total = compiler.native(believe)(states[0], player, mind, True)
    deals = Notes.of(position, player).deals
    return noted(game, player, deals, mind.cards / total, mind.tensor / total, bool(mind.settings[EVIDENCE] != NONE))


def noted(game: Game, player: int, deals: int, cards: Any, solutions: Any, believed: bool) -> ClueNotes:
    """Notes as JSON."""
    return ClueNotes(
        player=player,
        **names(game),
        deals=str(deals),
        cards=[[rounded(chance) for chance in row] for row in cards.tolist()],
        solutions=[rounded(chance) for chance in solutions.tolist()],
        believed=believed,
    )


def rounded(chance: float) -> float:
    """Four digits, but only what is certain is 0 or 1."""
    return chance if chance in (0.0, 1.0) else min(max(round(chance, 4), 0.0001), 0.9999)


def reason(opponent: SeatedAgent, position: Position, action: int) -> str:
    """The argument for a move, by the notes of the player who makes it."""
    p, made = position.turn, position.move(action)
    seen, deck = position.view(p), deck_names(position.game)
    if made.verb == "show":
        shown = deck.index(str(made.card)) + 1
        again = any(
            asker_of(entry) == seen.actor and card == shown
            for entry, card in zip(seen.asked[: seen.suggestions], seen.shown, strict=False)
        )
        return f"{named(seen.actor, 'has')} seen it before" if again else ""
    if made.verb not in ("suggest", "accuse"):
        return ""
    cards = [deck.index(str(made.details[kind])) for kind in ("suspect", "weapon", "room")]
    own = [deck[card] for card in cards if seen.hand >> card & 1]
    if own:
        return f"{named(p, 'holds')} {' and '.join(own)}, and the others do not know that"
    known = belief(opponent, position)
    chance = known.solutions[triple_of(cards, position.game)] if known else 0.0
    return f"the chance that this lies in the file was {in_percent(chance)}"


def facts(opponent: SeatedAgent, position: Position) -> list[MindFact]:
    """The deductions that the player in turn could make."""
    found, deck = Notes.of(position, position.turn), deck_names(position.game)
    best = int(found.solutions.argmax())
    suspect, weapon, room = (deck[card] for card in cards_of(best, position.game))
    likely = f"{suspect} with the {weapon} in the {room}, {in_percent(found.solutions.ravel()[best])}"
    told = {"possible deals": f"{found.deals:,}", "most likely in the file": likely}
    return [MindFact(name=name, text=text) for name, text in told.items()]


def in_percent(chance: float) -> str:
    """As precise as a person can use it."""
    return f"{100 * chance:.1f} %" if 0.0 < chance < 0.1 else f"{100 * chance:.0f} %"


def hidden(seen: Any) -> str:
    """Text for a card that the seat does not see."""
    return "a card is dealt that you do not see"


DISPLAY = Display(
    ClueView,
    view,
    blocked=blocked,
    hidden=hidden,
    secret_move="show a card",
    combine=("suggest", "accuse"),
    facts=facts,
    reason=reason,
    notes=notes,
    notes_type=ClueNotes,
    belief=belief,
)
