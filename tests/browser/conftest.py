"""A real Chromium, real servers over pressed logs, and pages that tell on themselves."""

import os
import pathlib
from collections.abc import Callable, Iterator

import logs
import pytest
from chromium import QUIET, find_browser
from hub_visitor import MOVED_MS, HubVisitor
from playwright.sync_api import Browser, expect, sync_playwright
from served import Board, Serving
from visitor import Visitor

from running_hub import RunningHub

USUAL_MS = 5000
"""What Playwright waits for where nothing else is said."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if pathlib.Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests of this process."""
    executable, env, arguments = find_browser()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable, args=[*QUIET, *arguments], env={**os.environ, **env}
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """F1: a board over the small sweep."""
    yield from serve(tmp_path_factory.mktemp("f1") / "runs", logs.sweep)


@pytest.fixture(scope="session")
def hundred_tags(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """F2: a board over 100 tags x 10 runs x 1,000 steps."""
    yield from serve(tmp_path_factory.mktemp("f2") / "runs", logs.hundred_tags)


@pytest.fixture(scope="session")
def fifty_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """F3: a board over one tag of 50 runs x 10,000 steps."""
    yield from serve(tmp_path_factory.mktemp("f3") / "runs", logs.fifty_runs)


@pytest.fixture(scope="session")
def nested_sweep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """F11: a board over 24 runs in deep folders, two of each seed of one setting diverged."""
    yield from serve(tmp_path_factory.mktemp("f11") / "runs", logs.nested_sweep)


@pytest.fixture(scope="session")
def pretraining(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """F12: a board over one run of 200,000 steps with three spikes."""
    yield from serve(tmp_path_factory.mktemp("f12") / "runs", logs.pretraining)


@pytest.fixture(scope="session")
def kinds() -> Iterator[Board]:
    """Everything that torch's writer writes: every kind of data in a few runs."""
    with Board(pathlib.Path(__file__).parents[1] / "data" / "logs" / "torch_kinds") as board:
        yield board


def serve(folder: pathlib.Path, write: Callable[[pathlib.Path], None]) -> Iterator[Board]:
    """All is read before the first page opens: cards move while tags are still being found."""
    write(folder)
    with Board(folder, "--reload_task", "blocking") as board:
        yield board


@pytest.fixture
def serving() -> Iterator[Serving]:
    """Starts boards; they end after the test's pages are closed."""
    boards: list[Board] = []

    def start(folder: pathlib.Path, *arguments: str, port: int = 0) -> Board:
        boards.append(Board(folder, *arguments, port=port))
        return boards[-1]

    yield start
    for board in boards:
        board.close()


@pytest.fixture
def visitor(browser: Browser, serving: object) -> Iterator[Visitor]:
    """Pages must load nothing from elsewhere and leave nothing in the console."""
    visitor = Visitor(browser)
    yield visitor
    for page in visitor.pages:
        page.context.close()
    assert visitor.complaints == []
    assert [url for url in visitor.requests if "//localhost" not in url and "//127.0.0.1" not in url] == []


@pytest.fixture(scope="session")
def hub_logs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """F1, for boards of a hub."""
    folder = tmp_path_factory.mktemp("hub_logs") / "runs"
    logs.sweep(folder)
    return folder


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory, hub_logs: pathlib.Path) -> Iterator[RunningHub]:
    """A hub that may show the logs; people are made as tests need them."""
    with RunningHub(tmp_path_factory.mktemp("hub"), roots=[hub_logs.parent]) as running:
        yield running


@pytest.fixture
def guest(browser: Browser, hub: RunningHub, hub_logs: pathlib.Path) -> Iterator[HubVisitor]:
    """As `visitor`, for the console of the hub."""
    guest = HubVisitor(browser, hub, hub_logs)
    expect.set_options(timeout=MOVED_MS)  # whatever is looked at here may take a worker, or a slow hash
    yield guest
    expect.set_options(timeout=USUAL_MS)
    for page in guest.pages:
        page.context.close()
    # What runs costs the next test time, and what is open to all is in its list.
    for board in hub.json("GET", "/api/v1/tensorboards?status=Running&page_size=100")["items"]:
        hub.json("DELETE", f"/api/v1/tensorboards/{board['id']}")
    assert guest.complaints == []
    assert [url for url in guest.requests if "//localhost" not in url and "//127.0.0.1" not in url] == []
