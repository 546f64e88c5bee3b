"""Reads the capture in a file, in whichever of the formats it is, with the compiled core if there is one."""

from lightboard._native import core
from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange
from lightboard.profiles import native_trace_json, native_xplane, trace_json, xplane
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.file_names import profile_name
from lightboard.profiles.prefix import PrefixTaker

NOT_RECORDED = "Not recorded: "
"""What the name of an instant begins with by which `lightboard.profiling` says what is missing."""


def read_profile(
    name: str, read: ReadRange, size: int, files: ColumnFiles | None = None, prefix: PrefixTaker | None = None
) -> HostCapture:
    """The capture in a file of this base name and size. Raises Unshowable, OSError.

    `prefix` gets what has been read so far, if the core reads it.
    """
    files = files or ColumnFiles()
    found = profile_name(name)
    if found is None:
        raise Unshowable("its name is not that of a capture", hint="known are .xplane.pb and .trace.json[.gz]")
    if found.format == "xplane":
        return read_xplane(read, size, files, prefix)
    if found.format != "trace_json":
        raise Unshowable("it has no slices", hint="it says what is in memory: lightboard profile memory shows it")
    capture = read_trace_json(read, size, files, prefix)
    capture.problems.extend(name for name in capture.names if name.startswith(NOT_RECORDED))
    return capture


def read_trace_json(read: ReadRange, size: int, files: ColumnFiles, prefix: PrefixTaker | None = None) -> HostCapture:
    """The capture in a trace as JSON. Raises Unshowable."""
    if core is None:
        return trace_json.read_trace_json(read, size)
    return native_trace_json.read_trace_json(core, read, size, files, prefix)


def read_xplane(read: ReadRange, size: int, files: ColumnFiles, prefix: PrefixTaker | None = None) -> HostCapture:
    """The capture in an xplane. Raises Unshowable."""
    if core is None:
        return xplane.read_xplane(read, size)
    return native_xplane.read_xplane(core, read, size, files, prefix)
