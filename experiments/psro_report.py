"""The report of the PSRO experiment."""


def report(options, results, codes):
    return str({k: {g: list(v) for g, v in r.items()} for k, r in results.items()})
