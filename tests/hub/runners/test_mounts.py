"""What a sandbox shows, in the order in which bubblewrap mounts it."""

import pytest

from lightboard.hub.runners.mounts import Mount, empty, in_order, is_shown, read_only, scratch, with_parents, writable

LINK = Mount("--symlink", "/bin", "usr/bin")


def test_folders_come_before_what_is_below_them() -> None:
    """Otherwise they would cover it. By parts, not by characters: `-` precedes `/`."""
    mounts = [read_only("/data/a/b"), empty("/tmp"), read_only("/data/a-1"), read_only("/data/a")]

    assert [mount.path for mount in in_order(mounts)] == ["/data/a", "/data/a/b", "/data/a-1", "/tmp"]


def test_the_last_mount_at_a_path_counts() -> None:
    """So what a job writes may also be among what it reads."""
    assert in_order([read_only("/data"), writable("/data")]) == [writable("/data")]


def test_links_are_left_out_where_the_machine_has_them_already() -> None:
    """Bubblewrap cannot create what exists."""
    assert in_order([read_only("/"), LINK]) == [read_only("/")]
    assert in_order([read_only("/usr"), LINK]) == [LINK, read_only("/usr")]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/srv/data", True),
        ("/srv", True),
        ("/srv/hub/key", False),
        ("/srv/hub/jobs/1/code", True),
        ("/tmp/hub", False),
        ("/var", False),
    ],
)
def test_the_nearest_mount_above_decides_what_is_shown(path: str, shown: bool) -> None:
    """An empty folder covers what is above it, and so does one with another source."""
    mounts = [read_only("/srv"), empty("/srv/hub"), writable("/srv/hub/jobs/1"), writable("/tmp", "/srv/hub/tmp")]

    assert is_shown(path, mounts) is shown


def test_folders_above_mounts_can_be_entered() -> None:
    """Those that the machine shows are there; others are created, so that another user can pass."""
    mounts = [read_only("/srv"), writable("/srv/a/b"), writable("/data/x/y")]

    assert [mount.arguments() for mount in with_parents(mounts) if mount.option == "--dir"] == [
        ("--perms", "0755", "--dir", "/data"), ("--perms", "0755", "--dir", "/data/x"),
    ]  # fmt: skip


def test_mounts_are_arguments_of_bubblewrap() -> None:
    """The source comes first."""
    mounts = (writable("/tmp", "/data/1"), empty("/tmp"), scratch("/tmp"), LINK)

    assert [mount.arguments() for mount in mounts] == [
        ("--bind", "/data/1", "/tmp"), ("--tmpfs", "/tmp"),
        ("--perms", "1777", "--tmpfs", "/tmp"), ("--symlink", "usr/bin", "/bin"),
    ]  # fmt: skip
