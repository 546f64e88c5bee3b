"""A hub on a machine that is switched off and on again, as far as processes can tell."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import uuid

import pytest

from support.hub_process import HubProcess

BOOT_ID = "/proc/sys/kernel/random/boot_id"
NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
INIT = 'mount --bind "$0" "$1" || exit 1; shift; "$@" & wait'
"""The first process, which ends all others by its end."""


class RebootingHub(HubProcess):
    """It has namespaces of its own, so that no process of it or its jobs survives its end, whatever they do.

    Each start has another boot id, and numbers its processes from 1 on, so that others have the numbers of those that
    ran before. `boot_ids` are those of all starts. Skips the test if the machine does not allow that.
    """

    def __init__(self, home: pathlib.Path, *words: str) -> None:
        if shutil.which(NAMESPACES[0]) is None or os.geteuid() != 0:
            pytest.skip("only root creates namespaces of processes and mounts everywhere")
        self.boot_ids: list[str] = []
        super().__init__(home, *words)

    def _open(self, words: list[str], env: dict[str, str]) -> "subprocess.Popen[str]":
        self.boot_ids.append(str(uuid.uuid4()))
        file = self.home.with_name(f"boot-id-{len(self.boot_ids)}")
        file.write_text(f"{self.boot_ids[-1]}\n")
        init = [*NAMESPACES, "sh", "-c", INIT, str(file), BOOT_ID]
        return subprocess.Popen(
            [*init, sys.executable, "-m", "lightboard", *words],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=env,
        )  # fmt: skip

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """Nothing is ended in order: everything is gone at once."""
        self.kill()
        return -how
