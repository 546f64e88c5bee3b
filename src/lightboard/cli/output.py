"""Prints messages to stderr and data to stdout, without tracebacks if the terminal is closed."""

import contextlib
import os
import sys

from lightboard.errors import LightboardError
from lightboard.storage.base import printable
from lightboard.untrusted.terminal_text import escaped


def say(line: str) -> None:
    """Print one line to stderr. Errors are ignored, so that serving continues without a terminal."""
    with contextlib.suppress(OSError, ValueError):
        print(plain(line), file=sys.stderr, flush=True)


def show(text: str) -> None:
    """Print data to stdout. Characters that its encoding lacks are escaped.

    Raises:
        SystemExit: with code 0, if the reader has closed the pipe, such as `head`.
        LightboardError: writing failed, for example on a full disk.
    """
    if sys.stdout is None:  # closed by the parent process
        return
    try:
        print(writable(text, sys.stdout.encoding), flush=True)
    except OSError as error:
        discard_output()
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None
        raise LightboardError(f"cannot write to stdout: {error.strerror}", hint="the disk may be full") from None


def plain(text: str) -> str:
    """`text` on one line: names in logs are untrusted and may contain line breaks or escape sequences."""
    return escaped(printable(text))


def writable(text: str, encoding: str | None) -> str:
    """`text` with characters escaped that `encoding` lacks."""
    codec = encoding or "utf-8"
    return text.encode(codec, "backslashreplace").decode(codec)


def discard_output() -> None:
    """Discard the buffer of stdout, which the interpreter would try to flush at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
