"""The Python of README.md, written by `python -m tests.docs.pages`; it is never imported, only read by mypy."""

# ruff: noqa
# fmt: off

import parlor

game = parlor.load("leduc")  # or "leduc(players=3)", "my_game.py", "openspiel:…"
policy, report = parlor.solve(game, "cfr+", iterations=1000)
print(report.exploitability)  # 0.00025158…
print(report.values)  # about (-0.0856, 0.0856)

position = game.start().after("K♠ to player 0", "J♥ to player 1", "raise")
position.legal  # ['fold', 'call', 'raise']
position.show(1)  # 'player 1 holds J♥; pot 3 + 1; raise'
policy(position)  # {'fold': 0.8197…, 'call': 0.1254…, 'raise': 0.0548…}

parlor.save(parlor.with_words(game, policy), "leduc.json")  # readable, and exact to the last bit
assert parlor.load_policy("leduc.json") == policy

parlor.nash_conv(game, policy)  # exact, any number of players
parlor.best_response(game, policy, player=0)
parlor.play_game(game, [policy, policy], seed=1)  # a record that replays with no seed
parlor.check(game)  # the contract every game must keep
