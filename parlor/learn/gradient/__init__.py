"""Learning by policy gradients: actors play games in lockstep, a learner improves the policy that they play."""
