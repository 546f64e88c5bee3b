"""The pages of data kinds: their tabs, what stands on a page without its data, and data that has no page of its own."""

import pathlib
import re

import pytest
from playwright.sync_api import Page, Route, expect
from served import Board
from visitor import Visitor

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"


@pytest.fixture
def torch(serving) -> Board:
    """Everything that torch's writer writes."""
    board: Board = serving(LOGS / "torch")
    return board


def tabs(page: Page) -> list[str]:
    """Pages whose tabs can be seen, in order."""
    expect(page.get_by_test_id("tab-more")).to_be_visible()
    return page.locator("nav a").evaluate_all("(all) => all.map((each) => each.dataset.testid.slice(4))")


def test_a_tab_for_each_kind_with_its_count(visitor: Visitor, torch: Board) -> None:
    """Kinds that the logs hold have tabs with the number of tags; the others wait behind More."""
    page = visitor.open(torch, width=2400)
    expect(page.get_by_test_id("tab-images")).to_have_text("Images3")
    assert "graphs" not in tabs(page)


def test_tabs_that_do_not_fit_go_behind_more(visitor: Visitor, torch: Board) -> None:
    """Nothing overlaps: what has no room is in the menu, and the page that is open has always a tab."""
    page = visitor.open(torch, "#images", width=1024, ready=False)
    expect(page.get_by_test_id("tab-images")).to_be_visible()
    page.get_by_test_id("tab-more").click()
    page.get_by_role("menuitem", name="Custom").click()
    expect(page.get_by_test_id("tab-custom_scalars")).to_have_attribute("aria-current", "page")


def test_the_open_page_has_its_tab_before_the_counts_are_known(visitor: Visitor, torch: Board) -> None:
    """They are asked for last."""
    page = visitor.open(torch, "#images", ready=False)
    asked: list[Route] = []
    page.route(re.compile("/api/v1/tags$"), lambda route: asked.append(route))
    page.reload()
    expect(page.get_by_test_id("tab-images")).to_have_text("Images")
    expect(page.get_by_test_id("tab-images")).to_have_attribute("aria-current", "page")


def test_a_page_without_its_data_says_what_would_fill_it(visitor: Visitor, sweep: Board) -> None:
    """With lines to copy, for this very folder."""
    page = visitor.open(sweep, "#images", ready=False)
    expect(page.get_by_role("heading", name="No Images in these logs")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("add_images")


def test_data_without_a_page_is_listed_with_what_it_holds(visitor: Visitor, torch: Board) -> None:
    """Type, shape and first numbers of a tensor that no page shows."""
    page = visitor.open(torch, "#other", ready=False)
    row = page.locator('tr[data-tag="tensor/matrix"][data-run="everything"]')
    expect(row).to_contain_text("float32 [2, 2] 0.6534, 0.4027, 0.4334, 0.04617")


def test_where_all_data_has_a_page_there_is_no_step_to_choose(visitor: Visitor, sweep: Board) -> None:
    """Only the words that say so."""
    page = visitor.open(sweep, "#other", ready=False)
    expect(page.get_by_text("Everything in these logs has a page of its own.")).to_be_visible()
    expect(page.get_by_test_id("step-slider")).to_have_count(0)


def test_data_without_a_page_can_be_taken_away(visitor: Visitor, torch: Board, tmp_path: pathlib.Path) -> None:
    """The very bytes of the file."""
    page = visitor.open(torch, "#other", ready=False)
    row = page.locator('tr[data-tag="tensor/matrix"][data-run="everything"]')
    with page.expect_download() as taken:
        row.get_by_role("link").click()
    taken.value.save_as(tmp_path / "value.pb")
    file = next((LOGS / "torch" / "everything").glob("*tfevents*"))
    value = (tmp_path / "value.pb").read_bytes()
    assert value in file.read_bytes()
    assert b"tensor/matrix" in value


def test_keys_lead_to_pages_of_kinds(visitor: Visitor, sweep: Board) -> None:
    """`g` and a letter."""
    page = visitor.open(sweep)
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.get_by_role("heading", name="No Images in these logs")).to_be_visible()
