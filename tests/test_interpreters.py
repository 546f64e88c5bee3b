"""One wheel for every Python: it installs without a compiler, and a part of the suite passes where warnings are errors.

The interpreters are those of PATH and of pyenv; the one that runs the tests is left out, since it runs all of them.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence

import pytest

from support.wheels import ROOT, make_once, pack_wheel

RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
pytestmark = [pytest.mark.interpreters, pytest.mark.timeout(1200)]  # packages may have to be fetched
VERSIONS = [version for version in ("3.11", "3.12", "3.13", "3.14") if version != RUNNING]
PURE = "[python and (test_charts.py or test_framing.py or test_reading.py)"
"""Tests of the pure-Python decoder with megabytes: most of the time of their part."""
BOARD = "tests/board/test_board_process.py"
JOBS = "tests/client/test_training_jobs.py"
OF_A_HUB = ("create_requests", "estimator", "folder_listing", "invitations_client")
"""Tests of the client that start a hub, which costs more than they do."""
STARTED = [f"tests/client/test_{name}.py" for name in OF_A_HUB]
PARTS: dict[str, Sequence[str]] = {
    "buffers": ("tests/events", "tests/series", "tests/native", "tests/profiling", "-k", f"not ({PURE})"),
    "asyncio": ("tests/asgi", "tests/client", *(f"--ignore={path}" for path in (*STARTED, JOBS))),
    "started servers": (BOARD, "tests/hub/test_hub_process.py", *STARTED, "-k", "not killed_demo"),
}
"""Where versions of Python differ: buffers, threads, asyncio, processes, and what watches calls."""
LONG_PARTS: dict[str, Sequence[str]] = {
    "buffers": ("tests/events", "-k", PURE),
    "a started board": (BOARD, "-k", "killed_demo"),
    "a started hub": (JOBS,),
}
"""What takes most of the time and shows least of the version."""

WITH = ("pytest", "pytest-timeout", "hypothesis")
KEPT = ROOT / ".cache"

TOLD = """
import json, sys, lightboard
from lightboard import _native
core = _native.core and _native.core.__file__
print(json.dumps(["%d.%d" % sys.version_info[:2], lightboard.__file__, core]))
"""


@pytest.fixture(scope="session", params=VERSIONS)
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """A virtual environment of that Python with the wheel, the hub's dependencies and what its tests need.

    It is kept for the next run, with byte code, but for the wheel. Another run in this checkout waits for this one.
    """
    name = f"python{request.param}"
    python = find(request.param)
    wheel = next(make_once(tmp_path_factory, "packed", pack_wheel).glob("wheels/*.whl"))
    KEPT.mkdir(exist_ok=True)
    with (KEPT / f"{name}.lock").open("w") as lock:

        def install_alone(folder: pathlib.Path) -> None:
            fcntl.flock(lock, fcntl.LOCK_EX)
            install(python, wheel, KEPT / name)
            folder.mkdir()

        make_once(tmp_path_factory, name, install_alone)
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield KEPT / name


def find(version: str) -> str:
    """An interpreter; skips the test if there is none. A name on PATH may be a pyenv shim that starts nothing."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv")
    names = [shutil.which(f"python{version}"), *pyenv.glob(f"versions/{version}.*[0-9]/bin/python{version}")]
    for name in filter(None, names):
        command = [name, "-c", "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(command, capture_output=True, text=True).stdout.strip() == version:
            return str(name)
    pytest.skip(f"no Python {version} on PATH or in pyenv")


def install(python: str, wheel: pathlib.Path, folder: pathlib.Path) -> None:
    """As a user does, where there is no compiler; skips the test if no package index can be reached.

    An environment made of the same interpreter and pins has all but the wheel. Its mark is written last.
    """
    version = subprocess.run([python, "-VV"], check=True, capture_output=True, text=True).stdout
    pins = [(ROOT / name).read_text() for name in ("constraints.txt", "pyproject.toml")]
    made_of = json.dumps([python, version, *WITH, *pins])
    mark = folder / "made_of.json"
    if mark.exists() and mark.read_text() == made_of:
        mark.unlink()
        subprocess.run([folder / "bin/python", "-m", "pip", "uninstall", "-q", "-y", "lightboard"], check=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", folder], check=True)
    command = [
        folder / "bin/pip",
        "install",
        "-q",
        "--no-compile",
        "--disable-pip-version-check",
        "--only-binary=:all:",
    ]
    wanted = [
        "-c",
        ROOT / "constraints.txt",
        f"lightboard[hub] @ {wheel.as_uri()}",
        *WITH,
    ]
    done = subprocess.run(
        [*command, *wanted], capture_output=True, text=True, env={**os.environ, "CC": "false", "CXX": "false"}
    )
    if done.returncode and "connection broken by" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    mark.write_text(made_of)


def plain_environment() -> dict[str, str]:
    """Without what this Python, pytest and tests are told."""
    told = ("PYTEST_", "PYTHON", "LIGHTBOARD_")
    return {name: value for name, value in os.environ.items() if not name.startswith(told)}


def test_every_version_that_the_project_names_is_tried() -> None:
    """Metadata and README name the same ones."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)

    assert set(named) - {RUNNING, *VERSIONS} == set()
    assert project["requires-python"] == f">={named[0]}"
    assert f"Python {', '.join(named[:-1])} and {named[-1]}" in (ROOT / "README.md").read_text()


def test_the_wheel_brings_the_compiled_core(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """One that was built for another Python: it uses only the stable interface."""
    command = [installed / "bin/python", "-W", "error", "-c", TOLD]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=plain_environment())

    package = next(installed.glob("lib/*/site-packages/lightboard"))
    version = package.parts[-3].removeprefix("python")
    assert done.stderr == ""
    assert json.loads(done.stdout) == [version, f"{package}/__init__.py", f"{package}/_native/_core.abi3.so"]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_suite_passes(installed: pathlib.Path, part: str, tmp_path: pathlib.Path) -> None:
    """With warnings as errors, as everywhere: what a later Python gives up is learned of before it is gone."""
    assert run_tests(installed, PARTS[part], tmp_path) == "passed"


@pytest.mark.long
@pytest.mark.parametrize("part", LONG_PARTS)
def test_the_rest_of_a_part_passes(installed: pathlib.Path, part: str, tmp_path: pathlib.Path) -> None:
    """In the same way."""
    assert run_tests(installed, LONG_PARTS[part], tmp_path) == "passed"


def run_tests(installed: pathlib.Path, chosen: Sequence[str], folder: pathlib.Path) -> str:
    """Run tests in an environment; what they print unless they have passed."""
    env = plain_environment()
    env |= {
        "PYTHONPYCACHEPREFIX": str(installed / "pycache"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "examples"),
    }
    command = [installed / "bin/python", "-m", "pytest", "-p", "no:cacheprovider", "--hypothesis-profile=few"]
    arguments = ["-m", "not fuzz", "--basetemp", folder / "tests", *chosen]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=ROOT, env=env)
    return done.stdout[-20_000:] + done.stderr if done.returncode else "passed"
