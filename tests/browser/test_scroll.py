"""A hundred cards (check 19)."""

from served import Board
from visitor import Visitor


def test_a_hundred_cards_scroll_with_few_canvases(visitor: Visitor, hundred_tags: Board) -> None:
    """From end to end: wherever it stops, every card in view gets drawn, and at most 36 charts are alive."""
    page = visitor.open(hundred_tags)
    page.mouse.move(900, 500)
    seen: set[str] = set()
    most = 0
    for _ in range(40):
        page.mouse.wheel(0, 700)
        page.wait_for_function(
            """() => [...document.querySelectorAll('[data-testid=card]')].filter((card) => {
                const box = card.getBoundingClientRect();
                return box.bottom > 100 && box.top < innerHeight;
            }).every((card) => card.dataset.state === 'ready')"""
        )
        cards = page.locator("[data-testid=card]")
        seen |= set(cards.evaluate_all("(cards) => cards.map((card) => card.dataset.tag)"))
        most = max(most, cards.count())

    assert len(seen) == 100
    assert most <= 36
