"""What the slices of an xplane mean: their categories, which of them are steps, and their scopes.

Both readers, that in Python and the compiled core, give the columns; the rest is the same for both.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lightboard.events.byte_reader import ReadRange
from lightboard.profiles.capture import Category, HostCapture
from lightboard.profiles.categories import category_of, is_operation, set_categories
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.devices import ROWS_AT_ONCE, device_of_tracks
from lightboard.profiles.hlo import HloOps, read_scopes, scope_column
from lightboard.profiles.tpu_ops import TpuOp, read_tpu_ops, with_tpu_scopes

PLAIN, OPERATION, STEP = range(3)
"""What a reader says of a slice by its stats, instead of its category."""

GPU, TPU = "GPU:", "TPU:"

HOST_LINE, DEVICE_LINE, SUMMARY_LINE = range(3)

SUMMARIES = frozenset(
    {
        *("Steps", "XLA Modules", "XLA TraceMe", "Framework Name Scope", "Framework Ops"),
        *("TensorFlow Name Scope", "TensorFlow Ops", "Source code", "Launch Stats"),
        *("Sparse Core Steps", "Sparse Core Modules", "Sparse Core Syncs", "Tensor Core Sync Flag"),
    }
)
"""Lines of devices that show the same time again, in larger parts. On GPUs so do operations of XLA, made of kernels."""

GPU_SUMMARIES = SUMMARIES | {"XLA Ops", "Async XLA Ops"}


def with_meaning(
    capture: HostCapture, hlo: HloOps, read: ReadRange, size: int, files: ColumnFiles | None = None
) -> HostCapture:
    """The capture with categories in the place of kinds, without steps of devices, and with scopes."""
    names, devices = [track.name for track in capture.tracks], device_of_tracks(capture)
    lines = np.array(list(map(line_kind, devices, names)), np.int8)
    tpu_ops = read_tpu_ops(read, size) if any(device.startswith(TPU) for device in devices) else {}
    files, slices = files or ColumnFiles(), capture.slices
    computes = DEVICE_LINE if has_line(capture, lines == DEVICE_LINE, files) else HOST_LINE
    set_categories(
        slices,
        len(capture.names),
        9,
        lambda part: slices.category[part] * 3 + lines[slices.track[part]],
        lambda name, kind: slice_category(
            capture.names[name], *divmod(kind, 3), computes, tpu_ops.get(capture.names[name])
        ),
        files.let_go,
    )
    steps = [marker for marker in capture.steps if lines[slices.track[marker.slice]] == HOST_LINE]
    scopes, problems = read_scopes(hlo, capture.names, read, size) if hlo.keys else ([], [])
    column, scope_names = scope_column(hlo, scopes, files)
    if tpu_ops:
        empty = files.empty(len(slices), np.int32)
        column, scope_names = with_tpu_scopes(
            (column, scope_names), capture.names, tpu_ops, slices, lines == DEVICE_LINE, empty
        )
        files.let_go()
    return replace(capture, steps=steps, scope=column, scope_names=scope_names, problems=[*capture.problems, *problems])


def has_line(capture: HostCapture, wanted: NDArray[np.bool_], files: ColumnFiles) -> bool:
    """Whether there are slices of these tracks."""
    for begin in range(0, len(capture.slices), ROWS_AT_ONCE):
        if wanted[capture.slices.track[begin : begin + ROWS_AT_ONCE]].any():
            return True
        files.let_go()
    return False


def line_kind(device: str, track: str) -> int:
    """Whether a track is of a device, and whether it shows only what others show in detail."""
    if not device:
        return HOST_LINE
    return SUMMARY_LINE if track in (GPU_SUMMARIES if device.startswith(GPU) else SUMMARIES) else DEVICE_LINE


def slice_category(name: str, kind: int, line: int, computes: int, tpu_op: TpuOp | None = None) -> int:
    """The index of the category of a slice. Operations run on lines of the kind `computes`.

    Where there is a device, those of the host launch what runs there. What a TPU says of an operation is true.
    """
    if tpu_op and line == DEVICE_LINE and (told := tpu_op.category_index()) is not None:
        return told
    is_compute = line == DEVICE_LINE or (line >= computes and (kind == OPERATION or is_operation(name)))
    default: Category = (
        "annotation" if kind == STEP or line == SUMMARY_LINE
        else "python" if name.startswith("$")
        else "compute" if is_compute
        else "host"
    )  # fmt: skip
    return category_of(name, default, is_device=line == DEVICE_LINE)
