"""Somebody who looks at a quiet board: the page says so, since a hub stops boards that nobody looks at."""

import pytest
from playwright.sync_api import Page, expect
from served import Board
from visitor import Visitor

HIDDEN = "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })"


@pytest.fixture
def quiet(visitor: Visitor, sweep: Board) -> Page:
    """A page whose clock a test moves, over logs that do not change."""
    page = visitor.open(sweep)
    page.clock.install()
    page.reload()
    expect(page.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


def told(visitor: Visitor) -> int:
    """How often the page asked how the board is."""
    return sum(url.endswith("/api/v1/status") for url in visitor.requests)


def test_a_page_that_is_seen_says_so(quiet: Page) -> None:
    """Once a minute, with the header by which a hub knows people, though nothing happens in the logs."""
    with quiet.expect_request("**/api/v1/status") as asked:
        quiet.clock.fast_forward(61_000)

    assert asked.value.headers["x-lightboard-poll"] == "visible"


def test_a_page_that_is_hidden_says_nothing(visitor: Visitor, quiet: Page) -> None:
    """Nobody is there."""
    before = told(visitor)
    quiet.evaluate(HIDDEN)

    quiet.clock.fast_forward(61_000)
    quiet.evaluate("() => new Promise((done) => queueMicrotask(done))")

    assert told(visitor) == before
