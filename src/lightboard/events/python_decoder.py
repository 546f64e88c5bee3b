"""Pure-Python reference decoder: tests compare the compiled core with it, and it is used if the core is missing.

It defines every doubtful case of the format in the simplest code; the compiled core must agree with it.
"""

import errno
import math
import os
from collections.abc import Sequence

from lightboard.events import kinds, messages
from lightboard.events.columns import Columns, canonical_nan
from lightboard.events.framing import HEADER_BYTES, Framing, next_header_candidate
from lightboard.events.messages import Event, Value
from lightboard.events.protocol import Bytes, SeriesInfo
from lightboard.events.tensor import parse_tensor, scalar
from lightboard.events.wire import MalformedError

_WINDOW_BYTES = 1 << 20
_NO_STEP = -(1 << 63)

MAX_REGRESSIONS = 4096
"""How many regressions are stored. All are counted."""


class Decoder:
    """See `protocol.Decoder`."""

    def __init__(self) -> None:
        self._framing = Framing()
        self._series: list[Columns] = []
        self._by_key: dict[tuple[bytes, str], Columns] = {}
        self._metadata: dict[bytes, bytes] = {}
        self._starts: list[tuple[int, float, int]] = []
        self._session_logs: list[tuple[int, int]] = []
        self._regressions: list[tuple[int, float, int]] = []
        self._session = 0
        self._serial = 0
        self._is_valid = True
        self._late = False
        self._frame = 0
        self._shift = 0
        self.records = 0
        self.points = 0
        self.file_version = 0
        self.first_wall_time = math.nan
        self.last_wall_time = math.nan
        self.first_scalar_wall_time = math.nan
        self.last_scalar_wall_time = math.nan
        self.highest_step = -1
        self.regression_count = 0
        # For the rule before file version 2; see superseding.py.
        self.last_step = _NO_STEP
        self.settled = False
        self.highest_early = _NO_STEP

    @property
    def offset(self) -> int:
        return self._framing.offset

    @property
    def size_bytes(self) -> int:
        return sum(series.size_bytes() for series in self._series)

    def feed(self, data: Bytes) -> int:
        return self._consume(bytes(data), is_last=True)

    def read(self, fd: int, limit: int) -> int:
        start = self.offset
        window = _WINDOW_BYTES
        while self.offset - start < limit:
            data = os.pread(fd, window, self.offset)
            at_end = len(data) < window
            if not at_end and self._skip_hole(fd, data):
                continue
            if self._consume(data, is_last=at_end):
                window = _WINDOW_BYTES
            elif at_end:
                break
            else:
                window *= 2
        return self.offset - start

    def _skip_hole(self, fd: int, data: bytes) -> bool:
        """If `data` holds only zeros, they may be the beginning of a hole. Then skip to its end without reading it."""
        if data[0] or next_header_candidate(data, 0) != len(data) - (HEADER_BYTES - 1):
            return False
        end = end_of_hole(fd, self.offset)
        if end <= self.offset + len(data):
            return False
        self._framing.skip_zeros(end - self.offset - (HEADER_BYTES - 1))
        return True

    def _consume(self, data: bytes, *, is_last: bool) -> int:
        before = self.offset
        for begin, end, frame in self._framing.records(data, is_last=is_last):
            if self._decode_record(data, begin, end, frame):
                self.records += 1
            else:
                self._framing.reject(frame, data[begin - HEADER_BYTES : end + 4])
        return self.offset - before

    def damage(self) -> list[tuple[int, int, int]]:
        return list(self._framing.ranges)

    def series_count(self) -> int:
        return len(self._series)

    def columns(self, index: int) -> Columns:
        """The columns of series `index`."""
        if index < 0:
            raise IndexError(index)
        return self._series[index]

    def describe(self, index: int) -> SeriesInfo:
        return self.columns(index).info()

    def starts(self) -> list[tuple[int, float, int]]:
        return list(self._starts)

    def session_logs(self) -> list[tuple[int, int]]:
        return list(self._session_logs)

    def regressions(self) -> list[tuple[int, float, int]]:
        return list(self._regressions)

    def ends(self) -> list[tuple[int, float, int]]:
        return [(one.steps[0], one.walls[0], one.steps[-1]) for one in self._series]

    def nonfinite_ends(self) -> list[int]:
        return [
            index
            for index, one in enumerate(self._series)
            if one.form == "scalar" and not math.isfinite(one.values[-1])
        ]

    def lengths(self, indices: Sequence[int]) -> list[int]:
        return [len(self.columns(index)) for index in indices]

    def _decode_record(self, data: bytes, begin: int, end: int, frame: int) -> bool:
        """Decode one Event. Returns False if any of it was malformed."""
        self._frame = frame
        self._shift = frame + HEADER_BYTES - begin
        self._is_valid = True
        try:
            event = messages.parse_event(data, begin, end)
        except MalformedError:
            return False
        self._serial += 1
        self._track_wall_time(event.wall_time)
        if event.what == messages.FILE_VERSION:
            self.file_version = messages.parse_file_version(data[slice(*event.spans[0])])
        self._late = self._track_step(event)
        try:
            self._decode_payload(data, event)
        except MalformedError:
            return False
        return self._is_valid

    def _track_wall_time(self, wall_time: float) -> None:
        if not math.isfinite(wall_time):
            return
        if math.isnan(self.first_wall_time):
            self.first_wall_time = self.last_wall_time = wall_time
        self.last_wall_time = max(self.last_wall_time, wall_time)

    def _track_step(self, event: Event) -> bool:
        """Track the last step as TensorBoard does before file version 2. Returns True for a summary below it."""
        if self.file_version >= 2:
            return False
        is_summary = event.what == messages.SUMMARY
        self.settled = self.settled or not is_summary
        if not self.settled:
            self.highest_early = max(self.highest_early, event.step)
        if is_summary and event.step < self.last_step:
            return True
        self.last_step = event.step
        return False

    def _decode_payload(self, data: bytes, event: Event) -> None:
        if not event.what:
            return
        begin, end = event.spans[0]
        if event.what == messages.SUMMARY:
            self.highest_step = max(self.highest_step, event.step)
            for span in event.spans:
                self._decode_summary(data, span, event)
        elif event.what == messages.SESSION_LOG:
            status = messages.session_status(data, begin, end)
            self._session_logs.append((status, event.step))
            if status == messages.START:
                self._starts.append((event.step, event.wall_time, self._frame))
                self._session = self._serial
        elif event.what == messages.GRAPH_DEF:
            self._add_blob(kinds.RUN_GRAPH_TAG, b"graphs", event, (begin, end))
        elif event.what == messages.META_GRAPH_DEF:
            self._add_blob(kinds.META_GRAPH_TAG, b"meta_graph", event, (begin, end))
        elif event.what == messages.TAGGED_RUN_METADATA:
            tag, begin, end = messages.parse_tagged_run_metadata(data, begin, end)
            self._add_blob(tag, b"graph_tagged_run_metadata", event, (begin, end))

    def _decode_summary(self, data: bytes, span: tuple[int, int], event: Event) -> None:
        spans, whole = messages.summary_values(data, *span)
        self._is_valid = self._is_valid and whole
        for begin, end in spans:
            try:
                self._decode_value(data, messages.parse_value(data, begin, end), event, (begin, end))
            except MalformedError:
                self._is_valid = False

    def _decode_value(self, data: bytes, value: Value, event: Event, span: tuple[int, int]) -> None:
        described = self._describe_tag(value)
        if value.payload in kinds.PAYLOAD_PLUGINS:
            plugin = kinds.PAYLOAD_PLUGINS[value.payload]
            written = 0
        else:
            plugin, written = described
        if value.payload == messages.SIMPLE_VALUE:
            self._add_scalar(value.tag, plugin, written, event, value.number)
            return
        if value.payload == messages.TENSOR:
            number = _scalar_tensor(data, value, plugin, written)
            if number is not None:
                self._add_scalar(value.tag, plugin, written, event, number)
                return
        if value.payload or value.metadata:
            series = self._series_of(value.tag, "reference", plugin, written)
            self._add_row(series, event)
            series.spans.append((span[0] + self._shift, span[1] - span[0]))

    def _describe_tag(self, value: Value) -> tuple[bytes, int]:
        """Plugin and data class of the tag, from its first metadata in this file."""
        if value.metadata and value.tag not in self._metadata:
            found = messages.parse_metadata(value.metadata)
            self._metadata[value.tag] = value.metadata
            for form in ("scalar", "reference"):
                series = self._by_key.get((value.tag, form))
                if series is not None:
                    series.metadata = value.metadata
                    _set_plugin(series, found.plugin, found.data_class)
        if value.tag not in self._metadata:
            return b"", 0
        known = messages.parse_metadata(self._metadata[value.tag])
        return known.plugin, known.data_class

    def _add_scalar(self, tag: bytes, plugin: bytes, written: int, event: Event, number: float) -> None:
        series = self._series_of(tag, "scalar", plugin, written)
        self._add_row(series, event)
        series.add_value(number)
        self.points += 1
        if math.isfinite(event.wall_time):
            first, last = self.first_scalar_wall_time, self.last_scalar_wall_time
            self.first_scalar_wall_time = event.wall_time if math.isnan(first) else min(first, event.wall_time)
            self.last_scalar_wall_time = event.wall_time if math.isnan(last) else max(last, event.wall_time)

    def _add_blob(self, tag: bytes, plugin: bytes, event: Event, span: tuple[int, int]) -> None:
        series = self._series_of(tag, "reference", plugin, 0)
        self._add_row(series, event)
        series.spans.append((span[0] + self._shift, span[1] - span[0]))

    def _series_of(self, tag: bytes, form: str, plugin: bytes, written: int) -> Columns:
        series = self._by_key.get((tag, form))
        if series is None:
            series = self._by_key[tag, form] = Columns(tag, form)
            series.metadata = self._metadata.get(tag, b"")
            self._series.append(series)
        _set_plugin(series, plugin, written)
        return series

    def _add_row(self, series: Columns, event: Event) -> None:
        if series.steps and event.step < series.steps[-1]:
            self._add_regression(series.serials[-1], event)
        series.steps.append(event.step)
        series.walls.append(canonical_nan(event.wall_time))
        series.epochs.append(len(self._starts))
        series.serials.append(self._serial)
        series.late.append(self._late)
        series.early.append(not self.settled)

    def _add_regression(self, last_serial: int, event: Event) -> None:
        """A series goes back. If it has not written since the current session began, that session is the cause."""
        if last_serial < self._session:
            return
        self._session = self._serial
        self.regression_count += 1
        if len(self._regressions) < MAX_REGRESSIONS:
            self._regressions.append((event.step, event.wall_time, self._frame))


def end_of_hole(fd: int, offset: int) -> int:
    """The first offset at or after `offset` that is not in a hole of the file, or the end of the file.

    Returns `offset` if the file system does not support this.
    """
    try:
        return max(offset, os.lseek(fd, offset, os.SEEK_DATA))
    except OSError as error:
        return max(offset, os.fstat(fd).st_size) if error.errno == errno.ENXIO else offset


def _set_plugin(series: Columns, plugin: bytes, written: int) -> None:
    """Set the plugin of a series. The first one that is named is kept."""
    if not series.plugin:
        series.plugin = plugin
        series.data_class = kinds.data_class(plugin, written)


def _scalar_tensor(data: bytes, value: Value, plugin: bytes, written: int) -> float | None:
    """The number of a scalar tensor: described as a scalar, or of rank 0 and without a description."""
    described = kinds.data_class(plugin, written) == kinds.SCALAR_CLASS
    if not described and (plugin or written):
        return None
    return scalar(parse_tensor(data, value.begin, value.end), any_shape=described)
