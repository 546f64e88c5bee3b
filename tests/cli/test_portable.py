"""SDK and hub commands run everywhere and need the base install only."""

import importlib.metadata
import json
import pathlib
import pkgutil
import re
import subprocess
import sys
from typing import Any

import pytest

import lightboard.client
from lightboard.cli import main as cli
from support.hub_process import TOKEN, HubProcess

FOREIGN = (
    *("fcntl", "grp", "pwd", "pty", "resource", "syslog", "termios", "tty"),
    *("lightboard._native._core", "uvloop", "watchfiles"),
)
"""What other systems lack, but for what Python itself needs here, and what is not installed there."""
WITHOUT = """
import sys
for name in {foreign}:
    if name not in sys.modules:
        sys.modules[name] = None
"""
CLIENT = [f"lightboard.client.{module.name}" for module in pkgutil.iter_modules(lightboard.client.__path__)]


def run(program: str, *words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """A program without the modules of other systems."""
    command = [sys.executable, "-c", WITHOUT.format(foreign=FOREIGN) + program, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)


COMMAND_LINE = "from lightboard.cli.main import main; sys.exit(main(sys.argv[1:]))"


HELPS = """
import json, os, tempfile
import lightboard.cli.hub_client
from lightboard.cli.main import REMOTE, main
helps = {}
for command in REMOTE:
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            sys.exit(main([command, "--help"]))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        helps[command] = [code, *(file.seek(0) or file.read() for file in (out, errors))]
print(json.dumps(helps))
"""
"""Exit code, output and errors of each command, in a process that has loaded only what all commands load first."""


@pytest.fixture(scope="module")
def helps() -> dict[str, tuple[int, str, str]]:
    """What `HELPS` tells."""
    done = run(HELPS)
    assert done.returncode == 0, done.stderr
    return {command: (code, out, errors) for command, (code, out, errors) in json.loads(done.stdout).items()}


@pytest.mark.parametrize("command", cli.REMOTE)
def test_hub_commands_load_everywhere(helps: dict[str, tuple[int, str, str]], command: str) -> None:
    """Their help imports all their modules."""
    code, out, errors = helps[command]

    assert (code, errors, f"lightboard {command}" in out) == (0, "", True)


def test_hub_commands_work_everywhere(tmp_path: pathlib.Path) -> None:
    """With requests to a hub."""
    sdk = "from lightboard import TensorBoard; print(TensorBoard.list())"
    with HubProcess(tmp_path / "home") as hub:
        env = {"LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": TOKEN, "LIGHTBOARD_HOME": str(tmp_path / "user")}
        done = [run(sdk, env=env), run(COMMAND_LINE, "tb", "ls", "--json", env=env)]

    assert [(one.returncode, one.stdout, one.stderr) for one in done] == [(0, "[]\n", "")] * 2


def test_hub_commands_do_not_load_the_command_of_httpx() -> None:
    """It brings Rich and Pygments, which take a fifth of the time of a short command; tables are Rich's."""
    loaded = '; print([name for name in ("httpx", "pygments", "rich") if name in sys.modules])'
    done = run(f'from lightboard.cli.main import main; main(["tb", "--help"]){loaded}')

    assert (done.stdout.splitlines()[-1], done.stderr) == ("['httpx']", "")


@pytest.mark.parametrize("words", ["--version", "--help"])
def test_version_and_help_work_everywhere(words: str) -> None:
    """Whoever asks why it does not run has these."""
    assert run(COMMAND_LINE, words).returncode == 0


@pytest.mark.parametrize("words", ["logs", "hub", "demo", "export logs out.zip", "--inspect --logdir logs"])
def test_board_and_hub_report_unsupported_platforms(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one error."""
    monkeypatch.setattr(cli, "POSIX", False)

    assert cli.main(words.split()) == cli.WRONG_USAGE
    assert capsys.readouterr().err.splitlines() == [
        "lightboard: the board and the hub run on Linux and macOS only",
        "hint: on Windows use WSL; the SDK and the commands that talk to a hub run everywhere",
    ]


def test_the_base_install_is_enough() -> None:
    """Imports come from the standard library, this package, or its base dependencies."""
    program = f"""
import importlib, json
before = set(sys.modules)
for name in {[*CLIENT, "lightboard.cli.hub_client"]}:
    importlib.import_module(name)
print(json.dumps(sorted({{name.partition(".")[0] for name in set(sys.modules) - before}})))
"""
    loaded = set(json.loads(run(program).stdout)) - sys.stdlib_module_names - {"__main__", "lightboard"}

    providers: dict[str, Any] = importlib.metadata.packages_distributions()
    needed = {canonical(name) for package in loaded for name in providers.get(package, [])}
    assert {"httpx", "typer"} <= needed
    assert needed - brought("lightboard") == set()


def brought(distribution: str) -> set[str]:
    """The distributions that are installed with one, extras left out."""
    found, wanted = set[str](), [distribution]
    while wanted:
        name = canonical(wanted.pop())
        if name in found:
            continue
        found.add(name)
        try:
            requires = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system
        wanted += [re.split(r"[^\w.-]", line)[0] for line in requires if "extra ==" not in line]
    return found


def canonical(name: str) -> str:
    """As indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()
