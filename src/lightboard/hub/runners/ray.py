"""Runs workloads on a Ray cluster, whose nodes share the hub's folders with it.

Ray places them, reserves resources and starts our driver; the states and logs are those of our supervisors, in folders
as of `LocalRunner` (see `ray_replica`). So they survive the cluster, and Ray gets to know no variable of a job.
"""

import os
import secrets
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED, STOPPED, ReplicaPhase, ReplicaState
from lightboard.hub.resources.usage_history import UsageSample
from lightboard.hub.runners import ray_driver
from lightboard.hub.runners.base import (
    MAX_LOG_READ_BYTES,
    RunnerCapabilities,
    WorkloadObservation,
    WorkloadSpec,
)
from lightboard.hub.runners.exec_session import ExecSession, TerminalSize
from lightboard.hub.runners.line_log import read_lines
from lightboard.hub.runners.log_part import LogPart
from lightboard.hub.runners.port_connection import PortConnection
from lightboard.hub.runners.ray_cluster import RayCluster
from lightboard.hub.runners.ray_jobs import RayJobs
from lightboard.hub.runners.ray_program import write_program
from lightboard.hub.runners.ray_verdict import RayAnswer, ReplicaSigns, needs_answer, verdict
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.stillness import Stillness
from lightboard.hub.runners.usage_log import read_usage_log
from lightboard.hub.runners.workload_folders import KEEP_SECS, WorkloadFolders
from lightboard.hub.runners.workload_handle import checked_handle, parse_handle
from lightboard.types import UNREACHABLE

END_SECS = 20.0
"""How long a deleted workload may take to end."""
POLL_SECS = 0.2
NAME_FILE = "cluster-name"
NOT_ISOLATED = "they run on a Ray cluster, which does not isolate them"
NO_COMMANDS = "commands cannot be run in jobs on a Ray cluster: the hub does not reach its nodes"
NO_SERVERS = "the hub reaches no server on a Ray cluster"
NO_CONTAINERS = "jobs on a Ray cluster cannot have container images, which need a sandbox"
NO_VOLUMES = "jobs on a Ray cluster cannot have volumes: nothing is mounted on its nodes"


