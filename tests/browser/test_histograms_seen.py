"""Histograms as a person sees them: four forms of picture, one range, one step, values to read and to take away."""

import json
import pathlib
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import histogram_logs
import pytest
from cards import card
from playwright.sync_api import Locator, Page, expect
from served import Board, Serving
from taking import texts
from visitor import Visitor

from lightboard.testing import event_files as ef

TAG = "layer_0/kernel"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def spreads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Six tags in three runs."""
    folder = tmp_path_factory.mktemp("spreads") / "runs"
    histogram_logs.spreads(folder)
    with Board(folder) as board:
        yield board


def open_page(visitor: Visitor, board: Board, query: str = "#histograms", **how: Any) -> Page:
    return visitor.open(board, query, **how)


def panel(of: Locator, run: str = "baseline") -> Locator:
    """The picture of a run."""
    return of.locator(f'[data-testid=histogram][data-run="{run}"]')


def picture(of: Locator, run: str = "baseline") -> Locator:
    return panel(of, run).get_by_role("img", name=TAG)


def point(page: Page, at: Locator, across: float, down: float = 0.5) -> None:
    """Move the pointer over a picture."""
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])


def asked(board: Board, path: str, **query: Any) -> Any:
    with urllib.request.urlopen(f"{board.url}api/v1/histograms/{path}?{urllib.parse.urlencode(query)}") as answer:
        return json.load(answer)


def test_a_spread_is_seen_in_spite_of_outliers(visitor: Visitor, spreads: Board) -> None:
    """98 % of the mass fill two fifths of the height or more, in every picture; the full range is another choice."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    shares = page.locator("[data-mass]").evaluate_all("(all) => all.map((each) => +each.dataset.mass)")
    assert len(shares) >= 6
    assert min(shares) >= 0.4
    page.get_by_role("combobox", name="Range of values").select_option("full")
    expect(picture(found)).to_have_attribute("data-high", "41.6")


def test_eighteen_pictures_are_less_than_a_megabyte(visitor: Visitor, spreads: Board) -> None:
    """Of everything the page asks about histograms, scrolled to its end."""
    page = open_page(visitor, spreads, "", ready=False)
    sizes: list[int] = []
    page.on(
        "requestfinished",
        lambda request: sizes.append(request.sizes()["responseBodySize"]) if "/histograms/" in request.url else None,
    )
    page.goto(f"{spreads.url}?test=1#histograms")
    page.reload()
    for tag in histogram_logs.TAGS:
        page.locator(
            f'[data-testid=card][data-tag="{tag}"], main section:last-of-type'
        ).first.scroll_into_view_if_needed()
        page.mouse.move(800, 500)
        page.mouse.wheel(0, 1200)
        card(page, tag)
    expect(page.locator("[data-mass]")).to_have_count(18)
    assert 0 < sum(sizes) < MEGABYTE


