"""The threat model can be found, is one page, and names what is there."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text()


def test_it_is_linked_from_where_people_begin() -> None:
    """README and the page of the hub."""
    assert "](docs/threat-model.md)" in (ROOT / "README.md").read_text()
    assert "](threat-model.md)" in (ROOT / "docs" / "hub.md").read_text()


def test_it_is_one_page() -> None:
    """Nobody reads a second."""
    assert len(PAGE.splitlines()) <= 90


def test_what_it_names_is_there() -> None:
    """Tests, sources and deployments, by their paths."""
    named = re.findall(r"`((?:tests|src|deploy)/[\w./-]+)`", PAGE)

    assert len(named) >= 5
    assert [path for path in named if not (ROOT / path).exists()] == []
