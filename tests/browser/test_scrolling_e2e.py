"""Scrolling through a hundred cards (check 19)."""

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import settle

DRAWN = """() => [...document.querySelectorAll('[data-testid=card]')].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.bottom > 100 && box.top < innerHeight;
}).every((card) => card.dataset.state === 'ready')"""


def test_scrolling_keeps_few_canvases(driver: PageDriver, hundred_tags: BoardProcess) -> None:
    """Every visible card is drawn; at most 36 charts exist."""
    page = driver.open(hundred_tags)
    page.mouse.move(900, 500)
    seen: set[str] = set()
    most = 0
    for _ in range(40):
        page.mouse.wheel(0, 700)
        settle(page)
        page.wait_for_function(DRAWN)
        cards = page.locator("[data-testid=card]")
        seen |= set(cards.evaluate_all("(cards) => cards.map((card) => card.dataset.tag)"))
        most = max(most, cards.count())

    assert len(seen) == 100
    assert most <= 36
