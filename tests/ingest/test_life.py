"""After any sequence of file changes, a board serves what a fresh start would serve."""

from hypothesis import example, given
from hypothesis import strategies as st

from lightboard.testing import event_files as ef
from lightboard.testing.fakes import MemoryBoard, points_of

FILES = ("a/tfevents.1", "a/tfevents.2", "b/tfevents.1")


def records(number):
    step = number % 7
    return ef.scalar_record("xyz"[number % 3], step, float(number), 1000.0 + number)


def file(number):
    return ef.version_record(wall_time=float(number)) + b"".join(records(number + k) for k in range(number % 6))


class FileChanges:
    """Changes of files; each takes the storage, a path and a number."""

    @staticmethod
    def grow(storage, path, number):
        storage.append(path, b"".join(records(number + k) for k in range(1 + number % 3)))

    @staticmethod
    def grow_by_half_a_record(storage, path, number):
        storage.append(path, records(number)[: 1 + number % 30])

    @staticmethod
    def grow_by_zeros(storage, path, number):
        storage.append(path, bytes(1 + number % 100))

    @staticmethod
    def grow_by_garbage(storage, path, number):
        storage.append(path, number.to_bytes(4, "little") * (1 + number % 20))

    @staticmethod
    def shorten(storage, path, number):
        size = storage.stat(path).size if exists(storage, path) else 0
        if size:
            storage.truncate(path, number % size)

    @staticmethod
    def replace(storage, path, number):
        storage.replace(path, file(number))

    @staticmethod
    def rewrite(storage, path, number):
        storage.write(path, file(number))

    @staticmethod
    def empty(storage, path, number):
        storage.write(path, b"")

    @staticmethod
    def delete(storage, path, number):
        storage.remove(path)

    @staticmethod
    def deny(storage, path, number):
        storage.deny(path)

    @staticmethod
    def allow(storage, path, number):
        storage.allow(path)

    @staticmethod
    def look(storage, path, number):
        """No change; the caller may scan."""


EVENTS = [event for name, event in vars(FileChanges).items() if isinstance(event, staticmethod)]


def exists(storage, path):
    return any(info.path == path for folder in storage.walk() for info in folder.files)


def snapshot(board):
    return {
        run.name: (
            {name: points_of(tag.parts) for name, tag in run.tags().items()},
            board.damage(run.name),
            [(file.path, file.state, file.size) for file in run.files],
        )
        for run in board.catalog.runs()
    }


@example(  # the new file begins with the byte that was decoded as damage
    [
        (vars(FileChanges)["shorten"], FILES[0], 1581, False),
        (vars(FileChanges)["grow_by_half_a_record"], FILES[0], 0, True),
        (vars(FileChanges)["replace"], FILES[0], 0, False),
    ]
)
@given(
    st.lists(
        st.tuples(st.sampled_from(EVENTS), st.sampled_from(FILES), st.integers(0, 10_000), st.booleans()), max_size=25
    )
)
def test_any_history_ends_like_a_fresh_start(events):
    """Growth, damage, replacement, deletion and permissions, with scans at any point."""
    board = MemoryBoard({FILES[0]: file(3)})
    for event, path, number, look in events:
        event.__func__(board.storage, path, number)
        if look:
            board.refresh()
    for path in FILES:
        board.storage.allow(path)
    board.refresh()
    board.recheck()
    fresh = MemoryBoard({path: board.storage.read(path, 0, 1 << 20) for path in FILES if exists(board.storage, path)})
    assert snapshot(board) == snapshot(fresh)
