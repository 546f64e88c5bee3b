"""Tests that all runners must pass. Subclass `RunnerTests`, and define which commands the runner knows.

They cover everything the hub relies on, with real processes if the runner has them, and skip what it says that it is
not capable of. What only one runner does is tested elsewhere.
"""

import contextlib
import json
import os
import signal
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import LOST, STOPPED, ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.hub.runners.exec_session import (
    REPLICA_ENDED,
    Ended,
    Event,
    ExecSession,
    NotStarted,
    Started,
    TerminalSize,
)

TIMEOUT_SECS = 60.0
PAUSE_SECS = 0.02
T = TypeVar("T")


class RunnerTests(ABC):
    """Subclasses define a fixture `runner`, which creates a runner without workloads and ends all of them."""

    @abstractmethod
    def spec_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> WorkloadSpec:
        """A workload `job-1` that prints lines and exits."""

    @abstractmethod
    def spec_that_waits(self, runner: Runner, id: str = "job-1") -> WorkloadSpec:
        """A workload that runs until it is stopped."""

    @abstractmethod
    def command_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> tuple[str, ...]:
        """A further command that prints lines and exits."""

    @abstractmethod
    def command_that_waits(self, runner: Runner) -> tuple[str, ...]:
        """A further command that runs until it is ended."""

    @abstractmethod
    def runs_of(self, runner: Runner, spec: WorkloadSpec) -> int:
        """How many times the command of a spec from `spec_that_prints` has been started."""

    @abstractmethod
    def lose(self, runner: Runner, handle: str) -> None:
        """End a running workload as a restart of its machine would."""

    @abstractmethod
    def spec_that_ignores_requests(self, runner: Runner) -> WorkloadSpec:
        """A workload that prints a line, and goes on after SIGTERM."""

    @abstractmethod
    def spec_that_listens(self, runner: Runner, port: int) -> WorkloadSpec:
        """A workload that listens at a loopback port and at SERVER_SOCKET. Only called if `servers` is true."""

    @abstractmethod
    def reopen(self, runner: Runner) -> Runner:
        """Another runner over the same workloads, as that of a hub which was started again. The caller closes it."""

    @abstractmethod
    def measure(self, runner: Runner, handle: str) -> None:
        """Let the use of a running workload be measured. Real runners do that by themselves."""

    # Starting

    def test_a_handle_is_printable_json_without_secrets(self, runner: Runner) -> None:
        """It is stored in the database and may be displayed."""
        spec = replace(self.spec_that_waits(runner), environment={"TOKEN": "hush-hush"})

        handle = runner.validate(spec)

        assert isinstance(json.loads(handle), dict)
        assert handle.isprintable()
        assert "hush-hush" not in handle + repr(spec)

    def test_a_validated_workload_is_absent(self, runner: Runner) -> None:
        """Its handle can be stored before it is started."""
        handle = runner.validate(self.spec_that_waits(runner))

        (seen,) = runner.observe([handle])

        assert (seen.handle, [state.phase for state in seen.replicas]) == (handle, [ReplicaPhase.ABSENT])

    def test_a_workload_runs(self, runner: Runner) -> None:
        """It has a start time and no end."""
        state = wait_for_phase(runner, submit(runner, self.spec_that_waits(runner)), ReplicaPhase.RUNNING)

        assert state.started_at is not None
        assert (state.ended_at, state.exit_code, state.signal, state.reason) == (None, None, None, "")

    def test_an_empty_command_is_refused(self, runner: Runner) -> None:
        """Before anything is started."""
        with pytest.raises(LaunchError):
            runner.validate(replace(self.spec_that_waits(runner), command=()))

    def test_the_same_workload_submitted_by_many_threads_runs_once(self, runner: Runner) -> None:
        """Two replicas of a hub may believe that they have to start it."""
        spec = self.spec_that_prints(runner, ["once"])
        threads = [threading.Thread(target=runner.submit, args=(spec,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT_SECS)
        handle = runner.validate(spec)

        wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        assert [line.text for line in runner.read_log(handle, 0).lines] == ["once"]
        assert self.runs_of(runner, spec) == 1

    def test_an_ended_workload_submitted_again_does_not_run_again(self, runner: Runner) -> None:
        """A hub that crashed before it stored the end submits it again."""
        spec = self.spec_that_prints(runner, ["once"])
        handle = submit(runner, spec)
        before = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        runner.submit(spec)

        assert wait_for_phase(runner, handle, ReplicaPhase.ENDED) == before
        assert self.runs_of(runner, spec) == 1

    def test_another_attempt_is_another_workload(self, runner: Runner) -> None:
        """With its own handle and log."""
        spec = self.spec_that_prints(runner, ["hello"])
        handles = [submit(runner, replace(spec, attempt=attempt)) for attempt in (1, 2)]
        for handle in handles:
            wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        assert handles[0] != handles[1]
        assert self.runs_of(runner, spec) == 2

    def test_replicas_have_a_state_and_a_log_each(self, runner: Runner) -> None:
        """By rank."""
        handle = submit(runner, replace(self.spec_that_prints(runner, ["hello"]), replicas=3))
        for rank in range(3):
            wait_for_phase(runner, handle, ReplicaPhase.ENDED, rank)

        logs = [[line.text for line in runner.read_log(handle, rank).lines] for rank in range(4)]

        assert logs == [["hello"], ["hello"], ["hello"], []]

    # Ending

    @pytest.mark.parametrize(("exit_code", "succeeded"), [(0, True), (3, False)])
    def test_the_exit_code_is_reported(self, runner: Runner, exit_code: int, *, succeeded: bool) -> None:
        """Only 0 is success."""
        handle = submit(runner, self.spec_that_prints(runner, [], exit_code))

        state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        assert (state.exit_code, state.signal, state.reason, state.succeeded) == (exit_code, None, "", succeeded)
        assert state.started_at is not None
        assert state.ended_at is not None
        assert state.ended_at >= state.started_at

    def test_a_stopped_workload_ends(self, runner: Runner) -> None:
        """With a reason; others keep running."""
        one, two = (submit(runner, self.spec_that_waits(runner, id)) for id in ("job-1", "job-2"))
        for handle in (one, two):
            wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        runner.stop(one)

        ended = wait_for_phase(runner, one, ReplicaPhase.ENDED)
        assert (ended.reason, ended.succeeded) == (STOPPED, False)
        assert runner.observe([two])[0].replicas[0].phase is ReplicaPhase.RUNNING

    def test_a_workload_stopped_before_its_start_never_runs(self, runner: Runner) -> None:
        """A user stops a job while another replica of the hub is starting it."""
        spec = self.spec_that_prints(runner, ["never"])
        handle = runner.validate(spec)
        runner.stop(handle)

        runner.submit(spec)

        assert wait_for_phase(runner, handle, ReplicaPhase.ENDED).reason == STOPPED
        assert self.runs_of(runner, spec) == 0

    def test_stopping_what_has_ended_or_is_unknown_is_no_error(self, runner: Runner) -> None:
        """It has ended, as requested, and its result stays."""
        handle = submit(runner, self.spec_that_prints(runner, []))
        before = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
        for stopped in (handle, handle, "nonsense", "{}", "[1]", '{"id": "job-1"}'):
            runner.stop(stopped)

        assert runner.observe([handle])[0].replicas == (before,)

    def test_a_workload_whose_machine_was_restarted_is_lost(self, runner: Runner) -> None:
        """It has ended, with a reason, and it is not started again by the runner."""
        spec = self.spec_that_waits(runner)
        handle = submit(runner, spec)
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        self.lose(runner, handle)

        state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
        assert (state.reason, state.exit_code, state.succeeded) == (LOST, None, False)
        runner.submit(spec)
        assert wait_for_phase(runner, handle, ReplicaPhase.ENDED).reason == LOST

    def test_a_command_that_ignores_the_request_is_killed(self, runner: Runner) -> None:
        """After the grace period."""
        handle = submit(runner, self.spec_that_ignores_requests(runner))
        wait_for(lambda: runner.read_log(handle, 0).lines)

        runner.stop(handle, 0.2)

        ended = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
        assert (ended.signal, ended.reason, ended.succeeded) == (signal.SIGKILL, STOPPED, False)

    def test_a_runner_that_is_opened_again_finds_the_work(self, runner: Runner) -> None:
        """With its log, and ends it: the handle is sufficient."""
        handle = submit(runner, self.spec_that_ignores_requests(runner))
        lines = wait_for(lambda: runner.read_log(handle, 0).lines)
        before = wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        with contextlib.closing(self.reopen(runner)) as again:
            found = again.observe([handle])[0].replicas[0]
            log = again.read_log(handle, 0).lines
            again.stop(handle, 0.0)
            ended = wait_for_phase(again, handle, ReplicaPhase.ENDED)

        assert (found.phase, found.started_at, log) == (ReplicaPhase.RUNNING, before.started_at, lines)
        assert ended.reason == STOPPED

    def test_nothing_of_workloads_that_exist_expires(self, runner: Runner) -> None:
        """However long they run, or have ended."""
        ended = submit(runner, self.spec_that_prints(runner, ["hello"]))
        running = submit(runner, self.spec_that_waits(runner, "job-2"))
        wait_for_phase(runner, ended, ReplicaPhase.ENDED)
        wait_for_phase(runner, running, ReplicaPhase.RUNNING)

        runner.delete_expired(time.time() + 1e9)

        assert [line.text for line in runner.read_log(ended, 0).lines] == ["hello"]
        assert runner.observe([running])[0].replicas[0].phase is ReplicaPhase.RUNNING

    def test_a_deleted_workload_never_runs_while_it_has_not_expired(self, runner: Runner) -> None:
        """A submission may come too late, but not that late."""
        spec = self.spec_that_prints(runner, ["never"])
        runner.delete(runner.validate(spec))

        runner.delete_expired(time.time())
        runner.submit(spec)

        assert wait_for_phase(runner, runner.validate(spec), ReplicaPhase.ENDED).reason == STOPPED
        assert self.runs_of(runner, spec) == 0

    def test_a_deleted_workload_is_absent(self, runner: Runner) -> None:
        """Also if it was running. Its log is gone, and deleting it again is no error."""
        handle = submit(runner, self.spec_that_waits(runner))
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        for deleted in (handle, handle, "nonsense"):
            runner.delete(deleted)

        assert [state.phase for state in runner.observe([handle])[0].replicas] == [ReplicaPhase.ABSENT]
        assert runner.read_log(handle, 0).lines == ()

    def test_a_deleted_workload_never_runs(self, runner: Runner) -> None:
        """A thread or another hub may submit it too late."""
        spec = self.spec_that_prints(runner, ["never"])
        runner.delete(runner.validate(spec))

        runner.submit(spec)

        assert wait_for_phase(runner, runner.validate(spec), ReplicaPhase.ENDED).reason == STOPPED
        assert self.runs_of(runner, spec) == 0

    # Observing

    def test_workloads_are_observed_in_the_requested_order(self, runner: Runner) -> None:
        """There is one observation for each handle, also of workloads that do not exist."""
        one, two = (submit(runner, self.spec_that_waits(runner, id)) for id in ("job-1", "job-2"))
        for handle in (one, two):
            wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        seen = runner.observe([two, "nonsense", one])

        assert [(each.handle, [state.phase for state in each.replicas]) for each in seen] == [
            (two, [ReplicaPhase.RUNNING]),
            ("nonsense", []),
            (one, [ReplicaPhase.RUNNING]),
        ]

    def test_the_use_of_a_replica_is_kept(self, runner: Runner) -> None:
        """Also after its end. Others have none."""
        handle = submit(runner, self.spec_that_waits(runner))
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
        self.measure(runner, handle)
        wait_for(lambda: runner.read_usage(handle, 0))

        runner.stop(handle, 0.0)
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        samples = runner.read_usage(handle, 0)
        assert samples
        assert all(sample.secs > 0 and sample.memory_bytes > 0 and sample.processes > 0 for sample in samples)
        assert [runner.read_usage(*none) for none in ((handle, 1), ("nonsense", 0))] == [[], []]

    # Servers, where the runner is capable of them

    def test_a_server_is_reached_at_its_socket(self, runner: Runner) -> None:
        """Once it listens."""
        need_servers(runner)
        handle = submit(runner, self.spec_that_listens(runner, free_port()))

        fd = wait_for(lambda: without_refusal(lambda: runner.server_socket(handle, 0)))
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(f"/proc/self/fd/{fd}")
        finally:
            os.close(fd)

    def test_a_port_is_reached(self, runner: Runner) -> None:
        """By a connection that a process of the workload accepts. Nothing listens at others."""
        need_servers(runner)
        port = free_port()
        handle = submit(runner, self.spec_that_listens(runner, port))
        connection = wait_for(lambda: without_refusal(lambda: runner.connect(handle, 0, port)))
        try:
            assert wait_for(connection.is_accepted)
            runner.check_port(handle, 0, port)
        finally:
            connection.close()

        with pytest.raises(LaunchError):
            runner.check_port(handle, 0, free_port())

    def test_servers_are_refused_where_nothing_runs(self, runner: Runner) -> None:
        """Also by runners that are not capable of them."""
        handle = submit(runner, self.spec_that_prints(runner, []))
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        for refused in ((handle, 0), (handle, 1), ("nonsense", 0)):
            with pytest.raises(LaunchError):
                runner.server_socket(*refused)
            with pytest.raises(LaunchError):
                runner.check_port(*refused, free_port())
            with pytest.raises(LaunchError):
                runner.connect(*refused, free_port())

    # Further commands, where the runner is capable of them

    def test_a_further_command_runs_in_a_replica(self, runner: Runner) -> None:
        """Its output and exit code are its own, and the workload runs on."""
        need_commands(runner)
        handle = submit(runner, self.spec_that_waits(runner))
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        seen = run_beside(runner, handle, self.command_that_prints(runner, ["one", "two"], 3))

        assert seen == ([Started(), Ended(exit_code=3)], b"one\ntwo\n")
        assert runner.observe([handle])[0].replicas[0].phase is ReplicaPhase.RUNNING

    def test_a_further_command_has_a_terminal_if_that_is_wanted(self, runner: Runner) -> None:
        """Which ends lines as terminals do."""
        need_commands(runner)
        handle = submit(runner, self.spec_that_waits(runner))
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)

        seen = run_beside(runner, handle, self.command_that_prints(runner, ["one"]), TerminalSize(40, 100))

        assert seen == ([Started(), Ended(exit_code=0)], b"one\r\n")

    def test_a_further_command_ends_with_its_replica(self, runner: Runner) -> None:
        """And tells why."""
        need_commands(runner)
        handle = submit(runner, self.spec_that_waits(runner))
        wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
        session = runner.exec(handle, 0, self.command_that_waits(runner), None)
        try:
            events = [next_event(session)]
            runner.stop(handle, 0.0)
            wait_for_phase(runner, handle, ReplicaPhase.ENDED)
            events.append(next_event(session))
        finally:
            session.close()

        assert events[0] == Started()
        assert isinstance(events[1], Ended)
        assert events[1].message == REPLICA_ENDED.message

    def test_a_further_command_needs_a_replica_that_runs(self, runner: Runner) -> None:
        """Not one that has ended, is unknown, or has another rank."""
        ended = submit(runner, self.spec_that_prints(runner, []))
        wait_for_phase(runner, ended, ReplicaPhase.ENDED)
        running = submit(runner, self.spec_that_waits(runner, "job-2"))
        wait_for_phase(runner, running, ReplicaPhase.RUNNING)

        for handle, rank in ((ended, 0), ("nonsense", 0), (running, 1), (running, -1)):
            with pytest.raises(LaunchError):
                runner.exec(handle, rank, self.command_that_waits(runner), None)

    # Logs

    def test_a_log_is_read_in_parts(self, runner: Runner) -> None:
        """Each part continues at the cursor of the one before, and nothing is read twice."""
        lines = [f"line {number}" for number in range(200)]
        handle = submit(runner, self.spec_that_prints(runner, lines))
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        texts: list[str] = []
        cursor = 0
        while part := runner.read_log(handle, 0, cursor, 500).lines:
            texts += [line.text for line in part]
            cursor = runner.read_log(handle, 0, cursor, 500).cursor

        assert texts == lines

    def test_a_log_is_read_from_its_end(self, runner: Runner) -> None:
        """A negative cursor starts with the first whole line in the last bytes."""
        lines = [f"line {number}" for number in range(200)]
        handle = submit(runner, self.spec_that_prints(runner, lines))
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        texts = [line.text for line in runner.read_log(handle, 0, -100).lines]

        assert 0 < len(texts) < 100
        assert texts == lines[-len(texts) :]

    def test_a_log_has_no_lines_after_its_end(self, runner: Runner) -> None:
        """The cursor stays."""
        handle = submit(runner, self.spec_that_prints(runner, ["hello"]))
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)
        end = runner.read_log(handle, 0).cursor

        part = runner.read_log(handle, 0, end)

        assert (part.lines, part.cursor, part.lost_bytes) == ((), end, 0)

    def test_lines_have_times(self, runner: Runner) -> None:
        """Of when they were written."""
        handle = submit(runner, self.spec_that_prints(runner, ["hello"]))
        state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

        (line,) = runner.read_log(handle, 0).lines

        assert state.started_at is not None
        assert state.ended_at is not None
        assert state.started_at - 1.0 <= line.at <= state.ended_at + 1.0


