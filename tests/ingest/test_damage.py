"""No damage to a file costs a good record before or after it, and each is named with file and byte."""

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
    board.look_at_damage()
    assert hurt == ([ALL[0], ALL[3]], [(board.storage.locate(NAME), ENDS[1], ENDS[3] - ENDS[1])])
    assert (held(board), board.damage("run")) == (ALL, [])


def test_damage_in_one_file_leaves_the_others_alone():
    """Garbage under an event file's name is a damaged file, not a damaged board."""
    board = MemoryBoard({NAME: WHOLE, "run/tfevents.2": b"\x17" * 999, "other/tfevents": WHOLE})
    assert (board.names(), held(board), board.points("other", "loss")) == (["other", "run"], ALL, ALL)
