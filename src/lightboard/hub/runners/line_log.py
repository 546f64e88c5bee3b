"""A log of timed lines in a folder: one stream of bytes that is cut into files.

Each line is its time in seconds, a space, its text and a newline. A line that ended with a carriage return keeps it.
The name of a file is the offset of its first byte in the stream, so a reader finds any offset. The oldest files are
deleted when the log becomes too long.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from lightboard.hub.runners.log_part import LogLine, LogPart

FILE_BYTES = 16 << 20
MAX_FILES = 16
DIGITS = 16
MAX_LINE_BYTES = 1 << 20
"""A longer line is cut, so that a reader always makes progress."""


class LineLogWriter:
    """Writes a new log. `write` takes output of any size; `close` ends the last line.

    The folder may exist if it contains no log, as after a writer that was killed before it wrote anything.

    Raises:
        OSError: the disk is full or cannot be written. The rest of that output is lost, and later output can be
        written.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.time,
        *,
        file_bytes: int = FILE_BYTES,
        max_files: int = MAX_FILES,
    ) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self._clock = clock
        self._file_bytes, self._max_files = file_bytes, max_files
        self._end = 0
        self._line_bytes = 0  # of the line that has not ended
        self._held = b""
        self._fd = self._new_file()

    def write(self, output: bytes) -> None:
        """Appends output of a process."""
        output = self._held + output
        self._held = output[-1:] if output.endswith(b"\r") else b""  # a newline may follow
        self._append(output[: len(output) - len(self._held)])
        if self._line_bytes > MAX_LINE_BYTES:
            self._append(b"\n")
        if self._end - self._file_start >= self._file_bytes:
            self._rotate()

    def close(self) -> None:
        """Ends the last line and writes everything to the disk."""
        try:
            self._append(self._held + b"\n" if self._line_bytes or self._held else b"")
            os.fsync(self._fd)
        finally:
            os.close(self._fd)

    def _append(self, output: bytes) -> None:
        if not output:
            return
        stamp = b"%.3f " % self._clock()
        lines = output.replace(b"\r\n", b"\n").replace(b"\r", b"\r\n")
        text = lines[:-1].replace(b"\n", b"\n" + stamp) + lines[-1:]
        if not self._line_bytes:
            text = stamp + text
        unfinished = len(text) - text.rfind(b"\n") - 1
        self._line_bytes = unfinished if b"\n" in text else self._line_bytes + unfinished
        while text:
            written = os.write(self._fd, text)
            self._end += written
            text = text[written:]

    def _rotate(self) -> None:
        new = self._new_file()
        os.close(self._fd)
        self._fd = new
        for name in file_names(self._folder)[: -self._max_files]:
            (self._folder / name).unlink(missing_ok=True)

    def _new_file(self) -> int:
        path = self._folder / f"{self._end:0{DIGITS}d}"
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._file_start = self._end
        return fd


def file_names(folder: Path) -> list[str]:
    """The names of the files of a log, oldest first; none if there is no log."""
    try:
        return sorted(name for name in os.listdir(folder) if name.isdecimal())
    except OSError:
        return []


def read_lines(folder: Path, cursor: int, max_bytes: int, *, ended: bool = False) -> LogPart:
    """See `Runner.read_log`. `ended`: a last line without newline is complete, because its writer was killed."""
    names = file_names(folder)
    end = stream_end(folder, names[-1]) if names else None
    if end is None:
        return LogPart(lines=(), cursor=max(cursor, 0))
    first = int(names[0])
    start = max(end + cursor, first) if cursor < 0 else max(cursor, first)
    lost_bytes = start - cursor if cursor >= 0 else 0
    if start > 0 and (cursor < 0 or lost_bytes):
        start += len(rest_of_line(folder, names, start, end))
    data = read_range(folder, names, start, min(end, start + max_bytes))
    while b"\n" not in data and start + len(data) < end and len(data) >= max_bytes:
        more = read_range(folder, names, start + len(data), min(end, start + len(data) + max_bytes))
        if not more:  # its file has been deleted meanwhile
            break
        data += more
    if not (ended and start + len(data) == end):
        data = data[: data.rfind(b"\n") + 1]
    lines = tuple(parse_line(line) for line in data.removesuffix(b"\n").split(b"\n")) if data else ()
    return LogPart(lines=lines, cursor=start + len(data), lost_bytes=lost_bytes)


def stream_end(folder: Path, last: str) -> int | None:
    """The offset of the end of a log whose last file is `last`, None if that has been deleted meanwhile."""
    try:
        return int(last) + (folder / last).stat().st_size
    except FileNotFoundError:
        return None


def rest_of_line(folder: Path, names: list[str], start: int, end: int) -> bytes:
    """What precedes the first whole line at or after `start`."""
    is_first = start == int(names[0])
    looked = read_range(folder, names, start if is_first else start - 1, min(end, start + 2 * MAX_LINE_BYTES))
    newline = looked.find(b"\n")
    rest = looked if newline < 0 else looked[: newline + 1]
    return rest if is_first else rest[1:]


def read_range(folder: Path, names: list[str], start: int, stop: int) -> bytes:
    """The bytes of a log from `start` to `stop`. Files that have been deleted meanwhile end them early."""
    parts = []
    for name, next_start in zip(names, [*map(int, names[1:]), stop], strict=True):
        low, high = max(start, int(name)), min(stop, next_start)
        if low < high:
            try:
                with open(folder / name, "rb") as file:
                    file.seek(low - int(name))
                    parts.append(file.read(high - low))
            except FileNotFoundError:
                break
    return b"".join(parts)


def parse_line(line: bytes) -> LogLine:
    """A line from its bytes without the newline."""
    stamp, _, text = line.partition(b" ")
    try:
        at = float(stamp)
    except ValueError:  # the disk was full in the middle of a line
        at, text = 0.0, line
    return LogLine(at, text.removesuffix(b"\r").decode(errors="replace"), text.endswith(b"\r"))
