"""Experience to networks: features of what a player sees, multilayer perceptrons, replay, DQN, best responses.

Networks are trained with JAX and Optax (`pip install 'parlor-games[learn]'`); their weights are plain arrays, which a
compiled forward pass reads, so that they play without either.
"""
