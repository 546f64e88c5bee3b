"""One file and its decoder through everything that can happen to the file."""

import pytest

from lightboard.events.decode import new_decoder
from lightboard.ingest import tailed_file
from lightboard.ingest.tailed_file import TailedFile, Visit, prefetch
from lightboard.series.timeseries import merge
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import event_file, points_of

WHOLE = 1 << 20
CAUGHT_UP = Visit()


class File:
    """A followed file in memory."""

    def __init__(self, data=b""):
        self.storage = MemoryStorage({"f": data})
        self.tailed = TailedFile(self.storage, self.storage.stat("f"))

    def visit(self, limit=WHOLE, **more):
        return self.tailed.visit(limit, **more)

    def read(self):
        while self.visit().more:
            pass

    def points(self, tag="a"):
        tags = merge([self.tailed.file.decoder]).primary
        return points_of(tags[tag].parts) if tag in tags else []


def steps(count, first=0):
    return [(step, float(step)) for step in range(first, first + count)]


def test_first_visit_reads_the_file():
    """Something came, and a series with it; the second visit finds nothing."""
    file = File(event_file("a", steps(3)))
    assert (file.visit(), file.visit(), file.points()) == (
        Visit(changed=True, structure=True),
        CAUGHT_UP,
        steps(3),
    )


def test_growth_is_read_on_not_anew():
    """New bytes at the end go into the same decoder."""
    file = File(event_file("a", steps(3)))
    file.read()
    before = file.tailed.file.decoder
    file.storage.append("f", event_file("a", steps(2, 3), version=False))
    assert (file.visit(), file.points()) == (Visit(changed=True), steps(5))
    assert file.tailed.file.decoder is before


def test_half_a_record_waits_for_its_other_half():
    """What is not complete yet is neither shown nor damaged."""
    whole = event_file("a", steps(3))
    file = File(whole[:-5])
    file.read()
    early = (file.points(), file.tailed.damaged)
    file.storage.append("f", whole[-5:])
    file.read()
    assert (early, file.points(), file.tailed.damaged) == ((steps(2), False), steps(3), False)


def test_large_file_is_read_in_pieces():
    """A visit reads about as much as it may and says that there is more."""
    file = File(event_file("a", steps(100)))
    assert file.visit(500).more
    assert 0 < len(file.points()) < 100
    file.read()
    assert file.points() == steps(100)


def test_record_larger_than_a_piece_is_read():
    """The window grows until the record fits."""
    big = ef.record(ef.event(ef.bytes_field(99, b"x" * 5000)))
    file = File(big + event_file("a", steps(1)))
    while file.visit(100).more:
        pass
    assert file.points() == steps(1)


def test_replaced_file_is_read_anew():
    """Another file under the name: its points take the place of the old ones."""
    file = File(event_file("a", steps(5)))
    file.read()
    file.storage.replace("f", event_file("a", steps(9, 100)))
    assert (file.visit(), file.points()) == (Visit(changed=True, structure=True), steps(9, 100))


def test_old_points_stay_until_the_new_file_is_read():
    """While the replacement is being decoded the old columns are on view."""
    file = File(event_file("a", steps(50)))
    file.read()
    file.storage.replace("f", event_file("a", steps(60, 100)))
    seen = []
    while file.visit(300).more:
        seen.append(file.points())
    assert (len(seen) > 2, all(points == steps(50) for points in seen), file.points()) == (True, True, steps(60, 100))


def test_replaced_again_while_being_read():
    """The newest file wins."""
    file = File(event_file("a", steps(50)))
    file.read()
    file.storage.replace("f", event_file("a", steps(60, 100)))
    file.visit(300)
    file.storage.replace("f", event_file("a", steps(40, 200)))
    file.read()
    assert file.points() == steps(40, 200)


def test_rewritten_file_of_the_same_size_is_read_anew():
    """Same name, same identity, same size: the time tells."""
    file = File(event_file("a", steps(5)))
    file.read()
    file.storage.write("f", event_file("a", steps(5, 10)))
    file.read()
    assert file.points() == steps(5, 10)


