"""Moves as a person types them: by name, by what they do, or by a few words of it.

Where there are many moves, words are enough: "plum knife study" is the one suggestion that has all three. What
an answer leaves open, the data of the moves tells (`Move.data`): if several have its words, they differ in the weapon
or in the room, and that is what is asked for next. Nothing is read out of sentences.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

from parlor.game.moves import Move

FILLERS = ("to", "of", "for", "from", "the", "a")  # words that an answer may contain
JOINING = (*FILLERS, "with", "in", "and", "by")  # where words are matched one by one, unless they abbreviate a verb
VERB = "verb"


def meant(answer: str, moves: Sequence[Move]) -> Move | None:
    """The one move that an answer means: by its name or its text, by what it does and with what, or by a part of them.

    Numbers must be whole: 4 does not match 14, and a part of a name contains none.
    """
    said = answer.lower()
    ways: list[Callable[[Move], bool]] = [
        lambda move: said in (move.name.lower(), move.text.lower()),
        lambda move: _does(move, said),
        lambda move: _does(move, said.replace("£", "").replace("$", ""), words_of(move.text)),
    ]
    if not any(map(str.isdigit, said)):
        for part in (str.startswith, str.endswith, str.__contains__):
            ways.append(functools.partial(_named, part, said))
    for fits in ways:
        matches = [move for move in moves if said and fits(move)]
        if len(matches) == 1:
            return matches[0]
    return None


def _does(move: Move, said: str, also: Sequence[str] = ()) -> bool:
    """Whether an answer says what a move does and nothing else: "raise 40", "raises to 40", "40".

    Words of its text may be allowed `also`, but not its numbers.
    """
    terms = {move.verb.lower(), f"{move.verb.lower()}s"} | {word for word in also if word.isalpha()}
    for name, value in move.data.items():
        terms |= set(str(value).lower().split()) if name != VERB else set()
    words = [word for word in said.split() if word not in FILLERS]
    return bool(words) and all(word in terms for word in words)


def _named(part: Callable[[str, str], bool], said: str, move: Move) -> bool:
    return part(move.name.lower(), said) or part(move.text.lower(), said)


# ------------------------------------------------------------------------------------------------------- word by word


def words_of(text: str) -> list[str]:
    """The words of an answer or of a value, in small letters and without stops."""
    return text.lower().replace(",", " ").replace(".", " ").split()


def with_words(answer: str, moves: Sequence[Move]) -> list[Move]:
    """The moves whose data has every word of an answer, or a word that begins with it; no word counts twice.

    Numbers are taken in the order of the data, if they can be: of "1 4" and "4 1", "1 4" is the first.
    """
    said = _said(answer, moves)
    tokens = {move.id: _tokens(move) for move in moves}
    whole = {token for found in tokens.values() for token in found}
    if not said:
        return []
    found = [move for move in moves if _has_all(said, tokens[move.id], whole)]
    numbers = [word for word in said if word.isdigit()]
    in_order = [move for move in found if [t for t in tokens[move.id] if t in numbers] == numbers]
    return in_order if len(numbers) > 1 and in_order else found


def not_found(answer: str, moves: Sequence[Move]) -> list[str]:
    """The words of an answer that no move has."""
    return [word for word in _said(answer, moves) if not with_words(word, moves)]


def _said(answer: str, moves: Sequence[Move]) -> list[str]:
    """The words of an answer that say something."""
    verbs = {move.verb for move in moves}
    return [w for w in words_of(answer) if w not in JOINING or any(verb.startswith(w) for verb in verbs)]


def _tokens(move: Move) -> list[str]:
    return [word for value in move.data.values() for word in words_of(str(value))]


def _has_all(said: Sequence[str], tokens: Sequence[str], whole: set[str]) -> bool:
    """Whether every word said stands for another token; one that is a whole token somewhere is not an abbreviation."""
    if not said:
        return True
    word, rest = said[0], said[1:]
    short = word not in whole and not word.isdigit()
    return any(
        _has_all(rest, [*tokens[:i], *tokens[i + 1 :]], whole)
        for i, token in enumerate(tokens)
        if token == word or (short and token.startswith(word))
    )


def open_parts(moves: Sequence[Move]) -> Mapping[str, list[str]]:
    """In what moves differ: the name of each part with its values, in order; first, and alone, the verb."""
    verbs = list(dict.fromkeys(move.verb for move in moves))
    if len(verbs) > 1:
        return {VERB: verbs}
    parts: dict[str, list[str]] = {}
    for move in moves:
        for name, value in move.data.items():
            values = parts.setdefault(name, [])
            if str(value) not in values:
                values.append(str(value))
    return {name: values for name, values in parts.items() if len(values) > 1}


def having(moves: Sequence[Move], part: str, value: str) -> list[Move]:
    """The moves in which a part has a value."""
    return [move for move in moves if str(move.data.get(part)) == value]


def example(move: Move) -> str:
    """Return an example of typing a move: the last word of each of its arguments."""
    return " ".join(words_of(str(value))[-1] for name, value in move.data.items() if name != VERB)
