"""Sandboxes for workloads, by bubblewrap: a workload sees its own folders, programs, and nothing else of the machine.

It has its own processes, temporary folder and devices, and no privileges. It shares the network.
"""

import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import lightboard
from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.mounts import (
    DEVICE_IF_PRESENT,
    READ_ONLY,
    READ_ONLY_IF_PRESENT,
    Mount,
    empty,
    in_order,
    is_shown,
    read_only,
    writable,
)
from lightboard.hub.runners.program_folders import SYSTEM, program_folders

PROGRAM = "bwrap"
NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
PRIVILEGES = ("--cap-drop", "ALL", "--new-session", "--die-with-parent")
"""Without capabilities it cannot undo mounts. Bubblewrap itself prevents that setuid programs give it any."""
CONFIGURATION = (
    "alternatives", "bash.bashrc", "ca-certificates", "ca-certificates.conf", "crypto-policies", "fonts", "gai.conf",
    "host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime",
    "magic", "mime.types", "nsswitch.conf", "OpenCL", "os-release", "pki/ca-trust", "pki/tls/certs", "profile",
    "protocols", "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "vulkan",
)  # fmt: skip
"""The files in /etc that programs need. Others may have secrets, which a hub that runs as root could read."""
HARDWARE = ("/sys/bus", "/sys/class", "/sys/devices", "/sys/module")
"""What programs ask about processors and graphics cards."""
DEVICES = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")
UNPRIVILEGED = 1000
"""The user and group id in the sandbox of a hub that runs as root; outside, files belong to root."""
USER = "job"
CHECK_SECS = 10.0


class Sandbox:
    """`program` is the path of bubblewrap. `readable` are folders that every workload may read.

    `folder` is created, for the files that the sandbox needs itself.
    """

    def __init__(self, program: str, folder: Path, readable: Sequence[str] = ()) -> None:
        self._program = program
        self._uid, self._gid = os.getuid() or UNPRIVILEGED, os.getgid() or UNPRIVILEGED
        self._passwd, self._group = folder / "passwd", folder / "group"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in (self._passwd, self._group):
            file.touch(mode=0o600)
        self._passwd.write_text(f"{USER}:x:{self._uid}:{self._gid}::/tmp:/bin/sh\n")  # in the sandbox
        self._group.write_text(f"{USER}:x:{self._gid}:\n")
        self._readable = tuple(readable)

    def check(self) -> str:
        """Why it does not work on this machine, "" if it does."""
        probe = WorkloadSpec(id="check", attempt=1, command=("true",), working_dir="/")
        try:
            result = subprocess.run(  # noqa: S603  # no input of users
                [*self.command(probe), "--", *probe.command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=CHECK_SECS,
                check=False,
                env={"PATH": os.defpath},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap does not run: {error}"
        if not result.returncode:
            return ""
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["bubblewrap fails"]
        return lines[-1].removeprefix("bwrap: ")

    def variables(self) -> dict[str, str]:
        """Variables that describe the user in the sandbox."""
        return {"USER": USER, "LOGNAME": USER}

    def command(self, spec: WorkloadSpec, temporary: str = "") -> tuple[str, ...]:
        """Bubblewrap and its arguments for a workload, without the environment and the command of the workload.

        `temporary` is the folder to use as /tmp, "" for one in memory. Raises LaunchError if a file that must be hidden
        is not in a folder that can be: it might be replaced, and the new one would be seen.
        """
        mounts = self._mounts(spec, temporary)
        return (
            self._program,
            *NAMESPACES,
            *("--uid", str(self._uid), "--gid", str(self._gid)),
            *PRIVILEGES,
            *(argument for mount in mounts for argument in mount.arguments()),
            *(argument for path in ("/", *spec.hidden) for argument in read_only_again(path, mounts)),
            *("--chdir", spec.working_dir),
        )

    def _mounts(self, spec: WorkloadSpec, temporary: str) -> list[Mount]:
        shown = in_order(
            [
                *map(read_only, (*self._program_folders(), *self._readable, *spec.readable)),
                *self._system_mounts(),
                writable("/tmp", temporary) if temporary else empty("/tmp"),  # noqa: S108
            ]
        )
        exposed = [path for path in spec.hidden if is_shown(path, shown)]
        folders = [path for path in exposed if os.path.isdir(path)]
        if files := [
            path for path in exposed if path not in folders and is_shown(path, [*shown, *map(empty, folders)])
        ]:
            raise LaunchError(
                f"jobs could read {os.path.basename(files[0])}, a file of the hub that they must not see",
                reason=START_FAILED,
                hint="move it out of the folders that the project or all jobs may read",
            )
        return in_order([*shown, *map(empty, folders), *map(writable, spec.writable)])

    def _program_folders(self) -> list[str]:
        own = [sys.prefix, sys.base_prefix, str(Path(lightboard.__file__).parent)]
        return program_folders(os.environ.get("PATH", os.defpath), os.path.expanduser("~"), own)

    def _system_mounts(self) -> list[Mount]:
        return [
            *(system_folder(path) for path in SYSTEM if os.path.isdir(path)),
            *(Mount(READ_ONLY_IF_PRESENT, f"/etc/{name}", f"/etc/{name}") for name in CONFIGURATION),
            Mount(READ_ONLY, "/etc/passwd", str(self._passwd)),
            Mount(READ_ONLY, "/etc/group", str(self._group)),
            *(Mount(READ_ONLY_IF_PRESENT, path, path) for path in HARDWARE),
            Mount("--proc", "/proc"),
            Mount("--dev", "/dev"),
            *(Mount(DEVICE_IF_PRESENT, path, path) for pattern in DEVICES for path in sorted(glob.glob(pattern))),
            Mount("--symlink", "/var/tmp", "../tmp"),  # noqa: S108
        ]


def system_folder(path: str) -> Mount:
    """A folder of the system as it is: a link in distributions that have all programs in /usr."""
    return Mount("--symlink", path, os.readlink(path)) if os.path.islink(path) else read_only(path)


def read_only_again(path: str, mounts: Sequence[Mount]) -> tuple[str, ...]:
    """Arguments that make an empty folder read-only, after what is below it has been mounted."""
    is_empty = path == "/" or any(mount == empty(path) for mount in mounts)
    return ("--remount-ro", path) if is_empty else ()


def find_sandbox(folder: Path, readable: Sequence[str] = ()) -> tuple[Sandbox | None, str]:
    """A sandbox that works on this machine, or None and why there is none."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None, "bubblewrap (bwrap) is not installed"
    sandbox = Sandbox(program, folder, readable)
    problem = sandbox.check()
    return (None, problem) if problem else (sandbox, "")
