"""Safe links and images, against disguised schemes."""

import html
import random
import re

import pytest

from lightboard.untrusted.links import SCHEMES, is_picture, safe_link
from lightboard.untrusted.rendering import Budget

GOOD = [
    "https://example.com/a?b=c#d",
    "HTTP://EXAMPLE.COM",
    "mailto:me@example.com",
    "notes/page.html",
    "/absolute",
    "//example.com/x",
    "#part",
    "?q=a:b",
    "page#a:b",
    "a/b:c",
    "https://example.com/каша",
]


@pytest.mark.parametrize("address", GOOD)
def test_http_and_mailto_links_are_allowed(address: str) -> None:
    """Relative links and those without a scheme as well."""
    assert safe_link(address) == address


BAD = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "j\ra\nv\tascript:alert(1)",
    "da\tta:text/html,x",
    "data:text/html,x",
    "data:image/png;base64,AAAA",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/x",
    "filesystem:https://example.com/x",
    "view-source:https://example.com",
    "about:blank",
    "intent://x",
    "%6aavascript:alert(1)",
    "java%73cript:alert(1)",
    "ｊavascript:alert(1)",
    "javascript\u200b:alert(1)",
    "java\u00adscript:alert(1)",
    "http\u200bs://example.com",
    "https://example.com/\u202egnp.exe",
    "https://exam\x00ple.com/",
    ":alert(1)",
    "x y:z",
]


@pytest.mark.parametrize("address", BAD)
def test_dangerous_links_are_refused(address: str) -> None:
    """The scheme is what a browser would see, not what the text shows."""
    assert safe_link(address) is None


def scheme_of(address: str) -> str:
    """The scheme that a browser sees (WHATWG URL), without surrounding control characters; "" for none."""
    cleaned = re.sub(r"[\t\n\r]", "", address.strip("".join(map(chr, range(0x21)))))
    found = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", cleaned)
    return found[1].lower() if found else ""


def disguise(scheme: str, rng: random.Random) -> str:
    """The scheme with characters inserted, prepended or escaped."""
    letters = []
    for letter in scheme:
        letters.append(rng.choice([letter, letter.upper(), letter, f"&#{ord(letter)};", f"&#x{ord(letter):x};"]))
        if rng.random() < 0.2:
            letters.append(rng.choice(["\t", "\n", "\r", "&Tab;", "&NewLine;", "&#9;", "\0", "\u200b", "%00", "\\"]))
    before = rng.choice(["", "", " ", "\x01", "&#1;", "\u00a0", "//", "&#32;"])
    return before + "".join(letters) + rng.choice([":", "&colon;", "&#58;", "%3a"])


def disguised_link(seed: int) -> str:
    """A link in one of the forms that Markdown knows, whose scheme is disguised."""
    rng = random.Random(seed)
    address = disguise(rng.choice(["javascript", "data", "vbscript", "file"]), rng) + "alert(1)"
    return rng.choice(
        [
            "<a href='{}'>x</a>",
            '<a href="{}">x</a>',
            "<a title=y href={} >x</a>",
            "[x]({})",
            "[x](<{}>)",
            "[x]\n\n[x]: {}",
            "<{}>",
            "![x]({})",
        ]
    ).format(address)


def test_disguised_schemes_are_refused() -> None:
    """As a browser reads them, all rendered links have an allowed scheme or none."""
    found = []
    for text in map(disguised_link, range(300)):
        shown = Budget().render(text).html
        links = [html.unescape(link) for link in re.findall(r'(?:href|src)="([^"]*)"', shown)]
        found += [(text, link) for link in links if scheme_of(link) not in {"", *SCHEMES}]

    assert found == []


def test_only_embedded_raster_images_are_pictures() -> None:
    """SVG can run scripts, and other URLs would be fetched."""
    yes = ["data:image/png;base64,AA==", "DATA:image/JPEG;base64,AA", "data:image/gif;base64,"]
    no = ["data:image/svg+xml;base64,AA", "data:text/html;base64,AA", "https://x/p.png", "d\tata:image/png;base64,AA"]

    assert [is_picture(address) for address in (*yes, *no)] == [True] * 3 + [False] * 4
