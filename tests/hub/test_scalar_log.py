"""The log folder of a job: real files as they grow, and files that only do harm."""

import os
import pathlib
import struct
import subprocess
import sys

import pytest

from lightboard.errors import OutsideRoot
from lightboard.hub.resources.job_scalars import MAX_SCALARS, ScalarTable
from lightboard.hub.scalar_reader import scalar_log
from lightboard.hub.scalar_reader.scalar_log import ScalarLog
from lightboard.testing.event_files import (
    FLOAT,
    append_events,
    record,
    scalar_record,
    scalar_records,
    scalar_value,
    start_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    version_record,
    write_events,
)

WRITE = """
import math, sys
from tensorboardX import SummaryWriter
for below in ("", "train", "val"):
    with SummaryWriter(sys.argv[1] + "/" + below) as writer:
        writer.add_text("note", "hello")
        writer.add_scalar("loss", math.nan if below == "val" else 0.5, 7)
"""
RUN = "attempt-1/rank-0"
EVENTS = f"{RUN}/events.out.tfevents.1"


def losses(*steps: int) -> list[bytes]:
    """Records of a scalar, whose values are the steps."""
    return scalar_records("loss", [(step, 0.0, float(step)) for step in steps])


def shown(log: ScalarLog) -> dict[str, list[float]]:
    """The values by run and tag."""
    return {f"{each.run} {each.tag}": [point.value for point in each.points()] for each in log.table}


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """The folder of a job."""
    folder = tmp_path.resolve() / "logs"
    folder.mkdir()
    return folder


def test_files_are_read_as_they_grow(logs: pathlib.Path) -> None:
    """A half record waits for the rest; nothing is read twice."""
    log, file = ScalarLog(str(logs)), logs / EVENTS
    write_events(file, [*losses(0, 1), losses(2)[0][:-3]])
    first = log.visit()
    between = log.visit()
    append_events(file, [losses(2)[0][-3:], *losses(3)])
    log.visit()

    assert [len(visit.changed) for visit in (first, between)] == [1, 0]
    assert shown(log) == {f"{RUN} loss": [0, 1, 2, 3]}


def test_files_of_a_real_writer(logs: pathlib.Path) -> None:
    """With runs below that of the replica, and what is no scalar."""
    subprocess.run([sys.executable, "-c", WRITE, str(logs / RUN)], check=True)
    log = ScalarLog(str(logs))
    log.visit()

    assert sorted((each.name, repr(each.last and each.last.value)) for each in log.table) == [
        ("loss", "0.5"), ("train/loss", "0.5"), ("val/loss", "nan"),
    ]  # fmt: skip


def test_scalars_of_tensorflow(logs: pathlib.Path) -> None:
    """They are tensors."""
    write_events(logs / EVENTS, [tensor_record("loss", 1, tensor(FLOAT, [0.25]), metadata=summary_metadata("scalars"))])
    log = ScalarLog(str(logs))
    log.visit()

    assert shown(log) == {f"{RUN} loss": [0.25]}


