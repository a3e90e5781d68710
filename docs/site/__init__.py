"""The documentation as a site: `python -m docs.site` collects its pages, MkDocs makes HTML of them (`make docs`)."""