def test_rewritten_and_longer_is_read_anew():
    """Bytes that came to the end do not hide that the beginning is another."""
    file = File(event_file("a", steps(5)))
    file.read()
    file.storage.write("f", event_file("a", steps(9, 10)))
    file.read()
    assert file.points() == steps(9, 10)


def test_last_records_rewritten_under_a_longer_file():
    """Cut off and written on with other records between two visits."""
    base = event_file("a", steps(100))
    file = File(base + event_file("a", steps(5, 100), version=False))
    file.read()
    file.storage.write("f", base + event_file("a", steps(9, 500), version=False))
    file.read()
    assert file.points() == steps(100) + steps(9, 500)


def test_shortened_file_loses_what_was_cut():
    """Points that are no longer in the file are no longer shown."""
    whole = event_file("a", steps(5))
    file = File(whole)
    file.read()
    file.storage.truncate("f", len(whole) - 3)
    file.read()
    assert file.points() == steps(4)


def test_emptied_file_has_no_points():
    """Nothing in it, nothing shown; what is then written is read."""
    file = File(event_file("a", steps(5)))
    file.read()
    file.storage.truncate("f", 0)
    assert (file.visit(), file.points()) == (Visit(changed=True, structure=True), [])
    file.storage.append("f", event_file("a", steps(2)))
    file.read()
    assert file.points() == steps(2)


def test_deleted_file_is_gone():
    """A visit to nothing says so."""
    file = File(event_file("a", steps(5)))
    file.read()
    file.storage.remove("f")
    assert file.visit().gone


def test_file_deleted_while_being_read():
    """Between looking at it and reading it."""
    file = File(event_file("a", steps(5)))
    file.storage.before_read = lambda path, offset: file.storage.remove("f")
    assert file.visit().gone


def test_file_shortened_while_being_read():
    """It was longer when looked at than when read: what is left counts."""
    whole = event_file("a", steps(5))
    file = File(whole)
    file.storage.before_read = lambda path, offset: file.storage.truncate("f", len(whole) - 3)
    file.read()
    file.storage.before_read = None
    file.read()
    assert file.points() == steps(4)


def test_unreadable_file_keeps_what_was_read():
    """Permission lost: the reason is told once, the points stay; permission back: reading goes on."""
    file = File(event_file("a", steps(3)))
    file.read()
    file.storage.append("f", event_file("a", steps(1, 3), version=False))
    file.storage.deny("f")
    lost = (file.visit(), file.visit(), file.points(), file.tailed.file.state, file.tailed.file.message)
    file.storage.allow("f")
    found = (file.visit(), file.points(), file.tailed.file.state, file.tailed.file.message)
    assert lost == (Visit(changed=True), CAUGHT_UP, steps(3), "unreadable", "Permission denied")
    assert found == (Visit(changed=True), steps(4), "idle", "")


def test_page_of_zeros_heals():
    """Bytes that were not there yet read as zeros; once they are, the file is whole."""
    whole = event_file("a", steps(20))
    zeroed = whole[:100] + bytes(200) + whole[300:]
    file = File(zeroed)
    file.read()
    hurt = (file.tailed.damaged, len(file.points()) < 20)
    file.storage.write("f", whole)
    file.read()
    assert (hurt, file.tailed.damaged, file.points()) == ((True, True), False, steps(20))


def test_zeros_at_the_end_heal_when_the_file_grows(monkeypatch):
    """The usual life of a file on a network: zeros where the last page will be, then the page and more."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    whole = event_file("a", steps(40))
    file = File(whole[:500] + bytes(300))
    file.read()
    file.storage.write("f", whole)
    file.read()
    assert (file.points(), file.tailed.damaged) == (steps(40), False)


def test_healing_that_nothing_announces_is_found_by_a_second_look():
    """Same size, same time, other bytes: only comparing the damaged range shows it."""
    whole = event_file("a", steps(20))
    file = File(whole[:100] + bytes(200) + whole[300:])
    file.read()
    file.storage._files["f"].data = whole
    plain = (file.visit(), file.tailed.damaged)
    assert (plain, file.visit(recheck=True), file.points()) == (
        (CAUGHT_UP, True),
        Visit(changed=True, structure=True),
        steps(20),
    )


def test_second_look_again_that_stays():
    """Nothing is decoded anew if the bytes are the same."""
    file = File(b"\0" * 64 + event_file("a", steps(2)))
    file.read()
    before = file.tailed.file.decoder
    assert (file.visit(recheck=True), file.tailed.file.decoder) == (CAUGHT_UP, before)


def test_touched_large_file_is_not_read_anew(monkeypatch):
    """A new time alone costs two small looks where decoding anew would be dear."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    file = File(event_file("a", steps(100)))
    file.read()
    before = file.tailed.file.decoder
    file.storage.touch("f")
    file.read()
    assert file.tailed.file.decoder is before


@pytest.mark.parametrize("data", [b"", b"\0", b"garbage" * 100, bytes(5000)])
def test_file_that_holds_no_events_does_no_harm(data):
    """Whatever it is, reading ends, and events that follow are found."""
    file = File(data)
    file.read()
    file.storage.append("f", event_file("a", steps(2)))
    file.read()
    assert file.points() == steps(2)


def test_points_equal_those_of_one_decoder_fed_at_once():
    """However it is cut into visits, the columns are the same."""
    data = event_file("a", steps(50)) + b"junk" + event_file("b", steps(30))
    whole = new_decoder()
    whole.feed(data)
    wanted = {tag.name: points_of(tag.parts) for tag in merge([whole]).all}
    for limit in (1, 7, 64, 1000):
        file = File(data)
        while file.visit(limit).more:
            pass
        assert {tag: file.points(tag) for tag in ("a", "b")} == wanted


def disk_file(folder, name, data):
    """A followed file on disk."""
    (folder / name).write_bytes(data)
    storage = LocalStorage(str(folder))
    return TailedFile(storage, storage.stat(name))


def state_of(tailed):
    return tailed.file.size, tailed.file.state, tailed.identity, tailed.series, tailed.damaged


@pytest.mark.parametrize("data", [b"", event_file("a", steps(5)), event_file("a", steps(5))[:-3], b"junk" * 300])
@pytest.mark.parametrize("after", [b"", event_file("b", steps(4)), None])
def test_read_ahead_changes_nothing_but_the_time(tmp_path, data, after):
    """Visits bring the same, then and after the file grew or was rewritten, whoever did the first reading."""
    seen = []
    for ahead in (False, True):
        tailed = disk_file(tmp_path, "f", data)
        if ahead:
            prefetch([tailed], WHOLE)
        visits = [tailed.visit(WHOLE), tailed.visit(WHOLE)]
        (tmp_path / "f").write_bytes(event_file("c", steps(90, 7)) if after is None else data + after)
        visits += [tailed.visit(WHOLE), tailed.visit(WHOLE)]
        series = {tag.name: points_of(tag.parts) for tag in merge([tailed.file.decoder]).all if tag.form == "scalar"}
        seen.append((visits, state_of(tailed), series))
    assert seen[0] == seen[1]


def test_what_cannot_be_read_ahead_is_told_by_its_visit(tmp_path):
    """A file that vanished and one that is a folder by now: each visit says what is wrong, and the third is read."""
    tailed_files = [disk_file(tmp_path, name, event_file("a", steps(2))) for name in "xyz"]
    (tmp_path / "x").unlink()
    (tmp_path / "y").unlink()
    (tmp_path / "y").mkdir()
    prefetch(tailed_files, WHOLE)
    visits = [tailed.visit(WHOLE) for tailed in tailed_files]
    assert (visits[0].gone, tailed_files[1].file.state, visits[2]) == (
        True,
        "unreadable",
        Visit(changed=True, structure=True),
    )
    assert tailed_files[1].file.message == f"not a regular file: {tmp_path / 'y'}"
