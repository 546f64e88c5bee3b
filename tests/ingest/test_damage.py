"""No damage to a file costs a good record before or after it, and each is named with file and byte."""

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


def held(board):
    tags = board.catalog.run("run").tags()
    return points_of(tags["loss"].parts) if "loss" in tags else []


def test_file_cut_at_every_byte_keeps_every_whole_record():
    """Served whole, cut anywhere: what is complete stays, nothing is called damage; grown back, all is there again."""
    board = MemoryBoard({NAME: WHOLE})
    for cut in range(len(WHOLE) + 1):
        board.storage.truncate(NAME, cut)
        board.look()
        whole_records = sum(end <= cut for end in ENDS) - 1
        assert (cut, held(board), board.damage("run")) == (cut, ALL[: max(0, whole_records)], [])
        board.storage.append(NAME, WHOLE[cut:])
        board.look()
        assert (cut, held(board)) == (cut, ALL)


def test_file_that_grows_byte_by_byte():
    """A reader that looks after every byte sees each record once it is complete."""
    board = MemoryBoard({NAME: b""})
    for size in range(1, len(WHOLE) + 1):
        board.storage.append(NAME, WHOLE[size - 1 : size])
        board.look()
        whole_records = sum(end <= size for end in ENDS) - 1
        assert (size, held(board), board.damage("run")) == (size, ALL[: max(0, whole_records)], [])


