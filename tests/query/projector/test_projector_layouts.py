"""Layouts that take long: one process after another, ended when nobody wants them, seen as they come."""

import struct
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from lightboard.errors import BadRequest, NotFound
from lightboard.query.projector import layouts
from lightboard.query.projector.layouts import Job, Layout, Layouts, Slots, positions_body, write_job

PATIENCE_SECS = 120.0
SILENT = [sys.executable, "-c", "import sys; sys.stdin.buffer.read()"]
"""A process that takes a task and never says a word."""


def saying(*messages: str) -> list[str]:
    """A process that says this and ends."""
    lines = [
        "import struct, sys",
        "def tell(head, body=b''): sys.stdout.buffer.write(struct.pack('<I', len(head)) + head.encode() + body)",
        *messages,
        "sys.stdout.flush()",
    ]
    return [sys.executable, "-c", "\n".join(lines)]


def waiting(name: str) -> Layout:
    return Layout(name, "queued", "tsne", 3)


def job(rows: int = 3) -> Job:
    return Job(np.random.default_rng(0).normal(size=(rows, 4)).astype(np.float32), "tsne", 2, {})


def over(layout: Layout) -> bool:
    return layout.over


@pytest.fixture
def made() -> Iterator[list[Layouts]]:
    """Whatever is put in is closed in the end."""
    opened: list[Layouts] = []
    yield opened
    for each in opened:
        each.close()


def work(made: list[Layouts], command: list[str] | None = None) -> Layouts:
    made.append(Layouts(command))
    return made[-1]


def test_positions_come_while_it_is_worked_on(made: list[Layouts]) -> None:
    """Each set is a frame; the last one is the layout."""
    says = saying(
        """tell('{"progress": 0.5, "message": "half", "rows": 1, "dims": 2}', struct.pack('<2f', 1, 2))""",
        """tell('{"progress": 1.0, "message": "", "rows": 1, "dims": 2}', struct.pack('<2f', 3, float('nan')))""",
    )
    at_work = work(made, says)
    at_work.queue(waiting("a"), job)
    done = at_work.wait("a", over, PATIENCE_SECS)
    assert done.positions is not None
    assert (done.state, done.progress, done.frame, done.positions.tolist()) == ("done", 1.0, 2, [[3.0, 0.0]])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (saying("""tell('{"error": "too few points"}')"""), "too few points"),
        (saying("pass"), "the process that worked on it ended early: perhaps memory ran out"),
        (saying("sys.stdout.write('x' * 100)"), "the process that worked on it ended early: perhaps memory ran out"),
    ],
)
def test_a_layout_that_fails_says_why(made: list[Layouts], command: list[str], why: str) -> None:
    """In the words of the process, or for it if it has none left."""
    at_work = work(made, command)
    at_work.queue(waiting("a"), job)
    failed = at_work.wait("a", over, PATIENCE_SECS)
    assert (failed.state, failed.message, at_work.standing("a")) == ("failed", why, None)


def test_what_cannot_be_prepared_fails(made: list[Layouts]) -> None:
    """And the next one has its turn."""
    at_work = work(made, saying("""tell('{"progress": 1.0, "rows": 1, "dims": 1}', bytes(4))"""))

    def refuse() -> Job:
        raise BadRequest("no such rows")

    at_work.queue(waiting("a"), refuse)
    at_work.queue(waiting("b"), job)
    assert at_work.wait("a", over, PATIENCE_SECS).message == "no such rows"
    assert at_work.wait("b", over, PATIENCE_SECS).state == "done"


def test_boards_of_one_process_take_turns(made: list[Layouts]) -> None:
    """Somebody with many boards gets no more processes than there are places, and the next one is another board's."""
    slots = Slots(1)
    one, other = Layouts(SILENT, slots), Layouts(SILENT, slots)
    made += [one, other]
    for name in ("a", "c"):
        one.queue(waiting(name), job)
    one.wait("a", is_running, PATIENCE_SECS)
    other.queue(waiting("b"), job)
    states = [one.get("a").state, one.get("c").state, other.get("b").state]
    one.cancel("a")
    other.wait("b", is_running, PATIENCE_SECS)
    then = one.get("c").state
    other.cancel("b")

    assert (states, then) == (["running", "queued", "queued"], "queued")
    assert one.wait("c", is_running, PATIENCE_SECS).state == "running"


def test_a_board_that_waits_for_its_turn_can_be_closed(made: list[Layouts]) -> None:
    """What it wanted is never begun, and the next one in turn is."""
    slots = Slots(1)
    first, closed, last = (Layouts(SILENT, slots) for _ in range(3))
    made += [first, closed, last]
    for board in made:
        board.queue(waiting("a"), job)
        if board is first:
            first.wait("a", is_running, PATIENCE_SECS)
    closed.close()
    first.cancel("a")

    assert last.wait("a", is_running, PATIENCE_SECS).state == "running"
    assert closed.get("a").state == "queued"


def is_running(layout: Layout) -> bool:
    return layout.state == "running"


def test_one_is_worked_on_at_a_time(made: list[Layouts]) -> None:
    """The next waits until the first is cancelled, which ends its process at once."""
    at_work = work(made, SILENT)
    for name in "ab":
        at_work.queue(waiting(name), job)
    first = at_work.wait("a", lambda one: one.state == "running", PATIENCE_SECS)
    assert (first.state, at_work.get("b").state) == ("running", "queued")

    assert at_work.cancel("a").state == "cancelled"
    assert at_work.wait("b", lambda one: one.state == "running", PATIENCE_SECS).state == "running"
    assert at_work.get("a").state == "cancelled"


