"""Where the hub creates control groups, from what the kernel tells about its own."""

from pathlib import Path

import pytest

from lightboard.hub.runners.control_group import GroupLimits, GroupSpec
from lightboard.hub.runners.control_groups import (
    HUB,
    ControlGroups,
    Mount,
    candidates,
    folder_of,
    make_parent,
    missing_controllers,
    parse_mounts,
    parse_own_groups,
)
from support.control_groups import working_control_groups

MOUNTS = """\
22 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw
31 25 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:10 - cgroup2 cgroup2 rw,nsdelegate
33 25 0:29 /docker/1 /sys/fs/cgroup/cpu,cpuacct ro,nosuid shared:11 - cgroup cgroup rw,cpu,cpuacct
34 25 0:30 / /sys/fs/cgroup/with\\040space rw - cgroup cgroup rw,memory
35 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
"""
OWN = "4:memory:/jobs\n3:cpu,cpuacct:/docker/1/hub\n2:pids:/\n1:name=systemd:/a:b\n0::/user.slice/hub.scope\n"


def test_mounted_hierarchies_are_found() -> None:
    """In the words of proc_pid_mountinfo(5)."""
    assert parse_mounts(MOUNTS) == [
        Mount(2, frozenset(), "/", "/sys/fs/cgroup/unified"),
        Mount(1, frozenset({"rw", "cpu", "cpuacct"}), "/docker/1", "/sys/fs/cgroup/cpu,cpuacct"),
        Mount(1, frozenset({"rw", "memory"}), "/", "/sys/fs/cgroup/with space"),
        Mount(1, frozenset({"rw", "pids"}), "/", "/sys/fs/cgroup/pids"),
    ]


def test_groups_are_created_in_that_of_the_hub() -> None:
    """Version 2 is tried first; a hierarchy may have several controllers."""
    assert list(candidates(parse_mounts(MOUNTS), parse_own_groups(OWN))) == [
        (2, {"": "/sys/fs/cgroup/unified/user.slice/hub.scope"}),
        (
            1,
            {
                "memory": "/sys/fs/cgroup/with space/jobs",
                "cpu": "/sys/fs/cgroup/cpu,cpuacct/hub",
                "cpuacct": "/sys/fs/cgroup/cpu,cpuacct/hub",
                "pids": "/sys/fs/cgroup/pids",
            },
        ),
    ]


def test_a_machine_without_some_controllers_has_no_groups_of_version_1() -> None:
    """All of them are needed."""
    without_pids = [mount for mount in parse_mounts(MOUNTS) if "pids" not in mount.controllers]

    assert [version for version, _ in candidates(without_pids, parse_own_groups(OWN))] == [2]


@pytest.mark.parametrize(
    ("root", "group", "folder"),
    [
        ("/", "/", "/groups"),
        ("/", "/a/b", "/groups/a/b"),
        ("/a", "/a", "/groups"),
        ("/a", "/a/b", "/groups/b"),
        ("/a", "/ab", ""),
        ("/a", "/b", ""),
        ("/a", None, ""),
    ],
)
def test_a_group_is_seen_below_the_root_of_a_mount(root: str, group: str | None, folder: str) -> None:
    """Or not at all, in a container that has the mount of another."""
    assert folder_of(Mount(2, frozenset(), root, "/groups"), group) == folder


def test_controllers_that_are_missing_are_told() -> None:
    """From the file of version 2."""
    assert missing_controllers("cpuset cpu io memory hugetlb\n") == ["pids"]
    assert missing_controllers("memory pids cpu\n") == []


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Files as those of a delegated group of version 2, and of the one in it for the hub."""
    for folder in (tmp_path, tmp_path / HUB):
        folder.mkdir(exist_ok=True)
        for name in ("cgroup.type", "cgroup.procs", "cgroup.subtree_control"):
            (folder / name).touch()
        (folder / "cgroup.controllers").write_text("cpu memory pids")
    return tmp_path


@pytest.mark.parametrize("started_in", ["", HUB])
def test_the_hub_makes_room_for_groups_with_limits(unit: Path, started_in: str) -> None:
    """With version 2, it must not be in the group itself, in which systemd may have started it."""
    parent = make_parent(str(unit / started_in))

    assert parent == str(unit)
    assert (unit / "cgroup.subtree_control").read_text() == "+memory +cpu +pids"
    assert (unit / HUB / "cgroup.procs").read_text() == ("" if started_in else "0")


def test_in_the_highest_group_the_hub_stays(unit: Path) -> None:
    """There alone, processes may be beside groups, as in a virtual machine without systemd."""
    (unit / "cgroup.type").unlink()

    assert make_parent(str(unit)) == str(unit)
    assert (unit / HUB / "cgroup.procs").read_text() == ""


def test_a_group_without_the_controllers_is_told_and_left_as_it_was(unit: Path) -> None:
    """As users have it whom systemd gives no CPU limits."""
    (unit / "cgroup.controllers").write_text("memory pids")

    with pytest.raises(OSError, match="that of the hub lacks the controllers cpu"):
        make_parent(str(unit))
    assert (unit / "cgroup.subtree_control").read_text() == (unit / HUB / "cgroup.procs").read_text() == ""


def test_the_group_of_a_replica_has_its_limits() -> None:
    """And a name of its own in each hierarchy."""
    groups = ControlGroups(version=1, parents={"memory": "/m", "pids": "/p"}, max_pids=50, required=True)

    assert groups.spec("job-1/2/0/abcd", 1 << 20, None) == GroupSpec(
        version=1,
        folders={"memory": "/m/lightboard-job-1-2-0-abcd", "pids": "/p/lightboard-job-1-2-0-abcd"},
        limits=GroupLimits(memory_bytes=1 << 20, cpus=None, pids=50),
        required=True,
    )


def test_a_group_that_cannot_be_created_is_told(tmp_path: Path) -> None:
    """A folder that is no group of the kernel has no limits."""
    folders = dict.fromkeys(("memory", "cpu", "cpuacct", "pids"), str(tmp_path))

    problems = [
        ControlGroups(version=1, parents=folders).check(),
        ControlGroups(version=2, parents={"": str(tmp_path)}).check(),
    ]

    assert [problem.partition(":")[0] for problem in problems] == ["no control group can be created"] * 2


def test_nothing_is_left_of_the_check() -> None:
    """It creates a group, enters it, and removes it."""
    groups = working_control_groups()
    parents = [Path(parent) for parent in groups.parents.values()]
    before = [{path.name for path in parent.iterdir() if path.is_dir()} for parent in parents]

    problem = groups.check()

    assert problem == ""
    assert [{path.name for path in parent.iterdir() if path.is_dir()} for parent in parents] == before
