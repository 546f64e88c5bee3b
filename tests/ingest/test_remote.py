"""Files behind a network: few requests, no descriptors, and files that grow by being put there anew."""

from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.series.catalog import Catalog
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.fakes import event_file, points_of

PATH = "a/tfevents"


def steps(count):
    return [(step, float(step)) for step in range(count)]


class Remote:
    """One event file in a storage where each look is a request."""

    def __init__(self, data):
        self.storage = MemoryStorage({PATH: data}, remote=True)
        self.catalog = Catalog()
        self.loader = Loader(self.catalog, [Source("", self.storage)], LoaderOptions(threads=0))
        self.loader.load()

    def take_reads(self):
        """What was read since the last time, as (offset, length)."""
        reads = [(offset, length) for _, offset, length in self.storage.reads]
        self.storage.reads.clear()
        return reads

    def put(self, data):
        """Another object under the name, and the next look at it."""
        self.storage.replace(PATH, data)
        self.loader.refresh()

    @property
    def opener(self):
        return self.catalog.run("a").files[0].opener

    @property
    def points(self):
        return points_of(self.catalog.run("a").parts("x"))


def test_a_small_file_is_read_in_one_request():
    """What decoding fetched serves the samples too."""
    remote = Remote(event_file("x", steps(10)))
    assert (remote.points, len(remote.take_reads())) == (steps(10), 1)


def test_of_a_longer_object_with_the_same_beginning_only_the_tail_is_read():
    """Two requests: the beginning, to know it again, and from shortly before what is new."""
    before, after = event_file("x", steps(5000)), event_file("x", steps(5010))
    remote = Remote(before)
    remote.take_reads()
    remote.put(after)
    reads = remote.take_reads()
    assert (remote.points, [offset for offset, _ in reads]) == (steps(5010), [0, len(before) - 1024])
    assert sum(length for _, length in reads) < len(before)


def test_another_object_is_read_anew():
    """Also where it has the same length."""
    remote = Remote(event_file("x", steps(10)))
    other = [(step, 7.0) for step, _ in steps(10)]
    remote.put(event_file("x", other))
    assert remote.points == other


def test_nothing_is_read_where_nothing_changed():
    """The listing said so."""
    remote = Remote(event_file("x", steps(10)))
    remote.take_reads()
    remote.loader.refresh()
    assert remote.take_reads() == []


def test_a_value_is_read_though_the_object_has_grown_since():
    """Its bytes lie where they lay."""
    data = event_file("x", steps(10))
    remote = Remote(data)
    remote.storage.replace(PATH, data + data)
    assert remote.opener.read(8, 40) == data[8:48]


def test_a_value_of_another_object_is_refused():
    """Its bytes are not those that were decoded."""
    remote = Remote(event_file("x", steps(10)))
    remote.storage.replace(PATH, event_file("y", steps(20)))
    try:
        found = remote.opener.read(8, 40)
    except FileNotFoundError as error:
        found = f"{error}"
    assert found == "another file has taken the place of memory://a/tfevents"


def test_it_says_that_it_polls():
    """And why."""
    remote = Remote(b"")
    assert (remote.catalog.live, "object stores announce no changes" in remote.catalog.live_reason) == ("poll", True)
