"""Which files are captures, by their names, and to which capture they belong."""

import re
from typing import Literal, NamedTuple

ProfileFormat = Literal["xplane", "trace_json", "step_stats", "torch_memory", "pprof_memory"]

"""Step stats are in event files, which have other names."""

MEMORY_FORMATS: tuple[ProfileFormat, ...] = ("torch_memory", "pprof_memory")
"""Formats that say what is in memory, and not where time goes."""

SESSION = re.compile(r"(?:^|/)plugins/profile/[^/]+$")
"""A folder of a capture by TensorFlow or JAX, with a file for each host."""

TORCH = re.compile(r"\.pt\.trace\.json(?:\.gz)?$", re.IGNORECASE)

TORCH_SPAN = re.compile(r"^(?P<worker>.+?)\.(?P<time_ns>\d{13,20})\.pt\.trace\.json(?:\.gz)?$", re.IGNORECASE)
"""How `tensorboard_trace_handler` names files: by the worker and the time of the end."""

TRACE = re.compile(r"(?:\.trace\.json|^perfetto_trace\.json|\.chrome_trace\.json)(?:\.gz)?$", re.IGNORECASE)

MEMORY: tuple[tuple[re.Pattern[str], ProfileFormat], ...] = (
    (re.compile(r"(?:snapshot|memory).*\.(?:pickle|pkl)(?:\.gz)?$", re.IGNORECASE), "torch_memory"),
    (re.compile(r"memory.*\.(?:prof|pprof|pb\.gz)$", re.IGNORECASE), "pprof_memory"),
)
"""Pickles and profiles of other kinds have the same ends, and other words before them."""

MEMORY_ENDS = (".pickle", ".pkl", ".pickle.gz", ".pkl.gz", ".prof", ".pprof", ".pb.gz")

ENDS = (".xplane.pb", "trace.json", "trace.json.gz", *MEMORY_ENDS)
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
    if name.lower().endswith(MEMORY_ENDS):
        return next((ProfileName(format_, name, 0) for words, format_ in MEMORY if words.search(name)), None)
    return None


def is_profile(name: str) -> bool:
    """Whether a file of this base name is a capture."""
    return name.lower().endswith(ENDS) and profile_name(name) is not None
