"""What all tests share: property tests are repeatable and may take the time to compile."""

from hypothesis import settings

settings.register_profile("parlor", deadline=None, derandomize=True)
settings.load_profile("parlor")
