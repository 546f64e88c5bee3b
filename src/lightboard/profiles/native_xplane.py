"""Reads xplanes with the compiled core: the same captures as those of `xplane`."""

from itertools import starmap
from typing import Any

import numpy as np

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import xplane
from lightboard.profiles.capture import HostCapture, loss_problems
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.hlo import HloKey, HloOps
from lightboard.profiles.native_columns import host_capture
from lightboard.profiles.xplane_meaning import with_meaning


def read_xplane(core: Any, read: ReadRange, size: int, files: ColumnFiles | None = None) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    files = files or ColumnFiles()
    facts, names, processes, tracks, steps, columns, ops, keys, hlo = core.decode_xplane(
        *(read, size, files.native_limits()),
        lines=xplane.MAX_SPANS,
        event_bytes=xplane.MAX_EVENT_BYTES,
        text_bytes=xplane.MAX_TEXT_BYTES,
    )
    found, cut, skipped, left_out, has_other_names, host = facts
    if not found:
        raise xplane.no_xplane()
    capture = host_capture(names, processes, tracks, steps, columns, files, host=host)
    losses = loss_problems(skipped, left_out, has_other_names=has_other_names)
    capture.problems.extend([xplane.CUT] * cut + losses)
    ops_of_slices = HloOps(files.column(hlo, np.int32), list(starmap(HloKey, keys)), ops)
    return with_meaning(capture, ops_of_slices, read, size, files)
