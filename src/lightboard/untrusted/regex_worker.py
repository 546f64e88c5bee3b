"""A program of its own: looks for a pattern in texts that come through a pipe, so that it can be stopped.

A regular expression may take longer than the universe lasts, and Python cannot be interrupted in one: whoever asked
ends this process instead. Run by its path and knows nothing of Lightboard. Comes in: one line of JSON, [pattern,
ignore case]; then requests, a line of JSON and the bytes of texts after it. Goes out: one line of JSON for the pattern,
null or what is wrong with it, and one for each request: to the length of a text [[begin, end], ...] of the matches, in
characters; to a list of lengths the numbers of the texts in which the pattern is found.
"""

import contextlib
import json
import re
import sys

TYPE_CHECKING = False  # `typing` takes as long to load as all else here
if TYPE_CHECKING:
    from typing import BinaryIO

MOST_MATCHES = 1000
"""In one piece of text; more are not counted."""

MOST_MEMORY_BYTES = 2 << 30
"""What a pattern may take to remember its ways."""


def main() -> None:
    """Answers until there is no more to read."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not everywhere

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    text, ignore_case = json.loads(source.readline())
    try:
        pattern = re.compile(text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))
    except (re.error, OverflowError, RecursionError) as error:
        say(target, str(error))
        return
    say(target, None)
    while line := source.readline():
        asked = json.loads(line)
        if isinstance(asked, int):
            say(target, matches(pattern, read(source, asked)))
        else:
            texts = [read(source, length) for length in asked]
            say(target, [at for at, each in enumerate(texts) if pattern.search(each)])


def read(source: "BinaryIO", length: int) -> str:
    """A text of so many bytes."""
    return source.read(length).decode("utf-8", "replace")


def say(target: "BinaryIO", answer: object) -> None:
    """One line of JSON, at once."""
    target.write(json.dumps(answer).encode() + b"\n")
    target.flush()


def matches(pattern: "re.Pattern[str]", text: str) -> list[tuple[int, int]]:
    """Where the pattern matches something; at most MOST_MATCHES places."""
    found = []
    for match in pattern.finditer(text):
        if match.end() > match.start():
            found.append(match.span())
            if len(found) == MOST_MATCHES:
                break
    return found


if __name__ == "__main__":
    main()
