"""Explanations: minds, reviews, values, quizzes, strategies, in numbers and sentences."""
