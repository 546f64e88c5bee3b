"""Kernels as notebooks have them: a fresh IPython for each, which runs lines and ends."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from typing import Self

from lightboard.home import VARIABLE
from lightboard.notebook.board_record import BoardRecord, running_boards

TIMEOUT_SECS = 60
PORT = re.compile(r"Lightboard at http://[^:]+:(\d+)/")


class NotebookKernels:
    """Runs lines in the folder of a notebook. A context manager: ends the boards that the lines have started.

    `home` is the folder of the user's files, `records` that of the boards. `variables` are set for the kernels; None
    removes one.
    """

    def __init__(self, folder: pathlib.Path, *, python: str = sys.executable) -> None:
        self.folder = folder / "notebook"
        self.home = folder / "home"
        self.temporary = folder / "temporary"
        self.records = self.home / "notebooks"
        self.python = python
        self.variables: dict[str, str | None] = {
            VARIABLE: str(self.home),
            "IPYTHONDIR": str(folder / "ipython"),
            "TMPDIR": str(self.temporary),
        }
        for each in (self.folder, self.temporary):
            each.mkdir()

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a kernel."""
        every = {**os.environ, **self.variables}
        return {name: value for name, value in every.items() if value is not None}

    def run(self, *lines: str, folder: pathlib.Path | None = None) -> str:
        """What a new kernel prints, errors included, when it has run the lines and ended."""
        file = self.folder.with_name("lines.ipy")
        file.write_text("\n".join(lines) + "\n")
        command = [self.python, "-P", "-m", "IPython", "--no-banner", "--colors=NoColor", str(file)]
        done = subprocess.run(
            command,
            cwd=folder or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECS,
            start_new_session=True,  # as Jupyter starts kernels
        )
        return done.stdout

    def magic(self, *lines: str, folder: pathlib.Path | None = None) -> str:
        """What the lines after `%lightboard` print in a new kernel."""
        return self.run("%load_ext lightboard", *(f"%lightboard {line}" for line in lines), folder=folder)

    def boards(self) -> list[BoardRecord]:
        """The boards that are running."""
        return running_boards(str(self.records)) if self.records.is_dir() else []

    def files(self) -> list[pathlib.Path]:
        """What is stored about boards."""
        return sorted(self.records.glob("*"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # As every process that a test starts, boards end with it.
        # TensorBoard's magic notes nothing; its boards have files in the folder for temporary ones.
        noted = (self.temporary / ".tensorboard-info").glob("pid-*.info")
        for pid in {*(board.pid for board in self.boards()), *(json.loads(file.read_text())["pid"] for file in noted)}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def ports(output: str) -> list[int]:
    """The ports of the boards that lines have shown."""
    return [int(port) for port in PORT.findall(output)]
