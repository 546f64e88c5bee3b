"""One replica on a node of a Ray cluster: a supervisor like on any machine, which ends with the worker of Ray.

Ray cannot be trusted to end what a command has started, and forgets logs. So it only starts the supervisor, which
stores states and logs in the folder of the replica. Only the standard library is imported: nodes have no Lightboard,
but get these modules in an archive (`ray_program`).
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lightboard.hub.resources.replicas import START_FAILED, ReplicaPhase, ReplicaState
from lightboard.hub.runners.base import INHERITED
from lightboard.hub.runners.gpus import gpu_variables
from lightboard.hub.runners.rendezvous import rendezvous_variables
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.hub.runners.replica_observation import is_alive, observe_replica

SUPERVISOR = ("-P", "-m", "lightboard.hub.runners.supervisor")
GPU_VARIABLE = "CUDA_VISIBLE_DEVICES"
"""Ray sets it to the GPUs of the worker."""
PAUSE_SECS = 0.1
MESSAGE_CHARACTERS = 500


def run_replica(path: Path, program: str, rank: int, addresses: Sequence[tuple[str, int]], gpus: int | None) -> None:
    """Runs the replica of a folder once, and returns when it has ended and that is stored.

    `program` is the path of the archive, `addresses` are those of all replicas, `gpus` is how many it has, None for
    whatever the node has.
    """
    folder = ReplicaFolder(path)
    prepare(folder, rank, addresses, gpus)
    alive, alive_end = os.pipe()
    lifeline, lifeline_end = os.pipe()
    environment = {**os.environ, "PYTHONPATH": program}
    started = subprocess.run(  # noqa: S603  # our own interpreter and module
        [sys.executable, *SUPERVISOR, str(path), str(lifeline)],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(lifeline, alive_end),
        check=False,
    )
    os.close(lifeline)
    os.close(alive_end)
    if started.returncode and folder.read_state() is None:
        last_line = started.stderr.decode(errors="replace").strip().rpartition("\n")[2][:MESSAGE_CHARACTERS]
        end(folder, START_FAILED, f"a supervisor did not start: {last_line}")
    os.read(alive, 1)  # until the supervisor has ended
    os.close(alive)
    os.close(lifeline_end)
    while is_alive(folder):
        time.sleep(PAUSE_SECS)
    state, stored = observe_replica(folder), folder.read_state()
    if stored is not None and stored.phase is not ReplicaPhase.ENDED:  # it was killed
        folder.write_state(state)


def prepare(folder: ReplicaFolder, rank: int, addresses: Sequence[tuple[str, int]], gpus: int | None) -> None:
    """Completes the specification with what only the node knows."""
    spec = folder.read_spec()
    temporary = tempfile.mkdtemp(prefix="lightboard-")
    environment = {
        **{name: os.environ[name] for name in INHERITED if name in os.environ},
        "PYTHONUNBUFFERED": "1",  # so that logs are live
        "TMPDIR": temporary,
        **rendezvous_variables(rank, addresses),
        **spec.environment,
        **own_gpu_variables(gpus, os.environ.get(GPU_VARIABLE, "")),
    }
    folder.replace_spec(replace(spec, environment=environment, temporary=temporary))


def own_gpu_variables(gpus: int | None, visible: str) -> dict[str, str]:
    """The variables that restrict programs to the GPUs that Ray has given to this worker."""
    if gpus:
        return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", GPU_VARIABLE: visible}
    return gpu_variables(None if gpus is None else (), only_own_devices=False)


def end(folder: ReplicaFolder, reason: str, message: str = "") -> None:
    """Stores the end of a replica that never had a supervisor, or whose supervisor is lost, unless it has ended."""
    state = folder.read_state() or ReplicaState(phase=ReplicaPhase.ABSENT)
    if state.phase is not ReplicaPhase.ENDED:
        folder.write_state(
            replace(state, phase=ReplicaPhase.ENDED, ended_at=time.time(), reason=reason, message=message)
        )
        folder.forget_variables()


def free_port() -> int:
    """A port of this node that nobody listens on now."""
    with socket.socket() as opened:
        opened.bind(("", 0))
        return int(opened.getsockname()[1])
