"""Of which processes a hub knows that they have ended."""

import os
import socket
import subprocess
import sys

from lightboard.hub.replicas import is_dead, name_of_this

HOST = socket.gethostname()


def test_this_process_lives() -> None:
    """Whichever of its names it is."""
    assert [is_dead(name_of_this()), is_dead(name_of_this())] == [False, False]


def test_names_of_one_process_differ() -> None:
    """Two loops in one process do not hold each other's leases."""
    assert name_of_this() != name_of_this()


def test_a_process_that_has_ended_is_dead() -> None:
    """Its id is nobody's."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(60)

    assert is_dead(f"{HOST}/{ended.pid}/00000000/00000000")


def test_who_had_our_process_id_before_is_dead() -> None:
    """A hub that is started again in its container has the same id, and must not take its forerunner for itself."""
    assert is_dead(f"{HOST}/{os.getpid()}/00000000/00000000")


def test_of_other_machines_nothing_is_known() -> None:
    """Their leases end by themselves."""
    assert not is_dead("another-machine/1/00000000/00000000")