def test_chunks_do_not_matter(logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither do visits and restarts of the process."""
    write_events(logs / EVENTS, losses(*range(300)))
    whole = ScalarLog(str(logs))
    whole.visit()
    monkeypatch.setattr(scalar_log, "CHUNK_BYTES", 100)
    log, more = ScalarLog(str(logs)), True
    while more:
        more = log.visit(limit=1_000).more
        log = ScalarLog(str(logs), (), ScalarTable(log.table), log.saved_files(), log.total)

    assert list(log.table) == list(whole.table)


def test_a_restart_supersedes_points(logs: pathlib.Path) -> None:
    """Also those of earlier visits; steps that only go back do not."""
    write_events(logs / EVENTS, losses(0, 1, 2, 1))
    log = ScalarLog(str(logs))
    log.visit()
    append_events(logs / EVENTS, [start_record(step=2), *losses(2, 3)])
    log.visit()

    assert shown(log) == {f"{RUN} loss": [0, 1, 1, 2, 3]}


def test_a_file_that_was_written_anew_is_read_anew(logs: pathlib.Path) -> None:
    """Its run has only what is there now."""
    write_events(logs / EVENTS, losses(*range(9)))
    log = ScalarLog(str(logs))
    log.visit()
    write_events(logs / EVENTS, losses(5))
    visit = log.visit()

    assert shown(log) == {f"{RUN} loss": [5]}
    assert (visit.removed, [each.position for each in visit.changed]) == ([0], [1])


def test_values_outlive_their_logs(logs: pathlib.Path) -> None:
    """Whether a file or the whole folder is gone."""
    write_events(logs / EVENTS, losses(1))
    log = ScalarLog(str(logs))
    log.visit()
    (logs / EVENTS).unlink()
    log.visit()
    logs.rename(logs.with_name("moved"))
    log.visit()

    assert shown(log) == {f"{RUN} loss": [1]}


def test_damage_is_skipped(logs: pathlib.Path) -> None:
    """What is whole before and after it is kept."""
    broken = bytearray(losses(1)[0])
    broken[20] ^= 255
    write_events(logs / EVENTS, [*losses(0), bytes(broken), b"\0" * 5_000, os.urandom(5_000), *losses(2, 3, 4)])
    log = ScalarLog(str(logs))
    log.visit()

    assert shown(log) == {f"{RUN} loss": [0, 2, 3, 4]}


def test_large_records_are_skipped_unread(logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of images; one that is not complete yet is waited for."""
    monkeypatch.setattr(scalar_log, "CHUNK_BYTES", 1_000)
    large = record(b"\x4a" + struct.pack("<B", 5) + b"x" * 20_000)
    write_events(logs / EVENTS, [*losses(0), large[:-1]])
    log = ScalarLog(str(logs))
    log.visit()
    waiting = shown(log)
    append_events(logs / EVENTS, [large[-1:], *losses(1)])
    log.visit()

    assert (waiting, shown(log)) == ({f"{RUN} loss": [0]}, {f"{RUN} loss": [0, 1]})
    assert log.total < 5_000


def test_a_visit_reads_a_limited_part(logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each file in turn, so that an endless one does not hide the others."""
    monkeypatch.setattr(scalar_log, "CHUNK_BYTES", 1_000)
    for rank in range(2):
        write_events(logs / f"attempt-1/rank-{rank}/events.out.tfevents.1", losses(*range(1_000)))
    log = ScalarLog(str(logs))

    assert log.visit(limit=2_000).more
    assert [each.run for each in log.table] == ["attempt-1/rank-0", "attempt-1/rank-1"]
    assert log.total <= 3_000


def test_endless_files_are_not_read_for_ever(logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is told."""
    monkeypatch.setattr(scalar_log, "MAX_TOTAL_BYTES", 10_000)
    monkeypatch.setattr(scalar_log, "CHUNK_BYTES", 1_000)
    write_events(logs / EVENTS, losses(*range(1_000)))
    log = ScalarLog(str(logs))
    visits = [log.visit(), log.visit()]

    assert [visit.more for visit in visits] == [False, False]
    assert log.table.limited
    assert log.total <= 11_000


def test_a_flood_of_tags_is_cut(logs: pathlib.Path) -> None:
    """The first ones are kept; later ones do not hide the points of these."""
    flood = [summary_record([scalar_value(f"{at}-{each}", 1.0) for each in range(500)]) for at in range(100)]
    write_events(logs / EVENTS, [*losses(0), *flood, *losses(1)])
    log = ScalarLog(str(logs))
    log.visit()

    assert len(list(log.table)) == MAX_SCALARS
    assert (shown(log)[f"{RUN} loss"], log.table.limited) == ([0, 1], True)


def test_names_that_cannot_be_stored_are_changed(logs: pathlib.Path) -> None:
    """NUL is replaced; the bytes of folder names that are no text are written out."""
    write_events(logs / os.fsdecode(b"bad\xff") / "events.out.tfevents.1", [scalar_record("a\0b", 0, 1.0)])
    log = ScalarLog(str(logs))
    log.visit()

    assert shown(log) == {"bad\\xff a\ufffdb": [1]}


def test_nothing_outside_the_folder_is_read(logs: pathlib.Path) -> None:
    """Neither by links to files nor to folders; links that stay inside are followed."""
    secret = logs.parent / "secret"
    write_events(secret / "events.out.tfevents.1", losses(9))
    write_events(logs / EVENTS, losses(1))
    (logs / "folder").symlink_to(secret)
    (logs / "events.out.tfevents.2").symlink_to(secret / "events.out.tfevents.1")
    (logs / "again").symlink_to(RUN)
    log = ScalarLog(str(logs))
    log.visit()

    assert shown(log) == {f"{RUN} loss": [1], "again loss": [1]}


def test_the_folder_itself_may_not_become_a_link(logs: pathlib.Path) -> None:
    """As a job could make it, since it may write to the folder above."""
    secret = logs.parent / "secret"
    write_events(secret / "events.out.tfevents.1", losses(9))
    logs.rmdir()
    logs.symlink_to(secret)
    log = ScalarLog(str(logs))

    with pytest.raises(OutsideRoot):
        log.visit()
    assert shown(log) == {}


def test_what_is_no_file_is_left_alone(logs: pathlib.Path) -> None:
    """A pipe would block whoever opens it."""
    write_events(logs / EVENTS, losses(1))
    os.mkfifo(logs / "events.out.tfevents.pipe")
    (logs / "events.out.tfevents.folder").mkdir()
    log = ScalarLog(str(logs))
    log.visit()

    assert shown(log) == {f"{RUN} loss": [1]}


def test_huge_files_cost_little_memory(logs: pathlib.Path) -> None:
    """A gigabyte of nothing, and records with as many values as fit."""
    write_events(logs / EVENTS, [*losses(0), *[summary_record([scalar_value("a", 1.0)] * 100_000)] * 10])
    with (logs / "events.out.tfevents.hole").open("wb") as file:
        file.write(version_record())
        file.truncate(1 << 30)
    code = (
        "import re, sys; from lightboard.hub.scalar_reader.scalar_log import ScalarLog\n"
        "log = ScalarLog(sys.argv[1])\n"
        "while log.visit().more: pass\n"
        "peak = re.search('VmHWM:.* ([0-9]+) kB', open('/proc/self/status').read())[1]\n"  # not that of who started it
        "print(peak, [each.tag for each in log.table])"
    )
    out = subprocess.run([sys.executable, "-c", code, str(logs)], check=True, capture_output=True, text=True).stdout
    peak, _, tags = out.partition(" ")

    assert tags.strip() == "['loss', 'a']"
    assert int(peak) * 1024 < 256 << 20
