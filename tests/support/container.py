"""Runs tests again as in a plain container: as root with the privileges that containers have by default. Linux only."""

import os
import pathlib
import shutil
import subprocess

import pytest

from support.ordinary_user import run_tests_elsewhere

DEFAULT_CAPABILITIES = (
    "chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service", "net_raw",
    "sys_chroot", "mknod", "audit_write", "setfcap",
)  # fmt: skip
"""Those of Docker and containerd: namespaces, mounts and the processes of other users are for none of them."""


def run_tests_in_container(folder: pathlib.Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Pytest with these arguments, once it has ended, and with it all that it has started.

    All users can reach programs, and files are left in `folder` alone. Skips unless root runs it.
    """
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can run tests as root of a container, with setpriv")
    kept = ",".join(["-all", *(f"+{name}" for name in DEFAULT_CAPABILITIES)])
    return run_tests_elsewhere(folder, 0, [f"--bounding-set={kept}"], *words)
