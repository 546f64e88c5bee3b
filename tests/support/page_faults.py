"""All that can be wrong with a page in every language, at every width and in both themes, found in one visit.

Opening a page costs as much as looking at it four times, so the page stays, and is changed as its users change it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from support.accessibility import COLOURS, find_violations, find_violations_in_both_themes
from support.layout_faults import find_layout_faults
from support.settled_pages import settle
from support.translations import find_english

LANGUAGES = ("ru", "zh", "en")
"""Those of the pages. The page is opened in the first, and is left in the last."""
NAMES = {"ru": "Русский", "zh": "简体中文", "en": "English"}
MENU = "[data-testid=account], body:not(:has([data-testid=account])) [data-testid=menu]"
HTML_LANG = {"ru": "ru", "zh": "zh-CN", "en": "en"}

PageFaults = dict[tuple[Any, ...], list[Any]]
"""Faults by language, width, theme and kind, where there are any."""


def choose_language(page: Page, language: str) -> None:
    """Choose a language in the main menu of a board, or in the menu of the account, unless the page speaks it."""
    html = page.locator("html")
    if html.get_attribute("lang") == HTML_LANG[language]:
        return
    page.locator(MENU).click()
    page.get_by_role("menuitemradio", name=NAMES[language], exact=True).click()
    expect(page.get_by_role("menu")).to_have_count(0)
    expect_language(page, language)
    settle(page)


def expect_language(page: Page, language: str) -> None:
    """Wait until the page speaks it."""
    expect(page.locator("html")).to_have_attribute("lang", HTML_LANG[language])


def find_page_faults(
    page: Page,
    widths: Sequence[int] | Mapping[str, Sequence[int]],
    *,
    languages: Iterable[str] = LANGUAGES,
    accessible: Collection[int] = (),
    allowed: str | None = None,
    find_more: Callable[[Page], list[Any]] | None = None,
    speak: Callable[[Page, str], None] = choose_language,
    find_untranslated: Callable[[Page], list[str]] | None = find_english,
) -> PageFaults:
    """Faults of layout at each width, and the English that is left where the page speaks another language.

    In English also what is not accessible in either theme, at the widths `accessible`; in other languages, whose
    colours are the same, at the smallest of these, where their words have the least room. `widths` may be by language.
    Faults of layout that contain `allowed` are left out, `find_more` tells further ones at each width.
    `find_untranslated=None` is for pages whose data are English sentences.
    """
    found: PageFaults = {}
    for language in languages:
        own_widths = widths[language] if isinstance(widths, Mapping) else widths
        page.set_viewport_size({"width": own_widths[0], "height": 900})
        settle(page)
        speak(page, language)
        expect_language(page, language)
        for width in own_widths:
            found[language, width] = find_layout_faults(page, [width], allowed=allowed).get(width, [])
            if find_more is not None:
                found[language, width] += find_more(page)
            if language != "en" and find_untranslated is not None:
                found[language, width, "English"] = find_untranslated(page)
            if language != "en" and width == min(accessible, default=0):
                found[language, width, "accessibility"] = find_violations(page, without=COLOURS)
            if language == "en" and width in accessible:
                violations = find_violations_in_both_themes(page, [width])
                found |= {(language, *look): broken for look, broken in violations.items()}
    return {key: faults for key, faults in found.items() if faults}
