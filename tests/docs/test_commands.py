"""Commands in the docs can be typed: programs, subcommands and flags exist, and the tutorial's code runs."""

import pathlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from lightboard.cli import flags as board_flags
from lightboard.cli import hub as hub_flags
from lightboard.cli.hub_client import app
from support.fork_server import run_lightboard

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHER_PROGRAMS = {".", "cd", "curl", "export", "make", "mkdir", "pip", "python", "python3", "ray", "sh", "ssh", "tar"}
RUN_SECS = 120


def blocks(page: pathlib.Path, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def commands(page: pathlib.Path) -> Iterator[list[str]]:
    """Each command of the shell blocks of a page as words; those after && count as well."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while "&&" in words:
                at = words.index("&&")
                yield words[:at]
                words = words[at + 1 :]
            if words:
                yield words


def check_client(words: list[str]) -> None:
    """Raises for a command of the hub's command line, or a flag, that does not exist."""
    command: Any = get_command(app)
    while inner := getattr(command, "commands", None):
        command = inner[words.pop(0)]
    known = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
    unknown = [word for word in words if word.startswith("-") and word.partition("=")[0] not in known]
    assert unknown == []


def check(words: list[str]) -> None:
    """Raises for a command that cannot be typed."""
    program, *rest = words
    if program == "tensorboard":  # of compat/tensorboard
        board_flags.parse(rest)
    elif program != "lightboard":
        assert program in OTHER_PROGRAMS
    elif rest[0] == "hub":
        hub_flags.parser().parse_args(rest[1:])
    elif rest[0] in get_command(app).commands:  # type: ignore[attr-defined]
        check_client(rest)
    else:
        board_flags.parse(rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_can_be_typed(page: pathlib.Path) -> None:
    """With the parsers that the programs use."""
    wrong = []
    for words in commands(page):
        try:
            check(words)
        except Exception as error:
            wrong.append(f"{shlex.join(words)}: {error!r}")

    assert wrong == []


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder in which the program of the tutorial ran with its three learning rates, without its pauses."""
    folder = tmp_path_factory.mktemp("tutorial")
    (program,) = blocks(ROOT / "docs" / "tutorial.md", "python")
    (folder / "train.py").write_text(program.replace("time.sleep(0.01)", "pass"))
    for words in commands(ROOT / "docs" / "tutorial.md"):
        if words[:2] == ["python", "train.py"]:
            subprocess.run([sys.executable, *words[1:]], cwd=folder, check=True, timeout=RUN_SECS)
    return folder


def lightboard(folder: pathlib.Path, *words: str) -> str:
    """What the program prints."""
    done = run_lightboard(words, RUN_SECS, cwd=folder)
    done.check_returncode()
    return done.stdout


def test_the_program_of_the_tutorial_writes_what_it_says(trained: pathlib.Path) -> None:
    """Three runs, each with its loss and two weights."""
    printed = lightboard(trained, "--inspect", "--logdir", "runs")

    assert sorted(folder.name for folder in (trained / "runs").iterdir()) == ["lr-0.01", "lr-0.1", "lr-0.5"]
    for tag in ("loss/train", "weight/a", "weight/b", "loss/final"):
        assert printed.count(f"   {tag}\n") == 3


def test_the_exports_of_the_guide_run(trained: pathlib.Path) -> None:
    """Over the logs of the tutorial."""
    for words in commands(ROOT / "docs" / "export-figures.md"):
        lightboard(trained, *words[1:])

    header, *rows = (trained / "losses.csv").read_text().splitlines()
    assert header.split(",")[:2] == ["run", "tag"]
    assert len(rows) == 3 * 1000 + 3
    assert (trained / "everything.zip").exists()


def test_every_button_of_the_tutorial_is_there() -> None:
    """What is written in bold is a text of the console."""
    prose = re.sub(r"^```.*?^```", "", (ROOT / "docs" / "tutorial.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    bold = re.findall(r"\*\*([^*]+)\*\*", prose)
    texts = (ROOT / "web" / "src" / "i18n" / "en.json").read_text()

    assert len(bold) > 5
    assert [text for text in bold if f': "{text}"' not in texts] == []
