"""Finds private words, which are listed in banned_words.txt, in the names, comments and docs of the project.

`python scripts/check_words.py` prints each with its position and a replacement. The exit status is 1 if there are any.
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
"""The changelog may use the old names."""

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of a name: `_read_ahead`, `ReadAhead` and `READ_AHEAD` have two each."""


def banned_words(text: str) -> dict[str, str]:
    """Each banned word in lower case, with its replacement."""
    lines = (line.partition(":") for line in text.splitlines() if line and not line.startswith("#"))
    return {word.strip(): replacement.strip() for word, _, replacement in lines}


def find_words(text: str, banned: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The line number and word of each banned word in a text."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in WORD.findall(line):
            if word.lower() in banned:
                yield number, word.lower()


def tracked_files() -> list[str]:
    """Paths of the tracked source and documentation files."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.splitlines() if Path(path).suffix in ENDINGS and path not in EXEMPT]


def main() -> int:
    """Check all tracked files. Returns the exit status."""
    banned = banned_words(LIST.read_text(encoding="utf-8"))
    count = 0
    for path in tracked_files():
        file = ROOT / path
        in_name = find_words(path, banned)
        in_text = find_words(file.read_text(encoding="utf-8"), banned) if file.exists() else ()
        for number, word in (*((0, word) for _, word in in_name), *in_text):
            position = f"{path}:{number}" if number else path
            print(f"{position}: {word!r} is a private word; write: {banned[word]}", file=sys.stderr)
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
