"""System users of jobs: what isolates jobs where there is no sandbox, if the hub runs as root. Linux only.

Each account has a user of its own, and each project a group. Nothing has to be created for that, since the kernel only
knows numbers: they are from a range that nobody else of the machine may use.
"""

import contextlib
import fcntl
import grp
import os
import pwd
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import lightboard
from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.base import SystemIdentity, WorkloadSpec
from lightboard.hub.runners.command_process import NotStarted, start
from lightboard.hub.runners.ownership import change_owner
from lightboard.hub.runners.replica_folder import IdentitySpec, ReplicaSpec
from lightboard.hub.runners.sandbox import JOB_USER_ID, USER, opened
from lightboard.storage.real_folder import PASSING

LOCK = "/run/lightboard-job-users"
"""A file in which each hub of the machine locks the bytes whose numbers are the ids that it uses."""
READ_PACKAGE = "import sys; open(sys.argv[1]).close()"
PASS, OF_GROUP, BY_OTHERS = 0o010, 0o070, 0o001
"""Permissions of a folder: for its group to pass, all of its group, and for others to pass."""


class SystemUsers:
    """The users and groups whose ids are `ids`, of which the first one is that of what all jobs may pass.

    That is `top`, the hub's data directory, and folders in it. An account may have `max_pids` processes and threads,
    None for no limit.
    """

    def __init__(self, ids: range, top: Path, max_pids: int | None = None) -> None:
        self.ids = ids
        self._top = os.path.realpath(top)
        self._max_pids = max_pids
        self._lock: int | None = None

    def lock(self) -> str:
        """Takes the ids for this process. Returns why it cannot have them, "" if it can."""
        used = f"{self.ids[0]}-{self.ids[-1]}"
        try:
            self._lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB, len(self.ids), self.ids[0])
        except BlockingIOError:
            self.close()
            return f"another hub of this machine has the users {used} (--job-users)"
        except OSError as error:
            return f"{LOCK} cannot be locked: {error.strerror}"
        return ""

    def close(self) -> None:
        """Lets other hubs have the ids."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def check(self) -> str:
        """Why no job can run as a user of its own on this machine, "" if jobs can."""
        if os.getuid() != 0:
            return "the hub does not run as root, which users of their own for jobs need"
        if is_taken(self.ids[0]):
            return f"the user or group {self.ids[0]} of jobs has a name on this machine (--job-users)"
        try:
            for folder in (os.path.dirname(self._top), self._top):
                let_pass(folder, self.ids[0])
        except OSError as error:
            return f"{error.filename} cannot be changed: {error.strerror}"
        return self._problem_of_start()

    def _problem_of_start(self) -> str:
        """Runs the hub's own Python in its folder."""
        package = str(Path(lightboard.__file__).resolve())
        spec = ReplicaSpec(
            command=(sys.executable, "-I", "-S", "-c", READ_PACKAGE, package), working_dir=self._top,
            environment={"PATH": os.defpath}, memory_bytes=None, mark="check",
            user=IdentitySpec(user=self.ids[0], groups=(self.ids[0], self.ids[0])),
        )  # fmt: skip
        with tempfile.TemporaryFile() as output:
            try:
                process = start(spec, output.fileno())
                _, code = os.waitpid(process.pid, 0)
                process.release(code)
            except OSError as error:
                return f"a user of its own cannot use {error.filename or sys.executable}: {error.strerror}"
            except NotStarted as error:
                return f"no process can become a user of its own: {error}"
        return f"a user of its own cannot read {os.path.dirname(package)}" if code else ""

    def variables(self) -> dict[str, str]:
        """Variables that describe a user, who has no name."""
        return {"USER": USER, "LOGNAME": USER}

    def prepare(self, spec: WorkloadSpec) -> None:
        """Makes the user of a workload the owner of what it may write to, and lets it pass to what it may read.

        Raises LaunchError and OSError.
        """
        user = self._user_of(spec)
        check_unnamed(user)
        temporary = [f"{spec.temporary}/{rank}" for rank in range(spec.replicas if spec.temporary else 0)]
        for path in (*spec.readable, *spec.writable, *temporary):
            self._let_pass_to(path)
        for path in (*spec.writable, *temporary):
            with opened(path) as folder:
                self._give(folder, path, user)

    def _give(self, folder: int, path: str, user: SystemIdentity) -> None:
        """Gives a folder of the hub, or of a job in a sandbox, to a user with all in it.

        Nothing is done once the user has it: the user may have moved files of others there since.
        """
        owner = os.fstat(folder).st_uid
        if owner in (os.geteuid(), JOB_USER_ID):
            change_owner(folder, user.id, user.group)
        elif owner != user.id:
            raise LaunchError(
                f"the folder {path} belongs to another user", reason=START_FAILED, hint="choose a new folder"
            )

    def _let_pass_to(self, path: str) -> None:
        """Lets all jobs pass the folders above one in the data directory. Members of a project pass those of it."""
        if not path.startswith(f"{self._top}/"):
            return
        folder = self._top
        for name in path.removeprefix(self._top).split("/")[1:-1]:
            folder = f"{folder}/{name}"
            let_pass(folder, self.ids[0])

    def spec_of(self, spec: WorkloadSpec) -> IdentitySpec:
        """The user of a replica, after `prepare`. Raises LaunchError."""
        user = self._user_of(spec)
        return IdentitySpec(user=user.id, groups=(user.group, self.ids[0]), max_pids=self._max_pids)

    def _user_of(self, spec: WorkloadSpec) -> SystemIdentity:
        if spec.user is None:
            raise LaunchError("the workload has no user of its own", reason=START_FAILED, hint="start the job again")
        return spec.user


