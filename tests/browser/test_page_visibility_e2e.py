"""Pages report that they are visible, since hubs stop idle boards."""

import pytest
from playwright.sync_api import Page

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import reload, settle

HIDDEN = "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })"


@pytest.fixture
def quiet(driver: PageDriver, sweep: BoardProcess) -> Page:
    """A page whose clock a test moves, over logs that do not change."""
    page = driver.open(sweep)
    page.clock.install()
    reload(page)
    return page


def told(driver: PageDriver) -> int:
    """How often the page asked how the board is."""
    return sum(url.endswith("/api/v1/status") for url in driver.requests)


def test_visible_pages_report_activity(quiet: Page) -> None:
    """Once a minute, by a header."""
    with quiet.expect_request("**/api/v1/status") as asked:
        quiet.clock.fast_forward(61_000)

    assert asked.value.headers["x-lightboard-poll"] == "visible"


def test_hidden_pages_report_no_activity(driver: PageDriver, quiet: Page) -> None:
    """Nobody is there."""
    before = told(driver)
    quiet.evaluate(HIDDEN)

    quiet.clock.fast_forward(61_000)
    settle(quiet)

    assert told(driver) == before
