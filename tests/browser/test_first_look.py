"""Opening the board (checks 1 to 3)."""

from served import Board
from visitor import Visitor


def test_few_requests_lead_to_the_first_chart(visitor: Visitor, sweep: Board) -> None:
    """Check 1: at most twelve requests until the first chart is drawn."""
    visitor.open(sweep, strict=True)

    assert len(visitor.requests) <= 12


def test_little_is_downloaded(visitor: Visitor, sweep: Board) -> None:
    """Check 2: scripts and styles of the first load are at most 220 KB over the wire, all from this server."""
    page = visitor.open(sweep, ready=False)
    page.wait_for_selector("[data-testid=card][data-state=ready]")

    sent = page.evaluate(
        """() => performance.getEntriesByType("resource")
            .filter((entry) => /\\.(js|css)($|\\?)/.test(entry.name))
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )

    assert 0 < sent <= 220_000


def test_nine_charts_are_in_view(visitor: Visitor, hundred_tags: Board) -> None:
    """Check 3: at 1440x900 with default settings at least nine whole cards are seen."""
    page = visitor.open(hundred_tags)
    page.wait_for_function("document.querySelectorAll('[data-testid=card][data-state=ready]').length >= 9")

    whole = page.locator("[data-testid=card]").evaluate_all(
        """(cards) => cards.filter((card) => {
            const box = card.getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
        }).length"""
    )

    assert whole >= 9