def test_any_flipped_bit_costs_its_own_record_only():
    """For each bit: every other record is held, and the damage lies in the record that was hit, by file and byte."""
    for place, (end, record) in enumerate(zip(ENDS, RECORDS, strict=True)):
        start = end - len(record)
        others = [point for index, point in enumerate(ALL) if index + 1 != place]
        for bit in range(8 * len(record)):
            hurt = bytearray(WHOLE)
            hurt[start + bit // 8] ^= 1 << bit % 8
            board = MemoryBoard({NAME: bytes(hurt)})
            assert (place, bit, held(board)) == (place, bit, others)
            ((path, offset, length),) = board.damage("run")
            last = place == len(RECORDS) - 1
            # At the very end the bytes that could begin another record still wait.
            assert (path, offset, length <= len(record), length == len(record) or last) == (
                board.storage.locate(NAME),
                start,
                True,
                True,
            )


def test_bit_that_flips_back_while_served():
    """A byte read wrong once and right later: first the other records, then all, and no damage any more."""
    board = MemoryBoard({NAME: WHOLE})
    for index in range(ENDS[0], len(WHOLE), 7):
        hurt = bytearray(WHOLE)
        hurt[index] ^= 0x10
        board.storage.write(NAME, bytes(hurt))
        board.look()
        assert (index, len(held(board)), len(board.damage("run"))) == (index, 3, 1)
        board.storage.write(NAME, WHOLE)
        board.look()
        assert (index, held(board), board.damage("run")) == (index, ALL, [])


def test_records_after_damage_arrive_as_they_are_written():
    """A live file with a hole in it goes on being served."""
    board = MemoryBoard({NAME: WHOLE + b"\0" * 4096})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.look()
    assert (held(board), board.damage("run")) == (
        [*ALL, (9, 4.5)],
        [(board.storage.locate(NAME), len(WHOLE), 4096)],
    )


def test_zero_page_heals_on_a_second_look():
    """Zeros that later hold the real bytes are found although neither size nor time says so."""
    zeroed = WHOLE[: ENDS[1]] + bytes(ENDS[3] - ENDS[1]) + WHOLE[ENDS[3] :]
    board = MemoryBoard({NAME: zeroed})
    hurt = (held(board), board.damage("run"))
    board.storage._files[NAME].data = WHOLE
    board.look()
    assert held(board) == hurt[0]
    board.look_again()
    assert hurt == ([ALL[0], ALL[3]], [(board.storage.locate(NAME), ENDS[1], ENDS[3] - ENDS[1])])
    assert (held(board), board.damage("run")) == (ALL, [])


def hurt_in_the_middle(*lengths):
    """A file with so many zeros after each of its records, and the places of these zeros."""
    parts, holes, at = [], [], 0
    for index, record in enumerate(RECORDS):
        parts.append(record)
        at += len(record)
        if index < len(lengths):
            holes.append((at, lengths[index]))
            parts.append(bytes(lengths[index]))
            at += lengths[index]
    return b"".join(parts), holes


def healed_at(data, offset, length):
    """The same with a record at `offset`, which begins a range of zeros; zeros fill what is left."""
    record = ef.scalar_record("loss", 77, 7.5, 177.0)
    return data[:offset] + record + bytes(length - len(record)) + data[offset + length :]


def looks_until_healed(board, most):
    """How many looks it takes until the record that appeared is served."""
    return next((look + 1 for look in range(most) if board.look_again() or (77, 7.5) in held(board)), None)


def test_damage_larger_than_what_a_look_compares_heals_too(monkeypatch):
    """Some of it at each look: the whole range has been compared when as many looks have gone by."""
    monkeypatch.setattr(damage_check, "HEAL_BYTES", 64)
    data, [(offset, length)] = hurt_in_the_middle(1000)
    board = MemoryBoard({NAME: data})
    assert board.damage("run") == [(board.storage.locate(NAME), offset, length)]
    board.storage._files[NAME].data = healed_at(data, offset, length)
    assert looks_until_healed(board, 20) == 16


def test_what_heals_where_a_round_was_already_is_found_in_the_next_one(monkeypatch):
    """Ranges are compared again and again, however long one round takes."""
    monkeypatch.setattr(damage_check, "HEAL_BYTES", 64)
    data, [(offset, length)] = hurt_in_the_middle(1000)
    board = MemoryBoard({NAME: data})
    for _ in range(10):
        board.look_again()
    board.storage._files[NAME].data = healed_at(data, offset, length)
    assert looks_until_healed(board, 40) == 22


def test_large_damage_keeps_nothing_else_from_being_compared(monkeypatch):
    """A range behind it heals as well, and one before it."""
    monkeypatch.setattr(damage_check, "HEAL_BYTES", 400)
    data, holes = hurt_in_the_middle(100, 1000, 100)
    for offset, length in (holes[0], holes[2]):
        board = MemoryBoard({NAME: data})
        board.look_again()
        board.storage._files[NAME].data = healed_at(data, offset, length)
        assert (offset, looks_until_healed(board, 10)) in ((holes[0][0], 3), (holes[2][0], 2))


def test_damage_that_stays_as_it_is_costs_no_decoding(monkeypatch):
    """However often it is compared."""
    monkeypatch.setattr(damage_check, "HEAL_BYTES", 64)
    data, _ = hurt_in_the_middle(1000, 70, 3)
    board = MemoryBoard({NAME: data})
    before = board.catalog.run("run").files[0].decoder
    for _ in range(60):
        board.look_again()
    assert board.catalog.run("run").files[0].decoder is before


def test_damage_in_one_file_leaves_the_others_alone():
    """Garbage under an event file's name is a damaged file, not a damaged board."""
    board = MemoryBoard({NAME: WHOLE, "run/tfevents.2": b"\x17" * 999, "other/tfevents": WHOLE})
    assert (board.names(), held(board), board.points("other", "loss")) == (["other", "run"], ALL, ALL)


def test_folder_that_could_not_be_listed_is_tried_again_within_seconds():
    """Nobody tells that it may be read now; it is tried again by itself, and what is in it is read."""
    board = MemoryBoard({NAME: WHOLE, "other/x/tfevents": WHOLE})
    board.storage.deny("other/x")
    board.look()
    before = board.catalog.unreadable
    board.look_again(after_secs=1.0)
    assert (sorted(board.names()), board.catalog.unreadable) == (["other/x", "run"], before)
    assert before == {board.storage.locate("other/x"): "Permission denied"}
    board.storage.append("other/x/tfevents", ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.allow("other/x")
    board.look_again(after_secs=4.0)
    assert (board.points("other/x", "loss"), board.catalog.unreadable) == ([*ALL, (9, 4.5)], {})


def test_folder_that_is_gone_instead_is_no_longer_unreadable():
    """It could not be listed and was then deleted: nothing is left to tell of."""
    board = MemoryBoard({NAME: WHOLE, "other/x/tfevents": WHOLE, "other/y/tfevents": WHOLE})
    board.storage.deny("other/x")
    board.look()
    board.storage.allow("other/x")
    board.storage.remove("other/x")
    board.look_again(after_secs=1.0)
    assert board.catalog.unreadable == {}


def test_file_that_could_not_be_opened_is_tried_again_within_seconds():
    """The same for one file among others."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.deny(NAME)
    board.look()
    before = (held(board), list(board.catalog.unreadable))
    board.storage.allow(NAME)
    board.look_again(after_secs=1.0)
    assert before == (ALL, [board.storage.locate(NAME)])
    assert (held(board), board.catalog.unreadable) == ([*ALL, (9, 4.5)], {})


def test_large_file_rewritten_in_the_middle_is_read_anew(monkeypatch):
    """Same size, same beginning and end: the new time alone says it, and after a while the file is decoded again."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    points = [ef.scalar_record("loss", step, float(step), 100.0 + step) for step in range(200)]
    board = MemoryBoard({NAME: b"".join(points)})
    points[100] = ef.scalar_record("loss", 100, -1.0, 200.0)
    board.storage.write(NAME, b"".join(points))
    board.look()
    early = held(board)[100]
    board.look_again(after_secs=TOUCHED_SECS)
    assert (early, held(board)[100], len(held(board))) == ((100, 100.0), (100, -1.0), 200)


def test_file_that_grows_after_it_was_touched_is_not_read_anew(monkeypatch):
    """A writer's new time is sometimes seen before its bytes: that is no reason to decode gigabytes again."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    board = MemoryBoard({NAME: WHOLE})
    board.storage.touch(NAME)
    board.look()
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.look()
    before = board.catalog.run("run").files[0].decoder
    board.look_again(after_secs=TOUCHED_SECS)
    assert (board.catalog.run("run").files[0].decoder is before, held(board)) == (True, [*ALL, (9, 4.5)])


def test_a_process_without_descriptors_loses_nothing_and_says_what_it_could_not_open():
    """What was read stays on view; each folder or file is named with the reason."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.run_out()
    board.look()
    assert (held(board), list(board.catalog.unreadable.values())) == (ALL, ["Too many open files"])


def test_a_log_that_could_not_be_opened_for_want_of_descriptors_is_told_and_heals():
    """The listing came through, the file did not; a second later it is read, and nothing is left to tell of."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.append(NAME, ef.scalar_record("loss", 9, 4.5, 200.0))
    board.storage.before_read = lambda _path, _offset: board.storage.run_out()
    board.look()
    before = (held(board), [(one.kind, one.file, one.message) for one in list_problems(board.catalog)])
    board.storage.before_read = None
    board.storage.run_out(of_descriptors=False)
    board.look_again(after_secs=1.0)
    assert before == (ALL, [("unreadable", board.storage.locate(NAME), "Too many open files")])
    assert (held(board), list_problems(board.catalog)) == ([*ALL, (9, 4.5)], [])


def test_a_folder_that_could_not_be_listed_for_want_of_descriptors_heals():
    """The same one step earlier: what is new in it is read a second after descriptors are back."""
    board = MemoryBoard({NAME: WHOLE})
    board.storage.write("new/tfevents", WHOLE)
    board.storage.run_out()
    board.look()
    before = board.names()
    board.storage.run_out(of_descriptors=False)
    board.look_again(after_secs=1.0)
    assert (before, sorted(board.names()), list_problems(board.catalog)) == (["run"], ["new", "run"], [])
