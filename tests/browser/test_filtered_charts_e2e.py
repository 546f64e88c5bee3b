"""Charts draw the runs that the filter matches; TensorBoard links keep their meaning (checks 16, 17)."""

from playwright.sync_api import Page, expect

from support import scalar_logs
from support.board_process import BoardProcess
from support.chart_cards import find_card, hover, tooltip_rows
from support.page_driver import PageDriver
from support.settled_pages import settle

STEPS = 1_000
SEEDS = {"big/seed0", "big/seed1", "big/seed2"}


def find(page: Page, text: str) -> None:
    """Type into the box that finds runs."""
    page.get_by_role("combobox", name="Filter runs").fill(text)


def expect_held(page: Page, runs: int) -> None:
    """The chart of train/loss stands for so many runs."""
    page.mouse.move(0, 0)
    expect(find_card(page, "train/loss")).to_have_attribute("data-held", str(runs * STEPS))


def drawn(page: Page) -> set[str]:
    """Names of the runs in the tip of train/loss."""
    settle(page)
    hover(page, find_card(page, "train/loss"), 0.5)
    settle(page)
    return {row["run"] for row in tooltip_rows(page)}


def test_charts_draw_the_runs_that_the_filter_leaves(driver: PageDriver, sweep: BoardProcess) -> None:
    """And all of them again without it."""
    page = driver.open(sweep)
    find(page, "seed")
    expect_held(page, 3)
    assert drawn(page) == SEEDS
    find(page, "")

    expect_held(page, len(scalar_logs.SWEEP))


def test_a_link_of_tensorboard_draws_what_it_drew(driver: PageDriver, sweep: BoardProcess) -> None:
    """`runFilter` leaves the same runs in table and charts."""
    page = driver.open(sweep, "&runFilter=seed%5B01%5D%7Cbase")

    expect_held(page, 3)
    assert drawn(page) == {"baseline", "big/seed0", "big/seed1"}


def test_a_run_switched_off_stays_off_in_what_a_filter_leaves(driver: PageDriver, sweep: BoardProcess) -> None:
    """The head counts what is drawn; the foot what is off, filter or not."""
    page = driver.open(sweep)
    page.locator("[data-run='big/seed1']").get_by_role("checkbox").click()
    find(page, "seed")

    expect(page.get_by_role("button", name="Runs 2/6")).to_be_visible()
    expect(page.get_by_text("1 not visible")).to_be_visible()
    assert drawn(page) == {"big/seed0", "big/seed2"}


def expect_nobody(page: Page) -> None:
    """The empty place says why, and has the way back."""
    cards = page.locator("#cards")
    expect(cards.get_by_role("heading", name="No runs match the filter")).to_be_visible()
    expect(cards).to_contain_text("nobody")
    cards.get_by_role("button", name="Clear filter").click()
    expect(cards.get_by_role("heading", name="No runs match the filter")).not_to_be_visible()


def test_a_filter_that_leaves_no_run_says_so_where_the_charts_were(driver: PageDriver, sweep: BoardProcess) -> None:
    """All are back by one press."""
    page = driver.open(sweep, "&runFilter=nobody")
    expect_nobody(page)

    expect_held(page, len(scalar_logs.SWEEP))


def test_a_filter_that_leaves_no_run_says_so_on_the_pages_of_kinds(driver: PageDriver, kinds: BoardProcess) -> None:
    """As on the page of texts."""
    page = driver.open(kinds, "&runFilter=nobody#text")
    expect_nobody(page)

    expect(page.locator("[data-item]").first).to_be_visible()