def let_pass(path: str, group: int) -> None:
    """Lets a group pass a folder of this user that nobody else may enter. Raises OSError.

    One that has another group already, or whose owner is another user, remains as it is.
    """
    fd = os.open(path, PASSING)
    try:
        found = os.fstat(fd)
        mode = stat.S_IMODE(found.st_mode)
        is_open = mode & BY_OTHERS or mode & OF_GROUP & ~PASS
        if found.st_uid == os.geteuid() and not is_open:
            os.chown(f"/proc/self/fd/{fd}", -1, group)
            os.chmod(f"/proc/self/fd/{fd}", mode | PASS)
    finally:
        os.close(fd)


def check_unnamed(user: SystemIdentity) -> None:
    """Raises LaunchError if a user or group of jobs has got a name on this machine: its owner could enter theirs."""
    named = [id for id in (user.id, user.group) if has_name(id)]
    if named:
        raise LaunchError(
            f"{named[0]}, a user or group of jobs, has a name on this machine, so it is somebody else's too",
            reason=START_FAILED,
            hint="remove it from the users and groups of the machine",
        )


def has_name(id: int) -> bool:
    """Whether a user or a group of the machine has this id."""
    for look_up in (pwd.getpwuid, grp.getgrgid):
        with contextlib.suppress(KeyError):
            look_up(id)
            return True
    return False


def is_taken(id: int) -> bool:
    """Whether an id is somebody's: it has a name, or a process runs as this user."""
    return has_name(id) or id in users_of_processes()


def users_of_processes() -> Iterator[int]:
    """The users as whom processes of this machine run."""
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                yield os.stat(f"/proc/{name}").st_uid


def find_system_users(ids: Sequence[int], top: Path, max_pids: int | None = None) -> tuple[SystemUsers | None, str]:
    """Users that work on this machine, or None and why there are none. They are this process's until it ends."""
    users = SystemUsers(range(ids[0], ids[-1] + 1), top, max_pids)
    problem = users.check() or users.lock()
    return (None, problem) if problem else (users, "")
