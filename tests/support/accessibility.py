"""Accessibility violations of a page, found by axe."""

import pathlib
from typing import Any

from playwright.sync_api import Page

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def find_violations(page: Page) -> list[tuple[str, list[str]]]:
    """Rules that are broken, each with the elements that break it."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("(tags) => axe.run({ runOnly: tags })", RULES)
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]]
