"""Regular expressions that came with a request, tried in a process of their own that is ended when its time is up.

The language is Python's, whole. Patterns that came with a log, of which many are tried at once on names, have an engine
that needs no process: `patterns`.
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
"""A pattern that is busy with one question for longer is given up."""

START_SECS = 20.0
"""The process is given so long to begin and to read the pattern, which a busy machine may hold up."""

MOST_CHARS = 1_000
"""Of a pattern; longer ones are refused."""

Spans = list[tuple[int, int]]


class RegexProcess:
    """A pattern and the process that tries it, as a context manager.

    Raises, at its beginning:
        BadRequest: it is no regular expression, or no process can be started.
    """

    def __init__(self, pattern: str, *, ignore_case: bool, secs: float = PATTERN_SECS) -> None:
        self._question = [pattern, ignore_case]
        self._secs = secs

    def __enter__(self) -> "RegexProcess":
        if len(self._question[0]) > MOST_CHARS:  # type: ignore[arg-type]  # the pattern
            raise BadRequest(f"a regular expression of more than {MOST_CHARS} characters", hint="write a shorter one")
        command = [sys.executable, "-I", "-S", str(Path(regex_worker.__file__))]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        except OSError:
            raise BadRequest("no process can be started here to look for an expression", hint="use a word") from None
        try:
            wrong = self._ask(json.dumps(self._question).encode() + b"\n", max(self._secs, START_SECS))
        except TimeoutError:
            wrong = "it takes too long to read"
        except BaseException:
            self._end()
            raise
        if wrong is not None:
            self._end()
            raise BadRequest(f"not a regular expression: {wrong}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def spans(self, data: bytes) -> Spans:
        """Where the pattern matches in a text of UTF-8, [begin, end) in characters. Raises TimeoutError."""
        return [(begin, end) for begin, end in self._ask(b"%d\n%b" % (len(data), data))]

    def found_in(self, texts: Sequence[str]) -> list[int]:
        """The numbers of the texts in which it is found. Raises TimeoutError."""
        parts = [text.encode("utf-8", "replace") for text in texts]
        found: list[int] = self._ask(json.dumps([*map(len, parts)]).encode() + b"\n" + b"".join(parts))
        return found

    def _ask(self, question: bytes, secs: float | None = None) -> Any:
        """What the process answers. Raises TimeoutError."""
        assert self._process.stdin
        assert self._process.stdout
        timer = Timer(self._secs if secs is None else secs, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:  # it was ended
            answer = b""
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            raise TimeoutError
        return json.loads(answer)

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()
