"""The folder of one replica, by which a runner and the supervisor of the replica communicate.

`<root>/<workload id>/<attempt>/<rank>/` contains `spec.json` (what to run), `lock` (held by the supervisor as long as
it lives), `state.json`, `usage.json`, `usage.log` (over time), `log/` and `supervisor.log`.
`<root>/<workload id>/<attempt>.stop` is a request to stop all replicas. Only the standard library is imported, because
a supervisor must start fast.
"""

import contextlib
import fcntl
import json
import os
import struct
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lightboard.hub.resources.replicas import GpuUsage, Isolation, Limits, ReplicaPhase, ReplicaState, ResourceUsage
from lightboard.hub.runners.control_group import GroupLimits, GroupSpec

LOCK_FORMAT = "hhqqi"
"""`struct flock` of 64-bit Linux: type, whence, start, length, process (fcntl(2))."""
MARK = "LIGHTBOARD_REPLICA"
"""The variable by which all processes of a replica are found."""
STOP_SUFFIX = ".stop"
"""Of the names of requests to stop, after the number of the attempt."""
SIGNAL_EXIT = 128
"""Added to the number of the signal that killed a supervisor while it started, as shells do."""


@dataclass(frozen=True, kw_only=True)
class SandboxSpec:
    """The sandbox of a replica. `command` creates it, and runs what is added to it.

    `folders` are paths in it with the device and inode that they must have, `user` is the id that the command gets,
    None for that of the supervisor. `root` is the folder in it that the command sees as /, "" for all of it. There are
    at most `max_pids` processes and threads in it, None for no limit.
    """

    command: tuple[str, ...]
    folders: tuple[tuple[str, int, int], ...] = ()
    user: int | None = None
    root: str = ""
    max_pids: int | None = None


@dataclass(frozen=True, kw_only=True)
class IdentitySpec:
    """The system user of a replica without a sandbox: its id, and those of its groups, the primary one first.

    It has at most `max_pids` processes and threads, None for no limit.
    """

    user: int
    groups: tuple[int, ...]
    max_pids: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReplicaSpec:
    """What a supervisor runs. `mark` is the value of the variable MARK in the environment of every process.

    `sandbox` is None for none; then `user` is None for the user of the supervisor. The folder `temporary` is deleted at
    the end, unless it is "". `cpu_ids` are the processors that it may use, none for all, and `gpu_ids` its GPUs, None
    for all. `group` is None for none; without one, its processes are watched.
    """

    command: tuple[str, ...]
    working_dir: str
    environment: dict[str, str]
    memory_bytes: int | None
    mark: str
    sandbox: SandboxSpec | None = None
    user: IdentitySpec | None = None
    temporary: str = ""
    cpu_ids: tuple[int, ...] = ()
    gpu_ids: tuple[int, ...] | None = None
    group: GroupSpec | None = None

    @property
    def isolation(self) -> Isolation:
        """What it asks for."""
        if self.sandbox is not None:
            return Isolation.KERNEL
        return Isolation.NONE if self.user is None else Isolation.PROCESS

    @property
    def user_id(self) -> int | None:
        """The user of its command, None for that of the supervisor."""
        if self.sandbox is not None:
            return self.sandbox.user
        return None if self.user is None else self.user.user


