"""The program that Ray runs for a workload: places the replicas on nodes, and returns when all have ended.

`python ARCHIVE FOLDER --program ARCHIVE --replicas N --cpus N [--gpus N] [--memory N]` runs `main`; see `ray_program`.
FOLDER is that of the workload, on storage that the hub and all nodes share. A workload runs once, however often this
is started: the first to create `FOLDER/driver` runs it. One replica runs in this process, for which Ray has reserved
resources; several run in actors, in the bundles of a placement group.
"""

import argparse
import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lightboard.hub.resources.replicas import LOST, START_FAILED, STOPPED, ReplicaPhase
from lightboard.hub.runners.ray_replica import end, free_port, run_replica
from lightboard.hub.runners.replica_folder import ReplicaFolder

MARK = "driver"
LOOK_SECS = 1.0
QUIET_SECS = 10.0
"""A supervisor that has stored nothing for so long is not running."""


@dataclass(frozen=True)
class Plan:
    """What runs, and what each replica needs."""

    folder: Path
    program: str
    replicas: int
    cpus: int
    gpus: int | None
    memory_bytes: int | None

    @property
    def replica_folders(self) -> list[ReplicaFolder]:
        """The folders of all replicas, by rank."""
        return [ReplicaFolder(self.folder / str(rank)) for rank in range(self.replicas)]

    @property
    def bundle(self) -> dict[str, float]:
        """The resources of one replica, as Ray names them."""
        amounts = {"CPU": self.cpus, "GPU": self.gpus or 0, "memory": self.memory_bytes or 0}
        return {name: float(amount) for name, amount in amounts.items() if amount}


class Replica:
    """A replica in a worker process of Ray. An actor."""

    def address(self) -> tuple[str, int]:
        """The address of its node, and a free port there."""
        import ray

        return ray.util.get_node_ip_address(), free_port()

    def run(self, path: str, program: str, rank: int, addresses: Sequence[tuple[str, int]], gpus: int | None) -> None:
        """Returns when it has ended."""
        run_replica(Path(path), program, rank, addresses, gpus)


def run_in_actors(plan: Plan) -> None:
    """Runs all replicas, each in an actor."""
    import ray
    from ray.util.placement_group import placement_group
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    ray.init(address="auto", log_to_driver=False)
    group = placement_group([plan.bundle] * plan.replicas, strategy="PACK")
    while not group.wait(LOOK_SECS):
        if is_stop_requested(plan):
            return end_all(plan, STOPPED)
    actors = [
        ray.remote(Replica)
        .options(
            num_cpus=plan.cpus,
            num_gpus=plan.gpus or 0,
            memory=plan.memory_bytes or 0,
            scheduling_strategy=PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=rank),
        )
        .remote()
        for rank in range(plan.replicas)
    ]
    try:
        addresses = ray.get([actor.address.remote() for actor in actors])
    except ray.exceptions.RayError as error:
        return end_all(plan, LOST, f"a node was lost before the start: {first_line(error)}")
    running = {
        actor.run.remote(str(folder.path), plan.program, rank, addresses, plan.gpus): folder
        for rank, (actor, folder) in enumerate(zip(actors, plan.replica_folders, strict=True))
    }
    while running:
        ended, _ = ray.wait(list(running))
        for result in ended:
            complete(ray, result, running.pop(result))
    return None


def complete(ray: Any, result: Any, folder: ReplicaFolder) -> None:
    """Stores that a replica is lost, if its worker was lost and nothing of it is left."""
    try:
        ray.get(result)
    except ray.exceptions.RayError as error:
        wait_until_quiet(folder)
        end(folder, LOST, f"its node or its worker was lost: {first_line(error)}")


def wait_until_quiet(folder: ReplicaFolder) -> None:
    """Waits until a supervisor has stored the end, or nothing for some time."""
    seen, since = folder.last_seen_at(), time.monotonic()
    while time.monotonic() - since < QUIET_SECS:
        state = folder.read_state()
        if state is None or state.phase is ReplicaPhase.ENDED:
            return
        if folder.last_seen_at() != seen:
            seen, since = folder.last_seen_at(), time.monotonic()
        time.sleep(LOOK_SECS / 4)


def is_stop_requested(plan: Plan) -> bool:
    """Whether the end of the workload has been requested."""
    return plan.replica_folders[0].kill_at() is not None


def end_all(plan: Plan, reason: str, message: str = "") -> None:
    """Stores the end of replicas that have not started."""
    for folder in plan.replica_folders:
        end(folder, reason, message)


def first_line(error: BaseException) -> str:
    """What happened, for people."""
    return f"{type(error).__name__}: {error}".partition("\n")[0][:500]


def is_first(folder: Path) -> bool:
    """Whether nobody has run the workload of this folder before."""
    try:
        os.close(os.open(folder / MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def main(arguments: Sequence[str]) -> int:
    """Returns 0 when the ends of all replicas have been stored."""
    os.umask(0o077)
    plan = parse_plan(arguments)
    if not is_first(plan.folder):
        return 0
    if is_stop_requested(plan):
        end_all(plan, STOPPED)
        return 0
    try:
        if plan.replicas == 1:
            run_replica(plan.replica_folders[0].path, plan.program, 0, (), plan.gpus)
        else:
            run_in_actors(plan)
    except Exception as error:
        with contextlib.suppress(OSError):
            end_all(plan, START_FAILED, f"it was not started: {first_line(error)}")
        raise  # Ray shows it with the log of the driver
    return 0


def parse_plan(arguments: Sequence[str]) -> Plan:
    """The plan of a command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", required=True)
    for name in ("replicas", "cpus"):
        parser.add_argument(f"--{name}", type=int, default=1)
    for name in ("gpus", "memory"):
        parser.add_argument(f"--{name}", type=int)
    given = parser.parse_args(arguments)
    return Plan(given.folder, given.program, given.replicas, given.cpus, given.gpus, given.memory)
