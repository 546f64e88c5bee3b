"""Volumes of jobs without a mount namespace."""

import pytest

from lightboard.hub.path_mapping import enforcement_of, mapped_command, volume_variables
from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.resources.volumes import Enforcement

PATHS = {"/project/results": "/srv/a b", "/data": "/srv/data"}


@pytest.mark.parametrize(
    ("argument", "mapped"),
    [
        ("/project/results", "/srv/a b"),
        ("//project/results", "/srv/a b"),
        ("/project/results/run=1/x", "/srv/a b/run=1/x"),
        ("/data/", "/srv/data/"),
        ("--logdir=/project/results", "--logdir=/srv/a b"),
        ("--logdir=//project/results/x", "--logdir=/srv/a b/x"),
        ("-o=/data", "-o=/srv/data"),
        ("/project", "/project"),
        ("/project/results-2", "/project/results-2"),
        ("/database", "/database"),
        ("data", "data"),
        ("x=/data", "x=/data"),
        ("ls /data", "ls /data"),
        ("-I/data", "-I/data"),
        ("--note=see /data", "--note=see /data"),
        ("", ""),
        ("--", "--"),
    ],
)
def test_arguments_that_begin_with_a_target_are_mapped(argument: str, mapped: str) -> None:
    """Those that only have it somewhere are not."""
    assert mapped_command(["program", argument], PATHS) == ("program", mapped)


def test_the_program_is_not_mapped() -> None:
    """It is the file that was recorded."""
    assert mapped_command(["/data/program"], PATHS) == ("/data/program",)


def test_variables_have_the_paths_in_their_order() -> None:
    """For commands that are lines of a shell."""
    assert volume_variables(["/a", "/b"]) == {"LIGHTBOARD_VOLUME_1": "/a", "LIGHTBOARD_VOLUME_2": "/b"}


@pytest.mark.parametrize(
    ("command", "isolation", "enforcement"),
    [
        (["ls", "/data"], None, None),
        (["ls", "/data"], Isolation.KERNEL, Enforcement.KERNEL),
        (["sh", "-c", "ls /data"], Isolation.KERNEL, Enforcement.KERNEL),
        (["ls", "/data/x"], Isolation.NONE, Enforcement.PROCESS),
        (["sh", "-c", "ls /data"], Isolation.NONE, Enforcement.NONE),
        (["ls", "/project/results"], Isolation.NONE, Enforcement.NONE),
    ],
)
def test_the_strength_is_told(command: list[str], isolation: Isolation | None, enforcement: Enforcement | None) -> None:
    """Of a volume at /data."""
    assert enforcement_of("/data", command, isolation) == enforcement
