"""The Python of docs/python.md, written by `python -m tests.docs.pages`; it is never imported, only read by mypy."""

# ruff: noqa
# fmt: off

import parlor

game = parlor.load("leduc")
policy, report = parlor.solve(game, "cfr+", iterations=300)
report  # <report on leduc: algorithm cfr+, iterations 300, …, exploitability 0.00236>
report.values  # its value to each player
report.plot()  # exploitability by iterations; needs matplotlib, returns the axes
parlor.evaluate("leduc", policy)  # values, best responses, exploitability, exactly
parlor.best_response("leduc", policy, player=0)  # itself a policy


from parlor.game.keys import name_of

policy = parlor.with_words(game, policy)
position = game.start().after("K♠ to player 0", "J♥ to player 1", "raise")
there = policy["player 1 holds J♥; pot 3 + 1; raise"]
assert there == policy[position] == policy[position.key(1)] == policy[name_of(game, 1, position.key(1))]
print(there)  # {'fold': 0.81…, 'call': 0.12…, 'raise': 0.05…}


def timid(position: parlor.Position) -> dict[str, float]:
    """Never folds, never raises."""
    return {"call": 1.0}


table = parlor.tabulate("leduc", timid)
print(parlor.nash_conv("leduc", table))
random = parlor.tabulate("leduc", parlor.load_agent("random", "leduc"))
print(parlor.evaluate("leduc", [policy, random]).values)  # the solution against it, exactly


trained = parlor.train("leduc", "mccfr-external", games=500, evaluate_every=250, evaluate_games=100, seed=1)
print(trained.policy, trained.rows[-1]["exploitability"])  # a strategy; the last measurement


found = parlor.psro("kuhn(players=3)", meta="prd(iterations=1000)", iterations=5)
print(found.rows[-1]["nash_conv"], found.mixture.marginals[0])  # what could be gained; who is played how often
print(found.members[0], found.empirical)  # the strategies of player 0; the payoffs of all combinations
assert found.average is not None
parlor.evaluate("kuhn(players=3)", found.average)  # the average policy is one like any other


from open_spiel.python.algorithms import exploitability

theirs = parlor.policy_to_openspiel(policy)  # an open_spiel.python.policy.TabularPolicy of parlor_leduc
assert abs(exploitability.nash_conv(theirs.game, theirs) - parlor.nash_conv(game, policy)) < 1e-12
assert parlor.policy_from_openspiel(game, theirs) == policy


rps = parlor.matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], actions=["rock", "paper", "scissors"])
print(parlor.solve(rps).report.values)  # nothing for either
chicken = parlor.matrix_game([[[0, -1], [1, -10]], [[0, 1], [-1, -10]]], name="chicken")
print(chicken.kind)  # general-sum


dilemma = parlor.load("normal-form(preset=prisoners-dilemma)")
print(dilemma.start().after("cooperate", "defect").payoffs)  # [0.0, 10.0]
print(parlor.payoff_tensor(dilemma).tolist())  # [[[5.0, 0.0], [10.0, 1.0]], [[5.0, 10.0], [0.0, 1.0]]]


from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 2, 2, 2, True
STATE = {"coin": private(2), "stage": public(), "guess": public()}  # only player 1 sees how it fell


def start(s: State) -> None: ...


def turn(s: State) -> int:
    return CHANCE if s.stage == 0 else 0 if s.stage == 1 else OVER


def odds(s: State, out: Floats) -> int:
    out[0] = out[1] = 0.5
    return 2


def legal(s: State, out: Ints) -> int:
    out[0], out[1] = 0, 1
    return 2


def play(s: State, a: int) -> None:
    if s.stage == 0:
        s.coin[1] = a
    else:
        s.guess = a
    s.stage += 1


def payoff(s: State, p: int) -> float:
    return (1.0 if s.guess == s.coin[1] else -1.0) * (1 - 2 * p)


def key(s: State, p: int) -> int:
    return p + 2 * (s.coin[p] + 2 * (s.guess + 2 * s.stage))


coin = parlor.game_from(globals(), "coin")
print(parlor.solve(coin).report.values)
