"""The models of requests and responses: the OpenAPI schema, and the page's TypeScript, are made from these.

One module a resource; those of a single game are beside its display, in `parlor.page` and `page` of its folder.
"""
