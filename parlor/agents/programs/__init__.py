"""Agents that are programs in any language: JSON lines over standard input and output.

`process.py` talks to a program, `messages.py` has the protocol's messages, `program_agent.py` gives a program a seat,
`conformance.py` tells the author of a program what it gets wrong. docs/programs.md is the specification.
"""
