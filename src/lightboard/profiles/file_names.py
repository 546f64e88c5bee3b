"""Which files are captures, by their names, and to which capture they belong."""

import re
from typing import Literal, NamedTuple

ProfileFormat = Literal["xplane", "trace_json"]

SESSION = re.compile(r"(?:^|/)plugins/profile/[^/]+$")
"""A folder of a capture by TensorFlow or JAX, with a file for each host."""

TORCH = re.compile(r"\.pt\.trace\.json(?:\.gz)?$", re.IGNORECASE)

TORCH_SPAN = re.compile(r"^(?P<worker>.+?)\.(?P<time_ns>\d{13,20})\.pt\.trace\.json(?:\.gz)?$", re.IGNORECASE)
"""How `tensorboard_trace_handler` names files: by the worker and the time of the end."""

TRACE = re.compile(r"(?:\.trace\.json|^perfetto_trace\.json|\.chrome_trace\.json)(?:\.gz)?$", re.IGNORECASE)

ENDS = (".xplane.pb", "trace.json", "trace.json.gz")
"""How the names of all captures end. Told first: each file of a listing is asked for."""


class ProfileName(NamedTuple):
    """What the name of a file says: its format, the host or worker, and how much it is preferred over others beside it.

    `time_ns` is that of the capture, 0 if the name has none.
    """

    format: ProfileFormat
    host: str
    preference: int
    time_ns: int = 0


def profile_name(name: str) -> ProfileName | None:
    """What the base name of a file says, None if it is no capture."""
    if name.endswith(".xplane.pb"):
        return ProfileName("xplane", name.removesuffix(".xplane.pb"), 3)
    if TORCH.search(name):
        found = TORCH_SPAN.match(name)
        host, time_ns = (found["worker"], int(found["time_ns"])) if found else (TORCH.sub("", name), 0)
        return ProfileName("trace_json", host, 2, time_ns)
    if TRACE.search(name):
        host = TRACE.sub("", name)
        return ProfileName("trace_json", host, 1 if host else 0)
    return None


def is_profile(name: str) -> bool:
    """Whether a file of this base name is a capture."""
    return name.lower().endswith(ENDS) and profile_name(name) is not None
