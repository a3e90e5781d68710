"""Errors caused by what a person requested."""


class GameError(ValueError):
    """A request that a game cannot fulfil; the message is a sentence for the person who made it."""


class AgentError(GameError):
    """An agent gave an invalid answer. The message is for its author: it may reveal what the agent holds."""