class RayRunner:
    """See `hub.runners.base.Runner`. `root` is a folder that all nodes have at the same path."""

    name = "ray"

    def __init__(self, root: Path, jobs: RayJobs, clock: Callable[[], float] = time.monotonic) -> None:
        self._folders = WorkloadFolders(root)
        self._jobs = jobs
        self._cluster = RayCluster(jobs.get, clock)
        self._stillness = Stillness(clock)
        self._program = write_program(root)
        self._prefix = name_of(root)
        self.on_change: Callable[[], None] = lambda: None

    def capabilities(self) -> RunnerCapabilities:
        """See Runner."""
        return RunnerCapabilities(
            isolation_problem=NOT_ISOLATED,
            servers=False,
            servers_problem=NO_SERVERS,
            commands=False,
            commands_problem=NO_COMMANDS,
            volumes=False,
            volumes_problem=NO_VOLUMES,
            place="a Ray cluster",
        )

    def validate(self, spec: WorkloadSpec) -> str:
        """See Runner."""
        if spec.root:
            raise LaunchError(NO_CONTAINERS, reason=START_FAILED, hint="use an image that is a virtual environment")
        if spec.volumes:
            raise LaunchError(NO_VOLUMES, reason=START_FAILED, hint="use inputs, whose paths are in variables")
        return checked_handle(self.name, spec)

    def submit(self, spec: WorkloadSpec) -> None:
        """See Runner."""
        handle = self.validate(spec)
        if not Path(spec.working_dir).is_dir():
            raise LaunchError(
                f"the working folder {spec.working_dir} does not exist", reason=START_FAILED, hint="create it first"
            )
        try:
            self._folders.prepare(spec.id, spec.attempt, lambda: replica_specs(spec))
        except OSError as error:
            raise LaunchError(
                f"{spec.id} was not started: {error.strerror or error}",
                reason=START_FAILED,
                hint="check that the disk is not full",
            ) from None
        folders = self._folders.of(handle)
        if self._is_taken(handle) or any(folder.read_state() for folder in folders):
            return
        if folders[0].kill_at() is not None:
            for folder in folders:
                folder.write_state(ended(STOPPED))
                folder.forget_variables()
            return
        entrypoint = self._entrypoint(spec)
        variables = {"PYTHONPATH": str(self._program)}
        resources = driver_resources(spec) if spec.replicas == 1 else {}
        try:
            self._jobs.submit(self._submission(handle), entrypoint, variables, resources)
        except LaunchError as error:
            if error.reason != UNREACHABLE and not self._is_taken(handle):
                remove_tree(folders[0].path.parent)  # it was refused, so it will not run
            raise
        self._cluster.forget(self._submission(handle))

    def observe(self, handles: Sequence[str]) -> list[WorkloadObservation]:
        """See Runner."""
        return [WorkloadObservation(handle=handle, replicas=tuple(self._observe(handle))) for handle in handles]

    def stop(self, handle: str, grace_secs: float = 30.0) -> None:
        """See Runner."""
        for folder in self._folders.of(handle)[:1]:
            folder.request_stop(time.time() + grace_secs)
            if folder.path.parent.exists() and not self._is_taken(handle):  # it may wait in Ray for resources
                with suppress(LaunchError):
                    self._jobs.stop(self._submission(handle))
                self._cluster.forget(self._submission(handle))

    def delete(self, handle: str) -> None:
        """See Runner."""
        parsed = parse_handle(handle)
        if parsed is None:
            return
        self.stop(handle, 0.0)
        folder = self._folders.attempt(parsed.id, parsed.attempt)
        if not folder.exists():
            return
        deadline = time.monotonic() + END_SECS
        while any(is_alive(state) for state in self._observe(handle)):
            if time.monotonic() > deadline:
                raise LaunchError(f"{parsed.id} has not ended yet", reason=START_FAILED, hint="delete it again later")
            time.sleep(POLL_SECS)
        # The request to stop stays, so that a submission that comes too late does not start it.
        remove_tree(folder)
        self._stillness.forget(str(folder))

    def delete_expired(self, now: float) -> None:
        """See Runner."""
        self._folders.delete_empty(now - KEEP_SECS)

    def read_log(self, handle: str, rank: int, cursor: int = 0, max_bytes: int = MAX_LOG_READ_BYTES) -> LogPart:
        """See Runner."""
        folders = self._folders.of(handle)
        if not 0 <= rank < len(folders):
            return LogPart(lines=(), cursor=max(cursor, 0))
        state = folders[rank].read_state()  # before reading: nothing is written after the end
        is_ended = state is not None and state.phase is ReplicaPhase.ENDED
        return read_lines(folders[rank].log, cursor, max_bytes, ended=is_ended)

    def read_usage(self, handle: str, rank: int) -> list[UsageSample]:
        """See Runner."""
        folders = self._folders.of(handle)
        return read_usage_log(folders[rank].usage_log) if 0 <= rank < len(folders) else []

    def server_socket(self, handle: str, rank: int) -> int:
        """See Runner. Sockets of another machine cannot be opened."""
        raise LaunchError(f"{NO_SERVERS} (replica {rank} of {handle})", reason=UNREACHABLE)

    def check_port(self, handle: str, rank: int, port: int) -> None:
        """See Runner. Ports of another machine cannot be told apart."""
        raise LaunchError(f"{NO_SERVERS} (port {port} in replica {rank} of {handle})", reason=UNREACHABLE)

    def connect(self, handle: str, rank: int, port: int) -> PortConnection:
        """See Runner."""
        raise LaunchError(f"{NO_SERVERS} (port {port} in replica {rank} of {handle})", reason=UNREACHABLE)

    def exec(self, handle: str, rank: int, command: Sequence[str], terminal: TerminalSize | None) -> ExecSession:  # noqa: ARG002
        """See Runner. The socket of a supervisor on another machine cannot be connected to."""
        raise LaunchError(NO_COMMANDS, reason=START_FAILED, hint="look at its log and its outputs instead")

    def close(self) -> None:
        """See Runner."""
        self._jobs.close()

    # Inside

    def _observe(self, handle: str) -> Iterator[ReplicaState]:
        folders = self._folders.of(handle)
        if not folders:
            return
        if not folders[0].path.parent.exists():
            yield from (ReplicaState(phase=ReplicaPhase.ABSENT) for _ in folders)
            return
        for folder in folders:
            yield self._observe_replica(handle, folder)

    def _observe_replica(self, handle: str, folder: ReplicaFolder) -> ReplicaState:
        signs = self._signs(handle, folder)
        if not needs_answer(signs):
            assert signs.state is not None
            return signs.state
        answer: RayAnswer = self._cluster.ask(self._submission(handle))
        signs = self._signs(handle, folder)  # a job that has ended meanwhile has stored how
        if signs.state is not None and not needs_answer(signs):
            return signs.state
        state = verdict(signs, answer)
        if state.phase is ReplicaPhase.ENDED:
            if not signs.stopped:
                folder.request_stop(time.time())  # whatever comes back runs no more
            state = replace(state, ended_at=state.ended_at or folder.last_seen_at() or time.time())
            folder.write_state(state)
            folder.forget_variables()
        return state

    def _signs(self, handle: str, folder: ReplicaFolder) -> ReplicaSigns:
        return ReplicaSigns(
            state=folder.read_state(),
            quiet_secs=self._stillness.secs(str(folder.path), folder.last_seen_at()),
            taken=self._is_taken(handle),
            stopped=folder.kill_at() is not None,
        )

    def _is_taken(self, handle: str) -> bool:
        """Whether a driver has begun, after which no other will."""
        return any((folder.path.parent / ray_driver.MARK).exists() for folder in self._folders.of(handle)[:1])

    def _submission(self, handle: str) -> str:
        parsed = parse_handle(handle)
        assert parsed is not None
        return f"lightboard-{self._prefix}-{parsed.id}-{parsed.attempt}"

    def _entrypoint(self, spec: WorkloadSpec) -> str:
        """The command line of the driver. Everybody who reaches the dashboard can read it."""
        folder = self._folders.attempt(spec.id, spec.attempt)
        words = ["python3", str(self._program), str(folder), "--program", str(self._program)]
        amounts = {
            "replicas": spec.replicas, "cpus": spec.cpus, "gpus": spec.gpus, "memory": spec.memory_bytes
        }  # fmt: skip
        for name, amount in amounts.items():
            words += [] if amount is None else [f"--{name}", str(amount)]
        return shlex.join(words)


