"""Accessibility violations of a page, found by axe."""

import pathlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from playwright.sync_api import Page, expect

from support.settled_pages import settle

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# What passes is left in the page: there is much of it.
VIOLATIONS = """([only, without]) => axe.run({
    runOnly: only,
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
}).then((found) => found.violations)"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""Those of the above whose outcome depends on colours."""
COLOUR_RULES = {"type": "rule", "values": COLOURS}
STRUCTURE = """() => [...document.querySelectorAll('*')].map((part) => {
    const { display, visibility } = getComputedStyle(part);
    const { x, y, width, height } = part.getBoundingClientRect();
    const said = [...part.attributes].filter(({ name }) => !/^(style|fill|stroke|data-.*)$/.test(name));
    const text = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
    const value = 'value' in part ? [part.value, part.checked] : [];
    return [part.localName, said.map(({ name, value }) => [name, value]), text, value, display, visibility,
        x, y, width, height].join('\\n');
}).join('\\n\\n')"""
"""All that other rules look at: elements, what they say, whether they are shown, and where."""

SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")

Violations = list[tuple[str, list[str]]]


def find_violations(page: Page, rules: Any = RULES, without: Sequence[str] = ()) -> Violations:
    """Rules that are broken, each with the elements that break it. Those `without` are not looked at."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, [rules, list(without)])
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]


def find_violations_in_both_themes(page: Page, widths: Iterable[int] = (1440,)) -> dict[tuple[int, str], Violations]:
    """Violations by width and theme, where there are any. The page stays light, and at the last width.

    Where the second theme changes nothing but colours, only the rules of colours are run again, in half the time.
    """
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        looks = set()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            settle(page)
            look = page.evaluate(STRUCTURE)
            found[width, scheme] = find_violations(page, COLOUR_RULES if look in looks else RULES)
            looks.add(look)
    return {look: violations for look, violations in found.items() if violations}
