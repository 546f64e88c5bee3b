"""The built documentation is complete, needs nothing from elsewhere, and can be served below any prefix."""

import pathlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from test_doc_links import anchors

from lightboard.hub.api.docs_site import ADDRESS, REWRITTEN, ROOT, STATIC

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SOURCES = sorted(DOCS.rglob("*.md"))
HUB = "http://hub"
NAVIGATION = DOCS.parent / "web" / "docs" / ".vitepress" / "navigation.ts"


class Page(HTMLParser):
    """What a built page refers to, runs and can be linked to."""

    def __init__(self, file: pathlib.Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.inline_scripts = 0
        self.ids: set[str] = set()
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        elif tag == "script" and not given.get("src"):
            self.inline_scripts += 1
        if tag in ("script", "img", "link"):
            self.loaded.append(given.get("src") or given.get("href") or "")


def address_of(source: pathlib.Path) -> str:
    """Where a page of docs/ is on the site."""
    return re.sub(r"(^|/)README$", r"\1", source.relative_to(DOCS).with_suffix("").as_posix())


def file_at(address: str) -> pathlib.Path:
    """The file that is served at an address below /docs/."""
    if address == "" or address.endswith("/"):
        return STATIC / address / "index.html"
    return STATIC / address if (STATIC / address).suffix else STATIC / f"{address}.html"


def built_pages() -> Iterator[tuple[str, Page]]:
    """Every built page by its address."""
    assert (STATIC / "index.html").exists(), "the documentation is not built: run `make docs`"
    for source in SOURCES:
        yield address_of(source), Page(file_at(address_of(source)))


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    """All built pages by address."""
    return dict(built_pages())


def test_every_page_is_built_with_all_its_headings(pages: dict[str, Page]) -> None:
    """A site that was built from older files has others; `make docs` builds it again."""
    missing = {
        address_of(source): found for source in SOURCES if (found := anchors(source) - pages[address_of(source)].ids)
    }

    assert missing == {}


def test_every_page_is_in_the_navigation() -> None:
    """Records of decisions are listed by their own page."""
    listed = re.findall(r'page\("[^"]+", "([^"]*)"\)', NAVIGATION.read_text())

    wanted = {address_of(source) for source in SOURCES if not re.match(r"\d{4}-", source.name)}
    assert sorted(listed) == sorted(wanted)


def test_every_link_leads_to_a_page_and_heading(pages: dict[str, Page]) -> None:
    """Of the text, of the navigation and of the table of contents."""
    broken = []
    for address, page in pages.items():
        for link in page.links:
            target = urlsplit(urljoin(f"{HUB}{ROOT}{address}", link))
            if f"{target.scheme}://{target.netloc}" != HUB or target.path == "/":
                continue  # another site, or the hub itself
            found = pages.get(target.path.removeprefix(ROOT))
            if found is None or (target.fragment and unquote(target.fragment) not in found.ids):
                broken.append((address, link))

    assert broken == []


def test_pages_load_nothing_from_elsewhere_and_run_no_inline_scripts(pages: dict[str, Page]) -> None:
    """As the content policy of the hub demands."""
    assert [address for address, page in pages.items() if page.inline_scripts] == []
    loaded = {url for page in pages.values() for url in page.loaded}
    assert [url for url in loaded if not url.startswith((ROOT, "data:"))] == []


def test_what_is_rewritten_for_a_prefix_is_an_address_of_the_site() -> None:
    """And no sentence about such addresses."""
    wrong = []
    for file in STATIC.rglob("*"):
        if file.suffix in REWRITTEN:
            text = file.read_bytes()
            for match in ADDRESS.finditer(text):
                path = re.match(rb"[\w./@-]*", text[match.end() :])[0].decode()
                if path not in ("", "../") and not file_at(path).exists():
                    wrong.append((file.name, path))

    assert wrong == []
