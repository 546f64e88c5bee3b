"""Reads xplanes with the compiled core: the same captures as those of `xplane`."""

from itertools import starmap
from typing import Any

import numpy as np

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import xplane
from lightboard.profiles.capture import HostCapture, loss_problems
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.hlo import HloKey, HloOps
from lightboard.profiles.native_columns import host_capture, in_rows
from lightboard.profiles.prefix import PrefixTaker, hand_out, is_prefix_due
from lightboard.profiles.xplane_meaning import with_meaning

NO_OPS = HloOps(np.empty(0, np.int32), [], [])
"""Scopes are not read before the capture is whole."""


def read_xplane(
    core: Any, read: ReadRange, size: int, files: ColumnFiles | None = None, prefix: PrefixTaker | None = None
) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none. `prefix` gets what is read so far."""
    files = files or ColumnFiles()

    def is_due(slices: int) -> bool:
        return is_prefix_due(prefix, slices, in_memory=not files.folder)

    def take(host: str, names: Any, processes: Any, tracks: Any, steps: Any, columns: Any, decoded: int) -> None:
        def make() -> HostCapture:
            own = files.beside()
            capture = host_capture(names, processes, tracks, steps, columns, own, host=host)
            return in_rows(with_meaning(capture, NO_OPS, read, size, own), own)

        if prefix:
            hand_out(prefix, make, decoded / size)

    facts, names, processes, tracks, steps, columns, ops, keys, hlo = core.decode_xplane(
        *(read, size, files.native_limits()),
        lines=xplane.MAX_SPANS,
        event_bytes=xplane.MAX_EVENT_BYTES,
        text_bytes=xplane.MAX_TEXT_BYTES,
        is_due=None if prefix is None else is_due,
        take=take,
    )
    found, cut, skipped, left_out, has_other_names, host = facts
    if not found:
        raise xplane.no_xplane()
    capture = host_capture(names, processes, tracks, steps, columns, files, host=host)
    losses = loss_problems(skipped, left_out, has_other_names=has_other_names)
    capture.problems.extend([xplane.CUT] * cut + losses)
    ops_of_slices = HloOps(files.column(hlo, np.int32), list(starmap(HloKey, keys)), ops)
    return with_meaning(capture, ops_of_slices, read, size, files)
