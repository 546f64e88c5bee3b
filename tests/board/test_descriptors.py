"""A running board whose process has no descriptors left: it says so while that lasts, and goes on when it is over."""

import json
import pathlib
import resource
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from descriptors import answers, used_up
from lightboard.testing.event_files import scalar_record, version_record, write_events
from running import PATIENCE_SECS, Running

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit")


class Page:
    """One connection that stays open, as that of a page; it sees what new ones cannot."""

    def __init__(self, running: Running) -> None:
        self._connection = HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE_SECS)

    def ask(self, method: str, path: str) -> Any:
        """A JSON answer."""
        self._connection.request(method, path)
        return json.loads(self._connection.getresponse().read())

    def problems(self) -> list[tuple[str, str]]:
        """Kind and file of each."""
        return [(each["kind"], each["file"]) for each in self.ask("GET", "/api/v1/problems")["problems"]]

    def runs(self) -> list[str]:
        """Names of all runs."""
        return sorted(run["name"] for run in self.ask("GET", "/api/v1/runs")["runs"])

    def close(self) -> None:
        """The page is closed."""
        self._connection.close()


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """With one run."""
    write_events(tmp_path / "old" / "events.out.tfevents.1", [version_record(), scalar_record("loss", 0, 1.5)])
    return tmp_path


@pytest.fixture
def running(logdir: pathlib.Path) -> Iterator[Running]:
    """A board that looks at files when it is told to."""
    with Running("--logdir", str(logdir), "--port", "0", "--reload_interval", "0") as board:
        yield board


@pytest.fixture
def page(running: Running) -> Iterator[Page]:
    """Which has asked everything once, so that nothing is left to be loaded."""
    opened = Page(running)
    opened.ask("POST", "/api/v1/reload")
    opened.runs()
    assert opened.problems() == []
    yield opened
    opened.close()


def test_descriptors_that_are_used_up_are_told_and_heal_at_once(
    running: Running, page: Page, logdir: pathlib.Path
) -> None:
    """New connections are refused and nothing can be read: both are on the list, until descriptors are back."""
    write_events(logdir / "new" / "events.out.tfevents.1", [version_record(), scalar_record("loss", 0, 1.5)])
    with used_up(running):
        page.ask("POST", "/api/v1/reload")
        while_out = page.problems()
        runs_then = page.runs()
    over = page.problems()
    page.ask("POST", "/api/v1/reload")

    assert while_out == [("descriptors", ""), ("unreadable", str(logdir))]
    assert over == [("unreadable", str(logdir))]
    assert (runs_then, page.runs()) == (["old"], ["new", "old"])
    assert (page.problems(), answers(running)) == ([], True)


def test_the_message_says_how_many_there_are_and_what_helps(running: Running, page: Page) -> None:
    """In words for who started it."""
    with used_up(running) as number:
        (problem,) = page.ask("GET", "/api/v1/problems")["problems"]

    assert problem == {
        "run": "", "file": "", "offset": 0, "length": 0, "kind": "descriptors",
        "message": f"all {number} descriptors of this process are in use: no file can be opened and new connections "
                   "are refused until some are closed; start it with a higher limit (ulimit -n)",
    }  # fmt: skip
