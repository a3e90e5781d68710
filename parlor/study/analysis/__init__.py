"""The analysis of a study: mixed models by statsmodels, tables, figures, a report, and statistical power."""
