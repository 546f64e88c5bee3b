"""Accessibility violations of a page, found by axe."""

import pathlib
from typing import Any

from playwright.sync_api import Page

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# What passes is left in the page: there is much of it.
VIOLATIONS = "(tags) => axe.run({ runOnly: tags, resultTypes: ['violations'] }).then((found) => found.violations)"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def find_violations(page: Page) -> list[tuple[str, list[str]]]:
    """Rules that are broken, each with the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, RULES)
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
