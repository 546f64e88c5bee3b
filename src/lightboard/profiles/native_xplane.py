"""Reads xplanes with the compiled core: the same captures as those of `xplane`."""

from itertools import starmap
from typing import Any

import numpy as np

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import capture as limits
from lightboard.profiles import xplane
from lightboard.profiles.capture import HostCapture, loss_problems
from lightboard.profiles.hlo import HloKey, HloOps
from lightboard.profiles.native_columns import column, host_capture
from lightboard.profiles.xplane_meaning import with_meaning


def read_xplane(core: Any, read: ReadRange, size: int) -> HostCapture:
    """The capture in a file of this size. Raises Unshowable if it is none."""
    facts, names, processes, tracks, steps, columns, ops, keys, hlo = core.decode_xplane(
        *(read, size),
        slices=limits.MAX_SLICES,
        tracks=limits.MAX_TRACKS,
        names=limits.MAX_NAMES,
        flows=limits.MAX_FLOWS,
        name_chars=limits.MAX_NAME_CHARS,
        longest_ns=limits.LONGEST_NS,
        epoch_ns=limits.EPOCH_LIMIT_NS,
        other_name=limits.OTHER,
        lines=xplane.MAX_SPANS,
        event_bytes=xplane.MAX_EVENT_BYTES,
        text_bytes=xplane.MAX_TEXT_BYTES,
    )
    found, cut, skipped, left_out, host = facts
    if not found:
        raise xplane.no_xplane()
    capture = host_capture(names, processes, tracks, steps, columns, host=host)
    capture.problems.extend([xplane.CUT] * cut + loss_problems(skipped, left_out))
    return with_meaning(capture, HloOps(column(hlo, np.int32), list(starmap(HloKey, keys)), ops), read, size)
