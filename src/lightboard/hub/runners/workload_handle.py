"""The handle of a workload whose states and logs are in folders: which workload it is of."""

import json
import re
from dataclasses import dataclass

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.base import WorkloadSpec

MAX_REPLICAS = 64
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


@dataclass(frozen=True)
class WorkloadHandle:
    """Which workload a handle is of."""

    id: str
    attempt: int
    replicas: int


def handle_of(runner: str, spec: WorkloadSpec) -> str:
    """The handle of a workload of this runner (a name), as stored text."""
    fields = {"runner": runner, "id": spec.id, "attempt": spec.attempt, "replicas": spec.replicas}
    return json.dumps(fields, separators=(",", ":"))


def parse_handle(text: str) -> WorkloadHandle | None:
    """Parses a handle; None if it is invalid."""
    try:
        fields = json.loads(text)
        handle = WorkloadHandle(str(fields["id"]), int(fields["attempt"]), int(fields["replicas"]))
    except (ValueError, TypeError, KeyError):
        return None
    valid = ID.fullmatch(handle.id) and handle.attempt > 0 and 0 < handle.replicas <= MAX_REPLICAS
    return handle if valid else None


def checked_handle(runner: str, spec: WorkloadSpec) -> str:
    """The handle of a workload that can be passed to processes. Raises LaunchError for any other."""
    handle = handle_of(runner, spec)
    if parse_handle(handle) is None:
        raise LaunchError(
            f"{spec.id} cannot run here with {spec.replicas} replicas",
            reason=START_FAILED,
            hint=f"a job has 1 to {MAX_REPLICAS} replicas",
        )
    if not spec.command or not spec.command[0]:
        raise LaunchError("there is no command", reason=START_FAILED, hint="give a program and its arguments")
    environments = [spec.environment_of(rank) for rank in range(spec.replicas)]
    names = [name for each in environments for name in each]
    texts = [*spec.command, spec.working_dir, *names, *(text for each in environments for text in each.values())]
    if any("\0" in text for text in texts) or any(not name or "=" in name for name in names):
        raise LaunchError(
            "the command or a variable cannot be passed to a process",
            reason=START_FAILED,
            hint="names of variables are not empty and contain no '='; nothing contains a null character",
        )
    return handle
