"""The shapes of what comes in and goes out: the OpenAPI schema, and the page's TypeScript, are made from these.

One module a resource; what only one game has lies beside its display, in `parlor.server.displays`.
"""
