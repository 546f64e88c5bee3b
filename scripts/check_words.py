"""Finds private words, listed in banned_words.txt, in the names, comments and docs of the project.

python scripts/check_words.py          prints each with its place and what to write instead; exit status 1 if any
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "banned_words.txt"
ENDINGS = {".py", ".ts", ".tsx", ".cpp", ".hpp", ".md", ".sh"}
EXEMPT = {"CHANGELOG.md", "scripts/banned_words.txt"}
"""What was called otherwise in the past stays in the changelog."""

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of a name: `_read_ahead`, `ReadAhead` and `READ_AHEAD` have two each."""


def banned_words(text: str) -> dict[str, str]:
    """Each banned word in lower case, with what to write instead."""
    lines = (line.partition(":") for line in text.splitlines() if line and not line.startswith("#"))
    return {word.strip(): instead.strip() for word, _, instead in lines}


def found_in(text: str, banned: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Line number and word of each banned word in a text."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in WORD.findall(line):
            if word.lower() in banned:
                yield number, word.lower()


def tracked_files() -> list[str]:
    """Paths of the files that git knows and that hold names or prose."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.splitlines() if Path(path).suffix in ENDINGS and path not in EXEMPT]


def main() -> int:
    """Check all tracked files; the exit status."""
    banned = banned_words(LIST.read_text(encoding="utf-8"))
    count = 0
    for path in tracked_files():
        file = ROOT / path
        names = found_in(path, banned)
        inside = found_in(file.read_text(encoding="utf-8"), banned) if file.exists() else ()
        for number, word in (*((0, word) for _, word in names), *inside):
            place = f"{path}:{number}" if number else path
            print(f"{place}: {word!r} is a private word; write: {banned[word]}", file=sys.stderr)
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
