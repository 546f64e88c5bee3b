"""The scripted in-memory launcher."""

from collections.abc import Iterator

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import SOURCE_NOT_FOUND, BoardPhase, BoardSpec, Launcher, Probe, Progress, SourceSpec
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
        nowhere = Probe(reason=SOURCE_NOT_FOUND, message=f"{url} does not exist")
        launcher.probes[url] = nowhere if runs < 0 else Probe(runs=runs, files=runs)
        return SourceSpec(url=url)

    def kill(self, launcher: Launcher, handle: str) -> None:
        launcher.lose(id_in(handle))


def test_slow_starts_end_when_told() -> None:
    """Until then the board is starting, without progress."""
    launcher = MemoryLauncher()
    launcher.slow = True
    handle = launcher.start(SPEC)
    before = launcher.observe([handle])[0]

    launcher.finish("tb-1", Progress(runs=3))

    after = launcher.observe([handle])[0]
    assert (before.phase, before.progress) == (BoardPhase.STARTING, None)
    assert (after.phase, after.progress) == (BoardPhase.RUNNING, Progress(runs=3))


def test_starts_can_be_refused() -> None:
    """Once, with code and message; nothing is left behind."""
    launcher = MemoryLauncher()
    launcher.fail_next(SOURCE_NOT_FOUND, "/logs does not exist")

    with pytest.raises(LaunchError, match="/logs does not exist") as refused:
        launcher.start(SPEC)

    assert (refused.value.reason, launcher.boards) == (SOURCE_NOT_FOUND, {})
    assert launcher.observe([launcher.start(SPEC)])[0].phase == BoardPhase.RUNNING


def test_slow_starts_can_fail() -> None:
    """The board stays failed until it is stopped."""
    launcher = MemoryLauncher()
    launcher.slow = True
    handle = launcher.start(SPEC)

    launcher.fail("tb-1", "AccessDenied", "/logs may not be read")

    seen = launcher.observe([handle])[0]
    assert (seen.phase, seen.reason, seen.message) == (BoardPhase.FAILED, "AccessDenied", "/logs may not be read")


def test_stops_are_recorded_in_order() -> None:
    """What a hub took away can be told."""
    launcher = MemoryLauncher()
    handles = [launcher.start(BoardSpec(id=id, version=1, sources=SPEC.sources, prefix=f"/tb/{id}")) for id in "ab"]
    for handle in reversed(handles):
        launcher.stop(handle)

    assert launcher.stopped == ["b", "a"]
