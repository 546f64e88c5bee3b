"""Tests that all launchers must pass. Subclass `LauncherTests`, and define how to create a launcher and its logs.

They cover everything the hub relies on, with real boards if the launcher has them. Capabilities of a single launcher
are tested elsewhere.
"""

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.launchers.base import SOURCE_NOT_FOUND, BoardPhase, BoardSpec, Launcher, Observation, SourceSpec

TIMEOUT_SECS = 60.0


class LauncherTests(ABC):
    """Subclasses define a fixture `launcher`, which creates a launcher without boards and closes it at the end."""

    @abstractmethod
    def logs(self, launcher: Launcher, name: str, *, runs: int = 1) -> SourceSpec:
        """A source with `runs` runs of one file and one point each. 0 is an empty folder, -1 a missing one."""

    @abstractmethod
    def kill(self, launcher: Launcher, handle: str) -> None:
        """Kill the process that serves the board."""

    # Starting

    def test_a_board_is_started_and_runs(self, launcher: Launcher) -> None:
        """The observation of its handle has its id, and it is running."""
        seen = wait_until_loaded(launcher, launcher.start(self.spec(launcher)))

        assert (seen.id, seen.phase, seen.reason, seen.message) == ("tb-1", BoardPhase.RUNNING, "", "")

    def test_a_handle_is_printable_json_without_secrets(self, launcher: Launcher) -> None:
        """It is stored in the database and may be displayed."""
        source = replace(self.logs(launcher, "a"), options={"secret_access_key": "hush-hush"})
        handle = launcher.start(self.spec(launcher, source))
        secrets = ["hush-hush", *launcher.address(handle).headers.values()]

        assert isinstance(json.loads(handle), dict)
        assert [secret for secret in secrets if secret in handle] == []
        assert handle.isprintable()

    def test_the_same_board_started_twice_is_one(self, launcher: Launcher) -> None:
        """A hub that crashed before it stored the handle starts the board again."""
        spec = self.spec(launcher)

        assert launcher.start(spec) == launcher.start(spec)

    def test_boards_are_observed_in_the_requested_order(self, launcher: Launcher) -> None:
        """There is one observation for each handle, also of boards that do not exist."""
        one, two = (launcher.start(self.spec(launcher, id=id)) for id in ("tb-1", "tb-2"))
        wait_until_loaded(launcher, one)
        wait_until_loaded(launcher, two)

        seen = launcher.observe([two, "nonsense", one])

        assert [(each.handle, each.id, each.phase) for each in seen] == [
            (two, "tb-2", BoardPhase.RUNNING),
            ("nonsense", "", BoardPhase.GONE),
            (one, "tb-1", BoardPhase.RUNNING),
        ]

    def test_many_threads_may_start_boards_at_once(self, launcher: Launcher) -> None:
        """Each thread gets its own board."""
        specs = [self.spec(launcher, id=f"tb-{number}") for number in range(8)]
        handles: dict[str, str] = {}

        def start(spec: BoardSpec) -> None:
            handles[spec.id] = launcher.start(spec)

        threads = [threading.Thread(target=start, args=(spec,)) for spec in specs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT_SECS)

        found = {id: wait_until_loaded(launcher, handle).id for id, handle in handles.items()}
        assert found == {spec.id: spec.id for spec in specs}

    # Changing

    def test_sources_are_changed_at_the_same_address(self, launcher: Launcher) -> None:
        """The board keeps running, with another version."""
        spec = self.spec(launcher)
        first = launcher.start(spec)
        wait_until_loaded(launcher, first)

        second = launcher.update(first, replace(spec, version=2, sources=(self.logs(launcher, "b"),)))

        assert launcher.address(second) == launcher.address(first)
        assert wait_until_loaded(launcher, second).phase == BoardPhase.RUNNING

    def test_a_board_that_is_gone_cannot_be_changed(self, launcher: Launcher) -> None:
        """The hub has to start it again."""
        spec = self.spec(launcher)
        handle = launcher.start(spec)
        self.kill(launcher, handle)
        wait_for(lambda: launcher.observe([handle])[0].phase == BoardPhase.GONE)

        with pytest.raises(LaunchError):
            launcher.update(handle, replace(spec, version=2))

    # Ending

    def test_a_stopped_board_is_gone(self, launcher: Launcher) -> None:
        """Other boards keep running."""
        one, two = (launcher.start(self.spec(launcher, id=id)) for id in ("tb-1", "tb-2"))
        wait_until_loaded(launcher, one)
        wait_until_loaded(launcher, two)

        launcher.stop(one)

        assert [each.phase for each in launcher.observe([one, two])] == [BoardPhase.GONE, BoardPhase.RUNNING]

    def test_stopping_twice_or_something_unknown_is_no_error(self, launcher: Launcher) -> None:
        """The board is gone, as requested."""
        handle = launcher.start(self.spec(launcher))
        for stopped in (handle, handle, "nonsense", "{}", "[1]", '{"board": "tb-1"}'):
            launcher.stop(stopped)

        assert launcher.observe([handle])[0].phase == BoardPhase.GONE

    def test_a_stopped_board_may_be_started_again(self, launcher: Launcher) -> None:
        """With the same id and a higher version."""
        spec = self.spec(launcher)
        launcher.stop(launcher.start(spec))

        assert wait_until_loaded(launcher, launcher.start(replace(spec, version=2))).phase == BoardPhase.RUNNING

    def test_a_board_whose_process_died_is_gone_and_may_be_started_again(self, launcher: Launcher) -> None:
        """`on_change` is called. The old handle stays invalid."""
        notified = threading.Event()
        launcher.on_change = notified.set
        spec = self.spec(launcher)
        old = launcher.start(spec)
        wait_until_loaded(launcher, old)

        self.kill(launcher, old)

        assert notified.wait(TIMEOUT_SECS)
        wait_for(lambda: launcher.observe([old])[0].phase == BoardPhase.GONE)
        new = launcher.start(replace(spec, version=2))
        assert wait_until_loaded(launcher, new).phase == BoardPhase.RUNNING
        assert launcher.observe([old])[0].phase == BoardPhase.GONE

    # Logs and addresses

    def test_the_log_says_that_a_board_was_started(self, launcher: Launcher) -> None:
        """The last lines are returned, oldest first. There are none for a board that is gone."""
        handle = launcher.start(self.spec(launcher))
        wait_until_loaded(launcher, handle)

        lines = launcher.logs(handle, 500)

        assert "starting board tb-1" in lines[0]
        assert launcher.logs(handle, 1) == lines[-1:]
        assert (launcher.logs(handle, 0), launcher.logs("nonsense", 5)) == ([], [])

    def test_the_address_of_a_board_is_plain_http_with_a_secret(self, launcher: Launcher) -> None:
        """The secret is in a header, and not part of the repr of the address."""
        address = launcher.address(launcher.start(self.spec(launcher)))

        assert urlsplit(address.base_url).scheme == "http"
        assert [value for value in address.headers.values() if value in repr(address)] == []

    def test_no_address_without_a_handle(self, launcher: Launcher) -> None:
        """An invalid handle has no address."""
        with pytest.raises(LaunchError):
            launcher.address("nonsense")

    # Probing

    def test_a_probe_counts_runs_and_files(self, launcher: Launcher) -> None:
        """All of them, if there are few."""
        seen = launcher.probe(self.logs(launcher, "many", runs=3))

        assert (seen.runs, seen.files, seen.reason, seen.more) == (3, 3, "", False)

    def test_a_probe_of_an_empty_folder_is_no_error(self, launcher: Launcher) -> None:
        """Logs may be added later."""
        seen = launcher.probe(self.logs(launcher, "empty", runs=0))

        assert (seen.runs, seen.files, seen.reason) == (0, 0, "")

    def test_a_probe_reports_a_missing_folder(self, launcher: Launcher) -> None:
        """With a reason, and a message that contains its URL."""
        source = self.logs(launcher, "nowhere", runs=-1)

        seen = launcher.probe(source)

        assert (seen.reason, source.url in seen.message) == (SOURCE_NOT_FOUND, True)

    # Helpers

    def spec(self, launcher: Launcher, source: SourceSpec | None = None, *, id: str = "tb-1") -> BoardSpec:
        """The spec of a board over `source`, or over one run."""
        return BoardSpec(id=id, version=1, sources=(source or self.logs(launcher, "a"),), prefix=f"/tb/{id}")


