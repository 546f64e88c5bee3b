"""Virtual environments with TensorBoard, with the package that has its names, or with both."""

import os
import pathlib
import shlex
import subprocess
import sys
import sysconfig

import pytest

from support.wheels import ROOT

ORIGINAL, NAMES = "tensorboard", "lightboard-tensorboard"
DEPENDENCIES = ("absl-py", "grpcio", "markdown", "protobuf", "werkzeug")
"""What TensorBoard imports, and the environment of the tests may lack."""
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def fetch_wheels(folder: pathlib.Path) -> None:
    """Put the wheels of both packages into `folder`, and TensorBoard's dependencies into `dependencies` in it.

    Skips the test if no package index can be reached.
    """
    pinned = ("-q", "-c", str(ROOT / "constraints.txt"))
    folder.mkdir()
    fetch(*PIP, "download", *pinned, "--no-deps", "-d", str(folder), ORIGINAL)
    fetch(*PIP, "wheel", *pinned, "--no-deps", "-w", str(folder), str(ROOT / "compat" / "tensorboard"))
    target = ("--no-compile", "--target", str(folder / "dependencies"))
    fetch(*PIP, "install", *pinned, *target, "--no-deps", *DEPENDENCIES)


def fetch(*command: str) -> None:
    """Run pip."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "connection broken by" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr


class TensorBoardEnvironment:
    """A new environment in `folder`, with what the tests have, and these packages, installed in this order."""

    def __init__(self, folder: pathlib.Path, wheels: pathlib.Path, *packages: str) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.python = str(folder / "bin" / "python")
        self._folder, self._wheels = folder, wheels
        (site,) = folder.glob("lib/python*/site-packages")
        shared = [str(wheels / "dependencies"), sysconfig.get_path("purelib")]
        (site / "shared.pth").write_text("".join(f"import site; site.addsitedir({each!r})\n" for each in shared))
        for package in packages:
            self.install(package)

    def install(self, *words: str) -> None:
        """Install a package from its wheel."""
        self.pip("install", "--no-index", "--no-deps", "--no-compile", "--find-links", str(self._wheels), *words)

    def pip(self, *words: str) -> None:
        """Run pip for this environment."""
        subprocess.run([*PIP, "--python", self.python, *words], check=True, capture_output=True)

    def run(self, *words: str, **variables: str) -> tuple[str, str]:
        """What a program of the environment prints to stdout and stderr."""
        command = [str(self.program(words[0])), *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=self._folder)
        return done.stdout, done.stderr

    def start(self, line: str, folder: pathlib.Path) -> "subprocess.Popen[str]":
        """Start a line that somebody types in a folder, with the programs of the environment; stderr is a pipe."""
        path = f"{self._folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.Popen(
            shlex.split(line), cwd=folder, env={**os.environ, "PATH": path}, stderr=subprocess.PIPE, text=True
        )

    def has(self, program: str) -> bool:
        """Whether it has such a program."""
        return self.program(program).exists()

    def program(self, name: str) -> pathlib.Path:
        """The path of a program of the environment."""
        return self._folder / "bin" / name
