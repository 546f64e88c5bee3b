"""Promises about the package as a whole: what importing costs, what the repository may hold."""

import pathlib
import re
import subprocess
import sys

import pytest

from support.hasty_tests import find_hasty

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEAVY = {
    "numpy",
    "asyncio",
    "starlette",
    "uvicorn",
    "pydantic",
    "watchfiles",
    "nh3",
    "markdown_it",
    "platformdirs",
    "concurrent.futures",
}


def modules_after(statement: str) -> set[str]:
    """Names of the modules loaded by a fresh interpreter after running the statement."""
    program = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    return set(subprocess.check_output([sys.executable, "-c", program], text=True).split())


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import lightboard", HEAVY | {"lightboard._native._core"}),
        ("import lightboard.cli.main", HEAVY),
        ("import lightboard.cli.jobs", {"pathspec"}),
        ("import lightboard.notebook", HEAVY | {"IPython"}),
        ("import lightboard.events.decode", HEAVY),
        ("import lightboard.ingest.loader", HEAVY - {"concurrent.futures"}),
    ],
)
def test_importing_is_light(statement: str, forbidden: set[str]) -> None:
    """Nothing heavy is loaded before it is needed: decoding starts before the server is imported."""
    assert modules_after(statement) & forbidden == set()


def tracked() -> list[pathlib.Path]:
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    return [ROOT / name for name in names if name]


def test_the_lock_file_names_no_registry() -> None:
    """Versions are pinned without naming anybody's host."""
    assert '"resolved": "http' not in (ROOT / "web/package-lock.json").read_text()


def test_no_compiled_or_generated_page_is_committed() -> None:
    """The build makes them; a stale copy would be served for ever."""
    assert [p for p in tracked() if p.suffix == ".so" or "_static/" in p.as_posix() or "/static/" in p.as_posix()] == []


PATHS = re.compile(r"`((?:src|native|web|tests|docs|bench|scripts|build_backend)/[\w./-]*)`|\]\((?!http)([^)#]+)\)")


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "bench/README.md",
        "docs/tensorboard.md",
        "docs/hub.md",
        "docs/hub-operations.md",
        "docs/hub-flags.md",
        "docs/threat-model.md",
        "docs/hub-http.md",
        "docs/cli-hub.md",
        "docs/sdk.md",
        "docs/access.md",
        "docs/pai.md",
        "docs/notebooks.md",
        "docs/decisions/README.md",
    ],
)
def test_paths_named_in_the_docs_exist(page: str) -> None:
    """A page that names a file that is gone misleads."""
    found = [a or b for a, b in PATHS.findall((ROOT / page).read_text())]
    generated = ("src/lightboard/board/static",)

    missing = [
        path
        for path in found
        if not path.startswith(generated) and not any((base / path).exists() for base in (ROOT, (ROOT / page).parent))
    ]

    assert missing == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests/browser").glob("*.py")), ids=lambda path: path.name)
def test_tests_of_the_browser_wait_for_what_they_look_at(path: pathlib.Path) -> None:
    """They open pages by the driver, press keys by `press`, and measure what has settled."""
    assert find_hasty(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("page.keyboard.press('Enter')", "1: page.keyboard.press: press(page, ...)"),
        ("page.reload()", "1: page.reload: reload(page)"),
        ("page.wait_for_timeout(5)", "1: page.wait_for_timeout: no wait by the clock"),
        (
            "def test():\n    button.click()\n    wanted = 1\n    assert page.locator('p').count() == wanted",
            "4: measures before a line above has its effect: settle(page), or expect it",
        ),
    ],
)
def test_a_test_that_does_not_wait_is_found(source: str, line: str) -> None:
    """So that the test above can fail."""
    assert find_hasty(source) == [line]


def test_a_test_that_waits_is_not_found() -> None:
    """For the effect, or for the page to settle."""
    assert find_hasty("b.click()\nexpect(p).to_have_text('x')\nb.click()\nsettle(page)\nassert b.count() == 1") == []
