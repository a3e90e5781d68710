"""Agents for Leodopoly: the strategies of Khan (2019), which are numbers in one heuristic, and ours."""
