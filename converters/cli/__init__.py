"""The command line: options in, reports out; what it does is all in the Python API."""

from __future__ import annotations

import os
import signal
import sys

_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Run the command line and exit with its status; Ctrl-C ends it without a word."""
    # Else it is ignored, as in the background of a shell, or the caller's.
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, _leave)
    try:
        from urlset.converters.cli.app import run

        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _leave(*_: object) -> None:
    """End at once: while modules are imported there is nothing to tidy up.

    An exception would not do, since it comes up in the middle of whatever module is being run, which may catch it or
    say that it was ignored. What comes before this function is called, Python's own start, is out of our hands.
    """
    os._exit(_INTERRUPTED)
