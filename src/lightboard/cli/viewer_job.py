"""A job with the logs of a TensorBoard, read only: the place in which `lightboard exec` runs commands for one.

A TensorBoard has no process of its own, since a worker of the hub serves many, so nothing else can run in it.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from lightboard.cli.output import say
from lightboard.cli.run_command import default_volumes, log_volumes
from lightboard.client.jobs import ENDED
from lightboard.client.polling import StatusLines, poll
from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.client.volumes import Volume
from lightboard.errors import Conflict, Invalid, UnexpectedStatusException

MAX_SECS = 86_400
"""After which time the job ends even if nobody has deleted it, because the command line was killed."""
GRACE_SECS = 1.0
MAX_TITLE = 200
RUNNING, MOUNTED = "Running", "kernel"


@contextlib.contextmanager
def viewer_job(session: Session, board: dict[str, Any]) -> Iterator[TrainingJob]:
    """A running job with the logs of a TensorBoard at the paths of `log_volumes`, which is deleted at the end.

    If a job can have no volumes there, they are at those of `default_volumes`. Raises Conflict if the hub cannot keep
    the job from writing to the logs, and the errors of `TrainingJob.create`.
    """
    volumes, others = log_volumes(board), default_volumes(board)
    try:
        job = create_job(session, board, volumes)
    except Invalid as error:
        if volumes == others:
            raise
        job = create_job(session, board, others)
        say(f"{error.message}: the logs are at {', '.join(volume.target for volume in others)}")
    try:
        wait_for_start(job)
        yield job
    finally:
        job.delete()


def create_job(session: Session, board: dict[str, Any], volumes: Sequence[Volume]) -> TrainingJob:
    """A job that does nothing, with these volumes."""
    return TrainingJob.create(
        ["sleep", str(MAX_SECS)],
        display_name=f"exec {board['name']}"[:MAX_TITLE],
        volumes=[str(volume) for volume in volumes],
        max_run_time=MAX_SECS,
        grace_period=GRACE_SECS,
        project=board["project"],
        session=session,
    )


def wait_for_start(job: TrainingJob) -> None:
    """Waits until a job runs. Raises UnexpectedStatusException if it has ended, Conflict if it could write to logs."""
    status = StatusLines(say)
    for info in poll(job.info, None):
        status.update(info)
        if info["status"] in ENDED:
            raise UnexpectedStatusException(info["status"], info["reason"], info["message"])
        if info["status"] == RUNNING:
            if any(volume["enforcement"] != MOUNTED for volume in info["volumes"]):
                raise Conflict(
                    "this hub has no sandbox, in which the logs of a TensorBoard could only be read",
                    hint="run a job with --volume SOURCE:/logs:ro, and lightboard exec in that",
                )
            return
