"""Views in URLs: shared, restored, and from TensorBoard (checks 15 and 16)."""

import re

from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.chart_cards import data_number, drag, find_card
from support.page_driver import PageDriver
from support.settled_pages import press, settle


def seen(page: Page) -> dict[str, object]:
    """What of the view can be seen: runs on show, cards, ranges and switches."""
    looks: dict[str, object] = page.evaluate(
        """() => ({
            theme: document.documentElement.dataset.theme,
            runs: [...document.querySelectorAll('[data-testid=run-row]')]
                .filter((row) => row.querySelector('input')?.checked).map((row) => row.dataset.run).sort(),
            cards: [...document.querySelectorAll('[data-testid=card]')].map((card) => card.dataset.tag),
            pinned: document.querySelector('[data-testid=pinned-strip]')?.dataset.count,
            smoothing: document.querySelector('input[type=range]')?.value,
        })"""
    )
    return looks


def test_a_copied_link_shows_the_same_elsewhere(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 15: runs, tags, zoom, smoothing, log, pins and theme travel; the address stays under 2,000 characters."""
    page = driver.open(sweep)
    page.locator('[data-testid=run-row][data-run="baseline"] input').click()
    press(page, "Escape")
    page.get_by_label("Filter tags").first.fill("loss")
    press(page, "Escape")
    expect(page.get_by_test_id("card")).to_have_count(2)
    drag(page, find_card(page, "train/loss"), 0.2, 0.6)
    expect(page).to_have_url(re.compile("zoom="))
    find_card(page, "eval/loss").hover()
    settle(page)
    press(page, "p", "l", "]", "]", "Alt+m", "y")
    expect(page.get_by_test_id("toast")).to_be_visible()
    address = page.url
    left = data_number(find_card(page, "train/loss"), "xmin")

    other = driver.open(sweep, "&" + address.split("?test=1&")[1])

    assert len(address) <= 2_000
    assert seen(other) == seen(page)
    assert data_number(find_card(other, "train/loss"), "xmin") == left


def test_links_of_time_series_open_the_same_view(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 16: tagFilter and smoothing of a link that TensorBoard wrote."""
    page = driver.open(sweep, "&tagFilter=train&smoothing=0.9#timeseries")

    assert seen(page)["cards"] == ["train/loss", "train/grad_norm", "train/lr"]
    assert seen(page)["smoothing"] == "0.9"


def test_links_of_the_old_scalars_page_open_time_series(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 16: the page and its weight of old."""
    page = driver.open(sweep, "#scalars&_smoothingWeight=0.3")

    expect(page.get_by_test_id("tab-timeseries")).to_have_attribute("aria-current", "page")
    assert seen(page)["smoothing"] == "0.3"


def test_pinned_cards_of_a_link_are_pinned(driver: PageDriver, sweep: BoardProcess) -> None:
    """TensorBoard writes them as JSON."""
    page = driver.open(sweep, '&pinnedCards=[{"plugin":"scalars","tag":"eval/loss"}]')

    assert seen(page)["pinned"] == "1"
    assert seen(page)["cards"] == [
        *("eval/loss", "eval/accuracy"),
        *("train/loss", "train/grad_norm", "train/lr"),
        "perf/tokens_per_sec",
    ]
