"""The open arena: agents that anybody registers play each other in the background, on duplicate deals.

`arena_rows.py` and `arena_store.py` keep agents and matches, `match_play.py` plays a match, `open_arena.py` knows who
is connected and who plays whom, `standings_of.py` makes standings of what was played. docs/arena.md is for its users.
"""
