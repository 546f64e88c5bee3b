"""The environment with TensorFlow, PyTorch and Transformers, which set-up makes; see scripts/setup_frameworks.sh."""

import os
import pathlib
import shlex
import subprocess
import sys
import sysconfig

import pytest

from support.wheels import ROOT

FOLDER = ROOT / ".venv-frameworks"
OLDER = ROOT / ".venv-transformers4"
PROGRAMS = ROOT / "tests" / "frameworks" / "programs"
"""The programs of the documents."""
NEURO_LOG = ROOT / "tests" / "data" / "programs" / "neuro_train"
"""What `train.py` of a new project writes for its training: the log of the program with the confusion matrix."""
SKIP = "LIGHTBOARD_SKIP_FRAMEWORKS"
PROGRAM = '#!/bin/sh\nexec {python} -m {module} "$@"\n'
PROGRAMS_OF_NOTEBOOKS = {
    "jupyter-lab": "jupyterlab",
    "jupyter-standaloneproxy": "jupyter_server_proxy.standalone",
    "lightboard": "lightboard",
}
"""The module of each."""


def framework_environment() -> pathlib.Path:
    """Its folder. Skips the test if the frameworks are not wanted; fails it if set-up did not make it."""
    if os.environ.get(SKIP):
        pytest.skip(f"{SKIP} is set")
    assert (FOLDER / "requirements.txt").exists(), "no .venv-frameworks; run scripts/setup_frameworks.sh"
    return FOLDER


def older_environment() -> pathlib.Path:
    """The one with Transformers 4, which takes the rest from the other. Skips or fails the test as that does."""
    framework_environment()
    assert (OLDER / "requirements.txt").exists(), "no .venv-transformers4; run scripts/setup_frameworks.sh"
    return OLDER


def notebook_environment(folder: pathlib.Path) -> pathlib.Path:
    """A new environment with the frameworks, and with JupyterLab and Lightboard of the tests. Nothing is installed."""
    python = framework_environment() / "bin" / "python3"
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    asked = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
    shared = (asked.strip(), sysconfig.get_path("purelib"))
    (site / "shared.pth").write_text("".join(f"import site; site.addsitedir({each!r})\n" for each in shared))
    (folder / "etc").symlink_to(pathlib.Path(sys.prefix, "etc"))  # where extensions of Jupyter are enabled
    for name, module in PROGRAMS_OF_NOTEBOOKS.items():
        path = folder / "bin" / name
        path.write_text(PROGRAM.format(python=shlex.quote(str(folder / "bin" / "python3")), module=module))
        path.chmod(0o755)
    return folder


def program(name: str) -> str:
    """The text of a program."""
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


def source_dir(folder: pathlib.Path, name: str) -> pathlib.Path:
    """A folder with a program as `train.py`."""
    (folder / "train.py").write_text(program(name), encoding="utf-8")
    return folder


class FrameworkPython:
    """A Python of the environment in which somebody runs one program after the other, in `folder`. A context manager.

    What is imported stays so: TensorFlow takes seconds.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        python = framework_environment() / "bin" / "python"
        self._output = folder.with_name("output").open("w+")
        self._process = subprocess.Popen(
            [python, "-c", LOOP],
            cwd=folder,
            # TensorFlow writes modules to TMPDIR, and Python what it has compiled beside them.
            env={
                **os.environ,
                "TF_CPP_MIN_LOG_LEVEL": "2",
                "TMPDIR": str(folder.parent),
                "PYTHONPATH": str(ROOT / "src"),  # for lightboard.profiling, which needs no dependencies
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
        )

    def run(self, name: str) -> None:
        """Run a program as `python NAME.py` would."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{PROGRAMS / name}.py\n")
        self._process.stdin.flush()
        if self._process.stdout.readline() != "ended\n":
            self._output.seek(0)
            raise AssertionError(self._output.read())

    def __enter__(self) -> "FrameworkPython":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdout
        self._process.communicate()
        self._output.close()


LOOP = """
import gc, runpy, sys
for line in sys.stdin:
    runpy.run_path(line.strip(), run_name="__main__")
    gc.collect()  # writers write what they hold when they go, as at the end of a process
    print("ended", flush=True)
"""
