"""The threat model is linked, short, and names existing files."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text()


def test_it_is_linked_from_readme_and_hub_page() -> None:
    """README and the page of the hub."""
    assert "](docs/threat-model.md)" in (ROOT / "README.md").read_text()
    assert "](threat-model.md)" in (ROOT / "docs" / "hub.md").read_text()


def test_it_is_one_page() -> None:
    """Nobody reads a second."""
    assert len(PAGE.splitlines()) <= 90


def test_named_paths_exist() -> None:
    """Tests, sources, deployments."""
    named = re.findall(r"`((?:tests|src|deploy)/[\w./-]+)`", PAGE)

    assert len(named) >= 5
    assert [path for path in named if not (ROOT / path).exists()] == []