@pytest.mark.parametrize("mode", ["Heat map", "Offset", "Overlay", "Percentiles"])
def test_four_forms_of_picture(visitor: Visitor, spreads: Board, mode: str) -> None:
    """Each is drawn, and stands in the address."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    page.get_by_role("radio", name=mode).check(force=True)
    expect(found).to_have_attribute("data-state", "ready")
    drawn = """(canvas) => new Set(new Uint32Array(
        canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""
    assert picture(found).locator("canvas").first.evaluate(drawn) > 20
    name = {"Heat map": None}.get(mode, mode.lower())
    if name:
        page.wait_for_function(f"location.search.includes('histograms={name}')")


def test_old_links_to_distributions_open_the_percentiles(visitor: Visitor, spreads: Board) -> None:
    """One page for both."""
    page = open_page(visitor, spreads, "#distributions")
    expect(page.get_by_role("radio", name="Percentiles")).to_be_checked()
    expect(page.get_by_test_id("tab-histograms")).to_have_attribute("aria-current", "page")


def test_runs_of_a_tag_have_one_range_or_each_its_own(visitor: Visitor, spreads: Board) -> None:
    """The same by default."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    ends = "(all) => all.map((each) => each.dataset.low + ' ' + each.dataset.high)"
    assert len(set(found.locator("[data-low]").evaluate_all(ends))) == 1
    page.get_by_role("button", name="Same range").click()
    page.wait_for_function(
        """(tag) => new Set([...document.querySelectorAll(`[data-tag="${tag}"] [data-low]`)]
            .map((each) => each.dataset.low)).size > 1""",
        arg=TAG,
    )


def test_the_tip_says_what_the_buckets_hold(visitor: Visitor, spreads: Board) -> None:
    """Edges and count of the bucket pointed at, as the API tells them."""
    page = open_page(visitor, spreads, "&zoom=0,500#histograms")
    at = picture(card(page, TAG))
    point(page, at, 0.4)
    tip = page.get_by_test_id("tip")
    expect(tip.locator("dd").first).not_to_contain_text("≈")
    step = int(tip.locator("div").first.inner_text().split("·")[0].replace("step", "").replace("\u2009", ""))
    told = asked(spreads, "one", run="baseline", tag=TAG, step=step)
    count = int(tip.locator("dd").first.inner_text().split(" ")[0])
    assert told["step"] == step
    assert count in [bucket[2] for bucket in told["buckets"]]
    expect(tip).to_contain_text("500")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_every_picture_shows_the_step_of_the_cursor(visitor: Visitor, spreads: Board) -> None:
    """The same one on all cards; a click keeps it, also in the address."""
    page = open_page(visitor, spreads)
    at = picture(card(page, TAG))
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


def test_keys_move_the_step(visitor: Visitor, spreads: Board) -> None:
    """Arrows from column to column, m keeps it, Enter shows the run over the whole window, Esc goes back."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    at, step = picture(found), panel(found).get_by_test_id("cursor-step")
    at.focus()
    page.keyboard.press("Home")
    expect(step).to_contain_text("step 0")
    page.keyboard.press("ArrowRight")
    expect(step).not_to_contain_text("step 0")
    page.keyboard.press("m")
    page.wait_for_function("location.search.includes('pin=')")
    page.keyboard.press("Enter")
    full = page.get_by_role("dialog", name=TAG)
    expect(full.get_by_role("img", name=TAG)).to_be_visible()
    page.keyboard.press("Escape")
    expect(full).to_have_count(0)
    expect(at).to_be_focused()


def test_the_picture_is_a_sentence_and_a_table(visitor: Visitor, spreads: Board) -> None:
    """For those who do not see it: how many, from where to where, median and spread; every column in the table."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    expect(picture(found)).to_have_attribute("aria-label", re.compile("300 histograms, steps 0 to 2990"))
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    table = page.get_by_role("dialog").get_by_role("table")
    expect(table.locator("tbody tr")).to_have_count(300)
    last = asked(spreads, "one", run="baseline", tag=TAG)
    assert last["step"] == 2990
    expect(table.locator("tbody tr").first).to_contain_text("500")


def test_a_level_drag_chooses_the_range_of_steps(visitor: Visitor, spreads: Board) -> None:
    """On all cards; a double click goes back."""
    page = open_page(visitor, spreads)
    at = picture(card(page, TAG))
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


def test_a_run_has_the_colour_it_has_everywhere(visitor: Visitor, spreads: Board) -> None:
    """In the table and on each picture."""
    page = open_page(visitor, spreads)
    color = "(swatch) => getComputedStyle(swatch).backgroundColor"
    for run in histogram_logs.RUNS:
        row = page.locator(f'[data-testid=run-row][data-run="{run}"] [class*=swatch]').first
        swatch = panel(card(page, TAG), run).locator("figcaption [class*=swatch]")
        assert row.evaluate(color) == swatch.evaluate(color)


def test_data_and_pictures_are_taken_away(visitor: Visitor, spreads: Board, tmp_path: pathlib.Path) -> None:
    """Every bucket as CSV and JSON, as the API has them; an SVG with title, names of runs and ticks."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)

    def taken(*items: str) -> pathlib.Path:
        found.hover()
        found.get_by_role("button", name="More for this card").click()
        for item in items[:-1]:
            page.get_by_role("menuitem", name=item).press("ArrowRight")
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=items[-1]).press("Enter")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    table = taken("Every bucket as CSV", "seed0").read_text().splitlines()
    document = json.loads(taken("Every bucket as JSON", "seed0").read_text())
    told = asked(spreads, "series", run="seed0", tag=TAG)
    assert document == told
    assert len(table) == 1 + sum(len(buckets) for _, _, buckets in told["histograms"])
    words = texts(taken("Picture as SVG").read_text())
    assert {TAG, *histogram_logs.RUNS} <= set(words)
    assert taken("Picture as PNG").read_bytes().startswith(b"\x89PNG")


def test_odd_names_and_histograms_of_nothing(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Names are shown as written, nothing of them acts; what has no width or no values breaks nothing."""
    histogram_logs.odd_names(tmp_path)
    page = open_page(visitor, serving(tmp_path), "&histograms=offset#histograms")
    found = card(page, "权重/<b>w</b>")
    for mode in ("Heat map", "Overlay", "Percentiles"):
        page.get_by_role("radio", name=mode).check(force=True)
        expect(found).to_have_attribute("data-state", "ready")
    names = found.locator("figcaption bdi").all_inner_texts()
    assert sorted(names) == sorted(["基线", "каша/😀", "عربي"])
    expect(found.get_by_role("heading")).to_have_text("权重/<b>w</b>")


def test_a_new_step_is_seen(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """What is appended comes by itself."""
    histogram_logs.odd_names(tmp_path)
    page = open_page(visitor, serving(tmp_path, "--reload_interval", "1"))
    at = page.locator('[data-run="基线"] [data-columns]')
    expect(at).to_have_attribute("data-columns", "4")
    file = next((tmp_path / "基线").glob("*tfevents*"))
    proto = ef.tensor(ef.DOUBLE, [0.0, 1.0, 3.0], shape=[1, 3])
    value = ef.tensor_value("权重/<b>w</b>", proto, histogram_logs.METADATA)
    ef.append_events(file, [ef.summary_record([value], step=9, wall_time=1.8e9)])
    expect(at).to_have_attribute("data-columns", "5")


def test_full_screen_goes_to_the_neighbours(visitor: Visitor, spreads: Board) -> None:
    """One card after the other, and back to the page."""
    page = open_page(visitor, spreads)
    found = card(page, TAG)
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    page.get_by_role("dialog", name=TAG).get_by_role("button", name="Next card").click()
    full = page.get_by_role("dialog", name="layer_1/bias")
    expect(full.get_by_role("img", name="layer_1/bias")).to_be_visible()
    full.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_time_series_mixes_histograms_in(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """One run at a time, in the size of the other cards; the buttons of its head turn to the next."""
    histogram_logs.spreads(tmp_path)
    for run in histogram_logs.RUNS:
        file = next((tmp_path / run).glob("*tfevents*"))
        ef.append_events(
            file, [ef.scalar_record("layer_0/loss", step, 1.0, 1.75e9 + step) for step in range(0, 3000, 10)]
        )
    page = open_page(visitor, serving(tmp_path), "")
    found = card(page, TAG)
    expect(found.get_by_test_id("histogram")).to_have_attribute("data-run", "baseline")
    found.hover()
    found.get_by_role("button", name="Next run").click()
    expect(found.get_by_test_id("histogram")).to_have_attribute("data-run", "lr_1e-3")
    heights = [each.bounding_box() for each in (found, card(page, "layer_0/loss"))]
    assert len({box["height"] for box in heights if box}) == 1
    point(page, found.get_by_role("img", name=TAG), 0.4)
    expect(card(page, "layer_0/loss").get_by_test_id("cursor-step")).to_be_visible()


def test_links_to_the_data_stand_on_the_cards(visitor: Visitor, spreads: Board) -> None:
    """Where they are wanted: every bucket of each run."""
    page = open_page(visitor, spreads, "&links=true#histograms")
    link = card(page, TAG).get_by_role("link", name="seed0: Every bucket as CSV")
    with urllib.request.urlopen(f"{spreads.url}{link.get_attribute('href')}") as answer:
        assert answer.read().startswith(b"step,wall_time,left,right,count\r\n0,")


@pytest.mark.parametrize("width", [1440, 390])
def test_full_screen_has_the_choices_of_the_page(visitor: Visitor, spreads: Board, width: int) -> None:
    """Within reach of the pointer, wide or narrow."""
    page = open_page(visitor, spreads, width=width)
    found = card(page, TAG)
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    full = page.get_by_role("dialog", name=TAG)
    full.get_by_role("button", name="Log count").click()
    expect(full.get_by_role("button", name="Log count")).to_have_attribute("aria-pressed", "true")
    full.get_by_role("combobox", name="Range of values").select_option("full")
    expect(full.get_by_role("img", name=TAG)).to_have_attribute("data-high", "41.6")
