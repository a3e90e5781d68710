"""The application: routes, limits, sign-in, live news, and the schema of the API."""
