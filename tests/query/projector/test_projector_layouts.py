"""Layouts run in subprocesses, one at a time, can be cancelled, and report progress."""

import struct
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from lightboard.errors import BadRequest, NotFound
from lightboard.query.projector import layouts, worker
from lightboard.query.projector.layouts import Job, Layout, Layouts, ProcessSlots, positions_body, write_job

TIMEOUT_SECS = 120.0
SILENT = [sys.executable, "-c", "import sys; sys.stdin.buffer.read()"]
"""A process that reads its input and never answers."""


def reporting_command(*messages: str) -> list[str]:
    """A process that sends these messages and exits."""
    lines = [
        "import struct, sys",
        "def tell(head, body=b''): sys.stdout.buffer.write(struct.pack('<I', len(head)) + head.encode() + body)",
        *messages,
        "sys.stdout.flush()",
    ]
    return [sys.executable, "-c", "\n".join(lines)]


def queued_layout(name: str) -> Layout:
    return Layout(name, "queued", "tsne", 3)


def job(rows: int = 3) -> Job:
    return Job(np.random.default_rng(0).normal(size=(rows, 4)).astype(np.float32), "tsne", 2, {})


def is_finished(layout: Layout) -> bool:
    return layout.finished


@pytest.fixture
def opened() -> Iterator[list[Layouts]]:
    """A list of services that are closed after the test."""
    created: list[Layouts] = []
    yield created
    for service in created:
        service.close()


def open_layouts(opened: list[Layouts], command: list[str] | None = None) -> Layouts:
    opened.append(Layouts(command))
    return opened[-1]


def test_positions_arrive_while_a_layout_runs(opened: list[Layouts]) -> None:
    """Each set is a frame; the last one is the result."""
    command = reporting_command(
        """tell('{"progress": 0.5, "message": "half", "rows": 1, "dims": 2}', struct.pack('<2f', 1, 2))""",
        """tell('{"progress": 1.0, "message": "", "rows": 1, "dims": 2}', struct.pack('<2f', 3, float('nan')))""",
    )
    service = open_layouts(opened, command)
    service.queue(queued_layout("a"), job)
    done = service.wait("a", is_finished, TIMEOUT_SECS)
    assert done.positions is not None
    assert (done.state, done.progress, done.frame, done.positions.tolist()) == ("done", 1.0, 2, [[3.0, 0.0]])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (reporting_command("""tell('{"error": "too few points"}')"""), "too few points"),
        (reporting_command("pass"), "the process that computes it ended early, perhaps for lack of memory"),
        (
            reporting_command("sys.stdout.write('x' * 100)"),
            "the process that computes it ended early, perhaps for lack of memory",
        ),
    ],
)
def test_failed_layouts_have_a_message(opened: list[Layouts], command: list[str], why: str) -> None:
    """From the process, or about its exit."""
    service = open_layouts(opened, command)
    service.queue(queued_layout("a"), job)
    failed = service.wait("a", is_finished, TIMEOUT_SECS)
    assert (failed.state, failed.message, service.find("a")) == ("failed", why, None)


def test_layouts_that_cannot_be_prepared_fail(opened: list[Layouts]) -> None:
    """The next one is started."""
    service = open_layouts(opened, reporting_command("""tell('{"progress": 1.0, "rows": 1, "dims": 1}', bytes(4))"""))

    def refuse() -> Job:
        raise BadRequest("no such rows")

    service.queue(queued_layout("a"), refuse)
    service.queue(queued_layout("b"), job)
    assert service.wait("a", is_finished, TIMEOUT_SECS).message == "no such rows"
    assert service.wait("b", is_finished, TIMEOUT_SECS).state == "done"


def test_boards_share_layout_processes(opened: list[Layouts]) -> None:
    """A board with many layouts gets no more processes, and boards take turns."""
    slots = ProcessSlots(1)
    one, other = Layouts(SILENT, slots), Layouts(SILENT, slots)
    opened += [one, other]
    for name in ("a", "c"):
        one.queue(queued_layout(name), job)
    one.wait("a", is_running, TIMEOUT_SECS)
    other.queue(queued_layout("b"), job)
    states = [one.get("a").state, one.get("c").state, other.get("b").state]
    one.cancel("a")
    other.wait("b", is_running, TIMEOUT_SECS)
    then = one.get("c").state
    other.cancel("b")

    assert (states, then) == (["running", "queued", "queued"], "queued")
    assert one.wait("c", is_running, TIMEOUT_SECS).state == "running"


