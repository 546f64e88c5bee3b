"""Russian and Chinese (check 29)."""

import re

import pytest
from layout import PAGES_OF_KINDS
from playwright.sync_api import Page, expect
from served import Board
from visitor import Visitor

PAGES = ["", "#runs", "#run/big/seed0", "#compare", "#histograms"]
WORDS = """() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const at = node.parentElement;
        if (at.closest('bdi, kbd, code, script, style, [data-testid=card] h3, [lang]:not(html)')) continue;
        if (at.checkVisibility()) found.push(node.textContent);
    }
    for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        for (const name of ['aria-label', 'title', 'placeholder'])
            if (each.hasAttribute(name)) found.push(each.getAttribute(name));
    return found;
}"""


def english(page: Page) -> list[str]:
    """Texts with two English words in a row that are not data."""
    texts = [re.sub(r"Ctrl [A-Z]\b|\bShift\b", "", text) for text in page.evaluate(WORDS)]
    return sorted({text for text in texts if re.search(r"\b(?:[A-Z][a-z]{2,}|the|of|and|to|is|are|no|on)\b \w+", text)})


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("address", PAGES)
def test_no_english_is_left(visitor: Visitor, sweep: Board, language: str, address: str) -> None:
    """On any page, in what is seen, in tips and in names for readers of the screen."""
    page = visitor.open(sweep, f"&lang={language}{address}", ready=False)
    expect(page.locator("html[data-ready]")).to_be_attached()

    assert english(page) == []


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("kind", PAGES_OF_KINDS)
def test_no_english_is_left_on_pages_of_kinds(visitor: Visitor, kinds: Board, language: str, kind: str) -> None:
    """Of what is not data."""
    page = visitor.open(kinds, f"&lang={language}#{kind}", ready=False)
    expect(page.locator(f"main[data-page={kind}]")).to_have_attribute("aria-busy", "false")

    assert english(page) == []


@pytest.mark.parametrize(("language", "told"), [("en", "en"), ("ru", "ru"), ("zh", "zh-CN")])
def test_the_page_says_its_language(visitor: Visitor, sweep: Board, language: str, told: str) -> None:
    """For readers of the screen and for hyphens."""
    page = visitor.open(sweep, f"&lang={language}")

    expect(page.locator("html")).to_have_attribute("lang", told)


@pytest.mark.parametrize(
    ("hidden", "words"),
    [(1, "1 запуск"), (2, "2 запуска"), (5, "5 запусков")],
)
def test_russian_counts_in_three_forms(visitor: Visitor, sweep: Board, hidden: int, words: str) -> None:
    """One, few and many."""
    page = visitor.open(sweep, "&lang=ru")
    boxes = page.locator("[data-testid=run-row] input")
    for at in range(6 - hidden):
        boxes.nth(at).click()

    expect(page.locator("[data-testid=card]").first).to_contain_text(words)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
@pytest.mark.parametrize("width", [1440, 1024, 860, 700, 390])
@pytest.mark.parametrize("address", ["", "#runs", "#compare", "#run/baseline"])
def test_no_word_of_the_head_is_cut(visitor: Visitor, sweep: Board, language: str, width: int, address: str) -> None:
    """Longer words find room: no part of the head overlaps another or leaves the window."""
    page = visitor.open(sweep, f"&lang={language}{address}", width=width, ready=False)
    expect(page.locator("html[data-ready]")).to_be_attached()

    wrong = page.locator("body header").first.evaluate(
        """(head) => {
            const parts = [...head.querySelectorAll(':scope > *, nav > *')].filter((part) => part.checkVisibility());
            const bad = [];
            for (const part of parts) {
                const box = part.getBoundingClientRect();
                if (box.right > innerWidth + 1) bad.push('outside: ' + part.outerHTML.slice(0, 80));
                for (const other of parts) {
                    if (part === other || part.contains(other) || other.contains(part)) continue;
                    const its = other.getBoundingClientRect();
                    const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
                    const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
                    if (across > 1 && down > 1) bad.push('overlap: ' + part.outerHTML.slice(0, 80));
                }
            }
            return bad;
        }"""
    )

    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
