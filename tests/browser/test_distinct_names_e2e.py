"""Adjacent names are distinguishable as displayed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support import image_logs
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver

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


def opened(driver: PageDriver, board: BoardProcess, address: str, width: int) -> Page:
    """The page, once its fonts are there."""
    page = driver.open(board, address, width=width)
    page.evaluate("document.fonts.ready")
    return page


def pictures(page: Page, names: str, count: int) -> list[bytes]:
    """What is drawn of names: equal pictures read alike."""
    found = page.locator(names)
    expect(found).to_have_count(count)
    return [name.screenshot(animations="disabled") for name in found.all()]


@pytest.mark.parametrize("width", WIDTHS)
def test_run_table_names_are_distinct(driver: PageDriver, deep: BoardProcess, width: int) -> None:
    """On the page of runs, without folders."""
    page = opened(driver, deep, f"{FLAT}#runs", width)

    assert len(set(pictures(page, RUN_NAMES, len(image_logs.DEEP)))) == len(image_logs.DEEP)


def test_sidebar_names_are_distinct(driver: PageDriver, deep: BoardProcess) -> None:
    """Truncated where they are equal."""
    page = opened(driver, deep, FLAT, 1440)

    assert len(set(pictures(page, RUN_NAMES, len(image_logs.DEEP)))) == len(image_logs.DEEP)


@pytest.mark.parametrize("width", WIDTHS)
def test_image_captions_are_distinct(driver: PageDriver, deep: BoardProcess, width: int) -> None:
    """Within their cards."""
    page = opened(driver, deep, "&tagFilter=digits", width)
    card = page.locator('[data-testid=card][data-tag="digits"]')
    expect(card).to_have_attribute("data-state", "ready")
    names = card.locator("section bdi")
    expect(names.first).to_be_visible()
    texts = names.all_inner_texts()

    assert len(set(texts)) == len(texts) > 1
    assert card.locator("section > span").evaluate_all(OVERFLOWS) == []
    inside = card.locator("[data-kind=images]").bounding_box()
    boxes = [name.bounding_box() for name in names.all()]
    assert inside is not None
    assert [box for box in boxes if not box or box["y"] + box["height"] > inside["y"] + inside["height"]] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_compared_image_names_are_whole(driver: PageDriver, deep: BoardProcess, width: int) -> None:
    """A browser cuts what is chosen at its end, where many names are alike."""
    page = opened(driver, deep, "&images=compare#images", width)
    choices = page.locator("fieldset select[aria-label$=Run]")
    expect(choices).to_have_count(2)

    assert [choice.evaluate(ROOM_OF_SELECT) >= 0 for choice in choices.all()] == [True, True]


@pytest.mark.parametrize("width", WIDTHS)
def test_compared_metric_names_are_whole(driver: PageDriver, deep: BoardProcess, width: int) -> None:
    """They differ in the middle."""
    page = opened(driver, deep, f"&compare={','.join(image_logs.DEEP[:2])}#compare", width)
    heads = page.locator("[data-part=metrics] th[scope=row]:has(bdi)")
    expect(heads.locator("bdi")).to_have_text(list(image_logs.LONG_TAGS))

    assert heads.evaluate_all(OVERFLOWS) == []
    assert heads.locator("bdi").evaluate_all(OVERFLOWS) == []


def test_trial_names_are_distinct(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """All of a sweep, in the table of hyper-parameters."""
    page = opened(driver, nested_sweep, "#hparams", 1440)
    seen = pictures(page, "[data-testid=trial-row] button > bdi", 24)

    assert len(set(seen)) == 24


def test_steps_are_never_truncated(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """Half of 5 990 would be another step."""
    page = driver.open(nested_sweep, "&tagFilter=layers")
    lines = set()
    for width in range(1000, 1440, 8):
        page.set_viewport_size({"width": width, "height": 900})
        lines |= set(page.evaluate(LINES_OF_STEP))

    assert lines == {1}


def test_folders_with_room_keep_their_names(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """However little room others have."""
    page = opened(driver, nested_sweep, "", 1440)

    expect(page.get_by_test_id("group-row").first.locator("bdi").first).to_have_text("coco2017")
