"""A page that was used by one test is as good as a new one for the next."""

import pytest
from playwright.sync_api import Browser, Page, expect

from support.board_process import BoardProcess
from support.hasty_tests import find_hasty
from support.page_driver import PageDriver
from support.reused_pages import ReusedPages
from support.settled_pages import follow_fragment, settle, sign_of

LOOK = """() => ({
    stored: localStorage.length + sessionStorage.length,
    cookies: document.cookie,
    size: [innerWidth, innerHeight],
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    pointed: document.querySelectorAll(':hover').length,
})"""
CLEAN = {"stored": 0, "cookies": "", "size": [800, 600], "dark": False, "still": False, "pointed": 0}


@pytest.fixture
def pages(browser: Browser) -> ReusedPages:
    """None was used before."""
    return ReusedPages(browser)


def visit(page: Page, board: BoardProcess) -> None:
    """Go to a board."""
    page.goto(f"{board.url}?test=1")
    settle(page)


def leave_traces(page: Page) -> None:
    """What tests leave: stored values, a size, a theme, a pointer, a key held, an answer of their own, a window."""
    page.evaluate("localStorage.a = sessionStorage.b = 'c'; document.cookie = 'd=e'; open('about:blank')")
    page.set_viewport_size({"width": 500, "height": 400})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.route("**/api/**", lambda route: route.abort())
    page.mouse.move(250, 200)
    page.mouse.down()
    page.keyboard.down("Shift")


def test_traces_of_a_test_are_removed(pages: ReusedPages, sweep: BoardProcess) -> None:
    """The next one has the same page, and finds nothing in it."""
    first = pages.take()
    page = first.begin(1440, 900, "light")
    visit(page, sweep)
    leave_traces(page)
    first.give_back()

    second = pages.take()
    assert second.begin(800, 600, "light") is page
    visit(page, sweep)
    assert page.evaluate(LOOK) == CLEAN
    assert len(page.context.pages) == 1
    page.evaluate("addEventListener('keydown', (event) => { document.body.dataset.shift = String(event.shiftKey) })")
    page.keyboard.down("q")
    page.keyboard.up("q")
    expect(page.locator("body")).to_have_attribute("data-shift", "false")
    page.context.close()


def test_two_pages_at_a_time_share_nothing(pages: ReusedPages, sweep: BoardProcess) -> None:
    """Each has a profile of its own."""
    first, second = pages.take(), pages.take()
    for each in (first, second):
        visit(each.begin(800, 600, "light"), sweep)
    first.page.evaluate("localStorage.a = 'b'")

    assert second.page.evaluate("localStorage.length") == 0
    for each in (first, second):
        each.page.context.close()


@pytest.mark.parametrize("last", ["clock", "closed", "elsewhere"])
def test_a_page_that_cannot_be_emptied_is_closed(
    pages: ReusedPages, sweep: BoardProcess, kinds: BoardProcess, last: str
) -> None:
    """Its clock is not that of the machine, it is gone, or it was at two servers."""
    first = pages.take()
    page = first.begin(800, 600, "light")
    visit(page, sweep)
    if last == "clock":
        page.clock.install()
    elif last == "closed":
        page.close()
    else:
        visit(page, kinds)
    first.give_back()

    assert page.is_closed()
    other = pages.take().page
    assert other is not page
    other.context.close()


def test_a_page_of_a_board_is_told_from_the_one_before(driver: PageDriver, sweep: BoardProcess) -> None:
    """Each has its own sign alone, so that nobody looks at a page that is about to go."""
    fragments = ("timeseries", "runs", "run/baseline", "run/big/seed0", "compare", "hparams", "images")
    page = driver.open(sweep)
    signs = {}
    for fragment in fragments:
        follow_fragment(page, fragment)
        signs[fragment] = [each for each in fragments if page.locator(sign_of(each)).count()]

    assert signs == {fragment: [fragment] for fragment in fragments}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def test():\n    look().on('request', note)", ["2: look().on: open the page with reused=False"]),
        ("def test():\n    look(reused=False).on('request', note)", []),
    ],
    ids=["page of others", "own page"],
)
def test_a_test_that_listens_to_a_reused_page_is_found(source: str, found: list[str]) -> None:
    """Nobody takes the listener away."""
    assert find_hasty(source) == found
