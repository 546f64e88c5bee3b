"""TensorBoards and jobs alike, found by name or id, for commands that take either."""

from collections.abc import Callable
from typing import Any

from lightboard.client.jobs import find_job
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard, find_tensorboard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import Conflict, NotFound, UsageError

Instance = TensorBoard | TrainingJob
Find = Callable[[Session, str], dict[str, Any]]


def find_instance(session: Session, id_or_name: str) -> tuple[Instance, dict[str, Any]]:
    """The TensorBoard or job with this id or name, and its data. A job precedes the TensorBoard of its logs.

    Raises NotFound, and Conflict if a TensorBoard and a job have the name.
    """
    board = found(find_tensorboard, session, id_or_name)
    job = found(find_job, session, id_or_name)
    if job is not None and (board is None or is_of_job(board, job)):
        return TrainingJob(job["id"], session), job
    if board is None:
        raise NotFound(f"there is no TensorBoard or job {id_or_name}", hint="lightboard ps --all lists yours")
    if job is not None:
        raise Conflict(
            f"{id_or_name} is the name of the TensorBoard {board['id']} and of the job {job['id']}", hint="give the id"
        )
    return TensorBoard(board["id"], session), board


def found(find: Find, session: Session, id_or_name: str) -> dict[str, Any] | None:
    """What `find` finds, None if there is none."""
    try:
        return find(session, id_or_name)
    except NotFound:
        return None


def check_board_rank(board: dict[str, Any], rank: int) -> None:
    """Raises UsageError if the replica of a TensorBoard is another one than the first, which stands for none."""
    if rank:
        raise UsageError(f"the TensorBoard {board['name']} has no replicas", hint="leave out --rank")


def is_of_job(board: dict[str, Any], job: dict[str, Any]) -> bool:
    """Whether a TensorBoard was created for the logs of a job."""
    return bool(board["origin"] == "job" and board["origin_id"] == job["id"])
