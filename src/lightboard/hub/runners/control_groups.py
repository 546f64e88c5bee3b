"""The control groups of all replicas, which are created in the group of the hub, where the machine lets it. Linux only.

So the limits of whatever runs the hub hold for its jobs too, and its group ends with all of theirs.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lightboard.hub.runners import control_group_v1, control_group_v2
from lightboard.hub.runners.command_process import NotStarted, start
from lightboard.hub.runners.control_group import (
    OWN_PROCESS,
    PREFIX,
    PROCESSES,
    GroupLimits,
    GroupSpec,
    write,
)
from lightboard.hub.runners.replica_folder import ReplicaSpec
from lightboard.hub.runners.replica_group import control_group_of

HUB = f"{PREFIX}hub"
"""The group of the hub's own processes beside those of replicas: with version 2, none may be in the group above."""
SUBTREE_CONTROL = "cgroup.subtree_control"
CHECK_MEMORY_BYTES = 1 << 30


@dataclass(frozen=True)
class Mount:
    """A mounted hierarchy of control groups: the group `root` is seen at `point`. Version 2 has no `controllers`."""

    version: int
    controllers: frozenset[str]
    root: str
    point: str


@dataclass(frozen=True, kw_only=True)
class ControlGroups:
    """Where groups are created: in `parents`, by controller, as in `GroupSpec`. `max_pids` is the limit of each.

    If they are `required`, no replica runs without one.
    """

    version: int
    parents: dict[str, str]
    max_pids: int | None = None
    required: bool = False

    def spec(self, name: str, memory_bytes: int | None, cpus: int | None) -> GroupSpec:
        """The group of a replica, by a name that no other has."""
        group = PREFIX + name.replace("/", "-")
        return GroupSpec(
            version=self.version,
            folders={controller: os.path.join(parent, group) for controller, parent in self.parents.items()},
            limits=GroupLimits(memory_bytes=memory_bytes, cpus=cpus, pids=self.max_pids),
            required=self.required,
        )

    def check(self) -> str:
        """Why no group can be created, limited, entered and removed; "" if it can."""
        spec = self.spec(f"check-{os.urandom(8).hex()}", CHECK_MEMORY_BYTES, cpus=1)
        group = control_group_of(spec)
        command = ReplicaSpec(command=("true",), working_dir="/", environment={}, memory_bytes=None, mark="check")
        nothing = os.open(os.devnull, os.O_WRONLY)
        try:
            group.create(spec.limits)
            try:
                start(command, nothing, group.enter).wait()
                group.usage()
            finally:
                group.remove()
        except (OSError, NotStarted, KeyError, ValueError) as error:
            return f"no control group can be created: {error}"
        finally:
            os.close(nothing)
        return ""


def find_control_groups(max_pids: int, *, required: bool = False) -> tuple[ControlGroups | None, str]:
    """Control groups that work on this machine, or None and why there are none.

    With version 2, this process may be put into the group HUB.
    """
    problem = "this machine has no control groups of the controllers memory, cpu and pids"
    try:
        mounts = parse_mounts(Path("/proc/self/mountinfo").read_text())
        own = parse_own_groups(Path("/proc/self/cgroup").read_text())
    except (OSError, ValueError):
        return None, problem
    for version, folders in candidates(mounts, own):
        try:
            parents = {"": make_parent(folders[""])} if version == 2 else folders
        except OSError as error:
            problem = explain(error)
            continue
        groups = ControlGroups(version=version, parents=parents, max_pids=max_pids, required=required)
        problem = groups.check()
        if not problem:
            return groups, ""
    return None, problem


def parse_mounts(mountinfo: str) -> list[Mount]:
    """The hierarchies in `/proc/self/mountinfo`. Raises ValueError."""
    found = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        _, _, _, root, point, *_ = before.split(" ")
        kind, _, options = after.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            controllers = frozenset(options.split(",")) if kind == "cgroup" else frozenset()
            found.append(Mount(2 if kind == "cgroup2" else 1, controllers, unescaped(root), unescaped(point)))
    return found


def unescaped(path: str) -> str:
    """A path of `/proc/self/mountinfo`, where some characters are written as octal numbers."""
    return path.encode().decode("unicode_escape").encode("latin-1").decode()


def parse_own_groups(text: str) -> dict[str, str]:
    """The path of a process's group by controller, from `/proc/self/cgroup`; "" is that of version 2."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        found |= dict.fromkeys(controllers.split(","), path)
    return found


def candidates(mounts: list[Mount], own: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The versions that this process has groups of, and the folders of these by controller."""
    for mount in mounts:
        if mount.version == 2 and (folder := folder_of(mount, own.get(""))):
            yield 2, {"": folder}
    first = {}
    for name in control_group_v1.CONTROLLERS:
        folders = [folder_of(mount, own.get(name)) for mount in mounts if name in mount.controllers]
        first[name] = next(filter(None, folders), "")
    if all(first.values()):
        yield 1, first


def folder_of(mount: Mount, group: str | None) -> str:
    """Where a group is seen below a mount, "" if it is not."""
    if group is None:
        return ""
    if mount.root == "/":
        return mount.point + group.rstrip("/")
    below = group.removeprefix(mount.root)
    return mount.point + below if below != group and below[:1] in ("", "/") else ""


def make_parent(folder: str) -> str:
    """The group of version 2 in which groups with controllers can be created: that of this process, or the one above.

    Raises OSError; then this process is where it was.
    """
    own = Path(folder)
    parent = own.parent if own.name == HUB else own
    if missing := missing_controllers((parent / "cgroup.controllers").read_text()):
        raise OSError(0, f"that of the hub lacks the controllers {', '.join(missing)}")
    is_highest = not (parent / "cgroup.type").exists()  # of the machine: it alone may have processes beside groups
    if own.name == HUB or is_highest:
        enable_controllers(parent)
        return str(parent)
    (own / HUB).mkdir(exist_ok=True)
    try:
        write(own / HUB / PROCESSES, OWN_PROCESS)
        enable_controllers(own)
    except OSError:
        with contextlib.suppress(OSError):
            write(own / PROCESSES, OWN_PROCESS)
            (own / HUB).rmdir()
        raise
    return folder


def missing_controllers(available: str) -> list[str]:
    """The controllers that a group of version 2 needs and has not, from its `cgroup.controllers`."""
    return sorted(set(control_group_v2.CONTROLLERS) - set(available.split()))


def enable_controllers(folder: Path) -> None:
    """Lets the groups in a group have controllers. Raises OSError."""
    write(folder / SUBTREE_CONTROL, " ".join(f"+{name}" for name in control_group_v2.CONTROLLERS))


def explain(error: OSError) -> str:
    """Why the hub cannot have control groups, for people."""
    if error.errno == errno.EBUSY:
        return "other processes are in the control group of the hub"
    return f"no control group can be created: {error.strerror or error}"
