"""Sandboxes for workloads, by bubblewrap: a workload sees its own folders, programs, and nothing else of the machine.

It has its own processes, temporary folder and devices, and no privileges. It shares the network.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import lightboard
from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.resources.volumes import HINT as TARGET_HINT
from lightboard.hub.resources.volumes import overlaps
from lightboard.hub.runners.base import VolumeMount, WorkloadSpec
from lightboard.hub.runners.command_process import NotStarted, start
from lightboard.hub.runners.gpus import device_files
from lightboard.hub.runners.image_mounts import image_mounts
from lightboard.hub.runners.mounts import (
    DEVICE_IF_PRESENT,
    READ_ONLY,
    READ_ONLY_IF_PRESENT,
    WRITABLE,
    Mount,
    below,
    empty,
    in_order,
    is_shown,
    read_only,
    scratch,
    with_parents,
    writable,
)
from lightboard.hub.runners.ownership import change_owner, check_empty
from lightboard.hub.runners.program_folders import SYSTEM, program_folders
from lightboard.hub.runners.replica_folder import ReplicaSpec, SandboxSpec
from lightboard.storage.real_folder import open_real

PROGRAM = "bwrap"
NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
USER_PRIVILEGES = ("--unshare-user", "--cap-drop", "ALL")
ROOT_PRIVILEGES = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
"""For root, which becomes another user in the sandbox (`sandbox_entry.become`) and loses these as well."""
SESSION = ("--new-session", "--die-with-parent")
CONFIGURATION = (
    "alternatives", "bash.bashrc", "ca-certificates", "ca-certificates.conf", "crypto-policies", "fonts", "gai.conf",
    "host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime",
    "magic", "mime.types", "nsswitch.conf", "OpenCL", "os-release", "pki/ca-trust", "pki/tls/certs", "profile",
    "protocols", "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "vulkan",
)  # fmt: skip
"""The files in /etc that programs need. Others may have secrets, which a hub that runs as root could read."""
NETWORK = ("gai.conf", "hosts", "resolv.conf")
"""Those that a container image cannot have."""
IMAGE_ROOT = "/.image"
"""Where the file system of a container image is in the sandbox, before it becomes /."""
CHANGE_ROOT = ("--cap-add", "CAP_SYS_CHROOT")
"""For that; `sandbox_entry` gives it up."""
HARDWARE = ("/sys/bus", "/sys/class", "/sys/devices", "/sys/module")
"""What programs ask about processors and graphics cards."""
JOB_USER_ID = 64_900
"""The user and group id of all jobs, if the hub runs as root. No account should have it."""
USER = "job"


class Sandbox:
    """`program` is the path of bubblewrap. `readable` are folders that every workload may read.

    `folder` is created, for the files that the sandbox needs itself. Where each sandbox has a user namespace, the
    kernel counts the processes and threads of each by itself (since Linux 5.14): `max_pids` is their limit, None for
    none.
    """

    def __init__(self, program: str, folder: Path, readable: Sequence[str] = (), max_pids: int | None = None) -> None:
        self._program = program
        self._max_pids = max_pids if self.user is None else None
        self._passwd, self._group = folder / "passwd", folder / "group"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        uid, gid = self.user or os.getuid(), self.user or os.getgid()
        self._write(self._passwd, f"{USER}:x:{uid}:{gid}::/tmp:/bin/sh\n")
        self._write(self._group, f"{USER}:x:{gid}:\n")
        self._programs = tuple(own_program_folders())
        self._readable = tuple(readable)

    def _write(self, path: Path, text: str) -> None:
        """Replaces a file, since running jobs have mounted the old one."""
        fd, name = tempfile.mkstemp(dir=path.parent)
        with open(fd, "w") as file:
            file.write(text)
        if self.user is not None:
            os.chown(name, self.user, self.user)
        os.replace(name, path)

    @property
    def user(self) -> int | None:
        """The user and group id of commands, None for that of the hub.

        Root of the machine cannot be confined by namespaces: it owns devices, kernel settings and control groups.
        """
        return None if os.getuid() else JOB_USER_ID

    def check(self) -> str:
        """Why it does not work on this machine, "" if it does."""
        probe = WorkloadSpec(id="check", attempt=1, command=("true",), working_dir="/")
        environment = {"PATH": os.defpath}
        spec = ReplicaSpec(
            command=probe.command, working_dir="/", environment=environment, memory_bytes=None, mark="check",
            sandbox=self.spec_of(probe),
        )  # fmt: skip
        with tempfile.TemporaryFile() as output:
            try:
                start(spec, output.fileno()).wait()
            except (OSError, NotStarted) as error:
                output.seek(0)
                lines = output.read().decode(errors="replace").strip().splitlines() or [str(error)]
                return lines[-1].removeprefix("bwrap: ")
        return ""

    def variables(self) -> dict[str, str]:
        """Variables that describe the user in the sandbox."""
        return {"USER": USER, "LOGNAME": USER}

    def prepare(self, spec: WorkloadSpec) -> None:
        """Makes the user of the command the owner of what it may write to. Raises LaunchError and OSError."""
        if self.user is None:
            return
        for path in filter(None, (*spec.writable, spec.temporary)):
            with opened(path) as folder:
                change_owner(folder, self.user, self.user)
        for path in (*spec.appendable, *(each.source for each in spec.volumes if each.writable)):
            allow_adding(path, self.user)
        for rank in range(spec.replicas if spec.temporary else 0):
            with opened(f"{spec.temporary}/{rank}") as folder:
                os.fchmod(folder, 0o1777)  # below /tmp there may be programs, and root is not its owner

    def spec_of(self, spec: WorkloadSpec, temporary: str = "", gpu_ids: Sequence[int] | None = None) -> SandboxSpec:
        """The sandbox of a replica, after `prepare`. `temporary` is the folder to use as /tmp, "" for one in memory;
        `gpu_ids` are its GPUs, None for all.

        Raises LaunchError if a folder cannot be opened by its real path, or a file that must be hidden is not in a
        folder that can be: it might be replaced, and the new one would be seen.
        """
        readable = [path for path in spec.readable if os.path.isdir(path)]
        identities = {path: identity(path) for path in (*readable, *spec.writable, *spec.appendable)}
        identities |= {volume.target: identity(volume.source) for volume in spec.volumes}
        if temporary:
            identities["/tmp"] = identity(temporary)  # noqa: S108  # in the sandbox
        return SandboxSpec(
            command=self._command(spec, readable, temporary, gpu_ids),
            folders=tuple((path, *found) for path, found in identities.items()),
            user=self.user,
            root=IMAGE_ROOT if spec.root else "",
            max_pids=self._max_pids,
        )

    def _command(
        self, spec: WorkloadSpec, readable: Sequence[str], temporary: str, gpu_ids: Sequence[int] | None
    ) -> tuple[str, ...]:
        mounts = self._mounts(spec, readable, temporary)
        mounts += [Mount(DEVICE_IF_PRESENT, path, path) for path in device_files(gpu_ids)]
        emptied = ["/", *(path for path in spec.hidden if empty(path) in mounts)]
        if spec.root:
            mounts = [*self._entry_mounts(), empty(IMAGE_ROOT), *(below(IMAGE_ROOT, mount) for mount in mounts)]
            emptied = ["/", *(IMAGE_ROOT + path.rstrip("/") for path in emptied)]
        return (
            self._program,
            *NAMESPACES,
            *(ROOT_PRIVILEGES if self.user is not None else USER_PRIVILEGES),
            *(CHANGE_ROOT if spec.root else ()),
            *SESSION,
            *(argument for mount in mounts for argument in mount.arguments()),
            # after what is below them has been mounted
            *(argument for path in emptied for argument in ("--remount-ro", path)),
        )

    def _entry_mounts(self) -> list[Mount]:
        """What the first program needs, before it changes to the file system of a container image."""
        return with_parents(in_order([*map(read_only, self._programs), *map(system_folder, existing_system_folders())]))

    def _mounts(self, spec: WorkloadSpec, readable: Sequence[str], temporary: str) -> list[Mount]:
        shown = in_order(
            [
                *([] if spec.root else self._program_mounts()),
                *map(read_only, (*self._readable, *readable)),
                *self._machine_mounts(),
                writable("/tmp", temporary) if temporary else scratch("/tmp"),  # noqa: S108
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
        changeable = (*spec.appendable, *spec.writable)
        own = in_order([*shown, *map(empty, folders), *map(writable, changeable)])
        mounts = in_order([*own, *(volume_mount(volume, own) for volume in spec.volumes)])
        return with_parents(in_order([*image_mounts(spec.root, mounts), *mounts]) if spec.root else mounts)

    def _program_mounts(self) -> list[Mount]:
        """The programs of the machine."""
        return [
            *map(read_only, self._programs),
            *map(system_folder, existing_system_folders()),
            *map(configuration, CONFIGURATION),
            Mount("--symlink", "/var/tmp", "../tmp"),  # noqa: S108
        ]

    def _machine_mounts(self) -> list[Mount]:
        """What every sandbox has."""
        return [
            *(configuration(name) for name in NETWORK if os.path.exists(f"/etc/{name}")),
            Mount(READ_ONLY, "/etc/passwd", str(self._passwd)),
            Mount(READ_ONLY, "/etc/group", str(self._group)),
            *(Mount(READ_ONLY_IF_PRESENT, path, path) for path in HARDWARE),
            Mount("--proc", "/proc"),
            Mount("--dev", "/dev"),
            scratch("/dev/shm"),  # noqa: S108
        ]


def own_program_folders() -> list[str]:
    """The folders of the programs that the hub itself finds."""
    own = [sys.prefix, sys.base_prefix, str(Path(lightboard.__file__).parent)]
    return program_folders(os.environ.get("PATH", os.defpath), os.path.expanduser("~"), own)


@contextlib.contextmanager
def opened(path: str) -> Iterator[int]:
    """A descriptor of a folder. Raises LaunchError if it does not exist, or a link is on the way to it."""
    try:
        fd = open_real(path)
    except OSError as error:
        raise LaunchError(
            f"the folder {path} of the job cannot be opened: {error.strerror}",
            reason=START_FAILED,
            hint="a link in its place is not followed",
        ) from None
    try:
        yield fd
    finally:
        os.close(fd)


def identity(path: str) -> tuple[int, int]:
    """Device and inode of a folder. Raises LaunchError as `opened`."""
    with opened(path) as folder:
        found = os.fstat(folder)
    return found.st_dev, found.st_ino


def allow_adding(path: str, user: int) -> None:
    """Makes a user the owner of a folder, unless somebody else has files in it. Raises OSError, LaunchError."""
    with opened(path) as folder:
        if os.fstat(folder).st_uid == user:
            return
        check_empty(folder, path, f"choose a new folder, or make the user {user} its owner")
        os.fchown(folder, user, user)


def volume_mount(volume: VolumeMount, others: Sequence[Mount]) -> Mount:
    """The mount of a volume, besides other mounts. Raises LaunchError if one of these is there.

    Folders on the way to it would be created in what the machine has there.
    """
    if taken := [mount.path for mount in others if overlaps(mount.path, volume.target)]:
        raise LaunchError(
            f"a volume cannot be at {volume.target}: the job has {taken[0]} already",
            reason=START_FAILED,
            hint=TARGET_HINT,
        )
    return Mount(WRITABLE if volume.writable else READ_ONLY, volume.target, volume.source)


def system_folder(path: str) -> Mount:
    """A folder of the system as it is: a link in distributions that have all programs in /usr."""
    return Mount("--symlink", path, os.readlink(path)) if os.path.islink(path) else read_only(path)


def existing_system_folders() -> list[str]:
    """The folders of the system that this machine has."""
    return [path for path in SYSTEM if os.path.isdir(path)]


def configuration(name: str) -> Mount:
    """A file or folder in /etc."""
    return Mount(READ_ONLY_IF_PRESENT, f"/etc/{name}", f"/etc/{name}")


def find_sandbox(folder: Path, readable: Sequence[str] = (), max_pids: int | None = None) -> tuple[Sandbox | None, str]:
    """A sandbox that works on this machine, or None and why there is none."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None, "bubblewrap (bwrap) is not installed"
    sandbox = Sandbox(program, folder, readable, max_pids)
    problem = sandbox.check()
    return (None, problem) if problem else (sandbox, "")
