"""The scripted launcher keeps the promises of every other, and does what a test tells it."""

from collections.abc import Iterator

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import SOURCE_NOT_FOUND, BoardSpec, Found, Launcher, Probe, Progress, SourceSpec
from lightboard.hub.launchers.memory import MemoryLauncher, id_in
from lightboard.testing.launchers import LauncherTests

SPEC = BoardSpec(id="tb-1", version=1, sources=(SourceSpec(url="/logs"),), prefix="/tb/tb-1")


class TestMemoryLauncher(LauncherTests):
    @pytest.fixture
    def launcher(self) -> Iterator[Launcher]:
        launcher = MemoryLauncher()
        yield launcher
        launcher.close()

    def logs(self, launcher: Launcher, name: str, *, runs: int = 1) -> SourceSpec:
        url = f"/{name}"
        nowhere = Probe(reason=SOURCE_NOT_FOUND, message=f"{url} is not there")
        launcher.probes[url] = nowhere if runs < 0 else Probe(runs=runs, files=runs)
        return SourceSpec(url=url)

    def kill(self, launcher: Launcher, handle: str) -> None:
        launcher.lose(id_in(handle))


def test_a_slow_start_ends_when_the_test_says_so() -> None:
    """Until then the board is starting, and nothing is known of its logs."""
    launcher = MemoryLauncher()
    launcher.slow = True
    handle = launcher.start(SPEC)
    before = launcher.observe([handle])[0]

    launcher.finish("tb-1", Progress(runs=3))

    after = launcher.observe([handle])[0]
    assert (before.found, before.progress) == (Found.STARTING, None)
    assert (after.found, after.progress) == (Found.RUNNING, Progress(runs=3))


def test_a_start_can_be_refused() -> None:
    """Once, with the reason and the message given; nothing is left of it."""
    launcher = MemoryLauncher()
    launcher.fail_next(SOURCE_NOT_FOUND, "/logs is not there")

    with pytest.raises(LaunchError, match="/logs is not there") as refused:
        launcher.start(SPEC)

    assert (refused.value.reason, launcher.boards) == (SOURCE_NOT_FOUND, {})
    assert launcher.observe([launcher.start(SPEC)])[0].found == Found.RUNNING


def test_a_slow_start_can_fail() -> None:
    """It stays failed until it is stopped."""
    launcher = MemoryLauncher()
    launcher.slow = True
    handle = launcher.start(SPEC)

    launcher.fail("tb-1", "AccessDenied", "/logs may not be read")

    seen = launcher.observe([handle])[0]
    assert (seen.found, seen.reason, seen.message) == (Found.FAILED, "AccessDenied", "/logs may not be read")


def test_stops_are_remembered_in_order() -> None:
    """What a hub took away can be told."""
    launcher = MemoryLauncher()
    handles = [launcher.start(BoardSpec(id=id, version=1, sources=SPEC.sources, prefix=f"/tb/{id}")) for id in "ab"]
    for handle in reversed(handles):
        launcher.stop(handle)

    assert launcher.stopped == ["b", "a"]
