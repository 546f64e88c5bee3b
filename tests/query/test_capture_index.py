"""The index of captures in the cache folder."""

import fcntl
import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lightboard.profiles import (
    capture,
    capture_format,
    categories,
    column_files,
    devices,
    hlo,
    nesting,
    operators,
    slice_rows,
    time_line,
    xplane_meaning,
)
from lightboard.profiles.breakdown import breakdown_of
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.capture_format import columns_of
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.operators import host_operators
from lightboard.profiles.profile_file import read_profile
from lightboard.profiles.steps import steps_of
from lightboard.profiles.time_line import TimeLine
from lightboard.query.capture_files import Capture, EventValues, find_captures
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.profiles import begin_ns, host_overview, last_ns, prepared, read_capture
from lightboard.sizes import size_text
from lightboard.storage.local import LocalStorage
from support.profiles import PROFILES, TORCH, slice_event, small_files, trace, xplane_of

CAPTURES = sorted([*PROFILES.rglob("*.trace.json*"), *PROFILES.rglob("*.xplane.pb")])


def the_capture(folder: Path) -> Capture:
    """The only capture in a folder."""
    (capture,) = find_captures(LocalStorage(str(folder)))
    return capture


def write_trace(folder: Path, *names: str) -> Path:
    """A trace with a slice for each name."""
    path = folder / "a.trace.json"
    path.write_bytes(trace(*(slice_event(name, at, 1) for at, name in enumerate(names))))
    return path


def index_in(folder: Path, **limits: int) -> CaptureIndex:
    """An index of files of any size."""
    return CaptureIndex(str(folder / "cache" / "profiles"), **{"min_file_bytes": 0, **limits})


def names_of(capture: Capture, index: CaptureIndex) -> list[str]:
    """The names in a capture."""
    return read_capture(capture, index)[0][0].names


def content(host: Any) -> list[Any]:
    """All that a host says."""
    columns = [(column.dtype, column.tolist()) for column in columns_of(host)]
    facts = (host.host, host.rank, host.processes, host.tracks, host.names, host.steps, host.scope_names, host.problems)
    return [*facts, columns]


def pictures(host: Any) -> list[Any]:
    """What is seen of each row of a host."""
    line = TimeLine(host)
    window = (begin_ns([host]), last_ns(host), 1000)
    return [[column.tolist() for column in line.marks(row, *window)] for row in line.rows]


