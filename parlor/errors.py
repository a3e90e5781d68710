"""What can go wrong because of what a person asked for."""


class GameError(ValueError):
    """Something a person asked of a game that it cannot do; the message is a sentence for that person."""


class AgentError(GameError):
    """An agent did not answer as it must. The message is for whoever wrote it: it may tell what the agent holds."""
