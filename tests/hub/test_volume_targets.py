"""The paths of volumes."""

import pytest

from lightboard.errors import Invalid
from lightboard.hub.resources.volumes import check_targets, clean_target


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/project/results", "/project/results"),
        ("//project/results", "/project/results"),
        ("///project//results/", "/project/results"),
        ("/project/./results", "/project/results"),
        ("/var/storage/home", "/var/storage/home"),
        ("/binary", "/binary"),
        ("/данные", "/данные"),
    ],
)
def test_c_t4_slashes_of_a_target_are_collapsed(path: str, target: str) -> None:
    """Two leading slashes keep shells of Windows from rewriting a path."""
    assert clean_target(path) == target


@pytest.mark.parametrize("path", ["", "project/results", "/project/../etc", "/a\0b", "/" + "a" * 1024, "..", "C:/data"])
def test_what_is_no_absolute_path_is_refused(path: str) -> None:
    """It might be somewhere else."""
    with pytest.raises(Invalid, match="is not at an absolute path"):
        clean_target(path)


@pytest.mark.parametrize(
    "path", ["/", "//", "/proc", "/proc/self", "/dev", "/dev/shm/x", "/usr", "/usr/local/data", "/tmp", "/tmp/x",
             "/var", "/etc/ssl", "/bin", "/lib64", "/sys", "/run/secrets", "/var/tmp/x", "//usr"],
)  # fmt: skip
def test_a_target_that_would_hide_programs_is_refused(path: str) -> None:
    """Whatever the machine has there, also below such a folder and above it."""
    with pytest.raises(Invalid, match="would hide what programs need"):
        clean_target(path)


def test_targets_beside_each_other_are_possible() -> None:
    """A name that begins like another one is not below it."""
    check_targets(["/data", "/data-2", "/data2/a", "/project/data"])


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (["/a", "/b", "/a"], "two volumes are at /a"),
        (["/a/b/c", "/a-b", "/a"], "the volume at /a/b/c is inside the one at /a"),
    ],
)
def test_targets_inside_each_other_are_refused(targets: list[str], message: str) -> None:
    """A folder would have to be created in the outer one, which may be read-only."""
    with pytest.raises(Invalid) as caught:
        check_targets(targets)

    assert caught.value.message == message
