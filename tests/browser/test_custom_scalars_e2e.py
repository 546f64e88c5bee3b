"""Custom scalar layouts (checks 5, 9, 27, 29, 30 and 39)."""

import csv
import io
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support import curve_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.downloads import download_from_menu, svg_texts
from support.page_driver import PageDriver
from support.page_faults import find_page_faults
from support.settled_pages import press, settle

ODD = 'каша <b>"損失"</b>'


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Three runs of scalars, two of them with a layout."""
    folder = tmp_path_factory.mktemp("custom") / "runs"
    curve_logs.layouts(folder)
    with BoardProcess(folder) as made:
        yield made


def opened(driver: PageDriver, board: BoardProcess, query: str = "", **how: Any) -> Page:
    """The page of layouts."""
    return driver.open(board, f"{query}#custom_scalars", **how)


def card(page: Page, name: str) -> Locator:
    """A card by category and title."""
    selector = json.dumps(f"custom/{name}", ensure_ascii=False)
    found = page.locator(f"[data-testid=card][data-tag={selector}]")
    found.scroll_into_view_if_needed()
    settle(page)
    return found


def test_layouts_of_all_runs_are_one(driver: PageDriver, board: BoardProcess) -> None:
    """Categories of equal title are one section, charts that are there already come once; what is closed is folded."""
    page = opened(driver, board)
    sections = page.locator("main section h2 button")

    assert sections.locator("bdi").all_inner_texts() == ["losses", "rest", ODD]
    assert sections.locator("bdi + span").all_inner_texts() == ["4", "1", "1"]
    assert [one.get_attribute("aria-expanded") for one in sections.all()] == ["true", "false", "true"]


def test_a_chart_draws_all_tags_that_its_pattern_means(driver: PageDriver, board: BoardProcess) -> None:
    """Four tags of three runs, each tag with its dash in the title."""
    both = card(opened(driver, board), "losses/both")

    assert both.get_attribute("data-held") == str(4 * 3 * 200)
    assert [one.get_attribute("data-tag-name") for one in both.get_by_test_id("chart-tag").all()] == [
        "loss/high",
        "loss/low",
        "loss/mean",
        "loss/other",
    ]


def test_a_band_goes_from_its_lower_tag_to_its_upper(driver: PageDriver, board: BoardProcess) -> None:
    """Only the value is a line; the tip says value and both edges as they were written."""
    page = opened(driver, board)
    margin = card(page, "losses/margin")
    margin.get_by_role("img").focus()
    press(page, "End")
    row = page.get_by_test_id("tip").locator("tr[data-run=baseline]")
    told = [float(row.get_attribute(f"data-{name}") or "nan") for name in ("value", "lo", "hi")]
    mean = 2.0 / (1 + 199 / 20)

    assert margin.get_attribute("data-held") == str(3 * 200)
    assert told == pytest.approx([mean, 0.8 * mean, 1.3 * mean], rel=1e-6)


def test_what_is_wrong_with_a_chart_stands_on_it(driver: PageDriver, board: BoardProcess) -> None:
    """A bad pattern with the reason, a pattern that no tag fits; the rest of the chart is drawn."""
    page = opened(driver, board)
    wrong, none = card(page, "losses/wrong"), card(page, "losses/none")

    expect(wrong.get_by_role("note")).to_contain_text("“(acc” is not a valid regular expression: missing )")
    expect(wrong.get_by_role("note")).to_contain_text("No tags match “nothing/.*”")
    expect(none).to_contain_text("No tags match “x”")


def test_a_step_is_pinned_on_all_cards_and_pages(driver: PageDriver, board: BoardProcess) -> None:
    """As on Time Series: one step, in the address."""
    page = opened(driver, board)
    card(page, "losses/both").get_by_role("img").focus()
    press(page, "Home", "m")
    expect(card(page, "losses/margin")).to_contain_text("step 0")

    expect(page).to_have_url(re.compile("pin=0,baseline"))


def test_a_card_has_its_own_settings_and_can_be_pinned(driver: PageDriver, board: BoardProcess) -> None:
    """Under its own name, so that the card of its first tag on Time Series stays as it is."""
    page = opened(driver, board)
    both = card(page, "losses/both")
    both.hover()
    both.get_by_role("button", name="Pin card").click()

    expect(page.locator("main section h2").first).to_contain_text("Pinned")
    expect(page).to_have_url(re.compile("pinned=custom"))


def test_full_screen(driver: PageDriver, board: BoardProcess) -> None:
    """The chart over the window with the table of its values; Esc closes it."""
    page = opened(driver, board)
    margin = card(page, "losses/margin")
    margin.hover()
    margin.get_by_role("button", name="Full screen").click()
    full = page.get_by_test_id("fullscreen")
    expect(full.locator("tbody tr").first).to_be_visible()
    press(page, "Escape")

    expect(full).to_be_hidden()


def test_points_and_picture_can_be_taken_away(driver: PageDriver, board: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Every point of every tag of the chart; the picture has the chart's title."""
    page = opened(driver, board)
    margin = card(page, "losses/margin")
    rows = list(
        csv.DictReader(io.StringIO(download_from_menu(page, margin, "All points as CSV", tmp_path).read_text()))
    )
    picture = download_from_menu(page, margin, "Image as SVG", tmp_path).read_text()

    assert {row["tag"] for row in rows} == {"loss/mean", "loss/low", "loss/high"}
    assert len(rows) == 3 * 3 * 200
    assert {"margin", "baseline"} <= set(svg_texts(picture))


def test_axe_finds_nothing(driver: PageDriver, board: BoardProcess) -> None:
    """With wrong patterns, odd names and bands, in both themes."""
    page = opened(driver, board)

    assert find_violations_in_both_themes(page) == {}


def test_nothing_is_cut(driver: PageDriver, board: BoardProcess) -> None:
    """In any language, at any usual width."""
    page = opened(driver, board, "&lang=ru")
    widths = {"ru": (1440, 1024, 390), "zh": (1280,)}

    assert find_page_faults(page, widths, languages=widths, find_untranslated=None) == {}
