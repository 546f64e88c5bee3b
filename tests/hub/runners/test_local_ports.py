"""Ports of workloads that run as real processes of this machine, which all share its loopback interface."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import ReplicaPhase
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.port_connection import PORT_TAKEN, PortConnection
from lightboard.testing.runners import submit, wait_for, wait_for_phase
from lightboard.types import UNREACHABLE
from support.ports import free_ports
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")

SERVER = """
import socket, sys
port, host, family = int(sys.argv[1]), sys.argv[2], socket.AF_INET6 if ":" in sys.argv[2] else socket.AF_INET
listening = socket.create_server((host, port), family=family, reuse_port=True, backlog=100)
held = []
while True:
    held.append(listening.accept()[0])
    held[-1].send(b"mine")
"""
"""Accepts connections and keeps them."""


class Serving:
    """A workload that listens at a port."""

    def __init__(self, folder: Path, host: str, *, isolated: bool) -> None:
        sandbox = working_sandbox(folder / "sandbox") if isolated else None
        self.runner = LocalRunner(folder / "work", sandbox=sandbox)
        self.port = free_ports(1)[0]
        (folder / "own").mkdir()
        spec = WorkloadSpec(
            id="job-1", attempt=1, command=(sys.executable, "-c", SERVER, str(self.port), host),
            working_dir=str(folder / "own"), writable=(str(folder / "own"),),
        )  # fmt: skip
        self.handle = submit(self.runner, spec)
        wait_for_phase(self.runner, self.handle, ReplicaPhase.RUNNING)
        wait_for(lambda: self.problem(self.port) is None)

    def problem(self, port: int) -> tuple[str, str] | None:
        """Why the workload does not listen at a port, None if it does."""
        try:
            self.runner.check_port(self.handle, 0, port)
        except LaunchError as error:
            return error.reason, error.message
        return None

    def connect(self) -> PortConnection:
        """A connection that may not be accepted yet."""
        return self.runner.connect(self.handle, 0, self.port)


@pytest.fixture(scope="module", params=["127.0.0.1", "::", "sandbox"])
def serving(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Serving]:
    """Without a sandbox at addresses of both kinds, and in one."""
    isolated = request.param == "sandbox"
    host = "127.0.0.1" if isolated else request.param
    one = Serving(tmp_path_factory.mktemp("ports"), host, isolated=isolated)
    yield one
    one.runner.delete(one.handle)
    one.runner.close()


def test_a_connection_is_accepted_by_a_process_of_the_replica(serving: Serving) -> None:
    """Then it is what the program sees."""
    connection = serving.connect()
    wait_for(connection.is_accepted)
    connection.socket.setblocking(True)
    received = connection.socket.recv(100)
    connection.close()

    assert received == b"mine"


def test_the_listener_of_somebody_else_is_no_port_of_the_replica(serving: Serving) -> None:
    """Nor is a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = int(other.getsockname()[1])
        found = serving.problem(taken)
        with pytest.raises(LaunchError):
            serving.runner.connect(serving.handle, 0, taken)

    assert found == (PORT_TAKEN, f"another program of this machine listens at port {taken}")
    assert serving.problem(taken) == (UNREACHABLE, f"nothing listens at port {taken} of the job")


def test_who_accepts_a_connection_beside_the_replica_is_not_trusted(serving: Serving) -> None:
    """The kernel gives connections to either, if both have asked for that (SO_REUSEPORT)."""
    with socket.socket() as thief:
        thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            thief.bind(("127.0.0.1", serving.port))
        except OSError:
            pytest.skip("the replica has another user, and keeps its port for itself")
        thief.listen(100)
        thief.setblocking(False)
        stolen: dict[int, socket.socket] = {}
        connections = {each.socket.getsockname()[1]: each for each in (serving.connect() for _ in range(20))}
        wait_for(lambda: take(thief, stolen) or len(stolen) + accepted(connections, stolen) == len(connections))
        told = {number: each.is_accepted() for number, each in connections.items()}
        for each in (*connections.values(), *stolen.values()):
            each.close()

    assert told == {number: number not in stolen for number in connections}


def take(thief: socket.socket, stolen: dict[int, socket.socket]) -> None:
    """Accepts what waits, by the number of its other port."""
    try:
        while True:
            one, address = thief.accept()
            stolen[address[1]] = one
    except BlockingIOError:
        return


def accepted(connections: dict[int, PortConnection], stolen: dict[int, socket.socket]) -> int:
    """How many of those that were not stolen the replica has accepted."""
    return sum(each.is_accepted() for number, each in connections.items() if number not in stolen)


def test_a_replica_that_does_not_run_has_no_ports(serving: Serving) -> None:
    """Nor has one of another rank."""
    for handle, rank in ((serving.handle, 1), (serving.handle, -1), ("nonsense", 0)):
        with pytest.raises(LaunchError, match="nothing runs in this replica"):
            serving.runner.check_port(handle, rank, serving.port)