class ReplicaFolder:
    """The folder at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path / "log"
        self.usage_log = path / "usage.log"
        self._lock, self._state, self._usage = path / "lock", path / "state.json", path / "usage.json"
        self.stop_request = path.parent.with_name(f"{path.parent.name}{STOP_SUFFIX}")

    # The specification

    def write_spec(self, spec: ReplicaSpec) -> None:
        """Creates the folder with a specification."""
        self.path.mkdir(parents=True, mode=0o700)
        write_json(self.path / "spec.json", asdict(spec))

    def replace_spec(self, spec: ReplicaSpec) -> None:
        """Stores another specification."""
        write_json(self.path / "spec.json", asdict(spec))

    def forget_variables(self) -> None:
        """Deletes the variables from the specification, if there is one: they may be secret, and are not needed any
        more. Raises OSError.
        """
        with contextlib.suppress(FileNotFoundError, ValueError):
            spec = self.read_spec()
            if spec.environment:
                self.replace_spec(replace(spec, environment={}))

    def read_spec(self) -> ReplicaSpec:
        """The specification. Raises OSError or ValueError."""
        fields = json.loads((self.path / "spec.json").read_bytes())
        sandbox, group, gpu_ids = fields.get("sandbox"), fields.get("group"), fields.get("gpu_ids")
        user = fields.get("user")
        return ReplicaSpec(
            **{
                **fields,
                "command": tuple(fields["command"]),
                "cpu_ids": tuple(fields.get("cpu_ids", ())),
                "gpu_ids": None if gpu_ids is None else tuple(gpu_ids),
                "sandbox": SandboxSpec(**sandbox) if sandbox else None,
                "user": IdentitySpec(**{**user, "groups": tuple(user["groups"])}) if user else None,
                "group": GroupSpec(**{**group, "limits": GroupLimits(**group["limits"])}) if group else None,
            }
        )

    # The lock

    def take_lock(self) -> bool:
        """Takes the lock until this process ends; False if another process has it. To be called once."""
        fd = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True  # closing any descriptor of the file would release the lock

    def supervisor(self) -> int | None:
        """The process id of the supervisor, None if there is none."""
        try:
            fd = os.open(self._lock, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            asked = struct.pack(LOCK_FORMAT, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            kind, _, _, _, pid = struct.unpack(LOCK_FORMAT, fcntl.fcntl(fd, fcntl.F_GETLK, asked))
        finally:
            os.close(fd)
        return None if kind == fcntl.F_UNLCK else pid

    # The state

    def write_state(self, state: ReplicaState) -> None:
        """Stores the state, except its usage, so that it survives a crash of the machine."""
        fields = asdict(state)
        del fields["usage"]
        write_json(self._state, fields)

    def read_state(self) -> ReplicaState | None:
        """The stored state with the last usage, None before the supervisor has begun."""
        fields = read_json(self._state)
        if fields is None:
            return None
        usage = read_json(self._usage)
        phase, isolation = ReplicaPhase(fields.pop("phase")), fields.pop("isolation", None)
        limits = fields.pop("limits", None)
        return ReplicaState(
            phase=phase,
            usage=usage_of(usage) if usage else None,
            isolation=Isolation(isolation) if isolation else None,
            limits=Limits(limits) if limits else None,
            **fields,
        )

    def write_usage(self, usage: ResourceUsage) -> None:
        """Stores what the replica uses."""
        write_json(self._usage, asdict(usage), durable=False)

    def last_seen_at(self) -> float:
        """When the supervisor last stored anything, in seconds since the epoch."""
        times = [0.0]
        for path in (self._state, self._usage):
            with contextlib.suppress(OSError):
                times.append(path.stat().st_mtime)
        return max(times)

    # Requests to stop

    def kill_at(self) -> float | None:
        """When to kill the replica, in seconds since the epoch; None if nobody has requested its end."""
        request = read_json(self.stop_request)
        return None if request is None else float(request["kill_at"])

    def request_stop(self, kill_at: float) -> None:
        """Requests the end of all replicas, not later than an earlier request."""
        earlier = self.kill_at()
        self.stop_request.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_json(self.stop_request, {"kill_at": kill_at if earlier is None else min(earlier, kill_at)})


def usage_of(fields: dict[str, Any]) -> ResourceUsage:
    """The stored usage."""
    return ResourceUsage(**{**fields, "gpus": tuple(GpuUsage(**each) for each in fields.get("gpus", ()))})


def write_json(path: Path, value: dict[str, Any], *, durable: bool = True) -> None:
    """Replaces a file, which only this user can read, in one step."""
    name = f"{path.parent}/.{path.name}.{os.urandom(8).hex()}"
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(fd, "w") as file:
            json.dump(value, file)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read_json(path: Path) -> dict[str, Any] | None:
    """The contents of a file, None if there is none."""
    try:
        with open(path, "rb") as file:
            return dict(json.loads(file.read()))
    except FileNotFoundError:
        return None
