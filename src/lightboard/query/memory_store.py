"""What the captures of a board say of memory, each read once for all requests."""

from collections.abc import Generator, Iterable

from lightboard.errors import LightboardError, Unshowable
from lightboard.lru_cache import LruCache
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.memory import DeviceMemory, MemoryProfile
from lightboard.profiles.memory_events import memory_of_host
from lightboard.profiles.pprof_memory import read_pprof
from lightboard.profiles.torch_memory import read_snapshot
from lightboard.query.capture_files import Capture, ProfileFile
from lightboard.query.profiles import begin_ns
from lightboard.storage.base import printable, split

MAX_CACHED_BYTES = 64 << 20
"""Limit of what is in memory of one board."""

HELD_BYTES_PER_BYTE = 8
"""Estimated bytes held per byte of a file while it is read."""

MOST_HELD_BYTES = 512 << 20

Hosts = Iterable[tuple[ProfileFile, HostCapture]]


class MemoryStore:
    """The memory in the captures of a board. Thread-safe."""

    def __init__(self, most_bytes: int = MAX_CACHED_BYTES) -> None:
        self._found: LruCache[MemoryProfile] = LruCache(most_bytes, lambda profile: profile.size_bytes)

    def load(self, capture: Capture, key: str, hosts: Hosts) -> Generator[int | None, None, MemoryProfile]:
        """What a capture in the state of this key says; `hosts` are what was read of its slices.

        Yields an estimate of the bytes held before it reads. Raises Unshowable if nothing of it can be read.
        """
        name = capture.name, key
        if name not in self._found and not capture.has_slices:
            yield min(HELD_BYTES_PER_BYTE * capture.size_bytes, MOST_HELD_BYTES)
        return self._found.get(name, lambda: read_memory(capture, hosts))


def read_memory(capture: Capture, hosts: Hosts) -> MemoryProfile:
    """What a capture says of memory; `hosts` are what was read of its slices. Raises Unshowable."""
    if not capture.has_slices:
        return read_memory_file(capture)
    devices, problems, captures = list[DeviceMemory](), list[str](), list[HostCapture]()
    for file, host in hosts:
        captures.append(host)
        if capture.format != "trace_json":
            continue
        base = printable(split(file.info.path)[1])
        try:
            found, said = memory_of_host(host, file.read, file.info.size)
        except OSError as error:
            problems.append(f"{base} cannot be read: {error.strerror or error}")
            continue
        devices += found
        problems += [f"{base}: {problem}" for problem in said]
    return MemoryProfile(devices, problems, begin_ns(captures))


def read_memory_file(capture: Capture) -> MemoryProfile:
    """What is in a file that says nothing else. Raises Unshowable."""
    info, read = capture.files[0].info, capture.files[0].read
    base = printable(split(info.path)[1])
    try:
        return (read_snapshot if capture.format == "torch_memory" else read_pprof)(read, info.size)
    except OSError as error:
        raise Unshowable(f"{base} cannot be read: {error.strerror or error}") from None
    except LightboardError as error:
        raise Unshowable(f"{base}: {error.message}", hint=error.hint) from None
