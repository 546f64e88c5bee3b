"""Adjacent names are distinguishable as displayed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support import image_logs
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver
from support.settled_pages import settle

LINES_OF_STEP = """() => [...document.querySelectorAll('[data-testid=card] [class*=summary]')].map((summary) => {
    const texts = document.createTreeWalker(summary, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const at = texts.currentNode.data.search(/5.990/)
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(texts.currentNode, at)
        range.setEnd(texts.currentNode, at + 5)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size
    }
    return 0
})"""
FLAT = "&tree=false"
WIDTHS = (1440, 1024, 390)
RUN_NAMES = "[data-testid=run-row] [data-drag] > bdi"
OVERFLOWS = "(names) => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
ROOM_OF_SELECT = """(select) => {
    const pen = document.createElement('canvas').getContext('2d')
    const style = getComputedStyle(select)
    pen.font = style.font
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    return room - pen.measureText(select.selectedOptions[0].textContent).width
}"""


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Eight runs in deep folders that all end alike."""
    yield from serve_logs(tmp_path_factory.mktemp("deep") / "runs", image_logs.deep)


def each_width(page: Page) -> Iterator[int]:
    """The widths, with the page at each."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        yield width


def pictures(page: Page, names: str, count: int) -> list[bytes]:
    """What is drawn of names: equal pictures read alike."""
    found = page.locator(names)
    expect(found).to_have_count(count)
    return [name.screenshot(animations="disabled") for name in found.all()]


def test_run_table_names_are_distinct(driver: PageDriver, deep: BoardProcess) -> None:
    """On the page of runs, without folders."""
    page = driver.open(deep, f"{FLAT}#runs")

    count = len(image_logs.DEEP)
    seen = {width: len(set(pictures(page, RUN_NAMES, count))) for width in each_width(page)}

    assert seen == dict.fromkeys(WIDTHS, count)


def test_sidebar_names_are_distinct(driver: PageDriver, deep: BoardProcess) -> None:
    """Truncated where they are equal."""
    page = driver.open(deep, FLAT)

    assert len(set(pictures(page, RUN_NAMES, len(image_logs.DEEP)))) == len(image_logs.DEEP)


def test_image_captions_are_distinct(driver: PageDriver, deep: BoardProcess) -> None:
    """Within their cards."""
    page = driver.open(deep, "&tagFilter=digits")
    card = page.locator('[data-testid=card][data-tag="digits"]')
    names = card.locator("section bdi")
    repeated, cut, outside = {}, {}, {}
    for width in each_width(page):
        card.scroll_into_view_if_needed()
        settle(page)
        texts = names.all_inner_texts()
        repeated[width] = len(texts) - len(set(texts)) if len(texts) > 1 else texts
        cut[width] = card.locator("section > span").evaluate_all(OVERFLOWS)
        inside = card.locator("[data-kind=images]").bounding_box()
        assert inside is not None
        boxes = [name.bounding_box() for name in names.all()]
        foot = inside["y"] + inside["height"]
        outside[width] = [box for box in boxes if not box or box["y"] + box["height"] > foot]

    assert repeated == dict.fromkeys(WIDTHS, 0)
    assert cut == {width: [] for width in WIDTHS}
    assert outside == {width: [] for width in WIDTHS}


def test_compared_image_names_are_whole(driver: PageDriver, deep: BoardProcess) -> None:
    """A browser cuts what is chosen at its end, where many names are alike."""
    page = driver.open(deep, "&images=compare#images")
    choices = page.locator("fieldset select[aria-label$=Run]")

    whole = {width: [choice.evaluate(ROOM_OF_SELECT) >= 0 for choice in choices.all()] for width in each_width(page)}

    assert whole == {width: [True, True] for width in WIDTHS}


def test_compared_metric_names_are_whole(driver: PageDriver, deep: BoardProcess) -> None:
    """They differ in the middle."""
    page = driver.open(deep, f"&compare={','.join(image_logs.DEEP[:2])}#compare")
    heads = page.locator("[data-part=metrics] th[scope=row]:has(bdi)")
    cut = {}
    for width in each_width(page):
        expect(heads.locator("bdi")).to_have_text(list(image_logs.LONG_TAGS))
        cut[width] = heads.evaluate_all(OVERFLOWS) + heads.locator("bdi").evaluate_all(OVERFLOWS)

    assert cut == {width: [] for width in WIDTHS}


def test_trial_names_are_distinct(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """All of a sweep, in the table of hyper-parameters."""
    page = driver.open(nested_sweep, "#hparams")
    seen = pictures(page, "[data-testid=trial-row] button > bdi", 24)

    assert len(set(seen)) == 24


def test_steps_are_never_truncated(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """Half of 5 990 would be another step."""
    page = driver.open(nested_sweep, "&tagFilter=layers")
    lines = set()
    for width in range(1000, 1440, 8):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        lines |= set(page.evaluate(LINES_OF_STEP))

    assert lines == {1}


def test_folders_with_room_keep_their_names(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """However little room others have."""
    page = driver.open(nested_sweep)

    expect(page.get_by_test_id("group-row").first.locator("bdi").first).to_have_text("coco2017")
