"""Links between Markdown files lead somewhere, to the heading they name, on GitHub as on the site."""

import pathlib
import re
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
ELSEWHERE = re.compile(r"[a-z]+:")


def anchors(page: pathlib.Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found.add(next(each for each in (slug, *(f"{slug}-{n}" for n in range(1, 100))) if each not in found))
    return found


def links(page: pathlib.Path) -> Iterator[str]:
    """Where the links of a page lead, other than to other sites."""
    prose = CODE.sub("", FENCE.sub("", page.read_text()))
    yield from (link for link in LINK.findall(prose) if not ELSEWHERE.match(link))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_heading(page: pathlib.Path) -> None:
    """Files are named by their paths, headings by GitHub's anchors."""
    broken = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert broken == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != ROOT], ids=lambda page: page.stem)
def test_the_documentation_links_to_nothing_outside_itself(page: pathlib.Path) -> None:
    """The site has only the pages of docs/: other files are named, not linked."""
    outside = [link for link in links(page) if not (page.parent / link).resolve().is_relative_to(ROOT / "docs")]

    assert outside == []
