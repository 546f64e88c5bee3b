"""The histograms page: four display modes, one range, one step, tooltips, exports."""

import json
import pathlib
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from lightboard.testing import event_files as ef
from support import histogram_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card
from support.downloads import svg_texts
from support.page_driver import PageDriver
from support.settled_pages import press, reload, settle

TAG = "layer_0/kernel"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def spreads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Six tags in three runs."""
    folder = tmp_path_factory.mktemp("spreads") / "runs"
    histogram_logs.spreads(folder)
    with BoardProcess(folder) as board:
        yield board


def open_page(driver: PageDriver, board: BoardProcess, query: str = "#histograms", **how: Any) -> Page:
    return driver.open(board, query, **how)


def panel(of: Locator, run: str = "baseline") -> Locator:
    """The picture of a run."""
    return of.locator(f'[data-testid=histogram][data-run="{run}"]')


def picture(of: Locator, run: str = "baseline") -> Locator:
    return panel(of, run).get_by_role("img", name=TAG)


def point(page: Page, at: Locator, across: float, down: float = 0.5) -> None:
    """Move the pointer over a picture."""
    at.scroll_into_view_if_needed()
    settle(page)
    box = at.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])
    settle(page)


def asked(board: BoardProcess, path: str, **query: Any) -> Any:
    with urllib.request.urlopen(f"{board.url}api/v1/histograms/{path}?{urllib.parse.urlencode(query)}") as answer:
        return json.load(answer)


def test_outliers_do_not_hide_the_distribution(driver: PageDriver, spreads: BoardProcess) -> None:
    """98 % of the mass fill at least two fifths of the height; the full range is an option."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    shares = page.locator("[data-mass]").evaluate_all("(all) => all.map((each) => +each.dataset.mass)")
    assert len(shares) >= 6
    assert min(shares) >= 0.4
    page.get_by_role("combobox", name="Value range").select_option("full")
    expect(picture(found)).to_have_attribute("data-high", "41.6")


def test_eighteen_charts_need_less_than_a_megabyte(driver: PageDriver, spreads: BoardProcess) -> None:
    """Of everything the page asks about histograms, scrolled to its end."""
    page = open_page(driver, spreads, "", reused=False)
    sizes: list[int] = []
    page.on(
        "requestfinished",
        lambda request: sizes.append(request.sizes()["responseBodySize"]) if "/histograms/" in request.url else None,
    )
    page.goto(f"{spreads.url}?test=1#histograms")
    reload(page)
    for tag in histogram_logs.TAGS:
        page.locator(
            f'[data-testid=card][data-tag="{tag}"], main section:last-of-type'
        ).first.scroll_into_view_if_needed()
        page.mouse.move(800, 500)
        page.mouse.wheel(0, 1200)
        find_card(page, tag)
    expect(page.locator("[data-mass]")).to_have_count(18)
    assert 0 < sum(sizes) < MEGABYTE


def test_four_display_modes(driver: PageDriver, spreads: BoardProcess) -> None:
    """Each is drawn and stored in the URL."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    # Of a copy: a browser warns of a canvas that is read more than once.
    drawn = """(canvas) => {
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy.drawImage(canvas, 0, 0);
        return new Set(new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer)).size;
    }"""
    colours = {}
    for mode in ("Heat map", "Offset", "Overlay", "Percentiles"):
        page.get_by_role("radio", name=mode).check(force=True)
        if mode != "Heat map":
            page.wait_for_function(f"location.search.includes('histograms={mode.lower()}')")
        settle(page)
        expect(found).to_have_attribute("data-state", "ready")
        colours[mode] = picture(found).locator("canvas").first.evaluate(drawn)
    assert {mode: count for mode, count in colours.items() if count <= 20} == {}


def test_old_links_to_distributions_open_the_percentiles(driver: PageDriver, spreads: BoardProcess) -> None:
    """One page for both."""
    page = open_page(driver, spreads, "#distributions")
    expect(page.get_by_role("radio", name="Percentiles")).to_be_checked()
    expect(page.get_by_test_id("tab-histograms")).to_have_attribute("aria-current", "page")


def test_ranges_are_shared_or_per_run(driver: PageDriver, spreads: BoardProcess) -> None:
    """Shared by default."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    ends = "(all) => all.map((each) => each.dataset.low + ' ' + each.dataset.high)"
    assert len(set(found.locator("[data-low]").evaluate_all(ends))) == 1
    page.get_by_role("button", name="Shared range").click()
    page.wait_for_function(
        """(tag) => new Set([...document.querySelectorAll(`[data-tag="${tag}"] [data-low]`)]
            .map((each) => each.dataset.low)).size > 1""",
        arg=TAG,
    )


