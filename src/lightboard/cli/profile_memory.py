"""`lightboard profile memory LOGDIR`: how much memory devices use, and who holds it at the peak."""

from typing import Any

from lightboard.cli.output import say, show
from lightboard.cli.tables import TABLE, Columns, Format, show_data, show_list, show_one
from lightboard.errors import NotFound
from lightboard.home import cache_folder
from lightboard.profiles.devices import host_label
from lightboard.query.capture_files import Capture
from lightboard.query.capture_index import index_below
from lightboard.query.memory_fields import memory_fields
from lightboard.query.memory_store import read_memory
from lightboard.query.profiles import choose_capture, read_capture_files
from lightboard.sizes import size_text

COLUMNS = 1000
"""Points of the curve in JSON, about a third of them."""

TOP, MOST_ROWS = 20, 1000
"""Holders in a table, and holders and blocks in JSON."""

NO_HOLDERS = "no memory in use"

NO_ALLOCATIONS = (
    "the capture has no allocations: record them with profile_memory=True of torch.profiler, "
    "torch.cuda.memory._dump_snapshot or jax.profiler.save_device_memory_profile"
)

DEVICE: Columns = [
    ("DEVICE", lambda row: " ".join(filter(None, (host_label(row["host"], row["rank"]), row["device"])))),
    ("PEAK", lambda row: peak_text(row)),
    ("RESERVED", lambda row: size_text(row["peak_reserved_bytes"]) if row["peak_reserved_bytes"] else "-"),
    ("UNUSED", lambda row: unused_text(row)),
    ("IN USE", lambda row: f"{size_text(row['live_bytes'])} at the end"),
    ("ALLOCATIONS", lambda row: f"{row['allocations']:,}"),
]
HOLDERS: Columns = [
    ("BYTES", lambda row: size_text(row["size_bytes"])),
    ("SHARE", lambda row: f"{100 * row['share']:.0f} %"),
    ("BLOCKS", lambda row: f"{row['blocks']:,}"),
    ("HELD BY", lambda row: frame_text(row)),
]


def choose_memory(captures: list[Capture], name: str) -> Capture:
    """The capture of this name. If it is empty, the only one that says nothing but what is in memory, or the only one.

    Raises NotFound.
    """
    only = [each for each in captures if not each.has_slices]
    try:
        return choose_capture(captures if name or not only else only, name)
    except NotFound as error:
        if captures or name:
            raise
        raise NotFound(error.message, hint=f"{error.hint}; memory is in *memory*.prof and *snapshot*.pickle") from None


def show_memory(capture: Capture, output: Format) -> None:
    """Print the figures of each device, and who holds its memory at the peak. Raises Unshowable."""
    hosts = read_capture_files(capture, index_below(cache_folder()))[0] if capture.has_slices else []
    row = {"name": capture.name, **memory_fields(read_memory(capture, hosts), COLUMNS, MOST_ROWS)}
    if output is not TABLE:
        show_data(row, output)
        return
    for device in row["devices"]:
        show_one(device, DEVICE, output)
        whole = device["peak_bytes"] or 1
        rows = [{**each, "share": each["size_bytes"] / whole} for each in device["holders"][:TOP]]
        show("")
        show_list(rows, HOLDERS, output, NO_HOLDERS)
        show("")
    if not row["devices"]:
        say(f"note: {NO_ALLOCATIONS}")
    for problem in row["problems"]:
        say(f"note: {problem}")


def peak_text(row: dict[str, Any]) -> str:
    """`123 MiB after 4.451 s`."""
    peak = size_text(row["peak_bytes"])
    return peak if row["peak_us"] is None else f"{peak} after {row['peak_us'] / 1e6:.3f} s"


def unused_text(row: dict[str, Any]) -> str:
    """What is reserved and not in use at the peak, and the largest free block at the end."""
    unused = row["peak_reserved_bytes"] - row["peak_bytes"]
    if unused <= 0:
        return "-"
    largest = row["largest_free_bytes"]
    free = "" if largest is None else f"; the largest free block at the end is {size_text(largest)}"
    return f"{size_text(unused)} of what is reserved{free}"


def frame_text(row: dict[str, Any]) -> str:
    """`forward (train.py:12)`."""
    if not row["name"]:
        return "(no stack)"
    return f"{row['name']} ({row['file']}:{row['line']})" if row["file"] else row["name"]
