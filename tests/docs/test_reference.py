"""What the reference says about flags, commands, signatures and routes is made from the code."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "reference.py"
DOCS = ROOT / "docs"


def marks(page: str) -> list[str]:
    """The names of the generated parts of a page."""
    return re.findall(r"^<!-- (.+), by scripts/reference\.py -->$", (DOCS / page).read_text(), re.MULTILINE)


def headings(page: str) -> list[str]:
    """Of the third order."""
    return re.findall(r"^### (.+)$", (DOCS / page).read_text(), re.MULTILINE)


def test_the_reference_is_not_stale() -> None:
    """`make docs` writes it."""
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", ["cli-hub.md", "sdk.md"])
def test_every_entry_has_its_generated_part(page: str) -> None:
    """Each command its usage, each name its signature."""
    assert marks(page) == headings(page)


@pytest.mark.parametrize(
    ("page", "mark"),
    [
        ("flags.md", "flags of the board"),
        ("hub-flags.md", "flags of the hub"),
        ("http.md", "routes of the board"),
        ("hub-http.md", "routes of the hub"),
    ],
)
def test_every_list_is_generated(page: str, mark: str) -> None:
    """All flags and all routes at a glance."""
    assert marks(page) == [mark]


def test_a_changed_page_is_stale() -> None:
    """Whatever stands between the marks is replaced."""
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec
    assert spec.loader
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    text = (DOCS / "flags.md").read_text()

    assert reference.update_page("flags.md", text.replace("| Flag | Value | Meaning |", "| Flag |")) == text