def test_tooltips_show_bucket_edges_and_counts(driver: PageDriver, spreads: BoardProcess) -> None:
    """As in the API."""
    page = open_page(driver, spreads, "&zoom=0,500#histograms")
    at = picture(find_card(page, TAG))
    point(page, at, 0.4)
    tip = page.get_by_test_id("tip")
    expect(tip.locator("dd").first).not_to_contain_text("≈")
    settle(page)
    step = int(tip.locator("div").first.inner_text().split("·")[0].replace("step", "").replace("\u2009", ""))
    told = asked(spreads, "one", run="baseline", tag=TAG, step=step)
    count = int(tip.locator("dd").first.inner_text().split(" ")[0])
    assert told["step"] == step
    assert count in [bucket[2] for bucket in told["buckets"]]
    expect(tip).to_contain_text("500")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_the_cursor_step_is_shared(driver: PageDriver, spreads: BoardProcess) -> None:
    """A click pins it, also in the URL."""
    page = open_page(driver, spreads)
    at = picture(find_card(page, TAG))
    point(page, at, 0.4)
    labels = page.locator("[data-testid=histogram] [data-testid=cursor-step]")
    steps = labels.evaluate_all("(all) => [...new Set(all.map((each) => each.textContent))]")
    assert len(steps) == 1
    point(page, at, 0.41)
    kept = labels.first.inner_text()
    page.mouse.down()
    page.mouse.up()
    page.mouse.move(5, 5)
    expect(labels.first).to_have_text(kept)
    page.wait_for_function("location.search.includes('pin=')")


def test_keys_move_the_step(driver: PageDriver, spreads: BoardProcess) -> None:
    """Arrows move, m pins, Enter opens full screen, Esc closes it."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    at, step = picture(found), panel(found).get_by_test_id("cursor-step")
    at.focus()
    press(page, "Home")
    expect(step).to_contain_text("step 0")
    press(page, "ArrowRight")
    expect(step).not_to_contain_text("step 0")
    press(page, "m")
    page.wait_for_function("location.search.includes('pin=')")
    press(page, "Enter")
    full = page.get_by_role("dialog", name=TAG)
    expect(full.get_by_role("img", name=TAG)).to_be_visible()
    press(page, "Escape")
    expect(full).to_have_count(0)
    expect(at).to_be_focused()


def test_charts_have_a_text_alternative(driver: PageDriver, spreads: BoardProcess) -> None:
    """A summary, and a table of every column."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    expect(picture(found)).to_have_attribute("aria-label", re.compile("300 histograms, steps 0 to 2990"))
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    table = page.get_by_role("dialog").get_by_role("table")
    expect(table.locator("tbody tr")).to_have_count(300)
    last = asked(spreads, "one", run="baseline", tag=TAG)
    assert last["step"] == 2990
    expect(table.locator("tbody tr").first).to_contain_text("500")


def test_a_horizontal_drag_selects_steps(driver: PageDriver, spreads: BoardProcess) -> None:
    """On all cards; a double click resets."""
    page = open_page(driver, spreads)
    at = picture(find_card(page, TAG))
    whole = int(at.get_attribute("data-columns") or 0)
    point(page, at, 0.3)
    page.mouse.down()
    point(page, at, 0.35)
    point(page, at, 0.4)
    page.mouse.up()
    page.wait_for_function("location.search.includes('zoom=')")
    expect(at).not_to_have_attribute("data-columns", str(whole))
    at.dblclick()
    expect(at).to_have_attribute("data-columns", str(whole))


def test_a_run_has_the_colour_it_has_everywhere(driver: PageDriver, spreads: BoardProcess) -> None:
    """In the table and on each picture."""
    page = open_page(driver, spreads)
    color = "(swatch) => getComputedStyle(swatch).backgroundColor"
    for run in histogram_logs.RUNS:
        row = page.locator(f'[data-testid=run-row][data-run="{run}"] [class*=swatch]').first
        swatch = panel(find_card(page, TAG), run).locator("figcaption [class*=swatch]")
        assert row.evaluate(color) == swatch.evaluate(color)


