"""Docs are part of the product: every flag and every route has its heading, and there is none that is not there."""

import importlib
import pathlib
import pkgutil
import re

from lightboard.board import tensorboard
from lightboard.board.api import every_endpoint
from lightboard.cli.flags import flag_names

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
WEB = ROOT / "web" / "src"


def headings(page: str) -> list[str]:
    return re.findall(r"^### (.+)$", (DOCS / page).read_text(), re.MULTILINE)


def test_every_flag_has_its_heading() -> None:
    """docs/flags.md and the parser know the same flags, in the same order."""
    assert headings("flags.md") == [name for name in flag_names() if name not in ("-h", "--helpfull")]


def test_every_endpoint_has_its_heading() -> None:
    """docs/http.md lists exactly the endpoints of /api/v1."""
    listed = [heading for heading in headings("http.md") if "/api/v1" in heading]

    assert sorted(listed) == sorted(f"{endpoint.method} {endpoint.path}" for endpoint in every_endpoint())


def test_every_tensorboard_route_has_its_heading() -> None:
    """docs/http.md names every route of TensorBoard's that is answered."""
    text = " ".join(heading for heading in headings("http.md") if "/api/v1" not in heading)
    aliases = {"/notifications_note.json"}  # where /data/notifications leads

    modules = [
        importlib.import_module(f"{tensorboard.__name__}.{m.name}") for m in pkgutil.iter_modules(tensorboard.__path__)
    ]
    routes = {route.path for module in modules for route in getattr(module, "ROUTES", ())}

    assert sorted(routes - aliases) == sorted(set(re.findall(r"/[\w/.]+", text)))


def first_column(page: str, section: str) -> set[str]:
    """What stands in `code` in the first column of the tables of a section."""
    text = (DOCS / page).read_text().split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`([^`]+)`", row)}


def test_every_key_is_listed() -> None:
    """docs/page.md has the keys that the page has."""
    actions = (WEB / "app" / "actions.ts").read_text()
    keys = {
        key for listed in re.findall(r"\bkeys: \[(.+?)\], word:", actions) for key in re.findall(r'"([^"]+)"', listed)
    }

    assert first_column("page.md", "Keys") == keys


def test_every_name_of_the_address_is_listed() -> None:
    """docs/page.md has the names that stand in an address, and none that does not."""
    fields = (WEB / "state" / "viewfields.ts").read_text()
    written = re.findall(r'names: \["(\w+)"|(?:text|list|choice)\("(\w+)"', fields)
    runs = re.findall(
        r'^const (?:BASE|SHOWN|HIDDEN) = "(\w+)"', (WEB / "state" / "viewstate.ts").read_text(), re.MULTILINE
    )

    assert first_column("page.md", "Address") == {name for pair in written for name in pair if name} | set(runs)


def test_every_term_is_defined_once() -> None:
    """docs/glossary.md has one meaning for a word, and says it in a sentence."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    terms = {term: meaning for term, meaning in rows if term not in ("Word", "---")}

    assert len(terms) == sum(term not in ("Word", "---") for term, _ in rows) > 0
    assert [term for term, meaning in terms.items() if not meaning.endswith(".")] == []
