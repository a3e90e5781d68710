"""Games and agents that can be chosen."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.shapes import Shape


class WordInfo(Shape):
    """A word of an option for people."""

    word: str
    title: str
    meaning: str = Field(description="One line on what it means; empty: its title says it.")


class OptionInfo(Shape):
    """An option of a game: one of some words, or a number in a range."""

    name: str
    default: str
    words: list[WordInfo]
    low: int
    high: int
    step: int = Field(description="Between the numbers of the range.")
    help: str


class ResearchPreset(Shape):
    """Options that research is about, with a title."""

    title: str
    options: dict[str, str] = Field(description="The other options have their defaults.")


class GameInfo(Shape):
    """A game that can be played here."""

    name: str
    title: str = Field(description="The title for people.")
    summary: str
    players: int
    kind: str
    options: list[OptionInfo]
    presets: dict[str, dict[str, str]] = Field(
        description="The defaults of the other options under each preset, if any."
    )
    offered: dict[str, str] = Field(description="The options with which the page opens the game, if not the defaults.")
    research: list[ResearchPreset] = Field(description="Settings of papers, which are small or unusual.")


class SettingInfo(Shape):
    """A setting of a built-in agent, as in risk-aware(aggressiveness=0.7)."""

    name: str
    default: float | str
    low: float
    high: float
    help: str


class AgentInfo(Shape):
    """An agent that can sit down: built in, written in Python, a saved policy, or a checkpoint of a run."""

    id: str
    name: str = Field(description="A name that says what it is; of a strategy from a file, of which game.")
    character: str = Field(description="Its name at a table.")
    kind: Literal["built-in", "python", "policy", "checkpoint"]
    summary: str = Field(description="How it plays, in a line.")
    made: str = Field(description="How it was made, in a sentence.")
    recommended: bool = Field(description="The opponent to be offered first; with a game, exactly one is.")
    level: int | None = Field(
        description="From 1, which is random play, to 10, the strongest that was measured at this game; null: unknown, "
        "or its rating cannot be told from that of an agent of another level."
    )
    rating: float | None = Field(
        description="From its results against others: random play has 0, and 400 more is ten times the odds of winning."
    )
    rating_low: float | None = Field(description="The lower end of the rating's 95 % interval.")
    rating_high: float | None = Field(description="The upper end of the rating's 95 % interval.")
    games: list[str] = Field(description="The games it plays; empty: any.")
    settings: list[SettingInfo]
    infosets: bool = Field(description="Whether its information sets can be browsed.")
    grid: bool = Field(description="Whether its strategy can be shown as a grid of hands.")
    run: str | None = Field(description="The run of this checkpoint.")
    trained: int | None = Field(description="The number of games of the run at this checkpoint.")
    newest: bool = Field(description="Whether it is the newest checkpoint of its run; true for all other agents.")
