"""English text that is left in a translated page."""

import re

from playwright.sync_api import Page

VISIBLE_TEXTS = """() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const at = node.parentElement;
        if (at.closest('bdi, kbd, code, script, style, [data-testid=card] h3, [lang]:not(html)')) continue;
        if (at.checkVisibility()) found.push(node.textContent);
    }
    const data = [...document.querySelectorAll('bdi')].map((each) => each.textContent);
    const names = [...new Set(data)].filter((text) => text.length > 3).sort((one, other) => other.length - one.length);
    for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        for (const name of ['aria-label', 'title', 'placeholder'])
            if (each.hasAttribute(name))
                found.push(names.reduce((text, part) => text.replaceAll(part, ''), each.getAttribute(name)));
    return found;
}"""


def find_english(page: Page) -> list[str]:
    """Texts with two English words in a row that are not data."""
    texts = [re.sub(r"Ctrl [A-Z]\b|\bShift\b", "", text) for text in page.evaluate(VISIBLE_TEXTS)]
    return sorted({text for text in texts if re.search(r"\b(?:[A-Z][a-z]{2,}|the|of|and|to|is|are|no|on)\b \w+", text)})
