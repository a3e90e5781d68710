"""The agents of Clue."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.clue.agents import detective, endgame, planner, simple

AGENTS: Mapping[str, AgentSpec] = {
    "stateless": simple.STATELESS,
    "stateful": simple.STATEFUL,
    "model-counting": detective.MODEL_COUNTING,
    "exploiter": detective.EXPLOITER,
    "believer": detective.BELIEVER,
    "bluffer": detective.BLUFFER,
    "detective": detective.DETECTIVE,
    "endgame-detective": endgame.SPEC,
    "planner": planner.SPEC,
}
