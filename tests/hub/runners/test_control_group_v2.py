"""The files of control groups of version 2, and groups of it as far as this machine has controllers for them."""

import subprocess

import pytest

from lightboard.hub.resources.replicas import ResourceUsage
from lightboard.hub.runners.control_group import GroupLimits
from lightboard.hub.runners.control_group_v2 import ControlGroupV2, limit_files, oom_kills, usage_of
from support.control_groups import unified_folder


def test_limits_are_written_in_the_words_of_the_kernel() -> None:
    """Swap is no way around a limit of memory, and all processes end together when it is exceeded."""
    assert limit_files(GroupLimits(memory_bytes=1 << 30, cpus=2, pids=4096)) == {
        "memory.max": "1073741824",
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "cpu.max": "200000 100000",
        "pids.max": "4096",
    }
    assert limit_files(GroupLimits()) == {}


def test_usage_is_without_cache_that_can_be_had_back() -> None:
    """In bytes and seconds."""
    cpu_stat = "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n"
    memory_stat = "anon 3000\nfile 1500\ninactive_file 1000\nactive_file 500\n"

    usage = usage_of(cpu_stat=cpu_stat, memory_current="5000\n", memory_stat=memory_stat, processes=3)

    assert usage == ResourceUsage(cpu_secs=2.5, memory_bytes=4000, processes=3)


def test_processes_that_the_kernel_has_killed_are_counted() -> None:
    """Older kernels do not count them."""
    assert oom_kills("low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n") == 3
    assert oom_kills("low 0\nhigh 0\nmax 12\noom 1\n") == 0


def test_a_group_ends_with_all_that_is_in_it() -> None:
    """Also what was started by a process in it, and groups that were created there."""
    with unified_folder("lightboard-test-v2") as folder:
        group = ControlGroupV2(str(folder))
        group.create(GroupLimits())
        command = "mkdir $0/own && echo $$ > $0/own/cgroup.procs && sleep 1000 & echo ready; exec sleep 1000"
        arguments = ["sh", "-c", command, str(folder / "processes")]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, preexec_fn=group.enter) as process:
            assert process.stdout is not None
            process.stdout.readline()
            inside = process.pid in group.pids()
            with pytest.raises(OSError, match="busy"):
                group.remove()
            group.kill()
            process.stdout.read()  # until all have ended
        group.remove()

        assert inside
        assert group.pids() == set()


def test_a_group_that_is_not_there_has_nothing() -> None:
    """Removing and killing it is no error, as after a restart of the machine."""
    group = ControlGroupV2("/nowhere")
    group.kill()
    group.remove()

    assert group.pids() == set()
