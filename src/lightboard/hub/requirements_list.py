"""Requirements lists of pip: reads one with all that it includes, so that equal lists have equal digests.

What an environment is built from is this copy. Comments and line breaks are not part of it.
"""

import hashlib
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lightboard.errors import UsageError

INCLUDES = {"-r": "requirement", "-c": "constraint"}
EDITABLE, FIND_LINKS = {"-e": "editable"}, {"-f": "find-links"}
COMMENT = re.compile(r"(^|\s+)#.*$")
ARCHIVES = (".whl", ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
MAX_FILES, MAX_BYTES = 100, 1 << 20


@dataclass(frozen=True)
class RequirementsList:
    """`files` are the texts of a list and of those that it includes; the first is the list, and `name` tells how they
    include each other.
    """

    files: tuple[str, ...]

    def digest(self, python: str, platform: str) -> str:
        """The digest of an environment that this Python version on this platform gets from the list."""
        return hashlib.sha256(json.dumps([self.files, python, platform]).encode()).hexdigest()


def name(number: int) -> str:
    """The name of a file in the copy of a list."""
    return f"{number}.txt"


def read_list(path: str) -> RequirementsList:
    """The list in a file. Raises UsageError if it cannot be read, or if what it names is not in the digest."""
    paths, texts = [os.path.realpath(path)], []

    def include(included: str) -> str:
        real = os.path.realpath(included)
        if real not in paths:
            paths.append(real)
        return name(paths.index(real))

    for each in paths:  # grows
        if len(paths) > MAX_FILES:
            raise UsageError(f"{path} includes more than {MAX_FILES} files", hint="put them into fewer")
        lines = [copied(line, each, include) for line in logical_lines(read_text(each))]
        texts.append("".join(f"{line}\n" for line in lines))
    return RequirementsList(tuple(texts))


def read_text(path: str) -> str:
    """The text of a list. Raises UsageError."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"the requirements list {path} cannot be read: {error.strerror}", hint="give an existing file"
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"the requirements list {path} is not UTF-8", hint="it is a text file, as for pip") from None
    if len(text) > MAX_BYTES:
        raise UsageError(f"the requirements list {path} is too long", hint="it is a text file, as for pip")
    return text


def logical_lines(text: str) -> Iterator[str]:
    """The lines that say something, as pip reads them: without comments, continued lines joined."""
    pending = ""
    for line in [*text.splitlines(), ""]:
        is_comment = line.lstrip().startswith("#")
        if line.endswith("\\") and not is_comment:
            pending += line[:-1]
            continue
        joined = COMMENT.sub("", f"{pending} {line}" if is_comment else pending + line).strip()
        pending = ""
        if joined:
            yield joined


def copied(line: str, path: str, include: Callable[[str], str]) -> str:
    """A line of the file at `path` for the copy of the list. `include` gives the name of an included file there.

    Raises UsageError for what may change without the list: local projects, and lists at URLs.
    """
    if not line.startswith("-"):
        check_requirement(line, path)
        return line
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{path}: {line}: {error}", hint="close the quotes") from None
    folder, result, rest = os.path.dirname(path), list[str](), iter(words)
    for word in rest:
        option, value = split_option(word)
        if option in EDITABLE:
            raise UsageError(f"{path}: {line}: an editable project is not supported", hint="name a package or a wheel")
        if option not in INCLUDES and option not in FIND_LINKS:
            result.append(word)
            continue
        value = next(rest, "") if value is None else value
        if option in INCLUDES and (not value or "://" in value):
            raise UsageError(f"{path}: {line}: only files can be included", hint="save it beside the list")
        absolute = os.path.join(folder, value)
        if option in INCLUDES:
            value = include(absolute)
        elif os.path.exists(absolute):
            value = absolute
        result += [option, value]
    return shlex.join(result) if result != words else line


def split_option(word: str) -> tuple[str, str | None]:
    """The short name of an option that matters here, or "", and its value if that is in the same word."""
    for short, long in {**INCLUDES, **EDITABLE, **FIND_LINKS}.items():
        if word in (short, f"--{long}"):
            return short, None
        if word.startswith(f"--{long}="):
            return short, word.partition("=")[2]
        if word.startswith(short):
            return short, word.removeprefix(short)
    return "", None


def check_requirement(line: str, path: str) -> None:
    """Raises UsageError for a requirement that is a local file or folder, which may change without the list."""
    what = re.split(r"\s;|\s--", line)[0].strip()
    address = what.partition("@")[2].strip() if re.match(r"[\w.-]+\s*(\[[^]]*\]\s*)?@", what) else what
    is_file_url = address.lower().startswith("file:")
    has_scheme = "://" in address
    is_path = not has_scheme and (address.startswith((".", "~")) or "/" in address or address.endswith(ARCHIVES))
    if is_file_url or is_path:
        raise UsageError(
            f"{path}: {line}: local projects and archives are not supported, because they may change while the list "
            "stays the same",
            hint="put a wheel into a folder, and name the package and its version below a line --find-links FOLDER",
        )
