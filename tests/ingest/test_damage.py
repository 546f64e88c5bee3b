"""Damage to a file costs no good records, and is reported with file and offset."""

from lightboard.ingest import damage_check, tailed_file
from lightboard.ingest.rescan_timing import TOUCHED_SECS
from lightboard.query.problems import list_problems
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import MemoryBoard, points_of

NAME = "run/events.out.tfevents.1"
RECORDS = [
    ef.version_record(wall_time=1.0),
    *(ef.scalar_record("loss", step, step / 2, 100.0 + step) for step in range(4)),
]
WHOLE = b"".join(RECORDS)
ENDS = [sum(map(len, RECORDS[: count + 1])) for count in range(len(RECORDS))]
ALL = [(step, step / 2) for step in range(4)]


def loss_points(board):
    tags = board.catalog.run("run").tags()
    return points_of(tags["loss"].parts) if "loss" in tags else []


def test_truncated_files_serve_every_whole_record():
    """Cut at any byte, without damage; once grown back, all records are served."""
    board = MemoryBoard({NAME: WHOLE})
    for cut in range(len(WHOLE) + 1):
        board.storage.truncate(NAME, cut)
        board.refresh()
        whole_records = sum(end <= cut for end in ENDS) - 1
        assert (cut, loss_points(board), board.damage("run")) == (cut, ALL[: max(0, whole_records)], [])
        board.storage.append(NAME, WHOLE[cut:])
        board.refresh()
        assert (cut, loss_points(board)) == (cut, ALL)


def test_files_may_grow_byte_by_byte():
    """Each record is served once it is complete."""
    board = MemoryBoard({NAME: b""})
    for size in range(1, len(WHOLE) + 1):
        board.storage.append(NAME, WHOLE[size - 1 : size])
        board.refresh()
        whole_records = sum(end <= size for end in ENDS) - 1
        assert (size, loss_points(board), board.damage("run")) == (size, ALL[: max(0, whole_records)], [])


