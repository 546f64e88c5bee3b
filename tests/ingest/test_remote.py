"""Event files in object stores: few requests, no descriptors, growth by replacement."""

from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.series.catalog import Catalog
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.fakes import event_file, points_of

PATH = "a/tfevents"


def steps(count):
    return [(step, float(step)) for step in range(count)]


class RemoteBoard:
    """A board over one event file in a storage where every read is a request."""

    def __init__(self, data):
        self.storage = MemoryStorage({PATH: data}, remote=True)
        self.catalog = Catalog()
        self.loader = Loader(self.catalog, [Source("", self.storage)], LoaderOptions(threads=0))
        self.loader.load()

    def take_reads(self):
        """The reads since the last call, as (offset, length)."""
        reads = [(offset, length) for _, offset, length in self.storage.reads]
        self.storage.reads.clear()
        return reads

    def put(self, data):
        """Replace the object, and scan."""
        self.storage.replace(PATH, data)
        self.loader.refresh()

    @property
    def reader(self):
        return self.catalog.run("a").files[0].reader

    @property
    def points(self):
        return points_of(self.catalog.run("a").parts("x"))


def test_small_files_are_read_in_one_request():
    """Samples come from the decoded bytes."""
    remote = RemoteBoard(event_file("x", steps(10)))
    assert (remote.points, len(remote.take_reads())) == (steps(10), 1)


def test_only_the_tail_of_grown_objects_is_read():
    """Two requests: one compares the start, one fetches what is new."""
    before, after = event_file("x", steps(5000)), event_file("x", steps(5010))
    remote = RemoteBoard(before)
    remote.take_reads()
    remote.put(after)
    reads = remote.take_reads()
    assert (remote.points, [offset for offset, _ in reads]) == (steps(5010), [0, len(before) - 1024])
    assert sum(length for _, length in reads) < len(before)


def test_replaced_objects_are_read_again():
    """Even if the length is the same."""
    remote = RemoteBoard(event_file("x", steps(10)))
    other = [(step, 7.0) for step, _ in steps(10)]
    remote.put(event_file("x", other))
    assert remote.points == other


def test_unchanged_objects_are_not_read():
    """The listing shows that."""
    remote = RemoteBoard(event_file("x", steps(10)))
    remote.take_reads()
    remote.loader.refresh()
    assert remote.take_reads() == []


def test_values_of_grown_objects_are_read():
    """Their bytes are at the same offset."""
    data = event_file("x", steps(10))
    remote = RemoteBoard(data)
    remote.storage.replace(PATH, data + data)
    assert remote.reader.read(8, 40) == data[8:48]


def test_values_of_replaced_objects_are_refused():
    """Their bytes are not those that were decoded."""
    remote = RemoteBoard(event_file("x", steps(10)))
    remote.storage.replace(PATH, event_file("y", steps(20)))
    try:
        found = remote.reader.read(8, 40)
    except FileNotFoundError as error:
        found = f"{error}"
    assert found == "memory://a/tfevents was replaced by another file"


def test_object_stores_are_polled():
    """The status says why."""
    remote = RemoteBoard(b"")
    assert (remote.catalog.live, "object stores do not report changes" in remote.catalog.live_reason) == ("poll", True)