def test_waiting_boards_can_be_closed(opened: list[Layouts]) -> None:
    """Their layouts never start; the next board's does."""
    slots = ProcessSlots(1)
    first, closed, last = (Layouts(SILENT, slots) for _ in range(3))
    opened += [first, closed, last]
    for board in opened:
        board.queue(queued_layout("a"), job)
        if board is first:
            first.wait("a", is_running, TIMEOUT_SECS)
    closed.close()
    first.cancel("a")

    assert last.wait("a", is_running, TIMEOUT_SECS).state == "running"
    assert closed.get("a").state == "queued"


def is_running(layout: Layout) -> bool:
    return layout.state == "running"


def test_one_layout_runs_at_a_time(opened: list[Layouts]) -> None:
    """The next one waits until the first is cancelled, which kills its process."""
    service = open_layouts(opened, SILENT)
    for name in "ab":
        service.queue(queued_layout(name), job)
    first = service.wait("a", lambda one: one.state == "running", TIMEOUT_SECS)
    assert (first.state, service.get("b").state) == ("running", "queued")

    assert service.cancel("a").state == "cancelled"
    assert service.wait("b", lambda one: one.state == "running", TIMEOUT_SECS).state == "running"
    assert service.get("a").state == "cancelled"


def test_queued_layouts_can_be_cancelled(opened: list[Layouts]) -> None:
    """They never start."""
    service = open_layouts(opened, SILENT)
    for name in "ab":
        service.queue(queued_layout(name), job)
    assert service.cancel("b").state == "cancelled"
    service.cancel("a")
    assert service.wait("b", is_finished, TIMEOUT_SECS).state == "cancelled"


def test_cancelled_layouts_can_be_queued_again(opened: list[Layouts]) -> None:
    """As another attempt, which the end of earlier ones does not affect."""
    service = open_layouts(opened, SILENT)
    for _ in range(3):
        service.queue(queued_layout("a"), job)
        service.wait("a", lambda one: one.state == "running", TIMEOUT_SECS)
        service.cancel("a")
    service.queue(queued_layout("a"), job)
    last = service.wait("a", lambda one: one.state != "queued", TIMEOUT_SECS)
    assert (last.state, last.attempt) == ("running", 4)


def test_finished_layouts_cannot_be_cancelled(opened: list[Layouts]) -> None:
    """Their state stays "done"."""
    service = open_layouts(opened)
    service.put(Layout("a", "done", "pca", 1))
    assert service.cancel("a").state == "done"


