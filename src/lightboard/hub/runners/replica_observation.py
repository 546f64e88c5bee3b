"""The state of a replica on the machine where its supervisor runs. Only the standard library is imported."""

import errno
from dataclasses import replace

from lightboard.hub.resources.replicas import LOST, ReplicaPhase, ReplicaState
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.replica_group import control_group_of


def is_alive(folder: ReplicaFolder) -> bool:
    """Whether processes of a replica, or its supervisor, may be left."""
    return observe_replica(folder).phase not in (ReplicaPhase.ENDED, ReplicaPhase.ABSENT)


def observe_replica(folder: ReplicaFolder) -> ReplicaState:
    """The state of a replica. Kills what is left of it if its supervisor was killed."""
    supervisor = folder.supervisor()  # before the state, which it may complete meanwhile
    state = folder.read_state()
    if state is None:
        return ReplicaState(phase=ReplicaPhase.STARTING if supervisor else ReplicaPhase.ABSENT)
    if state.phase is ReplicaPhase.ENDED or supervisor is not None:
        return state
    try:
        spec = folder.read_spec()
    except FileNotFoundError:  # it is being deleted, which is done when nothing of it runs
        return ReplicaState(phase=ReplicaPhase.ABSENT)
    if end_remaining(spec):
        return replace(state, phase=ReplicaPhase.UNKNOWN)
    return replace(
        state,
        phase=ReplicaPhase.ENDED,
        ended_at=folder.last_seen_at(),
        reason=LOST,
        message="its supervisor was killed, or the machine was restarted",
    )


def end_remaining(spec: ReplicaSpec) -> bool:
    """Kills the processes of a replica without a supervisor; whether there are any. Else removes its control group."""
    group = control_group_of(spec.group) if spec.group else None
    remaining = set(process_tree.with_variable(f"{MARK}={spec.mark}")) | (group.pids() if group else set())
    process_tree.kill(remaining)
    if group and remaining:
        group.kill()
    elif group:
        try:
            group.remove()
        except OSError as error:
            return error.errno == errno.EBUSY  # of processes that are ending, the kernel does not tell any more
    return bool(remaining)
