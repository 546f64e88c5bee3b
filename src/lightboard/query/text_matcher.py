"""A program of its own: looks for a pattern in texts that come through a pipe, so that it can be stopped.

A regular expression may take longer than the universe lasts, and Python cannot be interrupted in one: whoever asked
ends this process instead. Run by its path and knows nothing of Lightboard. Comes in: one line of JSON,
[pattern, ignore case]; then for each text its length in bytes on a line, and the text. Goes out: one line of JSON for
the pattern, null or what is wrong with it, and for each text [[begin, end], ...] of the matches, in characters.
"""

import json
import re
import sys

MOST_MATCHES = 1000
"""In one piece of text; more are not counted."""


def main() -> None:
    """Answers until there is no more to read."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    text, ignore_case = json.loads(source.readline())
    try:
        pattern = re.compile(text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))
    except (re.error, OverflowError, RecursionError) as error:
        say(target, str(error))
        return
    say(target, None)
    while length := source.readline():
        say(target, matches(pattern, source.read(int(length)).decode("utf-8", "replace")))


def say(target, answer) -> None:  # type: ignore[no-untyped-def]
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