def test_one_that_waits_can_be_cancelled(made: list[Layouts]) -> None:
    """It is never begun."""
    at_work = work(made, SILENT)
    for name in "ab":
        at_work.queue(waiting(name), job)
    assert at_work.cancel("b").state == "cancelled"
    at_work.cancel("a")
    assert at_work.wait("b", over, PATIENCE_SECS).state == "cancelled"


def test_one_that_is_asked_for_again_begins_anew(made: list[Layouts]) -> None:
    """The end of the first attempt is not its own."""
    at_work = work(made, SILENT)
    for _ in range(3):
        at_work.queue(waiting("a"), job)
        at_work.wait("a", lambda one: one.state == "running", PATIENCE_SECS)
        at_work.cancel("a")
    at_work.queue(waiting("a"), job)
    last = at_work.wait("a", lambda one: one.state != "queued", PATIENCE_SECS)
    assert (last.state, last.turn) == ("running", 4)


def test_one_that_is_over_stays_so(made: list[Layouts]) -> None:
    """Cancelling changes nothing."""
    at_work = work(made)
    at_work.put(Layout("a", "done", "pca", 1))
    assert at_work.cancel("a").state == "done"


def test_no_more_wait_than_a_person_could_mean(made: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is refused."""
    monkeypatch.setattr(layouts, "MOST_WAITING", 1)
    at_work = work(made, SILENT)
    at_work.queue(waiting("a"), job)
    at_work.wait("a", lambda one: one.state == "running", PATIENCE_SECS)
    at_work.queue(waiting("b"), job)
    with pytest.raises(BadRequest, match="1 layouts wait already"):
        at_work.queue(waiting("c"), job)


def test_old_layouts_are_forgotten(made: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """The ones that came first, but none that is not over."""
    monkeypatch.setattr(layouts, "MOST_KEPT", 2)
    at_work = work(made, SILENT)
    at_work.queue(waiting("a"), job)
    for name in "bcd":
        at_work.put(Layout(name, "done", "pca", 1))
    assert [name for name in "abcd" if at_work.standing(name)] == ["a", "d"]
    with pytest.raises(NotFound, match="no layout 'b'"):
        at_work.get("b")


def test_layouts_that_take_too_much_room_are_forgotten(made: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """But never the one that just came."""
    monkeypatch.setattr(layouts, "MOST_KEPT_BYTES", 100)
    at_work = work(made)
    for name in "ab":
        at_work.put(Layout(name, "done", "pca", 20, positions=np.zeros((20, 2), np.float32)))
    assert (at_work.standing("a"), at_work.get("b").id) == (None, "b")


@pytest.mark.parametrize("dims", [2, 3])
def test_tsne_parts_what_is_apart(made: list[Layouts], dims: int) -> None:
    """Two heaps of points are two heaps of points."""
    at_work = work(made)
    at_work.queue(Layout("a", "queued", "tsne", 40), lambda: heaps("tsne", dims, {"perplexity": 5, "iterations": 100}))
    assert_parted(at_work.wait("a", over, PATIENCE_SECS), dims)


def test_tsne_loads_nothing_that_compiles_first() -> None:
    """On a fresh machine pynndescent, which is not used, would compile for twenty seconds."""
    program = """if True:
        import sys, numpy
        from lightboard.query.projector.worker import tsne
        tsne(numpy.random.default_rng(0).normal(size=(40, 5)), 2, {"iterations": 1}, print)
        print("pynndescent" in sys.modules)
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"


def test_umap_parts_what_is_apart(made: list[Layouts]) -> None:
    """The same by the other method."""
    at_work = work(made)
    at_work.queue(Layout("a", "queued", "umap", 40), lambda: heaps("umap", 3, {"neighbors": 5, "min_dist": 0.1}))
    assert_parted(at_work.wait("a", over, PATIENCE_SECS), 3)


def heaps(method: str, to: int, params: dict[str, float]) -> Job:
    """Twenty points here, twenty points far from there."""
    points = np.random.default_rng(0).normal(size=(40, 5))
    points[20:] += 50
    return Job(points.astype(np.float32), method, to, params)


def assert_parted(layout: Layout, dims: int) -> None:
    assert (layout.state, layout.message) == ("done", "")
    assert layout.positions is not None
    assert layout.positions.shape == (40, dims)
    assert layout.frame > 1
    middles = [layout.positions[half].mean(axis=0) for half in (slice(20), slice(20, 40))]
    far = np.linalg.norm(layout.positions[:, None] - np.array(middles), axis=2)
    assert far.argmin(axis=1).tolist() == [0] * 20 + [1] * 20


def test_the_process_ends_with_who_began_it() -> None:
    """Nobody is left working for a server that is gone."""
    command = [sys.executable, "-m", "lightboard.query.projector.worker"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    write_job(process.stdin, heaps("tsne", 2, {"iterations": 5000}))
    process.stdout.read(1)
    process.stdin.close()
    assert process.wait(PATIENCE_SECS) == 1
    process.stdout.close()


def test_positions_travel_in_sixteen_bits() -> None:
    """With the range of each dimension before them."""
    places = np.array([[0, 5], [1, 5], [4, 5]], np.float32)
    layout = Layout("a", "done", "pca", 3, positions=places)
    head = struct.pack("<II4f", 3, 2, 0, 4, 5, 5)
    assert positions_body(layout) == head + struct.pack("<6H", 0, 0, 16384, 0, 65535, 0)


def test_a_layout_without_positions_says_so() -> None:
    """Until the first frame."""
    with pytest.raises(NotFound, match="has no positions yet"):
        positions_body(waiting("a"))
