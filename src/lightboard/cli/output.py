"""Words for people go to stderr; data goes to stdout. Neither ends in a traceback, whatever became of the terminal."""

import contextlib
import os
import re
import sys

from lightboard.errors import LightboardError
from lightboard.storage.base import printable

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def say(line: str) -> None:
    """One line to stderr, at once. A closed terminal is no reason to stop serving."""
    with contextlib.suppress(OSError, ValueError):
        print(plain(line), file=sys.stderr, flush=True)


def show(text: str) -> None:
    """Data to stdout, at once; characters that its encoding lacks are escaped.

    Raises:
        SystemExit: nobody reads any more, as behind `head`; with code 0, for whoever left had enough.
        LightboardError: it cannot be written, as on a full disk.
    """
    if sys.stdout is None:  # closed by whoever started us
        return
    try:
        print(writable(text, sys.stdout.encoding), flush=True)
    except OSError as error:
        discard_output()
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None
        raise LightboardError(f"cannot write to stdout: {error.strerror}", hint="is its disk full?") from None


def plain(text: str) -> str:
    """`text` on one line: names in logs are strangers' and may hold line breaks or orders to the terminal."""
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), printable(text))


def writable(text: str, encoding: str | None) -> str:
    """`text` with what `encoding` lacks escaped."""
    chosen = encoding or "utf-8"
    return text.encode(chosen, "backslashreplace").decode(chosen)


def discard_output() -> None:
    """Sends what is left in stdout's buffer nowhere: the interpreter would complain of it at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
