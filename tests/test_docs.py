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
NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def headings(page: str) -> list[str]:
    return re.findall(r"^### (.+)$", (DOCS / page).read_text(), re.MULTILINE)


def test_every_flag_has_its_heading() -> None:
    """docs/flags.md and the parser know the same flags, in the same order."""
    assert headings("flags.md") == [name for name in flag_names() if name not in ("-h", "-o", "--helpfull")]


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
    actions = (WEB / "board" / "app" / "actions.ts").read_text()
    keys = {
        key for listed in re.findall(r"\bkeys: \[(.+?)\], word:", actions) for key in re.findall(r'"([^"]+)"', listed)
    }

    assert first_column("page.md", "Keys") == keys


def test_every_name_of_the_address_is_listed() -> None:
    """docs/page.md has the names that stand in an address, and none that does not."""
    view = WEB / "board" / "view"
    fields = (view / "view-fields.ts").read_text()
    written = re.findall(r'names: \["(\w+)"|(?:text|list|choice)\("(\w+)"', fields)
    runs = re.findall(r'^const (?:BASE|SHOWN|HIDDEN) = "(\w+)"', (view / "view-address.ts").read_text(), re.MULTILINE)

    assert first_column("page.md", "Address") == {name for pair in written for name in pair if name} | set(runs)


def glossary() -> list[tuple[str, str, str]]:
    """Term, meaning and words not to use, for each row of docs/glossary.md."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*)\|$", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    return [(term, meaning, words.strip()) for term, meaning, words in rows if term not in ("Word", "---")]


def public_types() -> dict[str, pathlib.Path]:
    """Classes of the package, types that modules of the pages export, and types of the core, with their files."""
    patterns = {
        (ROOT / "src", "*.py"): r"^class ([A-Za-z]\w*)",
        (WEB, "*.ts*"): r"^export (?:abstract )?(?:interface|type|class|enum) (\w+)",
        (ROOT / "native", "*.hpp"): r"^(?:class|struct|enum class) (\w+)",
    }
    return {
        name: file
        for (folder, files), pattern in patterns.items()
        for file in sorted(folder.rglob(files))
        for name in re.findall(pattern, file.read_text(), re.MULTILINE)
    }


def test_every_term_is_defined_once() -> None:
    """docs/glossary.md has one meaning for a word, in a sentence."""
    rows = glossary()
    terms = {term: meaning for term, meaning, _ in rows}

    assert len(terms) == len(rows) > 0
    assert [term for term, meaning in terms.items() if not meaning.endswith(".")] == []


def test_types_use_the_terms_of_the_glossary() -> None:
    """No public type is named by a word that the glossary replaces."""
    replaced = {word: term for term, _, words in glossary() for word in filter(None, words.split(", "))}
    words = {name: {word.lower() for word in NAME_WORD.findall(name)} for name in public_types()}

    assert len(words) > 1_000
    assert [(name, replaced[word]) for name, parts in words.items() for word in parts if word in replaced] == []
