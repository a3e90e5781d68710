"""The agents of Clue."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.clue.agents import detective, endgame, planner, simple

AGENTS: Mapping[str, Listing] = {
    "stateless": simple.STATELESS,
    "stateful": simple.STATEFUL,
    "model-counting": detective.MODEL_COUNTING,
    "exploiter": detective.EXPLOITER,
    "believer": detective.BELIEVER,
    "bluffer": detective.BLUFFER,
    "detective": detective.DETECTIVE,
    "endgame-detective": endgame.LISTING,
    "planner": planner.LISTING,
}