def driver_resources(spec: WorkloadSpec) -> dict[str, float]:
    """The resources of a driver that is the only replica."""
    amounts = {
        "entrypoint_num_cpus": spec.cpus,
        "entrypoint_num_gpus": spec.gpus,
        "entrypoint_memory": spec.memory_bytes,
    }
    return {name: amount for name, amount in amounts.items() if amount}


def replica_specs(spec: WorkloadSpec) -> Iterator[ReplicaSpec]:
    """What each supervisor runs, as far as the hub knows it."""
    for rank in range(spec.replicas):
        mark = f"{spec.id}/{spec.attempt}/{rank}/{secrets.token_hex(8)}"
        yield ReplicaSpec(
            command=spec.command,
            working_dir=spec.working_dir,
            environment={**spec.environment_of(rank), MARK: mark},
            memory_bytes=spec.memory_bytes,
            mark=mark,
        )


def is_alive(state: ReplicaState) -> bool:
    """Whether processes may be left, or may start."""
    return state.phase not in (ReplicaPhase.ENDED, ReplicaPhase.ABSENT)


def ended(reason: str) -> ReplicaState:
    """The state of a replica that never ran."""
    return ReplicaState(phase=ReplicaPhase.ENDED, ended_at=time.time(), reason=reason)


def name_of(root: Path) -> str:
    """What the submissions of this hub begin with: chosen once, so that other hubs of a cluster have others."""
    file = root / NAME_FILE
    if not file.exists():
        new = root / f".{NAME_FILE}-{secrets.token_hex(4)}"
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(fd, "w") as opened:
            opened.write(secrets.token_hex(4))
        os.replace(new, file)
    return file.read_text()
