"""Colours of runs, read from the page."""

from playwright.sync_api import Page

from support.settled_pages import settle

SWATCH_COLOUR = "part => getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor"


def swatch_colours(page: Page) -> dict[str, str]:
    """Colour of each run's swatch in the run table."""
    settle(page)
    return dict(
        page.locator("[data-testid=run-row]").evaluate_all(
            """(rows) => rows.map((row) => [row.dataset.run, getComputedStyle(
                row.querySelector('[class*=swatch]')).backgroundColor])"""
        )
    )
