"""Names of saved strategies and of the ways they were made, in words for people, from the headers of their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlor.game import Game, GameError
from parlor.game.loading import declared_options, load_once, parse
from parlor.runs.learners.registry import LEARNERS
from parlor.solvers.solve import ALGORITHMS

ENOUGH = 100  # iterations
SWITCH = {"true": "yes", "false": "no"}


def _option_words(game: str) -> list[str]:
    base, given, _ = parse(game)
    declared = declared_options(base)
    words = []
    for name, value in given.items():
        option, spaced = declared[name], name.replace("_", " ")
        if name == "preset":
            words.append(option.word(str(value)).title.lower())
        elif option.choices or option.names:
            words.append(f"{spaced}: {SWITCH.get(str(value), str(value).replace('-', ' '))}")
        else:
            words.append(f"{value} {spaced}")
    return words


def strategy_name(head: Mapping[str, Any]) -> str:
    """A name from the game and the amount of work; empty if the header does not say them.

    `Leduc master` has solved its game, `Monopoly Deal learner (1,000 games)` has come so far. Commas stand only in the
    brackets, so that the name can stand in a sentence.
    """
    amount = "" if is_solved(head) else played_so_far(head)
    try:
        game = str(head["game"])
        details = _option_words(game) + [amount] * bool(amount)
        title = load_once(parse(game)[0]).words.title
    except (GameError, KeyError):
        return ""
    if not (amount or is_solved(head)):
        return ""
    name = f"{title} {'learner' if amount else 'master'}"
    return f"{name} ({', '.join(details)})" if details else name


def is_solved(head: Mapping[str, Any]) -> bool:
    """Whether a strategy comes from enough iterations over the whole game."""
    about = head.get("about", {})
    row = ALGORITHMS.get(about.get("algorithm", ""))
    return (
        row is not None
        and "lock" not in about
        and (row.once or (not row.samples and about.get("iterations", 0) >= ENOUGH))
    )


def played_so_far(head: Mapping[str, Any]) -> str:
    """The time, games or iterations that a strategy has learned from: "20 games"; empty if the header does not tell."""
    about = head.get("about", {})
    if "seconds" in head:
        return duration(head["seconds"])
    for unit in ("games", "iterations"):
        if unit in about:
            return f"{about[unit]:,} {unit if about[unit] != 1 else unit[:-1]}"
    return ""


def duration(seconds: float) -> str:
    """Seconds as a person says them: `12 seconds`, `1 minute`."""
    count, unit = (seconds, "second") if seconds < 55 else (seconds / 60, "minute")
    if unit == "minute" and count >= 90:
        count, unit = count / 60, "hour"
    number = f"{count:.1f}".removesuffix(".0") if unit == "hour" else f"{count:.0f}"
    return f"{number} {unit}{'' if number == '1' else 's'}"


def how_made(head: Mapping[str, Any], game: Game | None = None) -> str:
    """Describe in a sentence or two the way a strategy was made; empty if the header does not tell."""
    about = head.get("about", {})
    algorithm = str(about.get("algorithm", ""))
    if algorithm in ALGORITHMS and "iterations" in about:
        row = ALGORITHMS[algorithm]
        where = "over sampled games" if row.samples else "over the whole game"
        count = f"{about['iterations']:,} iterations {where}"
        text = row.made if row.made else f"Learned by counterfactual regret minimisation ({algorithm}): {count}"
        most = about.get("exploitability")
        if most is not None and game is not None and game.players == 2 and game.kind == "zero-sum":
            unit, scale = game.unit
            points = f"{max(most * scale, 1e-4):.2g} {'points' if unit == 'payoff' else unit}"
            return f"{text}; nobody can win more than {points} a game from it on average."
        return f"{text}."
    if "meta" in about:
        count = f"{about.get('iterations', 0):,} iterations"
        return f"A population of best responses ({about.get('oracle', '')}), mixed by {about['meta']}: {count} of PSRO."
    if "games" in about:
        learner = LEARNERS.get(str(head.get("config", {}).get("algorithm", algorithm)))
        time = f" in {duration(head['seconds'])}" if "seconds" in head else ""
        by = f": {learner.summary.partition(';')[0]}" if learner else ""
        whom = learner.opponents if learner else "itself"
        return f"Learned from {about['games']:,} games against {whom}{time}{by}."
    return ""
