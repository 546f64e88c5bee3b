"""Captures out of what decoders of the compiled core have found, whose columns are used without copying them."""

from dataclasses import replace
from itertools import starmap
from typing import Any

import numpy as np

from lightboard.profiles.capture import HostCapture, Points, Process, Slices, StepMarker, Track
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.slice_rows import arranged


def host_capture(
    names: list[str],
    processes: list[Any],
    tracks: list[Any],
    steps: list[Any],
    columns: Any,
    files: ColumnFiles,
    *,
    host: str,
) -> HostCapture:
    """A capture without a rank and problems. Its categories are what the decoder says of slices."""
    (track, start_ns, duration_ns, name, kind, args), *points = columns
    instants, counters, flow_begins, flow_ends = (points_of(each, files) for each in points)
    column = files.column
    return HostCapture(
        host=host,
        rank=None,
        processes=list(starmap(Process, processes)),
        tracks=list(starmap(Track, tracks)),
        names=names,
        slices=Slices(
            *(column(track, np.int32), column(start_ns, np.int64), column(duration_ns, np.int64)),
            *(column(name, np.int32), column(kind, np.int8), column(args, np.int64)),
        ),
        instants=instants,
        counters=counters,
        flow_begins=flow_begins,
        flow_ends=flow_ends,
        steps=list(starmap(StepMarker, steps)),
    )


def in_rows(capture: HostCapture, files: ColumnFiles) -> HostCapture:
    """The same with its slices in rows, in the files of its columns, out of which it lets memory go."""
    return replace(capture, rows=arranged(capture, files).rows, is_mapped=bool(files.folder), let_go=files.let_go)


def points_of(columns: tuple[Any, ...], files: ColumnFiles) -> Points:
    """The columns of points."""
    track, time_ns, name, value = columns
    column = files.column
    return Points(column(track, np.int32), column(time_ns, np.int64), column(name, np.int32), column(value, np.float64))
