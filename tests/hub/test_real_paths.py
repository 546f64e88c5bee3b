"""Resolving paths on disks that may hang: bounded time, bounded threads."""

import os
import pathlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.disk_threads import DiskThreads
from lightboard.hub.real_paths import EACH_DISK, MAX_THREADS, RealPaths, disk_of, mount_points
from support.hanging_disks import HangingDisks

T = TypeVar("T")


def paths(disks: HangingDisks) -> RealPaths:
    """Over them; who finds no room is refused soon, who is asked for is waited for."""
    return RealPaths(timeout_secs=60.0, queue_secs=0.01, follow=disks.resolve, mounts=lambda: ["/", "/mnt/a/b"])


@pytest.fixture
def disks() -> Iterator[HangingDisks]:
    """Many that are dead."""
    made = HangingDisks("/mnt/a/b/", *(f"/dead/{number}/" for number in range(MAX_THREADS)))
    yield made
    made.back.set()


def refusal(real: RealPaths, path: str) -> tuple[str, str]:
    """Why a path has no real one now."""
    with pytest.raises(LaunchError) as caught:
        real.of(path)
    return caught.value.reason, caught.value.message


def test_links_are_resolved(tmp_path: pathlib.Path) -> None:
    """As the system does."""
    (tmp_path / "link").symlink_to(tmp_path / "there")

    assert RealPaths().of(str(tmp_path / "link" / "run")) == os.path.realpath(tmp_path / "there" / "run")


def test_a_hanging_disk_is_an_error(disks: HangingDisks) -> None:
    """After a timeout."""
    real = RealPaths(timeout_secs=0.01, follow=disks.resolve, mounts=list)

    assert refusal(real, "/dead/1/runs") == ("Unreachable", "/dead/1/runs does not respond")


def test_a_hanging_disk_blocks_few_threads(disks: HangingDisks) -> None:
    """Beyond that it is not accessed; other disks are."""
    real = paths(disks)
    disks.block_threads(real, "/mnt/a/b/runs")

    assert refusal(real, "/mnt/a/b/more") == ("Unreachable", "/mnt/a/b/more does not respond")
    assert real.of("/mnt/a/c") == "/mnt/a/c"
    assert disks.asked == ["/mnt/a/b/runs"] * EACH_DISK + ["/mnt/a/c"]


def test_the_number_of_blocked_threads_is_bounded_in_all(disks: HangingDisks) -> None:
    """Beyond it, nothing is resolved."""
    real = paths(disks)
    for number in range(MAX_THREADS):
        disks.block_threads(real, f"/dead/{number}/runs", 1)

    assert refusal(real, "/alive/runs") == ("Unreachable", "/alive/runs does not respond")
    assert len(disks.asked) == MAX_THREADS


def test_a_recovered_disk_works_again(disks: HangingDisks) -> None:
    """Blocked threads finish and free their slots."""
    real = RealPaths(timeout_secs=60.0, queue_secs=60.0, follow=disks.resolve, mounts=list)
    with ThreadPoolExecutor(EACH_DISK + 1) as threads:
        asked = [threads.submit(real.of, "/dead/1/runs") for _ in range(EACH_DISK + 1)]
        disks.back.set()

        assert [future.result() for future in asked] == ["/dead/1/runs"] * (EACH_DISK + 1)


class ScriptedThreads(DiskThreads):
    """No thread is free; the number of calls that have ended is as scripted, and after it everything is done."""

    def __init__(self, *completed: int) -> None:
        super().__init__(1, 1)
        self.script = list(completed)

    def submit(self, disk: str, function: Callable[[], T]) -> "Future[T]":
        """Queued for ever, unless the script ends."""
        self.future: Future[Any] = Future()
        self.function = function
        return self.future

    def completed(self, disk: str) -> int:
        """The next number of the script."""
        number = self.script.pop(0)
        if not self.script:
            self.future.set_result(self.function())
        return number


def test_a_disk_on_which_calls_end_is_waited_for() -> None:
    """A loaded machine may need long for a long queue."""
    real = RealPaths(queue_secs=0.0, follow=str.upper, mounts=list, threads=ScriptedThreads(0, 1, 1, 2, 2, 3, 3))

    assert real.of("/slow/runs") == "/SLOW/RUNS"


def test_calls_that_have_ended_are_counted_while_others_are_queued() -> None:
    """Also if the disk has a single thread, which has just become free."""
    threads, gates = DiskThreads(1, 1), [threading.Event() for _ in range(3)]
    started = [threading.Event() for _ in range(3)]

    def call(number: int) -> None:
        started[number].set()
        gates[number].wait(60)

    futures = [threads.submit("disk", partial(call, number)) for number in range(3)]
    counts = []
    for number in range(3):
        started[number].wait(60)
        counts.append(threads.completed("disk"))
        gates[number].set()
        futures[number].result(60)

    assert (counts, threads.completed("disk")) == ([0, 1, 2], 0)


def test_a_disk_on_which_no_call_ends_is_not_waited_for() -> None:
    """Although some ended before."""
    real = RealPaths(queue_secs=0.0, follow=str.upper, mounts=list, threads=ScriptedThreads(0, 1, 1, 1, 1, 1))

    assert refusal(real, "/slow/runs") == ("Unreachable", "/slow/runs does not respond")


@pytest.mark.parametrize(
    ("path", "disk"),
    [
        ("/mnt/a/b", "/mnt/a/b"),
        ("/mnt/a/b/c/d", "/mnt/a/b"),
        ("/mnt/a/bc/d", "/mnt/a"),
        ("/srv/logs/x/y", "/srv/logs"),
        ("/srv", "/srv"),
        ("/", "/"),
    ],
)
def test_paths_are_grouped_by_mount(path: str, disk: str) -> None:
    """Or by their first two folders, since a link above may lead to another mount."""
    assert disk_of(path, ["/", "/srv", "/mnt/a/b"]) == disk


def test_mounts_are_read_from_the_system() -> None:
    """On Linux only."""
    found = mount_points()

    assert ("/" in found) == os.path.exists("/proc/self/mountinfo")
