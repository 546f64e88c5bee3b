"""Runs user-supplied regular expressions in a subprocess with a timeout.

All of Python's syntax is supported. Patterns in logs, of which many are matched against names, have an engine that
needs no subprocess: `patterns`.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any

from lightboard.errors import BadRequest
from lightboard.untrusted import regex_worker

PATTERN_SECS = 4.0
"""Timeout of one request to the subprocess."""

START_SECS = 20.0
"""Timeout for starting the subprocess and compiling the pattern, which may be slow on a busy machine."""

MAX_CHARS = 1_000
"""Limit of the length of a pattern."""

Spans = list[tuple[int, int]]


class RegexProcess:
    """A pattern and the subprocess that matches it, as a context manager.

    Raises, on entry:
        BadRequest: the pattern is invalid, or no process can be started.
    """

    def __init__(self, pattern: str, *, ignore_case: bool, secs: float = PATTERN_SECS) -> None:
        self._request = [pattern, ignore_case]
        self._secs = secs

    def __enter__(self) -> "RegexProcess":
        if len(self._request[0]) > MAX_CHARS:  # type: ignore[arg-type]  # the pattern
            raise BadRequest(f"a regular expression of more than {MAX_CHARS} characters", hint="write a shorter one")
        command = [sys.executable, "-I", "-S", str(Path(regex_worker.__file__))]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        except OSError:
            raise BadRequest(
                "no process can be started for a regular expression", hint="search for plain text"
            ) from None
        try:
            error = self._send(json.dumps(self._request).encode() + b"\n", max(self._secs, START_SECS))
        except TimeoutError:
            error = "it takes too long to compile"
        except BaseException:
            self._end()
            raise
        if error is not None:
            self._end()
            raise BadRequest(f"not a regular expression: {error}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def spans(self, data: bytes) -> Spans:
        """The matches in a UTF-8 text as [begin, end) in characters. Raises TimeoutError."""
        return [(begin, end) for begin, end in self._send(b"%d\n%b" % (len(data), data))]

    def matching_indices(self, texts: Sequence[str]) -> list[int]:
        """The indices of the texts that match. Raises TimeoutError."""
        parts = [text.encode("utf-8", "replace") for text in texts]
        indices: list[int] = self._send(json.dumps([*map(len, parts)]).encode() + b"\n" + b"".join(parts))
        return indices

    def _send(self, request: bytes, secs: float | None = None) -> Any:
        """Send a request and return the response. Raises TimeoutError."""
        assert self._process.stdin
        assert self._process.stdout
        timer = Timer(self._secs if secs is None else secs, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
            response = self._process.stdout.readline()
        except OSError:  # the process was killed
            response = b""
        finally:
            timer.cancel()
        if not response.endswith(b"\n"):
            raise TimeoutError
        return json.loads(response)

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()
