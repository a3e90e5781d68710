"""Programs that come over the network: the messages of the line protocol, over a WebSocket or single requests.

`remote.py` speaks the protocol over any wire; `table_program.py` lets a program play the seat of a table. The arena in
`open_arena/` lets programs play each other. docs/programs.md is the specification.
"""