def test_a_flipped_bit_is_reported_where_it_is():
    """For each bit, the other records are served, and the damage starts where the damaged record does."""
    for place, (end, record) in enumerate(zip(ENDS, RECORDS, strict=True)):
        start = end - len(record)
        others = [point for index, point in enumerate(ALL) if index + 1 != place]
        for bit in range(8 * len(record)):
            damaged = bytearray(WHOLE)
            damaged[start + bit // 8] ^= 1 << bit % 8
            board = MemoryBoard({NAME: bytes(damaged)})
            assert (place, bit, loss_points(board)) == (place, bit, others)
            ((path, offset, length),) = board.damage("run")
            last = place == len(RECORDS) - 1
            # At the end of the file, the bytes that may begin another record are not consumed yet.
            assert (path, offset, length <= len(record), length == len(record) or last) == (
                board.storage.locate(NAME),
                start,
                True,
                True,
            )


def test_damage_disappears_when_a_bit_flips_back():
    """A byte may be read wrong once and right later."""
    board = MemoryBoard({NAME: WHOLE})
    for index in range(ENDS[0], len(WHOLE), 7):
        damaged = bytearray(WHOLE)
        damaged[index] ^= 0x10
        board.storage.write(NAME, bytes(damaged))
        board.refresh()
        assert (index, len(loss_points(board)), len(board.damage("run"))) == (index, 3, 1)
        board.storage.write(NAME, WHOLE)
        board.refresh()
        assert (index, loss_points(board), board.damage("run")) == (index, ALL, [])


def test_records_after_damage_are_served_live():
    """A zero page in between is reported."""
    board = MemoryBoard({NAME: WHOLE + b"\0" * 4096})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.refresh()
    assert (loss_points(board), board.damage("run")) == (
        [*ALL, (9, 4.5)],
        [(board.storage.locate(NAME), len(WHOLE), 4096)],
    )


def test_healed_zero_pages_are_found_by_a_recheck():
    """Neither size nor time of the file has changed."""
    zeroed = WHOLE[: ENDS[1]] + bytes(ENDS[3] - ENDS[1]) + WHOLE[ENDS[3] :]
    board = MemoryBoard({NAME: zeroed})
    damaged = (loss_points(board), board.damage("run"))
    board.storage._files[NAME].data = WHOLE
    board.refresh()
    assert loss_points(board) == damaged[0]
    board.recheck()
    assert damaged == ([ALL[0], ALL[3]], [(board.storage.locate(NAME), ENDS[1], ENDS[3] - ENDS[1])])
    assert (loss_points(board), board.damage("run")) == (ALL, [])


def with_zeros_between_records(*lengths):
    """A file with this many zeros after each record, and their offsets and lengths."""
    parts, holes, at = [], [], 0
    for index, record in enumerate(RECORDS):
        parts.append(record)
        at += len(record)
        if index < len(lengths):
            holes.append((at, lengths[index]))
            parts.append(bytes(lengths[index]))
            at += lengths[index]
    return b"".join(parts), holes


def with_record_at(data, offset, length):
    """The same data with a record at the start of a range of zeros."""
    record = ef.scalar_record("loss", 77, 7.5, 177.0)
    return data[:offset] + record + bytes(length - len(record)) + data[offset + length :]


def rechecks_until_healed(board, most):
    """The number of rechecks until the new record is served."""
    return next((look + 1 for look in range(most) if board.recheck() or (77, 7.5) in loss_points(board)), None)


def test_large_damage_heals_over_several_rechecks(monkeypatch):
    """Each compares a part of the range."""
    monkeypatch.setattr(damage_check, "MAX_CHECKED_BYTES", 64)
    data, [(offset, length)] = with_zeros_between_records(1000)
    board = MemoryBoard({NAME: data})
    assert board.damage("run") == [(board.storage.locate(NAME), offset, length)]
    board.storage._files[NAME].data = with_record_at(data, offset, length)
    assert rechecks_until_healed(board, 20) == 16


def test_damage_that_heals_late_is_found_in_the_next_round(monkeypatch):
    """All ranges are compared again and again."""
    monkeypatch.setattr(damage_check, "MAX_CHECKED_BYTES", 64)
    data, [(offset, length)] = with_zeros_between_records(1000)
    board = MemoryBoard({NAME: data})
    for _ in range(10):
        board.recheck()
    board.storage._files[NAME].data = with_record_at(data, offset, length)
    assert rechecks_until_healed(board, 40) == 22


def test_large_damage_does_not_delay_other_ranges(monkeypatch):
    """Neither one after it nor one before it."""
    monkeypatch.setattr(damage_check, "MAX_CHECKED_BYTES", 400)
    data, holes = with_zeros_between_records(100, 1000, 100)
    for offset, length in (holes[0], holes[2]):
        board = MemoryBoard({NAME: data})
        board.recheck()
        board.storage._files[NAME].data = with_record_at(data, offset, length)
        assert (offset, rechecks_until_healed(board, 10)) in ((holes[0][0], 3), (holes[2][0], 2))


def test_unchanged_damage_is_not_decoded_again(monkeypatch):
    """However often it is compared."""
    monkeypatch.setattr(damage_check, "MAX_CHECKED_BYTES", 64)
    data, _ = with_zeros_between_records(1000, 70, 3)
    board = MemoryBoard({NAME: data})
    before = board.catalog.run("run").files[0].decoder
    for _ in range(60):
        board.recheck()
    assert board.catalog.run("run").files[0].decoder is before


def test_damage_in_one_file_does_not_affect_others():
    """A file of garbage is one damaged file."""
    board = MemoryBoard({NAME: WHOLE, "run/tfevents.2": b"\x17" * 999, "other/tfevents": WHOLE})
    assert (board.names(), loss_points(board), board.points("other", "loss")) == (["other", "run"], ALL, ALL)


def test_unlistable_folders_are_retried_within_seconds():
    """No event says that permission was granted."""
    board = MemoryBoard({NAME: WHOLE, "other/x/tfevents": WHOLE})
    board.storage.deny("other/x")
    board.refresh()
    before = board.catalog.unreadable
    board.recheck(after_secs=1.0)
    assert (sorted(board.names()), board.catalog.unreadable) == (["other/x", "run"], before)
    assert before == {board.storage.locate("other/x"): "Permission denied"}
    board.storage.append("other/x/tfevents", ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.allow("other/x")
    board.recheck(after_secs=4.0)
    assert (board.points("other/x", "loss"), board.catalog.unreadable) == ([*ALL, (9, 4.5)], {})


def test_deleted_unlistable_folders_are_not_reported():
    """They could not be listed and were then deleted."""
    board = MemoryBoard({NAME: WHOLE, "other/x/tfevents": WHOLE, "other/y/tfevents": WHOLE})
    board.storage.deny("other/x")
    board.refresh()
    board.storage.allow("other/x")
    board.storage.remove("other/x")
    board.recheck(after_secs=1.0)
    assert board.catalog.unreadable == {}


def test_the_end_of_an_unlistable_folder_is_published():
    """So that open pages do not list it any more. A retry that changes nothing publishes nothing."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append("other/x/tfevents", WHOLE)
    board.storage.deny("other/x")
    board.refresh()
    listed = board.catalog.generation
    board.recheck(after_secs=1.0)
    retried = board.catalog.generation
    board.storage.allow("other/x")
    board.storage.remove("other/x")
    board.recheck(after_secs=4.0)
    assert (retried, board.catalog.generation) == (listed, listed + 1)


def test_unreadable_files_are_retried_within_seconds():
    """Their points stay meanwhile."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.deny(NAME)
    board.refresh()
    before = (loss_points(board), list(board.catalog.unreadable))
    board.storage.allow(NAME)
    board.recheck(after_secs=1.0)
    assert before == (ALL, [board.storage.locate(NAME)])
    assert (loss_points(board), board.catalog.unreadable) == ([*ALL, (9, 4.5)], {})


def test_large_files_with_a_new_time_are_read_again(monkeypatch):
    """After a while. Same size, same beginning and end: only the modification time differs."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    points = [ef.scalar_record("loss", step, float(step), 100.0 + step) for step in range(200)]
    board = MemoryBoard({NAME: b"".join(points)})
    points[100] = ef.scalar_record("loss", 100, -1.0, 200.0)
    board.storage.write(NAME, b"".join(points))
    board.refresh()
    early = loss_points(board)[100]
    board.recheck(after_secs=TOUCHED_SECS)
    assert (early, loss_points(board)[100], len(loss_points(board))) == ((100, 100.0), (100, -1.0), 200)


def test_touched_files_that_grow_are_not_read_again(monkeypatch):
    """A new modification time is sometimes visible before the new bytes."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    board = MemoryBoard({NAME: WHOLE})
    board.storage.touch(NAME)
    board.refresh()
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.refresh()
    before = board.catalog.run("run").files[0].decoder
    board.recheck(after_secs=TOUCHED_SECS)
    assert (board.catalog.run("run").files[0].decoder is before, loss_points(board)) == (True, [*ALL, (9, 4.5)])


def test_points_stay_without_file_descriptors():
    """Everything that could not be opened is reported with the reason."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.exhaust_descriptors()
    board.refresh()
    assert (loss_points(board), list(board.catalog.unreadable.values())) == (ALL, ["Too many open files"])


def test_files_are_retried_once_descriptors_are_free():
    """The folder was listed, the file could not be opened; a second later it is read."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.before_read = lambda _path, _offset: board.storage.exhaust_descriptors()
    board.refresh()
    before = (loss_points(board), [(one.kind, one.file, one.message) for one in list_problems(board.catalog)])
    board.storage.before_read = None
    board.storage.exhaust_descriptors(exhausted=False)
    board.recheck(after_secs=1.0)
    assert before == (ALL, [("unreadable", board.storage.locate(NAME), "Too many open files")])
    assert (loss_points(board), list_problems(board.catalog)) == ([*ALL, (9, 4.5)], [])


def test_folders_are_listed_once_descriptors_are_free():
    """New files in them are read a second later."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.write("new/tfevents", WHOLE)
    board.storage.exhaust_descriptors()
    board.refresh()
    before = board.names()
    board.storage.exhaust_descriptors(exhausted=False)
    board.recheck(after_secs=1.0)
    assert (before, sorted(board.names()), list_problems(board.catalog)) == (["run"], ["new", "run"], [])
