"""What an attempt of a job has started with, as it was found then. Only its owner changes what a job asks for."""

from dataclasses import dataclass
from enum import StrEnum


class ContentsProblem(StrEnum):
    """Why the contents of an input are not known."""

    TOO_MANY_FILES = "TooManyFiles"
    TOO_SLOW = "TooSlow"
    UNREADABLE = "Unreadable"
    MISSING = "Missing"


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What was in an input: how many files, their size, and a digest of their names, sizes and times of change.

    `links_skipped` are links that lead out of the folders that jobs see. `problem` is why nothing else is known, None
    if it is; of TOO_MANY_FILES, `files` is the limit.
    """

    files: int = 0
    size_bytes: int = 0
    digest: str = ""
    links_skipped: int = 0
    problem: ContentsProblem | None = None


def has_changed(before: Contents | None, now: Contents | None) -> bool | None:
    """Whether contents are different now; None if that is not known."""
    if before is None or now is None or before.problem:
        return None
    if now.problem is ContentsProblem.TOO_MANY_FILES:
        return True if before.files <= now.files else None
    if now.problem:
        return True if now.problem is ContentsProblem.MISSING else None
    return (before.digest, before.links_skipped) != (now.digest, now.links_skipped)


@dataclass(frozen=True, kw_only=True)
class RecordedInput:
    """An input as it was found. `source` is that of the job, `dataset` the id of its dataset, "" without one.

    `name`, `version` and `uri` are those of the dataset at that time. The version counts changes of its settings.
    `contents` is what was in the input, None if that was not recorded; it is not frozen.
    """

    source: str
    dataset: str = ""
    name: str = ""
    version: int = 0
    uri: str = ""
    contents: Contents | None = None


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """Attempt number `attempt` of the job with the id `job`, recorded at `at` (seconds since the epoch).

    `program` is the file that the command starts, `python` the version of the interpreter that the job finds, and
    `packages` the digest of the list of its packages; each "" if it is not known. `image_digest` is
    that of an environment that the hub has built, "" for others. `inputs` are by name, and have its volumes by
    path. `cpus`, `memory_bytes` (None for no limit) and `gpus` are what each replica could use, by the preset of that
    name.
    """

    job: str
    attempt: int
    at: float
    program: str = ""
    python: str = ""
    packages: str = ""
    image_digest: str = ""
    inputs: dict[str, RecordedInput]
    preset: str = ""
    cpus: int = 1
    memory_bytes: int | None = None
    gpus: int = 0
    hub_version: str = ""
