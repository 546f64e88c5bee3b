"""The entry point: commands, exit codes, output streams."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from lightboard import __version__, _native
from lightboard.cli.main import REMOTE, main, split_command
from lightboard.testing.event_files import scalar_record, write_events


@pytest.mark.parametrize("flag", ["--version", "--version_tb"])
def test_the_version_is_one_line(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Like TensorBoard's, for scripts."""
    assert (main([flag]), capsys.readouterr().out) == (0, f"{__version__}\n")


def test_version_notes_missing_parts_on_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stderr, and only where something is."""
    monkeypatch.setattr(_native, "core", None)
    monkeypatch.setattr(_native, "reason", "it was never built")
    main(["--version"])

    out, err = capsys.readouterr()
    assert out == f"{__version__}\n"
    assert "the compiled core is missing: it was never built" in err


def test_help_fits_100_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """Every group has a title."""
    assert main(["serve", "--help"]) == 0

    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert [title for title in ("what to show:", "where to serve it:", "how to read it:") if title not in text] == []


@pytest.mark.parametrize("command", ["demo", "export", "hub", *REMOTE])
def test_help_names_every_command(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Nobody finds a hub who is not told of it."""
    main(["--help"])

    usage = capsys.readouterr().out.split("\n\n")[0]
    assert command in re.findall(r"[\w-]+", usage)


def test_help_marks_optional_values(capsys: pytest.CaptureFixture[str]) -> None:
    """In brackets."""
    main(["--help"])

    assert "--bind_all [BOOL]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("--nonsense", 2),
        ("a --port x", 2),
        ("a --reload_task sometimes", 2),
        ("hub --workers 0", 2),
        ("", 1),
        ("--inspect", 1),
        ("demo --logdir x", 2),
        ("a --host x --bind_all", 1),
        ("--logdir a --logdir_spec b", 1),
        ("a --path_prefix x", 1),
        ("--inspect --event_file a --logdir b", 1),
    ],
)
def test_mistakes_exit_with_tensorboards_codes(words: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """2 for syntax, 1 for conflicts; two lines on stderr, no traceback."""
    assert main(words.split()) == code

    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert err.startswith("lightboard: ")
    assert err.splitlines()[1].startswith("hint: ")


@pytest.mark.parametrize("path", ["/dev/null", "/dev/null/x", "x" * 5000])
def test_impossible_logdirs_are_refused(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At once."""
    assert main(["--logdir", path]) == 1

    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lightboard: {path} ")
    assert second == "hint: give a folder with event files somewhere below it"


def test_a_file_is_not_a_logdir(capsys: pytest.CaptureFixture[str]) -> None:
    """The hint names its folder."""
    assert main(["--logdir", __file__]) == 1

    said = capsys.readouterr().err
    assert "is a file, not a folder" in said
    assert f"the folder that holds it: {os.path.dirname(__file__)}" in said


@pytest.mark.parametrize(
    ("words", "command", "left"),
    [
        (["serve", "runs"], "serve", ["runs"]),
        (["runs"], "serve", ["runs"]),
        (["runs", "serve"], "serve", ["runs"]),
        (["demo"], "demo", []),
        (["./demo"], "serve", ["./demo"]),
        ([], "serve", []),
    ],
)
def test_commands_may_come_first_or_last(words: list[str], command: str, left: list[str]) -> None:
    """As in TensorBoard; a folder named so is ./serve."""
    assert split_command(words) == (command, left)


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """A run whose name few encodings hold, with a tag that gives orders to terminals."""
    write_events(tmp_path / "каталог 🎉" / "events.out.tfevents.1", [scalar_record("a\x1b[2J\nb", 0, 1.0)])
    return tmp_path


def shell(line: str, logdir: pathlib.Path, encoding: str = "utf-8") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of a shell line in which $LB is the program and $LOGS the folder."""
    environment = os.environ | {"LB": f"{sys.executable} -m lightboard", "LOGS": str(logdir)}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True,
        env=environment | {"PYTHONIOENCODING": encoding},
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_closed_pipe_is_no_error(logdir: pathlib.Path) -> None:
    """Such as `"""
    assert shell("$LB --inspect $LOGS | head -c 0", logdir) == (0, b"", b"")


def test_a_closed_stdout_is_no_error(logdir: pathlib.Path) -> None:
    """Nothing is printed, nothing breaks."""
    assert shell("$LB --inspect $LOGS >&-", logdir) == (0, b"", b"")


@pytest.mark.parametrize("words", ["--inspect $LOGS", "--version", "--help"])
def test_a_full_output_disk_is_an_error(words: str, logdir: pathlib.Path) -> None:
    """Two lines, exit code 1."""
    code, _, err = shell(f"$LB {words} >/dev/full", logdir)

    assert (code, err.decode().splitlines()) == (
        1,
        ["lightboard: cannot write to stdout: No space left on device", "hint: the disk may be full"],
    )


def test_names_are_escaped_for_the_terminal(logdir: pathlib.Path) -> None:
    """Unencodable and control characters."""
    code, out, err = shell("$LB --inspect $LOGS", logdir, "latin-1")

    assert (code, err) == (0, b"")
    assert b"\\u043a\\u0430\\u0442\\u0430\\u043b\\u043e\\u0433 \\U0001f389:\n" in out
    assert b"\n   a\\x1b[2J\\nb\n" in out
