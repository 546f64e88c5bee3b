"""Accessibility violations of a page, found by axe."""

import pathlib
from collections.abc import Iterable
from typing import Any, Literal

from playwright.sync_api import Page, expect

from support.settled_pages import settle

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# What passes is left in the page: there is much of it.
VIOLATIONS = "(tags) => axe.run({ runOnly: tags, resultTypes: ['violations'] }).then((found) => found.violations)"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")

Violations = list[tuple[str, list[str]]]


def find_violations(page: Page) -> Violations:
    """Rules that are broken, each with the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, RULES)
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]


def find_violations_in_both_themes(page: Page, widths: Iterable[int] = (1440,)) -> dict[tuple[int, str], Violations]:
    """Violations by width and theme, where there are any. The page stays light, and at the last width."""
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            settle(page)
            found[width, scheme] = find_violations(page)
    return {look: violations for look, violations in found.items() if violations}
