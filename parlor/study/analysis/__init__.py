"""What a study has found: mixed models by statsmodels, tables, figures, a report; how many participants it takes."""