@contextmanager
def small_file_limit(size_bytes: int) -> Iterator[None]:
    """Files cannot be larger, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def loaded(index: CaptureIndex, capture: Capture) -> HostCapture | None:
    """What the index has of the only file of a capture."""
    (file,) = capture.files
    assert not isinstance(file.source, EventValues)
    return index.load(file.source, file.info)


def entries(folder: Path) -> list[Path]:
    """The files of the index."""
    return sorted((folder / "cache" / "profiles").iterdir())


@pytest.mark.parametrize("path", [TORCH, xplane_of("keras"), xplane_of("jax")], ids=lambda path: path.name)
def test_a_capture_of_the_index_is_the_same(path: Path, tmp_path: Path) -> None:
    capture, index = the_capture(path.parent), index_in(tmp_path)
    first, second = (read_capture(capture, index) for _ in range(2))

    assert loaded(index, capture) is not None
    assert ([content(host) for host in first[0]], first[1]) == ([content(host) for host in second[0]], second[1])


def test_the_file_is_not_read_again(tmp_path: Path) -> None:
    path = write_trace(tmp_path, "a")
    capture, index = the_capture(tmp_path), index_in(tmp_path)
    names_of(capture, index)
    path.write_bytes(b"changed in secret")

    assert names_of(capture, index) == ["a"]


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    index = index_in(tmp_path)
    names_of(the_capture(tmp_path), index)
    write_trace(tmp_path, "a", "b")

    assert names_of(the_capture(tmp_path), index) == ["a", "b"]


def test_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    write_trace(tmp_path, "a", "b")
    capture, index = the_capture(tmp_path), index_in(tmp_path)
    names_of(capture, index)
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    length = capture_format.BEGIN.unpack_from(whole)[1]
    header = json.loads(whole[16 : 16 + length])
    used, at = set(range(16 + length)), 16 + length
    for size, _ in header["columns"]:
        at += -at % capture_format.ALIGNMENT
        used |= set(range(at, at + size))
        at += size

    for position in range(0, len(whole), 7):
        entry.write_bytes(whole[:position] + bytes([whole[position] ^ 4]) + whole[position + 1 :])
        assert (loaded(index, capture) is None) == (position in used)
        entry.write_bytes(whole[:position])
        assert loaded(index, capture) is None
    assert names_of(capture, index) == ["a", "b"]
    assert entry.read_bytes() == whole


def test_an_entry_of_another_version_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_trace(tmp_path, "a")
    capture, index = the_capture(tmp_path), index_in(tmp_path)
    names_of(capture, index)
    monkeypatch.setattr(capture_format, "MAGIC", b"LBCAP0lc")

    assert loaded(index, capture) is None
    names_of(capture, index)
    assert entries(tmp_path)[0].read_bytes().startswith(b"LBCAP0lc")


def test_small_files_are_not_in_the_index(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    names_of(the_capture(tmp_path), index_in(tmp_path, min_file_bytes=1 << 20))

    assert not (tmp_path / "cache").exists()


def test_entries_that_were_not_used_for_longest_are_removed(tmp_path: Path) -> None:
    index = index_in(tmp_path)
    for at, name in enumerate("abc"):
        write_trace(tmp_path, name)
        names_of(the_capture(tmp_path), index)
        for entry in entries(tmp_path):
            if entry.stat().st_mtime > 10:
                os.utime(entry, (at, at))
    captures = {entry.stat().st_mtime: entry for entry in entries(tmp_path)}
    write_trace(tmp_path, "d")
    names_of(the_capture(tmp_path), index_in(tmp_path, max_bytes=2 * captures[0].stat().st_size + 100))

    assert [entry.stat().st_mtime > 10 for entry in entries(tmp_path)].count(True) == 1
    assert [captures[at].exists() for at in range(3)] == [False, False, True]


def test_an_index_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    (tmp_path / "cache").write_text("no folder")

    assert names_of(the_capture(tmp_path), index_in(tmp_path)) == ["a"]


def test_only_the_user_can_read_the_index(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    names_of(the_capture(tmp_path), index_in(tmp_path))
    (entry,) = entries(tmp_path)

    assert (entry.stat().st_mode & 0o777, entry.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_columns_of_the_index_can_be_changed_without_changing_it(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    capture, index = the_capture(tmp_path), index_in(tmp_path)
    names_of(capture, index)
    for _ in range(2):
        (host,), _problems = read_capture(capture, index)
        assert host.slices.start_ns.tolist() == [0]
        host.slices.start_ns[0] = 5


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: str(path.relative_to(PROFILES)))
def test_columns_in_files_make_the_same_entry(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = path.read_bytes()
    read = lambda offset, length: data[offset : offset + length]  # noqa: E731
    in_memory = prepared(read_profile(path.name, read, len(data)), ColumnFiles())
    for module in (nesting, operators, slice_rows):
        monkeypatch.setattr(module, "AT_ONCE", 2 * slice_rows.BLOCK)
    for module in (categories, devices, hlo, xplane_meaning):
        monkeypatch.setattr(module, "ROWS_AT_ONCE", 50)
    files = small_files()
    in_files = prepared(read_profile(path.name, read, len(data), files), files)
    files.let_go()

    assert content(in_files) == content(in_memory)
    table = host_operators(replace(in_memory, rows=None, operators=None))
    assert in_files.operators == in_memory.operators == table.rows
    assert in_files.durations.percentiles() == table.durations.percentiles()


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: str(path.relative_to(PROFILES)))
@pytest.mark.parametrize("has_steps", [True, False])
def test_steps_are_broken_down_alike_in_parts_of_time(
    path: Path, has_steps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = path.read_bytes()
    host = read_profile(path.name, lambda offset, length: data[offset : offset + length], len(data))
    host = host if has_steps else replace(host, steps=[])
    steps, whole = steps_of(host), breakdown_of(host)
    monkeypatch.setattr(time_line, "SLICES_AT_ONCE", 2 * slice_rows.BLOCK)
    in_rows = prepared(host, ColumnFiles())

    assert (steps_of(in_rows), breakdown_of(in_rows)) == (steps, whole)


def test_mapped_columns_are_the_same_after_they_left_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture_format, "KEPT_BYTES", 0)
    monkeypatch.setattr(capture, "PLACES_AT_ONCE", 5)
    (read,), _problems = read_capture(the_capture(TORCH.parent))
    (host,), _problems = read_capture(the_capture(TORCH.parent), index_in(tmp_path))
    whole = content(host)
    host.let_go()

    assert content(host) == whole
    assert steps_of(host) == steps_of(read)
    assert pictures(host) == pictures(read)


def test_columns_in_files_leave_nothing_in_their_folder(tmp_path: Path) -> None:
    files = ColumnFiles(str(tmp_path), kept_bytes=256)
    data = TORCH.read_bytes()
    read_profile(TORCH.name, lambda offset, length: data[offset : offset + length], len(data), files)

    assert (len(files.columns) > 6, list(tmp_path.iterdir())) == (True, [])


def test_a_full_disk_is_told_and_the_capture_is_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,), _problems = read_capture(the_capture(TORCH.parent))
    monkeypatch.setattr(column_files, "KEPT_BYTES", 256)
    with small_file_limit(1000):
        (host,), problems = read_capture(the_capture(TORCH.parent), index_in(tmp_path))

    assert problems == [
        f"{TORCH.name}: the disk of the cache folder has no space for what was read, "
        "so it is read again at each start, and 10,000,000 slices at most"
    ]
    assert content(replace(host, problems=[])) == content(whole)
    assert entries(tmp_path) == []


def test_what_a_process_left_that_was_killed_is_removed(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    capture, index = the_capture(tmp_path), index_in(tmp_path)
    folder = tmp_path / "cache" / "profiles"
    folder.mkdir(parents=True)
    (folder / "0123.capture.abc.new").write_bytes(b"half")
    with open(folder / "4567.capture.def.new", "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        names_of(capture, index)

        assert sorted(entry.suffix for entry in entries(tmp_path)) == [".capture", ".new"]
        assert not (folder / "0123.capture.abc.new").exists()


def test_a_capture_that_is_larger_than_the_index_is_kept_alone_and_says_so(tmp_path: Path) -> None:
    write_trace(tmp_path, "a")
    names_of(the_capture(tmp_path), index_in(tmp_path))
    write_trace(tmp_path, "a", "b")
    _, problems = read_capture(the_capture(tmp_path), index_in(tmp_path, max_bytes=100))
    (entry,) = entries(tmp_path)
    size = size_text(entry.stat().st_size)

    assert problems == [
        f"a.trace.json: it takes {size} of the cache folder, which is to have 100 B at most, "
        "so no other capture is kept with it"
    ]


def test_captures_are_computed_alike_in_parts_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = the_capture(TORCH.parent)
    whole = read_capture(capture, index_in(tmp_path / "whole"))[0][0]
    for module in (operators, slice_rows):
        monkeypatch.setattr(module, "AT_ONCE", 2 * slice_rows.BLOCK)
    monkeypatch.setattr(capture_format, "CHECKED_BYTES", 4096)
    parts = read_capture(capture, index_in(tmp_path / "parts"))[0][0]

    assert whole.is_mapped
    assert content(parts) == content(whole)
    assert parts.operators == whole.operators


@pytest.mark.parametrize("folder", sorted({path.parent for path in CAPTURES}), ids=lambda path: path.name)
def test_steps_and_what_they_are_made_of_are_in_the_index(folder: Path, tmp_path: Path) -> None:
    """Marked or inferred, on devices or without any."""
    capture = next(iter(find_captures(LocalStorage(str(folder)))))
    hosts, _problems = read_capture(capture)
    read_capture(capture, index := index_in(tmp_path))
    indexed, _problems = read_capture(capture, index)

    assert [host.breakdown is not None and bool(host.steps or host.inferred_steps) for host in indexed] == [True] * len(
        hosts
    )
    assert [(steps_of(host), breakdown_of(host)) for host in indexed] == [
        (steps_of(host), breakdown_of(host)) for host in hosts
    ]


def test_tables_of_the_index_are_those_of_the_file(tmp_path: Path) -> None:
    capture = the_capture(TORCH.parent)
    (read,), _problems = read_capture(capture)
    (indexed,), _problems = read_capture(capture, index_in(tmp_path))

    assert (read.rows, indexed.is_mapped) == (None, True)
    tables = [host_operators(host) for host in (indexed, read)]
    assert tables[0].rows == tables[1].rows
    assert tables[0].durations.percentiles() == tables[1].durations.percentiles()
    assert host_overview(indexed) == host_overview(read)
