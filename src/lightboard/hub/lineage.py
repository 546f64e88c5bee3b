"""Which jobs have made a run, judged by where its files are. Pure: all places are texts.

A place is the absolute path or the URL of a folder, with symlinks as they are written. Each job has a folder for its
outputs that no other job has, and its logs are there, or in a folder of the same name elsewhere.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lightboard.hub.resources.jobs import NOTEBOOK_FOLDER, OUTPUT_FOLDER

ROOT_RUN = "."
"""The name of a run whose files are in the folder of the source itself."""
_REPLICA = re.compile(r"attempt-(\d{1,9})/rank-(\d{1,4})(?:/.*)?")


@dataclass(frozen=True)
class LogTree:
    """A source of a TensorBoard: its place, and the alias before the names of its runs, "" for none."""

    place: str
    alias: str = ""


@dataclass(frozen=True)
class JobPlaces:
    """Where a job writes: to its own folders alone. `logs` has a folder for each attempt and replica."""

    job: str
    output: str
    logs: str


@dataclass(frozen=True)
class Maker:
    """The job that has made a run, in which attempt and as which replica, None if that is not known."""

    job: str
    attempt: int | None = None
    rank: int | None = None


def run_places(trees: Iterable[LogTree], run: str) -> list[str]:
    """Where a run of this name may be: in several places if sources have no aliases."""
    names = ((tree, name_below(tree, run)) for tree in trees)
    return list(dict.fromkeys(joined(tree.place, name) for tree, name in names if name is not None))


def name_below(tree: LogTree, run: str) -> str | None:
    """The path of a run below a source, None if its name does not have the alias."""
    if not tree.alias:
        return run
    return run.removeprefix(f"{tree.alias}/") if run.startswith(f"{tree.alias}/") else None


def joined(place: str, name: str) -> str:
    """A folder below a place."""
    return place if name == ROOT_RUN else f"{place.rstrip('/')}/{name}"


def possible_outputs(places: Iterable[str]) -> set[str]:
    """The folders of outputs, as jobs have them, of all jobs that can have written to these places."""
    parts = {part for place in places for part in place.split("/") if part}
    return {f"{folder}/{part}" for folder in (OUTPUT_FOLDER, NOTEBOOK_FOLDER) for part in parts}


def makers_of(places: Iterable[str], jobs: Sequence[JobPlaces]) -> list[Maker]:
    """The jobs that write to these places, each once. Of several with one folder, the first one."""
    found: dict[str, Maker] = {}
    for place in places:
        maker = next((maker for each in jobs if (maker := maker_of(place, each))), None)
        if maker is not None:
            found.setdefault(maker.job, maker)
    return list(found.values())


def maker_of(place: str, job: JobPlaces) -> Maker | None:
    """The job as the maker of what is at a place, None if it does not write there."""
    if is_at(place, job.logs):
        replica = _REPLICA.fullmatch(place[len(job.logs.rstrip("/")) + 1 :])
        return Maker(job.job, int(replica[1]), int(replica[2])) if replica else Maker(job.job)
    return Maker(job.job) if is_at(place, job.output) else None


def prefix_of(tree: LogTree, logs: str) -> str | None:
    """What the names of the runs of a job begin with on a TensorBoard, "" for nothing; None if it does not show them.

    `logs` is the place of the logs. A source in that folder shows a part of them.
    """
    if is_at(logs, tree.place):
        below = logs[len(tree.place.rstrip("/")) + 1 :]
        return "".join(f"{part}/" for part in (tree.alias, below) if part)
    if is_at(tree.place, logs):
        return f"{tree.alias}/" if tree.alias else ""
    return None


def is_at(place: str, folder: str) -> bool:
    """Whether a place is the folder or below it."""
    return place == folder or place.startswith(folder.rstrip("/") + "/")
