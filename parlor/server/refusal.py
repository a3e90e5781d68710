"""Refused requests: a status and a sentence."""

from __future__ import annotations


class Refusal(Exception):
    """A refused request, with the reason for a person."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(status, sentence)  # from which it is made again in another process
        self.status = status
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence
