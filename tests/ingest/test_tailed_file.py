"""One file and its decoder, through everything that can happen to the file."""

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


class FileHarness:
    """A tailed file in memory."""

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


def test_the_first_visit_reads_the_file():
    """It reports new points and a new series; the second visit reports nothing."""
    file = FileHarness(event_file("a", steps(3)))
    assert (file.visit(), file.visit(), file.points()) == (
        Visit(changed=True, structure=True),
        CAUGHT_UP,
        steps(3),
    )


def test_growth_keeps_the_decoder():
    """Appended bytes go into the same decoder."""
    file = FileHarness(event_file("a", steps(3)))
    file.read()
    before = file.tailed.file.decoder
    file.storage.append("f", event_file("a", steps(2, 3), version=False))
    assert (file.visit(), file.points()) == (Visit(changed=True), steps(5))
    assert file.tailed.file.decoder is before


def test_incomplete_records_are_not_served():
    """Nor are they damage."""
    whole = event_file("a", steps(3))
    file = FileHarness(whole[:-5])
    file.read()
    early = (file.points(), file.tailed.damaged)
    file.storage.append("f", whole[-5:])
    file.read()
    assert (early, file.points(), file.tailed.damaged) == ((steps(2), False), steps(3), False)


def test_large_files_are_read_in_several_visits():
    """Each reads about the limit and reports that there is more."""
    file = FileHarness(event_file("a", steps(100)))
    assert file.visit(500).more
    assert 0 < len(file.points()) < 100
    file.read()
    assert file.points() == steps(100)


def test_records_larger_than_the_limit_are_read():
    """The window grows until the record fits."""
    big = ef.record(ef.event(ef.bytes_field(99, b"x" * 5000)))
    file = FileHarness(big + event_file("a", steps(1)))
    while file.visit(100).more:
        pass
    assert file.points() == steps(1)


def test_replaced_files_are_read_again():
    """The new points replace the old ones."""
    file = FileHarness(event_file("a", steps(5)))
    file.read()
    file.storage.replace("f", event_file("a", steps(9, 100)))
    assert (file.visit(), file.points()) == (Visit(changed=True, structure=True), steps(9, 100))


def test_old_points_stay_until_the_new_file_is_read():
    """The old columns are served meanwhile."""
    file = FileHarness(event_file("a", steps(50)))
    file.read()
    file.storage.replace("f", event_file("a", steps(60, 100)))
    seen = []
    while file.visit(300).more:
        seen.append(file.points())
    assert (len(seen) > 2, all(points == steps(50) for points in seen), file.points()) == (True, True, steps(60, 100))


def test_files_may_be_replaced_while_being_read():
    """The newest one wins."""
    file = FileHarness(event_file("a", steps(50)))
    file.read()
    file.storage.replace("f", event_file("a", steps(60, 100)))
    file.visit(300)
    file.storage.replace("f", event_file("a", steps(40, 200)))
    file.read()
    assert file.points() == steps(40, 200)


def test_rewritten_files_of_the_same_size_are_read_again():
    """Only the modification time differs."""
    file = FileHarness(event_file("a", steps(5)))
    file.read()
    file.storage.write("f", event_file("a", steps(5, 10)))
    file.read()
    assert file.points() == steps(5, 10)


def test_rewritten_longer_files_are_read_again():
    """Growth does not hide the changed beginning."""
    file = FileHarness(event_file("a", steps(5)))
    file.read()
    file.storage.write("f", event_file("a", steps(9, 10)))
    file.read()
    assert file.points() == steps(9, 10)


def test_rewritten_last_records_are_noticed():
    """Truncated and continued with other records between two visits."""
    base = event_file("a", steps(100))
    file = FileHarness(base + event_file("a", steps(5, 100), version=False))
    file.read()
    file.storage.write("f", base + event_file("a", steps(9, 500), version=False))
    file.read()
    assert file.points() == steps(100) + steps(9, 500)


def test_truncated_files_lose_points():
    """Those that are no longer in the file."""
    whole = event_file("a", steps(5))
    file = FileHarness(whole)
    file.read()
    file.storage.truncate("f", len(whole) - 3)
    file.read()
    assert file.points() == steps(4)


def test_emptied_files_have_no_points():
    """What is written later is read."""
    file = FileHarness(event_file("a", steps(5)))
    file.read()
    file.storage.truncate("f", 0)
    assert (file.visit(), file.points()) == (Visit(changed=True, structure=True), [])
    file.storage.append("f", event_file("a", steps(2)))
    file.read()
    assert file.points() == steps(2)


def test_deleted_files_are_gone():
    """The visit says so."""
    file = FileHarness(event_file("a", steps(5)))
    file.read()
    file.storage.remove("f")
    assert file.visit().gone


def test_files_may_be_deleted_while_being_read():
    """Between stat and read."""
    file = FileHarness(event_file("a", steps(5)))
    file.storage.before_read = lambda path, offset: file.storage.remove("f")
    assert file.visit().gone