def need_commands(runner: Runner) -> None:
    """Skips a test of a runner that runs no further commands. It has to refuse them."""
    if not runner.capabilities().commands:
        pytest.skip(f"{runner.name} runs no further commands")


def need_servers(runner: Runner) -> None:
    """Skips a test of a runner that reaches no servers. It has to refuse them, and to say why."""
    if not runner.capabilities().servers:
        assert runner.capabilities().servers_problem
        pytest.skip(f"{runner.name} reaches no servers")


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


def without_refusal(call: Callable[[], T]) -> T | None:
    """What a call returns, None if the runner refuses it."""
    try:
        return call()
    except LaunchError:
        return None


def submit(runner: Runner, spec: WorkloadSpec) -> str:
    """Start a workload and return its handle."""
    handle = runner.validate(spec)
    runner.submit(spec)
    return handle


def run_beside(
    runner: Runner, handle: str, command: Sequence[str], size: TerminalSize | None = None, *, input: bytes = b""
) -> tuple[list[Event], bytes]:
    """The events of a further command, which gets all input at once, and its output."""
    session = runner.exec(handle, 0, command, size)
    try:
        events: list[Event] = [next_event(session)]
        if not isinstance(events[0], NotStarted):
            assert session.stdin is not None
            os.write(session.stdin, input)
            session.close_stdin()
            events.append(next_event(session))
        return events, read_to_end(session.stdout)
    finally:
        session.close()


def next_event(session: ExecSession) -> Event:
    """The next event of a further command."""
    (event,) = wait_for(lambda: [event for event in [session.read_event()] if event is not None])
    return event


def read_to_end(fd: int) -> bytes:
    """What an ended command has written, which must not be more than a pipe holds."""
    parts = []
    with contextlib.suppress(OSError):  # there is no more, or the terminal is closed
        while part := os.read(fd, 1 << 16):
            parts.append(part)
    return b"".join(parts)


def wait_for_phase(runner: Runner, handle: str, phase: ReplicaPhase, rank: int = 0) -> ReplicaState:
    """The state of a replica, once it has reached a phase."""
    return wait_for(
        lambda: next(
            (state for state in runner.observe([handle])[0].replicas[rank : rank + 1] if state.phase is phase), None
        )
    )


def wait_for(condition: Callable[[], T | None]) -> T:
    """The first true result."""
    deadline = time.monotonic() + TIMEOUT_SECS
    while not (result := condition()):
        assert time.monotonic() < deadline
        time.sleep(PAUSE_SECS)
    return result
