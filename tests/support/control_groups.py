"""Control groups of this machine."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.hub.runners.control_group import GroupSpec
from lightboard.hub.runners.control_groups import ControlGroups, find_control_groups, parse_mounts


def working_control_groups(max_pids: int = 1000, *, required: bool = False) -> ControlGroups:
    """Control groups. Skips the test if the machine lets nobody create any."""
    groups, problem = find_control_groups(max_pids, required=required)
    if groups is None:
        pytest.skip(f"no control groups here: {problem}")
    return groups


@contextlib.contextmanager
def unified_folder(name: str) -> Iterator[Path]:
    """The path for a new group of version 2, with whatever controllers. Skips the test if there can be none."""
    points = [mount.point for mount in parse_mounts(Path("/proc/self/mountinfo").read_text()) if mount.version == 2]
    folder = Path(points[0] if points else "/", name)
    try:
        folder.mkdir()
        folder.rmdir()
    except OSError as error:
        pytest.skip(f"no control groups of version 2 here: {error}")
    yield folder
    assert not folder.exists()


def is_left(spec: GroupSpec) -> bool:
    """Whether anything of a group is there."""
    return any(Path(folder).exists() for folder in spec.folders.values())
