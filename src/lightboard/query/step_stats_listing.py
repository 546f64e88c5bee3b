"""The captures in event files: step stats, which sessions of TensorFlow write as RunMetadata. Cheap to import.

All of a run are one capture, and each is a step of it.
"""

from collections.abc import Iterator
from itertools import groupby

from lightboard.errors import NotFound, RunNotFound, Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import read_strings
from lightboard.profiles.step_stats_values import Span, StepStatsValue, has_nodes
from lightboard.query import tags, values
from lightboard.query.capture_files import Capture, EventValues, ProfileFile
from lightboard.query.values import ValueLocation
from lightboard.series.catalog import Catalog
from lightboard.storage.base import ObjectInfo, join, split

EVENTS, TENSORS = "graph_tagged_run_metadata", "graph_run_metadata"
"""The kinds of values that are a RunMetadata, and that are a tensor with one."""

NAME = "run metadata"
"""What a capture is called, after its run."""

LATEST_SECS = 1 << 33
"""Wall times beyond are damage, as is what is not finite."""

Found = tuple[str, StepStatsValue]
"""The path of the event file, for display, and a value in it."""


class StepStatsListing:
    """Those of a catalog, listed once between two changes of it. Thread-safe: what is listed twice is the same."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._series: tuple[int, list[tuple[str, str, str]]] = (-1, [])
        self._captures: tuple[int, tuple[Capture, ...]] = (-1, ())
        self._spans: dict[ValueLocation, Span | None] = {}

    def captures(self) -> tuple[Capture, ...]:
        """The captures by the order of their runs; the same tuple until something changes."""
        generation, series = self._catalog.generation, self._listed_series()
        if not series:
            return ()
        if self._captures[0] != generation:
            found = tuple(self._list(series))
            self._captures = (generation, self._captures[1] if found == self._captures[1] else found)
        return self._captures[1]

    def _listed_series(self) -> list[tuple[str, str, str]]:
        """The run, the kind and the tag of each series that may have some."""
        generation = self._catalog.structure_generation
        if self._series[0] != generation:
            names = {run.id: run.name for run in self._catalog.runs()}
            found = [
                (names[run], kind, info.tag)
                for kind in (EVENTS, TENSORS)
                for info in tags.list_tags(self._catalog, kind)
                for run in info.runs
                if run in names
            ]
            self._series = (generation, sorted(found))
        return self._series[1]

    def _list(self, series: list[tuple[str, str, str]]) -> Iterator[Capture]:
        for run, group in groupby(series, key=lambda each: each[0]):
            found = [each for _, kind, tag in group for each in self._values(run, kind, tag)]
            files = self._files(run, sorted(found, key=lambda each: (each[0], each[1].begin)))
            if files:
                place = "" if run == "." else run.removesuffix("/.")
                yield Capture(join(place, NAME), "step_stats", files)

    def _values(self, run: str, kind: str, tag: str) -> Iterator[Found]:
        """The values of a series that have anything to show, also those of steps that were run again."""
        try:
            series = values.read_values(self._catalog, kind, run, tag, purge=False)
            for at in range(len(series)):
                location = series.location(at)
                if location not in self._spans:
                    self._spans[location] = step_stats_span(values.window_of(self._catalog, location), kind)
                if found := self._spans[location]:
                    begin, end = (location.offset + each for each in found)
                    yield location.file, StepStatsValue(tag, series.steps[at], series.walls[at], begin, end)
        except NotFound:
            return  # removed, or not readable any more, since the tags were listed

    def _files(self, run: str, found: list[Found]) -> list[ProfileFile]:
        """The event files of a run with the values in each."""
        try:
            readers = {file.path: file.reader for file in self._catalog.run(run).files}
        except RunNotFound:
            return []
        listed = [
            (path, EventValues(reader, tuple(value for _, value in group)))
            for path, group in groupby(found, key=lambda each: each[0])
            if (reader := readers.get(path)) is not None
        ]
        return [
            ProfileFile("" if len(listed) == 1 else split(path)[1], info_of(path, source.values), source)
            for path, source in listed
        ]


def step_stats_span(reader: ByteReader, kind: str) -> Span | None:
    """Where the RunMetadata is in a value; None if it has nothing to show. Raises ValueNotFound."""
    begin, end = 0, reader.length
    if kind == TENSORS:
        try:
            spans = read_strings(reader).spans
        except Unshowable:
            return None
        begin, end = spans[0] if spans else (0, 0)
    return (begin, end) if has_nodes(reader, begin, end) else None


def info_of(path: str, found: tuple[StepStatsValue, ...]) -> ObjectInfo:
    """The size of values, and when the last one was written."""
    size = sum(each.end - each.begin for each in found)
    walls = [each.wall for each in found if abs(each.wall) < LATEST_SECS]
    return ObjectInfo(path, size, int(max(walls, default=0) * 1e9), "")
