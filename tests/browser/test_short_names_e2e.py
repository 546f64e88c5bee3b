"""Short names for deep folders: common parts are shown once, names stay distinct."""

import pathlib
import urllib.parse

from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.chart_cards import find_card, hover
from support.downloads import download_from_menu, svg_texts
from support.page_driver import PageDriver
from support.settled_pages import press, settle, type_text

FOLDER = "imagenet1k/vit_base_patch16/lr0.003_wd0.05"
SEEDS = "&runFilter=" + urllib.parse.quote(f"/{FOLDER}/", safe="")


def is_whole(page: Page, selector: str) -> bool:
    """Whether nothing of a text is cut off."""
    return bool(page.locator(selector).evaluate("(e) => e.scrollWidth <= e.clientWidth"))


def test_the_legend_of_an_exported_figure_tells_the_seeds_apart(
    driver: PageDriver, nested_sweep: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """Their folder is said once, below the title."""
    page = driver.open(nested_sweep, f"{SEEDS}&smoothing=0")
    said = svg_texts(download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text())

    assert sorted(text for text in said if "seed" in text) == ["seed0", "seed1", "seed2"]
    assert said[1] == FOLDER


def test_a_tip_says_the_folder_once(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """And each seed."""
    page = driver.open(nested_sweep, f"{SEEDS}&smoothing=0")
    hover(page, find_card(page, "train/loss"), 0.2)
    tip = page.get_by_test_id("tip")

    expect(tip).to_contain_text(FOLDER)
    settle(page)
    assert sorted(tip.locator("tbody tr bdi:first-of-type").all_inner_texts())[:3] == ["seed0", "seed1", "seed2"]


def test_heads_of_a_comparison_differ(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """What the columns share stands in the corner."""
    page = driver.open(nested_sweep, f"{SEEDS}#compare")
    table = page.get_by_test_id("compare-table")

    expect(table.locator("thead a")).to_have_text(["seed0", "seed1", "seed2"])
    expect(table.locator("thead td")).to_have_text(FOLDER)


def test_titles_begin_after_what_the_section_says(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """So that the layer is read, not the folders of all layers."""
    page = driver.open(nested_sweep, "&tagFilter=layers")
    expect(page.get_by_role("heading", name="model/decoder/layers")).to_be_visible()
    titles = page.locator("[data-testid=card] h3")

    expect(titles).to_have_text(["00/attention/out_proj/grad_norm", "11/mlp/gate_up/grad_norm"])
    assert is_whole(page, "[data-testid=card] h3 >> nth=0")


def test_an_expression_in_an_address_is_read_as_in_the_box(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """With its slashes."""
    page = driver.open(nested_sweep, SEEDS)

    expect(page.get_by_placeholder("Filter runs", exact=False).first).to_have_value(f"/{FOLDER}/")


def test_a_view_is_saved_by_keys_alone(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """The dialog waits for the name."""
    page = driver.open(nested_sweep)
    press(page, "s")
    expect(page.get_by_label("View name")).to_be_focused()
    type_text(page, "two words")
    press(page, "Enter")

    expect(page.get_by_test_id("toast")).to_contain_text("two words")
