"""Detecting ended hub processes."""

import os
import socket
import subprocess
import sys

from lightboard.hub.replicas import is_dead, name_of_this

HOST = socket.gethostname()


def test_this_process_is_alive() -> None:
    """Whichever of its names it is."""
    assert [is_dead(name_of_this()), is_dead(name_of_this())] == [False, False]


def test_replica_names_are_unique_in_a_process() -> None:
    """Two reconcilers do not share leases."""
    assert name_of_this() != name_of_this()


def test_an_ended_process_is_dead() -> None:
    """Its id is nobody's."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(60)

    assert is_dead(f"{HOST}/{ended.pid}/00000000/00000000")


def test_an_earlier_process_with_our_id_is_dead() -> None:
    """Containers reuse process ids."""
    assert is_dead(f"{HOST}/{os.getpid()}/00000000/00000000")


def test_processes_on_other_machines_are_unknown() -> None:
    """Their leases expire."""
    assert not is_dead("another-machine/1/00000000/00000000")
