"""The subprocess that matches a regular expression. It can be killed, while a match in Python cannot be interrupted.

Run by its path, without importing Lightboard. Input: one line of JSON, [pattern, ignore case]; then requests, each a
line of JSON followed by the bytes of texts. Output: one line of JSON for the pattern, null or its error, and one for
each request. For the length of a text: [[begin, end], ...] of the matches in characters. For a list of lengths: the
indices of the texts that match.
"""

import contextlib
import json
import re
import sys

TYPE_CHECKING = False  # `typing` is slow to import
if TYPE_CHECKING:
    from typing import BinaryIO

MAX_MATCHES = 1000
"""Limit of matches in one text."""

MAX_MEMORY_BYTES = 2 << 30
"""Memory limit of the process."""


def main() -> None:
    """Handle requests until the input ends."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    text, ignore_case = json.loads(source.readline())
    try:
        pattern = re.compile(text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))
    except (re.error, OverflowError, RecursionError) as error:
        write_line(target, str(error))
        return
    write_line(target, None)
    while line := source.readline():
        request = json.loads(line)
        if isinstance(request, int):
            write_line(target, matches(pattern, read(source, request)))
        else:
            texts = [read(source, length) for length in request]
            write_line(target, [index for index, text in enumerate(texts) if pattern.search(text)])


def read(source: "BinaryIO", length: int) -> str:
    """Read a text of `length` bytes."""
    return source.read(length).decode("utf-8", "replace")


def write_line(target: "BinaryIO", value: object) -> None:
    """Write and flush one line of JSON."""
    target.write(json.dumps(value).encode() + b"\n")
    target.flush()


def matches(pattern: "re.Pattern[str]", text: str) -> list[tuple[int, int]]:
    """The non-empty matches of the pattern, at most MAX_MATCHES."""
    spans = []
    for match in pattern.finditer(text):
        if match.end() > match.start():
            spans.append(match.span())
            if len(spans) == MAX_MATCHES:
                break
    return spans


if __name__ == "__main__":
    main()
