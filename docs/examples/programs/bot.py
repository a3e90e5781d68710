#!/usr/bin/env python3
"""An agent for any game in Python, by Parlor's line protocol: it plays what is legal first, or at random."""

import json
import random
import sys

level = sys.argv[1] if len(sys.argv) > 1 else "first"
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "name": f"bot.py, {level}"}), flush=True)
    elif message["type"] == "act":
        legal = message["observation"]["legal"]
        move = legal[0] if level == "first" else random.choice(legal)
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
