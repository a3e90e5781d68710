"""A study with people: describe it in a file, rehearse it with bots, serve it, and analyse what they did.

Examples:
  parlor study new study.toml                         a study to begin from
  parlor study check study.toml                       what is wrong with it; what it takes and costs
  parlor study simulate study.toml --participants 30
  parlor study serve study.toml

Each has its own help, `parlor study serve --help`. docs/study.md tells how to run a study, from the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping

#: what is typed after `parlor study` -> its module in parlor.cli.commands, and what it does
COMMANDS: Mapping[str, tuple[str, str]] = {
    "new": ("study.new", "write a study file to begin from"),
    "check": ("study.check", "check a study file; say what participants will do, how long it takes, what it costs"),
    "links": ("study.links", "write links that cannot be guessed, one for each participant"),
    "serve": ("study.serve", "run the study: serve it to participants, and a page to watch it"),
    "simulate": ("study.simulate", "rehearse the study with bots"),
    "data": ("study.data", "write everything that was collected, as tables with a codebook"),
    "pay": ("study.pay", "list whom to pay how much"),
    "delete": ("study.delete", "delete everything of a participant, on request"),
    "forget": ("study.forget", "delete the ids of the recruiting platform, when everybody is paid"),
    "tidy": ("study.tidy", "overwrite what was deleted, if that was not possible at once"),
    "analyse": ("study.analyse", "fit the models; write tables, figures and a report"),
    "power": ("study.power", "how many participants it takes to find which difference"),
}
