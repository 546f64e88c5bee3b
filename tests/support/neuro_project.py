"""The project of the document of Neu.ro: its folder, and `make` in it."""

import os
import signal
import subprocess
import sys

from support.board_process import TIMEOUT_SECS
from support.fork_server import restore_default_signals, run_lightboard
from support.hub_cli import HubCli

ANSWERS = "imagesummary\nimage\n\n"
DOCUMENT = r"""neuro run  \
        --name tensorboard-image \
        --preset cpu-small \
        --tag "target:tensorboard" --tag "kind:project" --tag "project:image" --tag "project-id:neuro-project-d2c1fffe" \
        --http 6006 \
        --http-auth \
        --browse \
        --life-span=1d \
        --volume storage:image/results://project/results:ro \
        tensorflow/tensorflow:latest \
        tensorboard --host=0.0.0.0 --logdir=//project/results
"""  # noqa: E501
"""What `make tensorboard` prints in the document."""


class Project:
    """The folder that `project init` makes for the answers of the document, and `make` in it.

    Its jobs run the programs of an image of the hub.
    """

    def __init__(self, cli: HubCli, image: str) -> None:
        self.folder = cli.folder / "image"
        self._image = image
        self.env = {**cli.env, "BROWSER": "true %s", "OMP_NUM_THREADS": "1"}
        del self.env["LIGHTBOARD_PROJECT"]
        self.asked = init(cli, ANSWERS)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start `make` in a process group of its own, which can be interrupted as on a terminal."""
        return subprocess.Popen(
            ["make", f"LIGHTBOARD={sys.executable} -m lightboard", f"IMAGE={self._image}", *words],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=restore_default_signals,
        )

    def make(self, *words: str, code: int = 0) -> list[str]:
        """The lines that `make` prints; it must exit with `code`."""
        with self.start(*words) as process:
            out, _ = process.communicate(timeout=4 * TIMEOUT_SECS)
        assert process.returncode == code, out
        return out.splitlines()

    def interrupt(self, process: "subprocess.Popen[str]", beginning: str) -> list[str]:
        """The last lines of a process that gets Ctrl-C when it prints a line that begins so."""
        assert process.stdout
        before = []
        for line in process.stdout:
            before.append(line)
            if line.startswith(beginning):
                break
        else:
            raise AssertionError(f"no {beginning!r} in:\n" + "".join(before))
        os.killpg(process.pid, signal.SIGINT)
        return process.communicate(timeout=TIMEOUT_SECS)[0].splitlines()


def init(cli: HubCli, answers: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
    """Run `project init` with what is typed."""
    done = run_lightboard(["project", "init"], TIMEOUT_SECS, typed=answers, cwd=cli.folder, env=cli.env)
    assert done.returncode == code, done.stderr
    return done