def test_the_queue_of_layouts_is_limited(opened: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is refused."""
    monkeypatch.setattr(layouts, "MAX_QUEUED", 1)
    service = open_layouts(opened, SILENT)
    service.queue(queued_layout("a"), job)
    service.wait("a", lambda one: one.state == "running", TIMEOUT_SECS)
    service.queue(queued_layout("b"), job)
    with pytest.raises(BadRequest, match="1 layouts are waiting already"):
        service.queue(queued_layout("c"), job)


def test_the_oldest_finished_layouts_are_dropped(opened: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """Unfinished ones are kept."""
    monkeypatch.setattr(layouts, "MAX_LAYOUTS", 2)
    service = open_layouts(opened, SILENT)
    service.queue(queued_layout("a"), job)
    for name in "bcd":
        service.put(Layout(name, "done", "pca", 1))
    assert [name for name in "abcd" if service.find(name)] == ["a", "d"]
    with pytest.raises(NotFound, match="no layout 'b'"):
        service.get("b")


def test_layouts_are_dropped_by_size(opened: list[Layouts], monkeypatch: pytest.MonkeyPatch) -> None:
    """But never the newest."""
    monkeypatch.setattr(layouts, "MAX_LAYOUT_BYTES", 100)
    service = open_layouts(opened)
    for name in "ab":
        service.put(Layout(name, "done", "pca", 20, positions=np.zeros((20, 2), np.float32)))
    assert (service.find("a"), service.get("b").id) == (None, "b")


@pytest.mark.parametrize("dims", [2, 3])
def test_tsne_separates_clusters(opened: list[Layouts], dims: int) -> None:
    """Two clusters stay two clusters."""
    service = open_layouts(opened)
    service.queue(
        Layout("a", "queued", "tsne", 40), lambda: clusters_job("tsne", dims, {"perplexity": 5, "iterations": 100})
    )
    assert_separated(service.wait("a", is_finished, TIMEOUT_SECS), dims)


def test_tsne_does_not_import_pynndescent() -> None:
    """On a new machine it would compile for twenty seconds, although it is not used."""
    program = """if True:
        import sys, numpy
        from lightboard.query.projector.worker import tsne
        tsne(numpy.random.default_rng(0).normal(size=(40, 5)), 2, {"iterations": 1}, print)
        print("pynndescent" in sys.modules)
    """
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert completed.stdout.splitlines()[-1] == "False"


def test_umap_does_not_import_pynndescent() -> None:
    """On a new machine it would compile for a minute, although it is not used."""
    program = """if True:
        import sys
        from lightboard.query.projector.worker import umap_optimizer
        print(umap_optimizer().__module__, "pynndescent" in sys.modules)
    """
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert completed.stdout == "umap.layouts False\n"


@pytest.mark.parametrize(("min_dist", "expected"), [(0.1, (1.577, 0.895)), (0.5, (0.583, 1.334))])
def test_the_curve_of_umap_is_that_of_the_paper(min_dist: float, expected: tuple[float, float]) -> None:
    """Its parameters are the published ones."""
    assert worker.curve_params(min_dist) == pytest.approx(expected, abs=1e-3)


def test_umap_separates_clusters(opened: list[Layouts]) -> None:
    """In three dimensions."""
    service = open_layouts(opened)
    service.queue(Layout("a", "queued", "umap", 40), lambda: clusters_job("umap", 3, {"neighbors": 5, "min_dist": 0.1}))
    assert_separated(service.wait("a", is_finished, TIMEOUT_SECS), 3)


def clusters_job(method: str, dims: int, params: dict[str, float]) -> Job:
    """A job with two distant clusters of twenty points."""
    points = np.random.default_rng(0).normal(size=(40, 5))
    points[20:] += 50
    return Job(points.astype(np.float32), method, dims, params)


def assert_separated(layout: Layout, dims: int) -> None:
    assert (layout.state, layout.message) == ("done", "")
    assert layout.positions is not None
    assert layout.positions.shape == (40, dims)
    assert layout.frame > 1
    centres = [layout.positions[half].mean(axis=0) for half in (slice(20), slice(20, 40))]
    distances = np.linalg.norm(layout.positions[:, None] - np.array(centres), axis=2)
    assert distances.argmin(axis=1).tolist() == [0] * 20 + [1] * 20


def test_layout_processes_end_with_their_server() -> None:
    """When their input is closed."""
    command = [sys.executable, "-m", "lightboard.query.projector.worker"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    write_job(process.stdin, clusters_job("tsne", 2, {"iterations": 5000}))
    process.stdout.read(1)
    process.stdin.close()
    assert process.wait(TIMEOUT_SECS) == 1
    process.stdout.close()


def test_positions_are_encoded_in_16_bits() -> None:
    """After the range of each dimension."""
    positions = np.array([[0, 5], [1, 5], [4, 5]], np.float32)
    layout = Layout("a", "done", "pca", 3, positions=positions)
    head = struct.pack("<II4f", 3, 2, 0, 4, 5, 5)
    assert positions_body(layout) == head + struct.pack("<6H", 0, 0, 16384, 0, 65535, 0)


def test_layouts_without_positions_are_not_found() -> None:
    """Until the first frame."""
    with pytest.raises(NotFound, match="has no positions yet"):
        positions_body(queued_layout("a"))
