"""Promises about disks that hang: whoever names a folder there is told soon, and few threads are lost."""

import os
import pathlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from dead_disks import Disks

from lightboard.errors import LaunchError
from lightboard.hub.real_paths import EACH_DISK, MOST_THREADS, RealPaths, disk_of, mount_points


def paths(disks: Disks) -> RealPaths:
    """Over them; who finds no room is refused soon, who is asked for is waited for."""
    return RealPaths(patience_secs=60.0, queue_secs=0.01, follow=disks.follow, mounts=lambda: ["/", "/mnt/a/b"])


@pytest.fixture
def disks() -> Iterator[Disks]:
    """Many that are dead."""
    made = Disks("/mnt/a/b/", *(f"/dead/{number}/" for number in range(MOST_THREADS)))
    yield made
    made.back.set()


def refusal(real: RealPaths, path: str) -> tuple[str, str]:
    """Why a path has no real one now."""
    with pytest.raises(LaunchError) as caught:
        real.of(path)
    return caught.value.reason, caught.value.message


def test_links_are_followed(tmp_path: pathlib.Path) -> None:
    """As the system follows them."""
    (tmp_path / "link").symlink_to(tmp_path / "there")

    assert RealPaths().of(str(tmp_path / "link" / "run")) == os.path.realpath(tmp_path / "there" / "run")


def test_who_asks_a_disk_that_hangs_is_told_so(disks: Disks) -> None:
    """In time."""
    real = RealPaths(patience_secs=0.01, follow=disks.follow, mounts=list)

    assert refusal(real, "/dead/1/runs") == ("Unreachable", "/dead/1/runs does not answer")


def test_a_disk_that_hangs_keeps_a_few_threads(disks: Disks) -> None:
    """When these are waiting it is not asked any more; others are."""
    real = paths(disks)
    disks.hang(real, "/mnt/a/b/runs")

    assert refusal(real, "/mnt/a/b/more") == ("Unreachable", "/mnt/a/b/more does not answer")
    assert real.of("/mnt/a/c") == "/mnt/a/c"
    assert disks.asked == ["/mnt/a/b/runs"] * EACH_DISK + ["/mnt/a/c"]


def test_many_disks_that_hang_keep_no_more_than_so_many_threads(disks: Disks) -> None:
    """Then nothing is followed."""
    real = paths(disks)
    for number in range(MOST_THREADS):
        disks.hang(real, f"/dead/{number}/runs", 1)

    assert refusal(real, "/alive/runs") == ("Unreachable", "/alive/runs does not answer")
    assert len(disks.asked) == MOST_THREADS


def test_a_disk_that_is_back_answers(disks: Disks) -> None:
    """Who hung there has an answer, and makes room for the next."""
    real = RealPaths(patience_secs=60.0, queue_secs=60.0, follow=disks.follow, mounts=list)
    with ThreadPoolExecutor(EACH_DISK + 1) as threads:
        asked = [threads.submit(real.of, "/dead/1/runs") for _ in range(EACH_DISK + 1)]
        disks.back.set()

        assert [future.result() for future in asked] == ["/dead/1/runs"] * (EACH_DISK + 1)


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
def test_a_path_hangs_with_its_mount(path: str, disk: str) -> None:
    """Or with its first two folders: a link above may lead to another mount."""
    assert disk_of(path, ["/", "/srv", "/mnt/a/b"]) == disk


def test_the_system_says_where_disks_are_mounted() -> None:
    """On Linux; elsewhere nothing is known."""
    found = mount_points()

    assert ("/" in found) == os.path.exists("/proc/self/mountinfo")
