"""Texts: runs side by side, differences, search, hostile content."""

import json
import pathlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from support import media_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter, serve_logs
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.settled_pages import press, settle
from support.translations import find_english

SAMPLE = "generation/sample"
WIDTHS = [1440, 1280, 1024, 390]
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Three runs of samples, tables, a long text and a hostile one."""
    yield from serve_logs(tmp_path_factory.mktemp("texts") / "runs", media_logs.texts)


def card(page: Page, tag: str = SAMPLE) -> Locator:
    """The card of a tag, scrolled to."""
    place = page.locator(f'[data-item="{tag}"]')
    place.scroll_into_view_if_needed()
    found = place.get_by_test_id("card")
    expect(found).to_have_attribute("data-state", "ready")
    return found


def column(page: Page, run: str, tag: str = SAMPLE) -> Locator:
    """The text of one run on a card."""
    return card(page, tag).locator(f'section[data-run="{run}"]')


def test_runs_stand_beside_each_other_at_the_last_step(driver: PageDriver, texts: BoardProcess) -> None:
    """As Markdown, in the colours of the run table."""
    page = driver.open(texts, "#text")
    expect(column(page, "baseline")).to_contain_text("The quick brown fox jumps over the lazy dog, 10 times.")
    expect(column(page, "lr_1e-3").locator("strong")).to_have_text("1000")
    expect(column(page, "big/seed0").locator("table td").last).to_have_text("0.5")
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    assert dict(card(page).locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_one_slider_moves_all_texts_and_every_page(driver: PageDriver, texts: BoardProcess) -> None:
    """To any stored step; what has none there shows its nearest and says so; the step stays on other pages."""
    page = driver.open(texts, "#text")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    press(page, "Home")
    expect(column(page, "baseline")).to_have_attribute("data-step", "0")
    expect(column(page, "lr_1e-3")).to_have_attribute("data-step", "100")
    expect(column(page, "lr_1e-3").locator("header")).to_contain_text("≈ 100")
    press(page, "ArrowRight")
    expect(column(page, "baseline")).to_contain_text("step 100")
    expect(page).to_have_url(re.compile(r"pin=100,#text"))


def test_torchs_suffix_is_not_shown_and_not_lost(driver: PageDriver, texts: BoardProcess) -> None:
    """The title is without it, the tag keeps it."""
    page = driver.open(texts, "#text")
    expect(card(page, "generation/prompt/text_summary").locator("h3")).to_have_text("generation/prompt")


def test_raw_is_the_text_to_the_letter(driver: PageDriver, texts: BoardProcess) -> None:
    """Signs of Markdown are letters there."""
    page = driver.open(texts, "&text=raw&pin=200,#text")
    assert column(page, "baseline").locator("pre").inner_text() == media_logs.sample(0, 200)
    expect(column(page, "baseline").locator("pre")).to_have_css("font-variant-ligatures", "none")


def test_words_that_changed_since_the_step_before_are_marked(driver: PageDriver, texts: BoardProcess) -> None:
    """Taken out and put in; the first step has nothing before it."""
    page = driver.open(texts, "&pin=300,#text")
    page.get_by_text("Difference").click()
    expect(column(page, "baseline").locator("del")).to_have_text(["200", "2"])
    expect(column(page, "baseline").locator("ins")).to_have_text(["300", "3"])
    page.get_by_role("slider", name="Step").focus()
    press(page, "Home")
    expect(column(page, "baseline")).to_contain_text("No earlier text to compare with")


def test_words_that_differ_from_another_run_are_marked(driver: PageDriver, texts: BoardProcess) -> None:
    """At the same step; the run itself does not differ."""
    page = driver.open(texts, "&text=diff&pin=300,#text")
    page.get_by_role("combobox", name="Compare with").select_option(label="baseline")
    expect(column(page, "lr_1e-3").locator("del")).to_have_text(["fox"])
    expect(column(page, "lr_1e-3").locator("ins")).to_have_text(["wolf"])
    expect(column(page, "baseline")).to_contain_text("No difference")
    again = driver.open(texts, "&" + page.url.split("?test=1&")[1])
    expect(column(again, "lr_1e-3").locator("ins")).to_have_text(["wolf"])


def test_all_steps_stand_below_each_other(driver: PageDriver, texts: BoardProcess) -> None:
    """From the chosen one backwards; where a run has none is a hole; more are built when asked for."""
    page = driver.open(texts, "&tagFilter=sample#text")
    page.get_by_role("button", name="All steps").click()
    steps = card(page).locator('section[data-run="baseline"]')
    expect(steps.nth(0)).to_have_attribute("data-step", "1000")
    card(page).get_by_role("button", name="Earlier steps").click()
    last = card(page).locator("[class*=cells]").last
    last.scroll_into_view_if_needed()
    expect(last).to_contain_text("step 0")
    expect(last).to_contain_text("No text at this step")


def test_tables_are_tables_and_piles_can_be_turned(driver: PageDriver, texts: BoardProcess) -> None:
    """Rank two is a table of Markdown; of rank three every table can be seen."""
    page = driver.open(texts, "#text")
    expect(column(page, "baseline", "table").locator("td")).to_have_text(["name", "loss", "baseline", "0.500"])
    pile = column(page, "baseline", "pile")
    expect(pile).to_contain_text("Table 1 of 3")
    pile.get_by_role("button", name="Next table").click()
    expect(pile.locator("td").first).to_have_text("baseline 4")


def test_a_long_text_is_folded_and_more_can_be_had(driver: PageDriver, texts: BoardProcess) -> None:
    """Its beginning first; raw goes on as far as one wants."""
    page = driver.open(texts, "&text=raw#text")
    long = column(page, "baseline", "long")
    expect(long).to_contain_text("First 66 kB of 134 kB")
    settle(page)
    assert long.bounding_box()["height"] < 500
    long.get_by_role("button", name="Show more").click()
    expect(long).to_contain_text("Sentence 4999 of baseline.")
    long.get_by_role("button", name="Show all").click()
    settle(page)
    assert long.bounding_box()["height"] > 5000


def test_hostile_words_do_nothing(driver: PageDriver, texts: BoardProcess) -> None:
    """Nothing runs, nobody is asked (see `driver`), links leave the page alone."""
    page = driver.open(texts, "#text")
    text = column(page, "baseline", "hostile")
    expect(text).to_contain_text("Hostile")
    for name in ("out", "around", "pixel", "b"):
        page.evaluate("window.open = (...given) => { window.opened = given }; window.opened = null")
        text.locator("a", has_text=name).first.click()
        settle(page)
        opened = {"out": "https://example.invalid/page", "pixel": "http://example.invalid/pixel.png"}.get(name)
        assert page.evaluate("window.opened") == (opened and [opened, "_blank", "noopener,noreferrer"])
    assert page.evaluate("window.hacked") is None
    assert text.locator("script, iframe, form, style, svg script, img").count() == 0
    assert page.evaluate("location.hash") == "#text"


def test_a_search_goes_over_all_steps_and_leads_there(driver: PageDriver, texts: BoardProcess) -> None:
    """A word in any letters; each hit shows where it stands."""
    page = driver.open(texts, "#text")
    page.get_by_role("searchbox", name="Search all steps").fill("FOX JUMPS OVER THE LAZY DOG, 4")
    results = page.get_by_test_id("text-results")
    expect(results).to_contain_text("1 text matches · 75 of 75 texts searched")
    expect(results.locator("mark")).to_have_text(["fox jumps over the lazy dog, 4"])
    results.get_by_role("listitem").get_by_role("button").click()
    expect(column(page, "baseline")).to_have_attribute("data-step", "400")
    expect(column(page, "baseline")).to_be_in_viewport()


def test_an_expression_is_searched_and_a_wrong_one_says_why(driver: PageDriver, texts: BoardProcess) -> None:
    """Between slashes; hidden runs are not searched."""
    page = driver.open(texts, "&find=/fox|bear/&hide=baseline#text")
    results = page.get_by_test_id("text-results")
    expect(results).to_contain_text("9 texts match")
    with page.expect_response(lambda answer: answer.url.endswith("/text/search") and answer.status == 400):
        page.get_by_role("searchbox", name="Search all steps").fill("/fox(/")
    expect(results.get_by_role("alert")).to_contain_text("not a regular expression")
    driver.console_errors.clear()  # the browser reports every answer of 400


def test_a_text_can_be_taken_away(driver: PageDriver, texts: BoardProcess, tmp_path: pathlib.Path) -> None:
    """On the clipboard, as a file, as JSON; whole and to the letter."""
    page = driver.open(texts, "&pin=300,#text", permissions=["clipboard-read", "clipboard-write"])
    menu = column(page, "baseline").get_by_role("button", name="Export this text")
    menu.click()
    page.get_by_role("menuitem", name="Copy text").click()
    expect(page.get_by_test_id("toast")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == media_logs.sample(0, 300)
    for item, name in (("Text file", "sample.txt"), ("Text as JSON", "sample.json")):
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


def test_odd_names_are_whole(driver: PageDriver, texts: BoardProcess) -> None:
    """In any script."""
    page = driver.open(texts, "#text")
    expect(card(page, "имя/训练 🚀/עברית").locator("h3")).to_have_text("имя/训练 🚀/עברית")


def test_axe_finds_nothing(driver: PageDriver, texts: BoardProcess) -> None:
    """Check 27: in both themes, wide and on a phone."""
    page = driver.open(texts, "&text=diff&allSteps=true&find=fox#text")

    assert find_violations_in_both_themes(page, [1440, 390]) == {}
    expect(page.locator("section[data-run] :is(pre, p)").first).to_be_visible()


@pytest.mark.parametrize(
    ("address", "accessible"), [("#text", [1440, 390]), ("&text=diff&find=fox#text", [])], ids=["list", "differences"]
)
def test_pages_are_intact_and_accessible(
    driver: PageDriver, texts: BoardProcess, address: str, accessible: list[int]
) -> None:
    """Checks 4, 27 and 29: in each language at four widths."""
    page = driver.open(texts, f"&lang={LANGUAGES[0]}{address}")

    assert find_page_faults(page, WIDTHS, accessible=accessible, find_untranslated=None) == {}
    expect(page.locator("section[data-run] :is(pre, p)").first).to_be_visible()


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_no_english_is_left(driver: PageDriver, texts: BoardProcess, language: str) -> None:
    """Check 29, data aside."""
    page = driver.open(texts, f"&lang={language}&text=diff&find=fox&tagFilter=%5Etable#text")
    expect(page.get_by_test_id("text-results").locator("mark").first).to_be_visible()
    settle(page)
    page.evaluate("document.querySelectorAll('pre, [class*=words]').forEach((each) => each.remove())")
    assert find_english(page) == []


def test_new_steps_come_by_themselves(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """While the latest is followed it is shown; a pinned step stays."""
    media_logs.texts(tmp_path / "runs")
    board = start_board(tmp_path / "runs")
    latest = driver.open(board, "#text")
    pinned = driver.open(board, "&pin=300,#text")
    expect(column(latest, "baseline")).to_have_attribute("data-step", "1000")
    expect(column(pinned, "baseline")).to_have_attribute("data-step", "300")

    media_logs.write_on(tmp_path / "runs", step=1100)

    expect(column(latest, "baseline")).to_have_attribute("data-step", "1100")
    expect(column(latest, "baseline")).to_contain_text("The quick brown fox jumps over the lazy dog, 11 times.")
    expect(pinned.get_by_role("slider", name="Step")).to_have_attribute("max", "11")
    expect(column(pinned, "baseline")).to_have_attribute("data-step", "300")