def test_files_may_be_truncated_while_being_read():
    """Between stat and read; what is left is served."""
    whole = event_file("a", steps(5))
    file = FileHarness(whole)
    file.storage.before_read = lambda path, offset: file.storage.truncate("f", len(whole) - 3)
    file.read()
    file.storage.before_read = None
    file.read()
    assert file.points() == steps(4)


def test_unreadable_files_keep_their_points():
    """The reason is reported once, and reading continues once permission is back."""
    file = FileHarness(event_file("a", steps(3)))
    file.read()
    file.storage.append("f", event_file("a", steps(1, 3), version=False))
    file.storage.deny("f")
    lost = (file.visit(), file.visit(), file.points(), file.tailed.file.state, file.tailed.file.message)
    file.storage.allow("f")
    found = (file.visit(), file.points(), file.tailed.file.state, file.tailed.file.message)
    assert lost == (Visit(changed=True), CAUGHT_UP, steps(3), "unreadable", "Permission denied")
    assert found == (Visit(changed=True), steps(4), "idle", "")


def test_zero_pages_heal():
    """Pages that were not written yet read as zeros."""
    whole = event_file("a", steps(20))
    zeroed = whole[:100] + bytes(200) + whole[300:]
    file = FileHarness(zeroed)
    file.read()
    damaged = (file.tailed.damaged, len(file.points()) < 20)
    file.storage.write("f", whole)
    file.read()
    assert (damaged, file.tailed.damaged, file.points()) == ((True, True), False, steps(20))


def test_zeros_at_the_end_heal_when_the_file_grows(monkeypatch):
    """Typical for network file systems, which show zeros before the last page arrives."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    whole = event_file("a", steps(40))
    file = FileHarness(whole[:500] + bytes(300))
    file.read()
    file.storage.write("f", whole)
    file.read()
    assert (file.points(), file.tailed.damaged) == (steps(40), False)


def test_rechecks_find_silent_healing():
    """Same size, same time, other bytes in the damaged range."""
    whole = event_file("a", steps(20))
    file = FileHarness(whole[:100] + bytes(200) + whole[300:])
    file.read()
    file.storage._files["f"].data = whole
    plain = (file.visit(), file.tailed.damaged)
    assert (plain, file.visit(recheck=True), file.points()) == (
        (CAUGHT_UP, True),
        Visit(changed=True, structure=True),
        steps(20),
    )


def test_rechecks_of_unchanged_damage_decode_nothing():
    """The decoder stays the same."""
    file = FileHarness(b"\0" * 64 + event_file("a", steps(2)))
    file.read()
    before = file.tailed.file.decoder
    assert (file.visit(recheck=True), file.tailed.file.decoder) == (CAUGHT_UP, before)


def test_touched_large_files_are_not_read_again(monkeypatch):
    """Two samples show that nothing else changed."""
    monkeypatch.setattr(tailed_file, "REREAD_BYTES", 0)
    file = FileHarness(event_file("a", steps(100)))
    file.read()
    before = file.tailed.file.decoder
    file.storage.touch("f")
    file.read()
    assert file.tailed.file.decoder is before


@pytest.mark.parametrize("data", [b"", b"\0", b"garbage" * 100, bytes(5000)])
def test_files_without_events_do_no_harm(data):
    """Events that follow are found."""
    file = FileHarness(data)
    file.read()
    file.storage.append("f", event_file("a", steps(2)))
    file.read()
    assert file.points() == steps(2)


def test_the_size_of_visits_does_not_matter():
    """The columns equal those of one decoder that was fed once."""
    data = event_file("a", steps(50)) + b"junk" + event_file("b", steps(30))
    whole = new_decoder()
    whole.feed(data)
    expected = {tag.name: points_of(tag.parts) for tag in merge([whole]).all}
    for limit in (1, 7, 64, 1000):
        file = FileHarness(data)
        while file.visit(limit).more:
            pass
        assert {tag: file.points(tag) for tag in ("a", "b")} == expected


def disk_file(folder, name, data):
    """A tailed file on disk."""
    (folder / name).write_bytes(data)
    storage = LocalStorage(str(folder))
    return TailedFile(storage, storage.stat(name))


def state_of(tailed):
    return tailed.file.size, tailed.file.state, tailed.identity, tailed.series, tailed.damaged


@pytest.mark.parametrize("data", [b"", event_file("a", steps(5)), event_file("a", steps(5))[:-3], b"junk" * 300])
@pytest.mark.parametrize("after", [b"", event_file("b", steps(4)), None])
def test_prefetching_does_not_change_visits(tmp_path, data, after):
    """At first, and after the file grew or was rewritten."""
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


def test_prefetch_errors_are_reported_by_visits(tmp_path):
    """A deleted file, a folder in its place; the third one is read."""
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
