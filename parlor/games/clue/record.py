"""A game at a real table, typed line by line, and the notepad that follows from it.

    players Anna, Ben, Carla, me           clockwise; exactly one is me; uneven hands: Anna 5, Ben 5, Carla 4, me 4
    cards plum knife study hall            mine
    Anna: mustard rope hall, Ben passes, Carla shows
    me: plum rope library, Ben shows rope  I saw it
    Carla: green knife kitchen, nobody     nobody could show a card
    Ben accuses green knife kitchen        and was wrong
    Ben has rope                           or lacks it, however you know
    suspects Scarlett, Mustard, …          before `cards`: the names in your edition; weapons and rooms alike

Cards are named by any word of theirs, or its beginning. Whatever does not fit gets a sentence, and nothing is changed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from parlor.game import GameError
from parlor.games.clue.deduction.notes import Accusation, Contradiction, Fact, Holding, Notes, Suggestion, hand_sizes
from parlor.games.clue.words import ROOM_NAMES, SUSPECT_NAMES, WEAPON_NAMES

KINDS = ("suspects", "weapons", "rooms")
DEFAULT_NAMES = (SUSPECT_NAMES, WEAPON_NAMES, ROOM_NAMES)
FILLERS = {"the", "with", "in", "and", "a", "an", "card", "by", "of", "one"}
ME = {"me", "i"}
PASSES = {"passes", "pass", "passed", "none", "no", "cannot"}
SHOWS = {"shows", "show", "showed", "shown", "refutes", "refute", "refuted"}
HELPING = {"has", "have", "does", "do", "can", "both"}
NOBODY = {"nobody", "noone", "unrefuted"}


class TableRecord:
    """All that was typed so far: the players, my cards, and the facts."""

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines: list[str] = []
        self.kinds: list[tuple[str, ...]] = list(DEFAULT_NAMES)
        self.players: list[str] = []
        self.sizes: list[int] | None = None
        self.hand: list[int] = []
        self.facts: list[Fact] = []
        self.fact_lines: list[str] = []  # the line of each fact
        self.notes: Notes | None = None  # as soon as the players and my cards are known
        for line in lines:
            self.add(line)

    # ------------------------------------------------------------------------------------------ what there is

    @property
    def cards(self) -> list[str]:
        """The names of all cards."""
        return [name for kind in self.kinds for name in kind]

    @property
    def deck(self) -> tuple[int, int, int, int]:
        """Players, suspects, weapons, rooms."""
        return len(self.players), len(self.kinds[0]), len(self.kinds[1]), len(self.kinds[2])

    @property
    def me(self) -> int:
        """My seat."""
        return next(i for i, name in enumerate(self.players) if name.lower() in ME)

    @property
    def next_step(self) -> str:
        """A hint on the next thing to type."""
        if not self.players:
            return "Who plays, clockwise? For example: players Anna, Ben, me"
        if not self.hand:
            return "Which cards do you have? For example: cards plum knife study"
        return "What happened? For example: Anna: plum knife study, Ben passes, me shows knife"

    # ------------------------------------------------------------------------------------------ typing

    def add(self, line: str) -> None:
        """Read one line; a `GameError` says what is wrong with it, and then nothing has changed."""
        text = line.partition("#")[0].strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        word = word.rstrip(":").lower()
        if word == "players":
            self._set_players(rest)
        elif word in KINDS:
            self._set_names(KINDS.index(word), rest)
        elif word == "cards":
            self._set_hand(rest)
        else:
            self._add_fact(text)
        self.lines.append(text)

    def undo(self) -> str:
        """Forget the last line; returns it."""
        if not self.lines:
            raise GameError("There is nothing to undo.")
        *kept, last = self.lines
        self.__dict__.update(TableRecord(kept).__dict__)
        return last

    def _set_players(self, text: str) -> None:
        self._before(self.hand, "players")
        names, sizes = [], []
        for part in filter(None, (part.strip() for part in text.split(","))):
            found = re.fullmatch(r"(?P<name>[^\d():;/]+?)\s*\(?(?P<size>\d+)?\)?", part)
            if found is None:
                raise GameError(
                    f"{part!r} is no name; write players Anna, Ben, me, or with their cards: Anna 5, Ben 4."
                )
            names.append(found["name"])
            sizes.append(found["size"])
        if not 3 <= len(names) <= 6:
            raise GameError(f"Clue is for 3 to 6 players, not {len(names)}; write players Anna, Ben, me.")
        if len({name.lower() for name in names}) < len(names):
            raise GameError("Two players have the same name; give everybody another one.")
        if sum(name.lower() in ME for name in names) != 1:
            raise GameError("One of the players must be you, called me: players Anna, Ben, me.")
        smaller, larger = hand_sizes((len(names), *map(len, self.kinds)))
        if larger and None in sizes:
            raise GameError(
                f"{larger} of you have {smaller + 1} cards, the others {smaller}; write how many behind each name: "
                f"players {', '.join(f'{name} {smaller + (i < larger)}' for i, name in enumerate(names))}."
            )
        given = [int(size) for size in sizes if size is not None]
        if given and sorted(given) != sorted([smaller + (i < larger) for i in range(len(names))]):
            raise GameError(
                f"{larger} of you have {smaller + 1} cards and the others {smaller}; that is not what it says."
            )
        self.players, self.sizes = names, given or None

    def _set_names(self, kind: int, text: str) -> None:
        self._before(self.players, KINDS[kind])
        names = tuple(filter(None, (part.strip() for part in text.split(","))))
        if not 1 <= len(names) <= len(DEFAULT_NAMES[kind]) or len(set(names)) < len(names):
            raise GameError(f"Write up to {len(DEFAULT_NAMES[kind])} different {KINDS[kind]} with commas between them.")
        self.kinds[kind] = names

    def _set_hand(self, text: str) -> None:
        if not self.players:
            raise GameError(self.next_step)
        self._before(self.facts, "cards")
        hand = self._cards(text)
        self.notes = Notes(self.deck, self.me, hand, (), self.sizes)
        self.hand = hand

    def _before(self, later: Sequence[object], what: str) -> None:
        if later:
            raise GameError(f"The line {what!r} must come earlier; undo what follows it first.")

    def _add_fact(self, text: str) -> None:
        fact = self._fact(text)
        try:
            notes = Notes(self.deck, self.me, self.hand, [*self.facts, fact], self.sizes)
        except Contradiction as found:
            others = " and ".join(f'"{self.fact_lines[i]}"' for i in found.others)
            against = f"it contradicts {others}" if others else "it contradicts your cards"
            raise GameError(f'"{text}" cannot be: {against}. Correct it, or undo what was wrong before.') from None
        self.notes = notes
        self.facts.append(fact)
        self.fact_lines.append(text)

    # ------------------------------------------------------------------------------------------ reading facts

    def _fact(self, text: str) -> Fact:
        found = re.match(
            r"(?P<who>[^:,;]+?)(\s*:|\s+(?P<verb>suggests?|asks?|accuses?|accused|has|have|lacks?)\b)", text, re.I
        )
        if found is None:
            raise GameError(f"{text!r} is not understood; {self._example()}.")
        if not self.players or not self.hand:
            raise GameError(self.next_step)
        who, rest = self._player(found["who"]), text[found.end() :].strip()
        verb = (found["verb"] or "").lower()
        again = re.match(r"(accuses?|accused|has|have|lacks?)\b", rest, re.I) if not verb else None
        if again:
            verb, rest = again[0].lower(), rest[again.end() :]
        if verb in ("has", "have", "lack", "lacks"):
            cards = self._cards(rest)
            if len(cards) != 1:
                raise GameError(f"Name one card that {self.players[who]} {verb}, and write a line for each.")
            return Holding(who, cards[0], verb in ("has", "have"))
        if verb.startswith("accuse"):
            return Accusation(who, self._triple(re.split(r"[,;/(]", rest)[0]))
        parts = [part.strip() for part in re.split(r"[,;/()]", rest) if part.strip()]
        if not parts:
            raise GameError(f"What did {self.players[who]} suggest? {self._example()}.")
        return self._suggestion(who, self._triple(parts[0]), parts[1:])

    def _suggestion(self, asker: int, triple: int, parts: Sequence[str]) -> Suggestion:
        """Parse the answer to a suggestion from the parts after it."""
        passed: list[int] = []
        refuter, shown = None, -1
        for part in parts:
            words = part.replace(":", " ").lower().split()
            if words[0] in NOBODY or words[:2] == ["no", "one"] or words == ["none"]:
                refuter = -1
            elif any(word in SHOWS for word in words):
                at = next(i for i, word in enumerate(words) if word in SHOWS)
                refuter = self._player(" ".join(words[:at]))
                rest = [word for word in words[at + 1 :] if word not in ME | FILLERS | {"you"}]
                shown = self._one(" ".join(rest)) if rest else shown
            elif any(word in PASSES for word in words):
                at = next(i for i, word in enumerate(words) if word in PASSES)
                said = " ".join(word for word in words[:at] if word not in HELPING)
                passed += [self._player(name) for name in re.split(r"\band\b|&", said)]
            elif words[0] in ME and refuter is not None:
                shown = self._one(" ".join(words[1:]))  # (me: knife)
            else:
                raise GameError(f"{part!r} is not understood; {self._example()}.")
        others = [(asker + i) % len(self.players) for i in range(1, len(self.players))]
        if refuter is None and sorted(passed) == sorted(others):
            refuter = -1
        if refuter is None:
            raise GameError("Say who showed a card, or nobody, at the end of the line.")
        return self._checked(Suggestion(asker, triple, refuter, shown), passed, others)

    def _checked(self, said: Suggestion, passed: Sequence[int], others: Sequence[int]) -> Suggestion:
        names, cards = self.players, self._triple_cards(said.triple)
        if said.refuter == said.asker:
            raise GameError(f"{names[said.asker]} cannot refute their own suggestion.")
        before = others if said.refuter < 0 else others[: others.index(said.refuter)]
        for q in passed:
            if q not in before:
                order = ", ".join(names[i] for i in others)
                raise GameError(
                    f"After {names[said.asker]} it goes {order}; {names[q]} is not asked before a card is shown."
                )
        if said.shown >= 0 and said.shown not in cards:
            raise GameError(f"{self.cards[said.shown]} is none of the three cards that were suggested.")
        if said.shown >= 0 and self.me not in (said.asker, said.refuter):
            raise GameError(f"Only {names[said.asker]} saw that card; write {names[said.refuter]} shows.")
        if said.refuter >= 0 and said.asker == self.me and said.shown < 0:
            raise GameError(
                f"You have seen the card: write {names[said.refuter]} shows {self.cards[cards[0]].lower()}."
            )
        return said

    # ------------------------------------------------------------------------------------------ names

    def _example(self) -> str:
        return "write for example Anna: plum knife study, Ben passes, Carla shows"

    def _player(self, text: str) -> int:
        name = text.strip().lower()
        if name in ME:
            return self.me
        found = [i for i, player in enumerate(self.players) if name and player.lower().startswith(name)]
        exact = [i for i in found if self.players[i].lower() == name]
        if len(exact or found) != 1:
            raise GameError(f"There is no player {text.strip()!r}; there are {', '.join(self.players)}.")
        return (exact or found)[0]

    def _matching(self, word: str) -> set[int]:
        """The cards with a word that begins so."""
        words = [set(re.findall(r"\w+", name.lower())) for name in self.cards]
        exact = {i for i, own in enumerate(words) if word in own}
        return exact or {i for i, own in enumerate(words) if len(word) > 1 and any(w.startswith(word) for w in own)}

    def _cards(self, text: str) -> list[int]:
        """The cards that a text names."""
        found: list[set[int]] = []
        for word in re.findall(r"\w+", text.lower()):
            if word in FILLERS:
                continue
            matching = self._matching(word)
            if not matching:
                raise GameError(f"There is no card {word!r}{self._near(word)}")
            if found and found[-1] & matching:
                found[-1] &= matching
            else:
                found.append(matching)
        for cards in found:
            if len(cards) > 1:
                could = " or ".join(self.cards[card] for card in sorted(cards))
                raise GameError(f"Which card do you mean: {could}?")
        return [card for [card] in found]

    def _near(self, word: str) -> str:
        words = {w.lower(): name for name in self.cards for w in re.findall(r"\w+", name)}
        near = difflib.get_close_matches(word, words, 1)
        return f"; did you mean {words[near[0]]}?" if near else f"; there are {', '.join(self.cards)}."

    def _one(self, text: str) -> int:
        cards = self._cards(text)
        if len(cards) != 1:
            raise GameError("One card is shown at a time; name it.")
        return cards[0]

    def _triple(self, text: str) -> int:
        cards = sorted(self._cards(text))
        _, suspects, weapons, rooms = self.deck
        kinds = [0 if card < suspects else 1 if card < suspects + weapons else 2 for card in cards]
        if kinds != [0, 1, 2]:
            raise GameError("A suggestion names a suspect, a weapon and a room: plum knife study.")
        return (cards[0] * weapons + cards[1] - suspects) * rooms + cards[2] - suspects - weapons

    def _triple_cards(self, triple: int) -> tuple[int, int, int]:
        _, suspects, weapons, rooms = self.deck
        return triple // (weapons * rooms), suspects + triple // rooms % weapons, suspects + weapons + triple % rooms


def rows(record: TableRecord) -> Iterator[tuple[str, list[float]]]:
    """The grid: each card's name, and its probability with each player and, last, in the file."""
    assert record.notes is not None
    for card, name in enumerate(record.cards):
        yield name, [float(p) for p in record.notes.cards[card]]
