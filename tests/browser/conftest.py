"""A real Chromium, real servers over pressed logs, and pages that tell on themselves."""

import os
import pathlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from support import graph_logs, scalar_logs
from support.board_process import BoardProcess, BoardStarter, serve_logs
from support.chromium import CHROMIUM_FLAGS, LARGE_TILES, SHORT_LIVED, find_browser
from support.hub_page_driver import HubPageDriver
from support.hub_process import HubProcess
from support.notebook_image import write_notebook_image
from support.page_driver import PageDriver
from support.profile_pages import write_profile_runs
from support.reused_pages import ReusedPages
from support.settled_pages import TIMEOUT_MS

JOB_SLOTS = 8
READ_FIRST = ("--reload_task", "blocking")
"""A board that answers once it has read everything: what it shows is complete from the start."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if pathlib.Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests of this process."""
    executable, env, arguments = find_browser()
    # Playwright's five seconds are too short on a machine that runs other tests as well.
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable,
            args=[*CHROMIUM_FLAGS, *LARGE_TILES, *SHORT_LIVED, *arguments],
            env={**os.environ, **env},
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def reused_pages(browser: Browser) -> ReusedPages:
    """Pages that tests of this process use one after another."""
    return ReusedPages(browser)


@pytest.fixture(scope="session")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F1: a board over the small sweep."""
    yield from serve_logs(tmp_path_factory.mktemp("f1") / "runs", scalar_logs.sweep)


@pytest.fixture(scope="session")
def hundred_tags(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F2: a board over 100 tags x 10 runs x 1,000 steps."""
    yield from serve_logs(tmp_path_factory.mktemp("f2") / "runs", scalar_logs.hundred_tags)


@pytest.fixture(scope="session")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A board over captures of PyTorch, TensorFlow, Keras and JAX."""
    yield from serve_logs(tmp_path_factory.mktemp("profiles") / "runs", write_profile_runs)


@pytest.fixture(scope="session")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs: a transformer of six layers, a chain."""
    yield from serve_logs(tmp_path_factory.mktemp("graphs") / "runs", graph_logs.models)


@pytest.fixture(scope="session")
def graph_versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs of one model: of two layers, and of three."""

    def write(folder: pathlib.Path) -> None:
        graph_logs.transformer(folder / "base", 2)
        graph_logs.transformer(folder / "deeper", 3)

    yield from serve_logs(tmp_path_factory.mktemp("versions") / "runs", write)


@pytest.fixture(scope="session")
def fifty_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F3: a board over one tag of 50 runs x 10,000 steps."""
    yield from serve_logs(tmp_path_factory.mktemp("f3") / "runs", scalar_logs.fifty_runs)


@pytest.fixture(scope="session")
def nested_sweep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F11: a board over 24 runs in deep folders, two of each seed of one setting diverged."""
    yield from serve_logs(tmp_path_factory.mktemp("f11") / "runs", scalar_logs.nested_sweep)


@pytest.fixture(scope="session")
def pretraining(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F12: a board over one run of 200,000 steps with three spikes."""
    yield from serve_logs(tmp_path_factory.mktemp("f12") / "runs", scalar_logs.pretraining)


@pytest.fixture(scope="session")
def kinds() -> Iterator[BoardProcess]:
    """Everything that torch's writer writes: every kind of data in a few runs."""
    with BoardProcess(pathlib.Path(__file__).parents[1] / "data" / "logs" / "torch_kinds", *READ_FIRST) as board:
        yield board


@pytest.fixture
def start_board() -> Iterator[BoardStarter]:
    """Starts boards; they end after the test's pages are closed."""
    boards: list[BoardProcess] = []

    def start(folder: pathlib.Path, *arguments: str, port: int = 0) -> BoardProcess:
        boards.append(BoardProcess(folder, *arguments, port=port))
        return boards[-1]

    yield start
    for board in boards:
        board.close()


@pytest.fixture
def driver(browser: Browser, reused_pages: ReusedPages, start_board: object) -> Iterator[PageDriver]:
    """Opens pages of boards."""
    driver = PageDriver(browser, reused_pages)
    yield driver
    driver.close()


@pytest.fixture(scope="session")
def hub_logs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """F1, for boards of a hub."""
    folder = tmp_path_factory.mktemp("hub_logs") / "runs"
    scalar_logs.sweep(folder)
    return folder


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory, hub_logs: pathlib.Path) -> Iterator[HubProcess]:
    """A hub that may show the logs; people are made as tests need them. `telling` is an image for notebooks."""
    home = tmp_path_factory.mktemp("hub")
    image = write_notebook_image(home / "image")
    words = ("--trust-jobs", "--job-isolation", "none", "--job-slots", str(JOB_SLOTS), "--image", f"telling={image}")
    with HubProcess(home, *words, roots=[hub_logs.parent]) as running:
        yield running


@pytest.fixture(scope="module")
def kept_boards() -> set[str]:
    """Ids of TensorBoards, jobs and notebooks that stay for all tests of a file."""
    return set()


@pytest.fixture
def hub_driver(
    browser: Browser,
    reused_pages: ReusedPages,
    hub: HubProcess,
    hub_logs: pathlib.Path,
    kept_boards: set[str],
) -> Iterator[HubPageDriver]:
    """As `driver`, for the console of the hub."""
    hub_driver = HubPageDriver(browser, hub, hub_logs, reused_pages)
    yield hub_driver
    # What runs costs the next test time, and administrators have everything in their lists.
    hub.delete_all_but(kept_boards)
    hub_driver.close()