class ServingLauncherTests(LauncherTests):
    """Tests for launchers whose boards respond to requests."""

    def test_the_board_responds_under_its_prefix(self, launcher: Launcher) -> None:
        """With the header of its address. Without it, the response is 404."""
        handle = launcher.start(self.spec(launcher))
        wait_until_loaded(launcher, handle)
        address = launcher.address(handle)

        statuses = [
            send_request(address.base_url, "/tb/tb-1/api/v1/runs", headers) for headers in (dict(address.headers), {})
        ]

        assert [status for status, _ in statuses] == [200, 404]


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until `condition()` is true. Fails the test after TIMEOUT_SECS."""
    deadline = time.monotonic() + TIMEOUT_SECS
    tick = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        tick.wait(0.02)


def wait_until_loaded(launcher: Launcher, handle: str) -> Observation:
    """Wait until the board has started and has read its logs, and return its observation."""
    seen: list[Observation] = []

    def done() -> bool:
        seen[:] = launcher.observe([handle])
        loading = seen[0].progress is not None and seen[0].progress.loading
        return seen[0].phase != BoardPhase.STARTING and not loading

    wait_for(done)
    return seen[0]


def send_request(
    base_url: str, path: str, headers: dict[str, str], method: str = "GET", body: str = ""
) -> tuple[int, str]:
    """Send a request, and return the status and text of the response."""
    parts = urlsplit(base_url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECS)
    try:
        connection.request(method, path, body.encode() or None, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
