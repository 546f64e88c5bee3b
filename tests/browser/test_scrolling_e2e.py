"""Scrolling through a hundred cards (check 19)."""

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import settle

DRAWN = """() => [...document.querySelectorAll('[data-testid=card]')].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.bottom > 100 && box.top < innerHeight;
}).every((card) => card.dataset.state === 'ready')"""


SCROLLED = """() => {
    const box = document.querySelector('main [class*=scroll]');
    return { top: box.scrollTop, end: box.scrollHeight - box.clientHeight - 1 };
}"""
"""Where the list of cards is scrolled to, and its end, in pixels."""


def test_scrolling_keeps_few_canvases(driver: PageDriver, hundred_tags: BoardProcess) -> None:
    """Every visible card is drawn; at most 36 charts exist."""
    page = driver.open(hundred_tags)
    page.mouse.move(900, 500)
    seen: set[str] = set()
    most = 0
    while True:
        page.wait_for_function(DRAWN)
        tags = page.get_by_test_id("card").evaluate_all("(cards) => cards.map((card) => card.dataset.tag)")
        seen |= set(tags)
        most = max(most, len(tags))
        before = page.evaluate(SCROLLED)
        if before["top"] >= before["end"]:
            break
        page.mouse.wheel(0, 700)
        page.wait_for_function(f"(top) => ({SCROLLED})().top > top", arg=before["top"])
        settle(page)

    assert len(seen) == 100
    assert most <= 36
