"""The page of texts: runs beside each other at one step, what changed, a search over all steps, and hostile words."""

import json
import pathlib
import re
from collections.abc import Iterator

import media_logs
import pytest
from playwright.sync_api import Locator, Page, expect
from served import Board, Serving
from test_access import violations
from test_languages_seen import english
from test_layout_seen import FAULTS
from visitor import Visitor

from conftest import serve

SAMPLE = "generation/sample"
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Three runs of samples, tables, a long text and a hostile one."""
    yield from serve(tmp_path_factory.mktemp("texts") / "runs", media_logs.texts)


def card(page: Page, tag: str = SAMPLE) -> Locator:
    """The card of a tag, scrolled to."""
    place = page.locator(f'[data-item="{tag}"]')
    place.scroll_into_view_if_needed()
    found = place.get_by_test_id("card")
    expect(found).to_have_attribute("data-state", "ready", timeout=20_000)
    return found


def column(page: Page, run: str, tag: str = SAMPLE) -> Locator:
    """The text of one run on a card."""
    return card(page, tag).locator(f'section[data-run="{run}"]')


def test_runs_stand_beside_each_other_at_the_last_step(visitor: Visitor, texts: Board) -> None:
    """As Markdown, in the colours of the run table."""
    page = visitor.open(texts, "#text")
    expect(column(page, "baseline")).to_contain_text("The quick brown fox jumps over the lazy dog, 10 times.")
    expect(column(page, "lr_1e-3").locator("strong")).to_have_text("1000")
    expect(column(page, "big/seed0").locator("table td").last).to_have_text("0.5")
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    assert dict(card(page).locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_one_slider_moves_all_texts_and_every_page(visitor: Visitor, texts: Board) -> None:
    """To any stored step; what has none there shows its nearest and says so; the step stays on other pages."""
    page = visitor.open(texts, "#text")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("Home")
    expect(column(page, "baseline")).to_have_attribute("data-step", "0")
    expect(column(page, "lr_1e-3")).to_have_attribute("data-step", "100")
    expect(column(page, "lr_1e-3").locator("header")).to_contain_text("≈ 100")
    page.keyboard.press("ArrowRight")
    expect(column(page, "baseline")).to_contain_text("Step 100")
    expect(page).to_have_url(re.compile(r"pin=100,#text"))


def test_torchs_suffix_is_not_shown_and_not_lost(visitor: Visitor, texts: Board) -> None:
    """The title is without it, the tag keeps it."""
    page = visitor.open(texts, "#text")
    expect(card(page, "generation/prompt/text_summary").locator("h3")).to_have_text("generation/prompt")


def test_raw_is_the_text_to_the_letter(visitor: Visitor, texts: Board) -> None:
    """Signs of Markdown are letters there."""
    page = visitor.open(texts, "&text=raw&pin=200,#text")
    assert column(page, "baseline").locator("pre").inner_text() == media_logs.sample(0, 200)
    expect(column(page, "baseline").locator("pre")).to_have_css("font-variant-ligatures", "none")


def test_words_that_changed_since_the_step_before_are_marked(visitor: Visitor, texts: Board) -> None:
    """Taken out and put in; the first step has nothing before it."""
    page = visitor.open(texts, "&pin=300,#text")
    page.get_by_text("Difference").click()
    expect(column(page, "baseline").locator("del")).to_have_text(["200", "2"])
    expect(column(page, "baseline").locator("ins")).to_have_text(["300", "3"])
    page.get_by_role("slider", name="Step").press("Home")
    expect(column(page, "baseline")).to_contain_text("Nothing earlier to compare with")


def test_words_that_differ_from_another_run_are_marked(visitor: Visitor, texts: Board) -> None:
    """At the same step; the run itself does not differ."""
    page = visitor.open(texts, "&text=diff&pin=300,#text")
    page.get_by_role("combobox", name="Compare with").select_option(label="baseline")
    expect(column(page, "lr_1e-3").locator("del")).to_have_text(["fox"])
    expect(column(page, "lr_1e-3").locator("ins")).to_have_text(["wolf"])
    expect(column(page, "baseline")).to_contain_text("No difference")
    again = visitor.open(texts, "&" + page.url.split("?test=1&")[1])
    expect(column(again, "lr_1e-3").locator("ins")).to_have_text(["wolf"])


def test_all_steps_stand_below_each_other(visitor: Visitor, texts: Board) -> None:
    """From the chosen one backwards; where a run has none is a hole; more are built when asked for."""
    page = visitor.open(texts, "&tagFilter=sample#text")
    page.get_by_role("button", name="All steps").click()
    steps = card(page).locator('section[data-run="baseline"]')
    expect(steps.nth(0)).to_have_attribute("data-step", "1000")
    card(page).get_by_role("button", name="Earlier steps").click()
    last = card(page).locator("[class*=cells]").last
    last.scroll_into_view_if_needed()
    expect(last).to_contain_text("Step 0")
    expect(last).to_contain_text("Nothing at this step")


def test_tables_are_tables_and_piles_can_be_turned(visitor: Visitor, texts: Board) -> None:
    """Rank two is a table of Markdown; of rank three every table can be seen."""
    page = visitor.open(texts, "#text")
    expect(column(page, "baseline", "table").locator("td")).to_have_text(["name", "loss", "baseline", "0.500"])
    pile = column(page, "baseline", "pile")
    expect(pile).to_contain_text("Table 1 of 3")
    pile.get_by_role("button", name="Next table").click()
    expect(pile.locator("td").first).to_have_text("baseline 4")


def test_a_long_text_is_folded_and_more_can_be_had(visitor: Visitor, texts: Board) -> None:
    """Its beginning first; raw goes on as far as one wants."""
    page = visitor.open(texts, "&text=raw#text")
    long = column(page, "baseline", "long")
    expect(long).to_contain_text("The first 66 KB of 144 KB")
    assert long.bounding_box()["height"] < 500
    long.get_by_role("button", name="Show more").click()
    expect(long).to_contain_text("Paragraph 4999 of baseline.")
    long.get_by_role("button", name="Show all").click()
    assert long.bounding_box()["height"] > 5000


def test_hostile_words_do_nothing(visitor: Visitor, texts: Board) -> None:
    """Nothing runs, nobody is asked (see `visitor`), links leave the page alone."""
    page = visitor.open(texts, "#text")
    text = column(page, "baseline", "hostile")
    expect(text).to_contain_text("Hostile")
    for name in ("out", "around", "pixel", "b"):
        page.evaluate("window.open = (...given) => { window.opened = given }; window.opened = null")
        text.locator("a", has_text=name).first.click()
        opened = {"out": "https://example.invalid/page", "pixel": "http://example.invalid/pixel.png"}.get(name)
        assert page.evaluate("window.opened") == (opened and [opened, "_blank", "noopener,noreferrer"])
    assert page.evaluate("window.hacked") is None
    assert text.locator("script, iframe, form, style, svg script, img").count() == 0
    assert page.evaluate("location.hash") == "#text"


def test_a_search_goes_over_all_steps_and_leads_there(visitor: Visitor, texts: Board) -> None:
    """A word in any letters; each hit shows where it stands."""
    page = visitor.open(texts, "#text")
    page.get_by_role("searchbox", name="Search all steps").fill("FOX JUMPS OVER THE LAZY DOG, 4")
    results = page.get_by_test_id("text-results")
    expect(results).to_contain_text("1 text matches · 75 of 75 texts searched")
    expect(results.locator("mark")).to_have_text(["fox jumps over the lazy dog, 4"])
    results.get_by_role("listitem").get_by_role("button").click()
    expect(column(page, "baseline")).to_have_attribute("data-step", "400")
    expect(column(page, "baseline")).to_be_in_viewport()


def test_an_expression_is_searched_and_a_wrong_one_says_why(visitor: Visitor, texts: Board) -> None:
    """Between slashes; hidden runs are not searched."""
    page = visitor.open(texts, "&find=/fox|bear/&hide=baseline#text")
    results = page.get_by_test_id("text-results")
    expect(results).to_contain_text("9 texts match")
    page.get_by_role("searchbox", name="Search all steps").fill("/fox(/")
    with page.expect_response(lambda answer: answer.url.endswith("/text/search") and answer.status == 400):
        pass
    expect(results.get_by_role("alert")).to_contain_text("not a regular expression")
    visitor.complaints.clear()  # the browser reports every answer of 400


def test_a_text_can_be_taken_away(visitor: Visitor, texts: Board, tmp_path: pathlib.Path) -> None:
    """On the clipboard, as a file, as JSON; whole and to the letter."""
    page = visitor.open(texts, "&pin=300,#text", permissions=["clipboard-read", "clipboard-write"])
    menu = column(page, "baseline").get_by_role("button", name="Take this text away")
    menu.click()
    page.get_by_role("menuitem", name="Copy the text").click()
    expect(page.get_by_test_id("toast")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == media_logs.sample(0, 300)
    for item, name in (("Text as a file", "sample.txt"), ("Text as JSON", "sample.json")):
        menu.click()
        with page.expect_download() as taken:
            page.get_by_role("menuitem", name=item).click()
        taken.value.save_as(tmp_path / name)
    assert (tmp_path / "sample.txt").read_text() == media_logs.sample(0, 300)
    assert json.loads((tmp_path / "sample.json").read_text()) == {
        "run": "baseline",
        "tag": SAMPLE,
        "step": 300,
        "wall_time": media_logs.START + 300,
        "shape": [],
        "strings": [media_logs.sample(0, 300)],
        "cut": False,
    }


def test_odd_names_are_whole(visitor: Visitor, texts: Board) -> None:
    """In any script."""
    page = visitor.open(texts, "#text")
    expect(card(page, "имя/训练 🚀/עברית").locator("h3")).to_have_text("имя/训练 🚀/עברית")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("address", ["#text", "&text=diff&allSteps=true&find=fox#text"])
def test_axe_finds_nothing(visitor: Visitor, texts: Board, address: str, width: int, scheme: str) -> None:
    """Check 27."""
    page = visitor.open(texts, address, width=width, scheme=scheme)
    expect(page.locator("section[data-run] :is(pre, p)").first).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
@pytest.mark.parametrize("address", ["#text", "&text=diff&find=fox#text"])
def test_nothing_is_cut_or_overlapping(visitor: Visitor, texts: Board, address: str, width: int, language: str) -> None:
    """Checks 4 and 29."""
    page = visitor.open(texts, f"&lang={language}{address}", width=width)
    expect(page.locator("section[data-run] :is(pre, p)").first).to_be_visible()
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_no_english_is_left(visitor: Visitor, texts: Board, language: str) -> None:
    """Check 29, data aside."""
    page = visitor.open(texts, f"&lang={language}&text=diff&find=fox&tagFilter=%5Etable#text")
    expect(page.get_by_test_id("text-results").locator("mark").first).to_be_visible()
    page.evaluate("document.querySelectorAll('pre, [class*=words]').forEach((each) => each.remove())")
    assert english(page) == []


def test_new_steps_come_by_themselves(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """While the latest is followed it is shown; a pinned step stays."""
    media_logs.texts(tmp_path / "runs")
    board = serving(tmp_path / "runs")
    latest = visitor.open(board, "#text")
    pinned = visitor.open(board, "&pin=300,#text")
    expect(column(latest, "baseline")).to_have_attribute("data-step", "1000")
    expect(column(pinned, "baseline")).to_have_attribute("data-step", "300")

    media_logs.write_on(tmp_path / "runs", step=1100)

    expect(column(latest, "baseline")).to_have_attribute("data-step", "1100", timeout=20_000)
    expect(column(latest, "baseline")).to_contain_text("The quick brown fox jumps over the lazy dog, 11 times.")
    expect(pinned.get_by_role("slider", name="Step")).to_have_attribute("max", "11", timeout=20_000)
    expect(column(pinned, "baseline")).to_have_attribute("data-step", "300")
