"""A capture in memory, or what was read of it so far, and what of it was computed."""

import threading
from collections.abc import Callable, Generator
from functools import cached_property

from lightboard.errors import ValueNotFound
from lightboard.profiles.advice import Advice, advice_of
from lightboard.profiles.breakdown import StepBreakdown
from lightboard.profiles.call_tree import CallTree, call_tree
from lightboard.profiles.capture import HostCapture, nothing
from lightboard.profiles.comparison import CaptureSamples, samples_of
from lightboard.profiles.event_args import EventArg, read_args
from lightboard.profiles.operators import Operator
from lightboard.profiles.shape_operators import ShapeOperator
from lightboard.profiles.skew import StepSkew, skew_of
from lightboard.profiles.steps import Step
from lightboard.profiles.time_line import TimeLine
from lightboard.query.capture_files import Capture, ProfileFile
from lightboard.query.capture_progress import HostFile
from lightboard.query.profiles import (
    HostOverview,
    base_name,
    begin_ns,
    capture_breakdown,
    capture_operators,
    capture_shape_operators,
    capture_steps,
    have_shapes,
    host_overview,
    last_ns,
    of_rank,
)

BYTES_PER_SLICE, BYTES_PER_POINT, BYTES_PER_NAME = 80, 24, 400
"""Estimated bytes held: of a slice its columns, nesting and self time; of a name its text and its operator."""

BYTES_PER_CALL = 600
"""Estimated bytes held of a node of the tree of calls: its numbers, its children and its longest slice."""

BYTES_PER_SHAPES = 1000
"""Estimated bytes held of an operator by the shapes of its inputs, each of which is a text."""


class LoadedHost:
    """What one host has captured, and the file in which it is."""

    def __init__(self, file: ProfileFile, host: HostCapture) -> None:
        self.file = file
        self.host = host
        self._lock = threading.Lock()
        self._time_line: TimeLine | None = None

    @property
    def time_line(self) -> TimeLine:
        """Its slices in rows."""
        with self._lock:
            if self._time_line is None:
                self._time_line = TimeLine(self.host)
            return self._time_line


class LoadedCapture:
    """A capture in memory. Thread-safe: what is computed twice at once is the same."""

    def __init__(self, capture: Capture, hosts: list[HostFile], problems: list[str], *, loaded: float = 1.0) -> None:
        self.capture = capture
        self.problems = problems
        self.loaded = loaded
        """Which part of its bytes this is: 1 of all, less of what was read of it so far."""
        self.has_grown: Callable[[], None] = nothing
        """Called when what it takes is more than before."""
        self._call_tree: CallTree | None = None
        self._shape_operators: list[ShapeOperator] | None = None
        self._samples: dict[int | None, CaptureSamples] = {}
        self.hosts = [LoadedHost(file, host) for file, host in hosts]
        self.begin_ns = begin_ns(self.captures)
        self.end_ns = max((last_ns(host) for host in self.captures if len(host.slices)), default=self.begin_ns)

    @property
    def captures(self) -> list[HostCapture]:
        """What each host has captured."""
        return [each.host for each in self.hosts]

    @cached_property
    def steps(self) -> list[Step]:
        """Its steps in the order of time."""
        return capture_steps(self.captures)

    @cached_property
    def operators(self) -> list[Operator]:
        """Its operators, those with most self time first."""
        return capture_operators(self.captures)

    def shape_operators(self) -> Generator[None, None, list[ShapeOperator]]:
        """Its operators by the shapes of their inputs. Yields to other work while these are read.

        Raises Unshowable if a file cannot be read any more.
        """
        if self._shape_operators is None:
            self._shape_operators = yield from capture_shape_operators((each.file, each.host) for each in self.hosts)
            self.has_grown()
        return self._shape_operators

    @cached_property
    def has_shapes(self) -> bool:
        """Whether its operators have the shapes of their inputs, if they can."""
        return have_shapes((each.file, each.host) for each in self.hosts)

    @cached_property
    def overviews(self) -> list[HostOverview]:
        """The figures of each host."""
        return [host_overview(host) for host in self.captures]

    @cached_property
    def breakdown(self) -> list[StepBreakdown]:
        """What its steps are made of, device by device."""
        return capture_breakdown(self.captures)

    @cached_property
    def skew(self) -> list[StepSkew]:
        """How far its ranks are apart in each step."""
        return skew_of(self.breakdown)

    def call_tree(self) -> Generator[None, None, CallTree]:
        """Its calls by the calls around them. Yields to other work while that is computed."""
        if self._call_tree is None:
            self._call_tree = yield from call_tree([(each.host, each.time_line) for each in self.hosts])
            self.has_grown()
        return self._call_tree

    def samples(self, rank: int | None) -> CaptureSamples:
        """Its operators in steps, for comparison; of this rank, or of all. Raises NotFound."""
        if rank not in self._samples:
            self._samples[rank] = samples_of(of_rank(self.captures, "", rank))
        return self._samples[rank]

    @cached_property
    def advice(self) -> list[Advice]:
        """What to change in the program."""
        return advice_of(self.captures, self.breakdown, self.skew, self.problems, has_shapes=self.has_shapes)

    def let_go(self) -> None:
        """Let what is mapped out of memory. Others who use it bring it back."""
        for host in self.captures:
            host.let_go()

    @property
    def size_bytes(self) -> int:
        """An estimate of the memory that it takes."""
        calls = len(self._call_tree.key) * BYTES_PER_CALL if self._call_tree else 0
        shapes = len(self._shape_operators or ()) * BYTES_PER_SHAPES
        return (calls + shapes) + sum(
            (0 if host.is_mapped else column_bytes(host)) + len(host.names) * BYTES_PER_NAME for host in self.captures
        )

    def args(self, host: int, slice_: int) -> list[EventArg]:
        """The arguments of a slice, as written. Raises ValueNotFound if its file cannot be read any more."""
        loaded = self.hosts[host]
        offset = int(loaded.host.slices.args[slice_])
        if offset < 0:
            return []
        base = base_name(loaded.file)
        try:
            return read_args(base, loaded.file.read, loaded.file.info.size, offset)
        except OSError as error:
            raise ValueNotFound(f"{base} cannot be read: {error.strerror or error}", hint="reload") from None


def column_bytes(host: HostCapture) -> int:
    """An estimate of the memory of the columns of a host."""
    points = (host.instants, host.counters, host.flow_begins, host.flow_ends)
    return len(host.slices) * BYTES_PER_SLICE + sum(len(each.track) for each in points) * BYTES_PER_POINT
