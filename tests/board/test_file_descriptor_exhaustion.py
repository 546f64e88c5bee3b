"""A board without free file descriptors reports it and recovers."""

import json
import pathlib
import resource
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from lightboard.testing.event_files import scalar_record, version_record, write_events
from support.board_process import TIMEOUT_SECS, LightboardProcess
from support.file_descriptors import accepts_requests, descriptors_used_up

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit")


class Page:
    """One connection that stays open, as that of a page; it sees what new ones cannot."""

    def __init__(self, running: LightboardProcess) -> None:
        self._connection = HTTPConnection("127.0.0.1", running.port, timeout=TIMEOUT_SECS)

    def request(self, method: str, path: str) -> Any:
        """A JSON answer."""
        self._connection.request(method, path)
        return json.loads(self._connection.getresponse().read())

    def problems(self) -> list[tuple[str, str]]:
        """Kind and file of each."""
        return [(each["kind"], each["file"]) for each in self.request("GET", "/api/v1/problems")["problems"]]

    def runs(self) -> list[str]:
        """Names of all runs."""
        return sorted(run["name"] for run in self.request("GET", "/api/v1/runs")["runs"])

    def close(self) -> None:
        """The page is closed."""
        self._connection.close()


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """With one run."""
    write_events(tmp_path / "old" / "events.out.tfevents.1", [version_record(), scalar_record("loss", 0, 1.5)])
    return tmp_path


@pytest.fixture
def running(logdir: pathlib.Path) -> Iterator[LightboardProcess]:
    """A board that looks at files when it is told to."""
    with LightboardProcess("--logdir", str(logdir), "--port", "0", "--reload_interval", "0") as board:
        yield board


@pytest.fixture
def page(running: LightboardProcess) -> Iterator[Page]:
    """Which has asked everything once, so that nothing is left to be loaded."""
    opened = Page(running)
    opened.request("POST", "/api/v1/reload")
    opened.runs()
    assert opened.problems() == []
    yield opened
    opened.close()


def test_exhausted_descriptors_are_reported_until_freed(
    running: LightboardProcess, page: Page, logdir: pathlib.Path
) -> None:
    """New connections and reads fail; both are listed as problems meanwhile."""
    write_events(logdir / "new" / "events.out.tfevents.1", [version_record(), scalar_record("loss", 0, 1.5)])
    with descriptors_used_up(running):
        page.request("POST", "/api/v1/reload")
        while_out = page.problems()
        runs_then = page.runs()
    over = page.problems()
    page.request("POST", "/api/v1/reload")

    assert while_out == [("descriptors", ""), ("unreadable", str(logdir))]
    assert over == [("unreadable", str(logdir))]
    assert (runs_then, page.runs()) == (["old"], ["new", "old"])
    assert (page.problems(), accepts_requests(running)) == ([], True)


def test_the_message_has_the_limit_and_a_remedy(running: LightboardProcess, page: Page) -> None:
    """In words for who started it."""
    with descriptors_used_up(running) as number:
        (problem,) = page.request("GET", "/api/v1/problems")["problems"]

    assert problem == {
        "run": "", "file": "", "offset": 0, "length": 0, "kind": "descriptors",
        "message": f"all {number} descriptors of this process are in use: no file can be opened and new connections "
                   "are refused until some are closed; start it with a higher limit (ulimit -n)",
    }  # fmt: skip