def test_data_and_pictures_can_be_exported(driver: PageDriver, spreads: BoardProcess, tmp_path: pathlib.Path) -> None:
    """CSV and JSON equal the API; SVG has title, run names and ticks."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)

    def taken(*items: str) -> pathlib.Path:
        found.hover()
        found.get_by_role("button", name="More actions").click()
        for item in items[:-1]:
            page.get_by_role("menuitem", name=item).focus()
            press(page, "ArrowRight")
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=items[-1]).press("Enter")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    table = taken("All buckets as CSV", "seed0").read_text().splitlines()
    document = json.loads(taken("All buckets as JSON", "seed0").read_text())
    told = asked(spreads, "series", run="seed0", tag=TAG)
    assert document == told
    assert len(table) == 1 + sum(len(buckets) for _, _, buckets in told["histograms"])
    words = svg_texts(taken("Image as SVG").read_text())
    assert {TAG, *histogram_logs.RUNS} <= set(words)
    assert taken("Image as PNG").read_bytes().startswith(b"\x89PNG")


def test_odd_names_and_empty_histograms(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Names are escaped; empty ones break nothing."""
    histogram_logs.odd_names(tmp_path)
    page = open_page(driver, start_board(tmp_path), "&histograms=offset#histograms")
    found = find_card(page, "权重/<b>w</b>")
    for mode in ("Heat map", "Overlay", "Percentiles"):
        page.get_by_role("radio", name=mode).check(force=True)
        settle(page)
        expect(found).to_have_attribute("data-state", "ready")
    names = found.locator("figcaption bdi").all_inner_texts()
    assert sorted(names) == sorted(["基线", "каша/😀", "عربي"])
    expect(found.get_by_role("heading")).to_have_text("权重/<b>w</b>")


def test_new_steps_appear(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """What is appended comes by itself."""
    histogram_logs.odd_names(tmp_path)
    page = open_page(driver, start_board(tmp_path, "--reload_interval", "1"))
    at = page.locator('[data-run="基线"] [data-columns]')
    expect(at).to_have_attribute("data-columns", "4")
    file = next((tmp_path / "基线").glob("*tfevents*"))
    proto = ef.tensor(ef.DOUBLE, [0.0, 1.0, 3.0], shape=[1, 3])
    value = ef.tensor_value("权重/<b>w</b>", proto, histogram_logs.METADATA)
    ef.append_events(file, [ef.summary_record([value], step=9, wall_time=1.8e9)])
    expect(at).to_have_attribute("data-columns", "5")


def test_full_screen_goes_to_the_neighbours(driver: PageDriver, spreads: BoardProcess) -> None:
    """One card after the other, and back to the page."""
    page = open_page(driver, spreads)
    found = find_card(page, TAG)
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    page.get_by_role("dialog", name=TAG).get_by_role("button", name="Next card").click()
    full = page.get_by_role("dialog", name="layer_1/bias")
    expect(full.get_by_role("img", name="layer_1/bias")).to_be_visible()
    full.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_histograms_appear_on_time_series(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """One run at a time, in card size; header buttons switch."""
    histogram_logs.spreads(tmp_path)
    for run in histogram_logs.RUNS:
        file = next((tmp_path / run).glob("*tfevents*"))
        ef.append_events(
            file, [ef.scalar_record("layer_0/loss", step, 1.0, 1.75e9 + step) for step in range(0, 3000, 10)]
        )
    page = open_page(driver, start_board(tmp_path), "")
    found = find_card(page, TAG)
    expect(found.get_by_test_id("histogram")).to_have_attribute("data-run", "baseline")
    found.hover()
    found.get_by_role("button", name="Next run").click()
    expect(found.get_by_test_id("histogram")).to_have_attribute("data-run", "lr_1e-3")
    settle(page)
    heights = [each.bounding_box() for each in (found, find_card(page, "layer_0/loss"))]
    assert len({box["height"] for box in heights if box}) == 1
    point(page, found.get_by_role("img", name=TAG), 0.4)
    expect(find_card(page, "layer_0/loss").get_by_test_id("cursor-step")).to_be_visible()


def test_links_to_the_data_stand_on_the_cards(driver: PageDriver, spreads: BoardProcess) -> None:
    """Where they are wanted: every bucket of each run."""
    page = open_page(driver, spreads, "&links=true#histograms")
    link = find_card(page, TAG).get_by_role("link", name="seed0: All buckets as CSV")
    with urllib.request.urlopen(f"{spreads.url}{link.get_attribute('href')}") as answer:
        assert answer.read().startswith(b"step,wall_time,left,right,count\r\n0,")


@pytest.mark.parametrize("width", [1440, 390])
def test_full_screen_has_the_choices_of_the_page(driver: PageDriver, spreads: BoardProcess, width: int) -> None:
    """Within reach of the pointer, wide or narrow."""
    page = open_page(driver, spreads, width=width)
    found = find_card(page, TAG)
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    full = page.get_by_role("dialog", name=TAG)
    full.get_by_role("button", name="Log count").click()
    expect(full.get_by_role("button", name="Log count")).to_have_attribute("aria-pressed", "true")
    full.get_by_role("combobox", name="Value range").select_option("full")
    expect(full.get_by_role("img", name=TAG)).to_have_attribute("data-high", "41.6")
