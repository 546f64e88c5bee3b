"""The suite every launcher passes: inherit `LauncherTests`, say how to make one and where its logs lie.

What a hub relies on is asked here, with boards that really run where the launcher has such; what only one launcher can
do is tested beside it.
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
from lightboard.hub.launchers.base import SOURCE_NOT_FOUND, BoardSpec, Found, Launcher, Observation, SourceSpec

PATIENCE_SECS = 60.0


class LauncherTests(ABC):
    """One fact per test. `launcher`, a fixture, gives one without boards and closes it in the end."""

    @abstractmethod
    def logs(self, launcher: Launcher, name: str, *, runs: int = 1) -> SourceSpec:
        """A place with so many runs of one file and one point each; nothing is there for -1, an empty folder for 0."""

    @abstractmethod
    def kill(self, launcher: Launcher, handle: str) -> None:
        """Whatever runs the board dies, as if it was killed."""

    # Starting

    def test_a_board_is_started_and_runs(self, launcher: Launcher) -> None:
        """Its handle names it, and it is seen running."""
        seen = settled(launcher, launcher.start(self.spec(launcher)))

        assert (seen.id, seen.found, seen.reason, seen.message) == ("tb-1", Found.RUNNING, "", "")

    def test_a_handle_is_printable_json_without_secrets(self, launcher: Launcher) -> None:
        """It is kept in a database and may be shown."""
        source = replace(self.logs(launcher, "a"), options={"secret_access_key": "hush-hush"})
        handle = launcher.start(self.spec(launcher, source))
        secrets = ["hush-hush", *launcher.address(handle).headers.values()]

        assert isinstance(json.loads(handle), dict)
        assert [secret for secret in secrets if secret in handle] == []
        assert handle.isprintable()

    def test_the_same_board_started_twice_is_one(self, launcher: Launcher) -> None:
        """A hub that died between starting and writing it down asks again."""
        spec = self.spec(launcher)

        assert launcher.start(spec) == launcher.start(spec)

    def test_boards_are_seen_in_the_order_asked(self, launcher: Launcher) -> None:
        """One answer for each handle, of boards that are there and of those that are not."""
        one, two = (launcher.start(self.spec(launcher, id=id)) for id in ("tb-1", "tb-2"))
        settled(launcher, one)
        settled(launcher, two)

        seen = launcher.observe([two, "nonsense", one])

        assert [(each.handle, each.id, each.found) for each in seen] == [
            (two, "tb-2", Found.RUNNING),
            ("nonsense", "", Found.GONE),
            (one, "tb-1", Found.RUNNING),
        ]

    def test_many_threads_may_start_boards_at_once(self, launcher: Launcher) -> None:
        """Each gets its own."""
        specs = [self.spec(launcher, id=f"tb-{number}") for number in range(8)]
        handles: dict[str, str] = {}

        def start(spec: BoardSpec) -> None:
            handles[spec.id] = launcher.start(spec)

        threads = [threading.Thread(target=start, args=(spec,)) for spec in specs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECS)

        found = {id: settled(launcher, handle).id for id, handle in handles.items()}
        assert found == {spec.id: spec.id for spec in specs}

    # Changing

    def test_sources_are_changed_at_the_same_address(self, launcher: Launcher) -> None:
        """The board goes on where it is; only its version is another."""
        spec = self.spec(launcher)
        first = launcher.start(spec)
        settled(launcher, first)

        second = launcher.update(first, replace(spec, version=2, sources=(self.logs(launcher, "b"),)))

        assert launcher.address(second) == launcher.address(first)
        assert settled(launcher, second).found == Found.RUNNING

    def test_a_board_that_is_gone_cannot_be_changed(self, launcher: Launcher) -> None:
        """The hub has to start it anew."""
        spec = self.spec(launcher)
        handle = launcher.start(spec)
        self.kill(launcher, handle)
        wait_for(lambda: launcher.observe([handle])[0].found == Found.GONE)

        with pytest.raises(LaunchError):
            launcher.update(handle, replace(spec, version=2))

    # Ending

    def test_a_stopped_board_is_gone(self, launcher: Launcher) -> None:
        """And others are not."""
        one, two = (launcher.start(self.spec(launcher, id=id)) for id in ("tb-1", "tb-2"))
        settled(launcher, one)
        settled(launcher, two)

        launcher.stop(one)

        assert [each.found for each in launcher.observe([one, two])] == [Found.GONE, Found.RUNNING]

    def test_stopping_twice_or_something_unknown_is_no_fault(self, launcher: Launcher) -> None:
        """Whoever asks wants it gone."""
        handle = launcher.start(self.spec(launcher))
        for each in (handle, handle, "nonsense", "{}", "[1]", '{"board": "tb-1"}'):
            launcher.stop(each)

        assert launcher.observe([handle])[0].found == Found.GONE

    def test_a_stopped_board_may_be_started_again(self, launcher: Launcher) -> None:
        """Under the same id, with a higher version."""
        spec = self.spec(launcher)
        launcher.stop(launcher.start(spec))

        assert settled(launcher, launcher.start(replace(spec, version=2))).found == Found.RUNNING

    def test_a_board_whose_runner_died_is_gone_and_may_be_started_again(self, launcher: Launcher) -> None:
        """Whoever wants to know is told that something changed; the handle of before stays dead."""
        told = threading.Event()
        launcher.on_change = told.set
        spec = self.spec(launcher)
        old = launcher.start(spec)
        settled(launcher, old)

        self.kill(launcher, old)

        assert told.wait(PATIENCE_SECS)
        wait_for(lambda: launcher.observe([old])[0].found == Found.GONE)
        new = launcher.start(replace(spec, version=2))
        assert settled(launcher, new).found == Found.RUNNING
        assert launcher.observe([old])[0].found == Found.GONE

    # Logs and addresses

    def test_the_log_says_that_a_board_was_started(self, launcher: Launcher) -> None:
        """The last lines, oldest first; nothing of a board that is gone."""
        handle = launcher.start(self.spec(launcher))
        settled(launcher, handle)

        lines = launcher.logs(handle, 500)

        assert "starting board tb-1" in lines[0]
        assert launcher.logs(handle, 1) == lines[-1:]
        assert (launcher.logs(handle, 0), launcher.logs("nonsense", 5)) == ([], [])

    def test_the_address_of_a_board_is_plain_http_with_a_secret(self, launcher: Launcher) -> None:
        """The secret is in a header, and never shown with the address."""
        address = launcher.address(launcher.start(self.spec(launcher)))

        assert urlsplit(address.base_url).scheme == "http"
        assert [value for value in address.headers.values() if value in repr(address)] == []

    def test_no_address_without_a_handle(self, launcher: Launcher) -> None:
        """Nonsense leads nowhere."""
        with pytest.raises(LaunchError):
            launcher.address("nonsense")

    # Probing

    def test_a_probe_counts_what_is_there(self, launcher: Launcher) -> None:
        """Runs and files."""
        seen = launcher.probe(self.logs(launcher, "many", runs=3))

        assert (seen.runs, seen.files, seen.reason, seen.more) == (3, 3, "", False)

    def test_a_probe_of_an_empty_place_is_no_fault(self, launcher: Launcher) -> None:
        """Logs may come later."""
        seen = launcher.probe(self.logs(launcher, "empty", runs=0))

        assert (seen.runs, seen.files, seen.reason) == (0, 0, "")

    def test_a_probe_of_nothing_says_so(self, launcher: Launcher) -> None:
        """In one word and in a message that names the place."""
        source = self.logs(launcher, "nowhere", runs=-1)

        seen = launcher.probe(source)

        assert (seen.reason, source.url in seen.message) == (SOURCE_NOT_FOUND, True)

    # Saying what is wanted

    def spec(self, launcher: Launcher, source: SourceSpec | None = None, *, id: str = "tb-1") -> BoardSpec:
        """A board over one run, unless another source is given."""
        return BoardSpec(id=id, version=1, sources=(source or self.logs(launcher, "a"),), prefix=f"/tb/{id}")


class ServingLauncherTests(LauncherTests):
    """For launchers whose boards answer requests."""

    def test_the_board_answers_under_its_prefix(self, launcher: Launcher) -> None:
        """With the header of its address; without it there is nothing."""
        handle = launcher.start(self.spec(launcher))
        settled(launcher, handle)
        address = launcher.address(handle)

        statuses = [ask(address.base_url, "/tb/tb-1/api/v1/runs", headers) for headers in (dict(address.headers), {})]

        assert [status for status, _ in statuses] == [200, 404]


def wait_for(holds: Callable[[], bool]) -> None:
    """Returns when it holds; a test that waits too long fails."""
    give_up = time.monotonic() + PATIENCE_SECS
    tick = threading.Event()
    while not holds():
        assert time.monotonic() < give_up, "it never came to be"
        tick.wait(0.02)


def settled(launcher: Launcher, handle: str) -> Observation:
    """The board, once it is no longer starting and has read its logs."""
    seen: list[Observation] = []

    def done() -> bool:
        seen[:] = launcher.observe([handle])
        loading = seen[0].progress is not None and seen[0].progress.loading
        return seen[0].found != Found.STARTING and not loading

    wait_for(done)
    return seen[0]


def ask(base_url: str, path: str, headers: dict[str, str], method: str = "GET", body: str = "") -> tuple[int, str]:
    """Status and text of an answer."""
    parts = urlsplit(base_url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECS)
    try:
        connection.request(method, path, body.encode() or None, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
