"""Pages of data kinds: tabs, empty pages, and data without a page."""

import pathlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import press, reload_unsettled

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"


@pytest.fixture(scope="module")
def torch() -> Iterator[BoardProcess]:
    """Everything that torch's writer writes."""
    with BoardProcess(LOGS / "torch", "--reload_task", "blocking") as board:
        yield board


def tabs(page: Page) -> list[str]:
    """Pages whose tabs can be seen, in order."""
    return page.locator("nav a").evaluate_all("(all) => all.map((each) => each.dataset.testid.slice(4))")


def test_kinds_have_tabs_with_counts(driver: PageDriver, torch: BoardProcess) -> None:
    """As many as have room."""
    page = driver.open(torch, width=2400)
    expect(page.get_by_test_id("tab-images")).to_have_text("Images3")
    expect(page.get_by_test_id("tab-graphs")).to_have_text(re.compile(r"Graphs[0-9]+"))


def test_tabs_overflow_into_the_more_menu(driver: PageDriver, torch: BoardProcess) -> None:
    """The current page always has a tab."""
    page = driver.open(torch, "#images", width=1024)
    page.get_by_test_id("tab-more").click()
    page.get_by_role("menuitem", name="Custom Scalars").click()
    expect(page.get_by_test_id("tab-custom_scalars")).to_have_attribute("aria-current", "page")


def test_the_current_tab_needs_no_counts(driver: PageDriver, torch: BoardProcess) -> None:
    """They are asked for last."""
    page = driver.open(torch, "#images")
    asked: list[Route] = []
    page.route(re.compile("/api/v1/tags$"), lambda route: asked.append(route))
    reload_unsettled(page)
    expect(page.get_by_test_id("tab-images")).to_have_text("Images")
    expect(page.get_by_test_id("tab-images")).to_have_attribute("aria-current", "page")


def test_empty_pages_show_code(driver: PageDriver, sweep: BoardProcess) -> None:
    """For this folder."""
    page = driver.open(sweep, "#images")
    expect(page.get_by_role("heading", name="No Images in these logs")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("add_images")


def test_other_data_is_listed(driver: PageDriver, torch: BoardProcess) -> None:
    """Type, shape and first numbers."""
    page = driver.open(torch, "#other")
    row = page.locator('tr[data-tag="tensor/matrix"][data-run="everything"]')
    expect(row).to_contain_text("float32 [2, 2] 0.6534, 0.4027, 0.4334, 0.04617")


def test_the_other_page_may_be_empty(driver: PageDriver, sweep: BoardProcess) -> None:
    """It has no step slider then."""
    page = driver.open(sweep, "#other")
    expect(page.get_by_text("All data in these logs has its own page.")).to_be_visible()
    expect(page.get_by_test_id("step-slider")).to_have_count(0)


def test_other_data_can_be_downloaded(driver: PageDriver, torch: BoardProcess, tmp_path: pathlib.Path) -> None:
    """With exact bytes."""
    page = driver.open(torch, "#other")
    row = page.locator('tr[data-tag="tensor/matrix"][data-run="everything"]')
    with page.expect_download() as taken:
        row.get_by_role("link").click()
    taken.value.save_as(tmp_path / "value.pb")
    file = next((LOGS / "torch" / "everything").glob("*tfevents*"))
    value = (tmp_path / "value.pb").read_bytes()
    assert value in file.read_bytes()
    assert b"tensor/matrix" in value


def test_keys_lead_to_pages_of_kinds(driver: PageDriver, sweep: BoardProcess) -> None:
    """`g` and a letter."""
    page = driver.open(sweep)
    press(page, "g i")
    expect(page.get_by_role("heading", name="No Images in these logs")).to_be_visible()
