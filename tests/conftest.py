"""What all tests share: property tests are repeatable and may take the time to compile."""

import signal

from hypothesis import settings

settings.register_profile("parlor", deadline=None, derandomize=True)
settings.load_profile("parlor")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, where Ctrl-C is not heard
    signal.signal(signal.SIGINT, signal.default_int_handler)
