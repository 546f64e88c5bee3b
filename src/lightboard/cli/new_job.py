"""What commands do with a job that they have created: its TensorBoard, and the browser."""

import threading

from lightboard.cli.output import say
from lightboard.client.jobs import Job
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import LightboardError


def try_tensorboard(job: Job) -> TensorBoard | None:
    """The TensorBoard of a new job or notebook, which starts meanwhile.

    If it cannot be created, says so: the job runs anyway.
    """
    try:
        return job.tensorboard(wait=False)
    except LightboardError as error:
        say(f"it has no TensorBoard: {error.message}")
        if error.hint:
            say(f"hint: {error.hint}")
        return None


def open_when_served(job: TrainingJob, *, attached: bool) -> None:
    """Opens the web page of a job, whose server may take long to listen.

    With an `attached` terminal, that is done in a thread, since the log there says why it takes long.
    """
    if attached:
        threading.Thread(target=open_page, args=(job,), name="browse", daemon=True).start()
    else:
        open_page(job)


def open_page(job: TrainingJob) -> None:
    """Opens the web page of a job. If it cannot be opened, says so: the job runs anyway."""
    try:
        say(f"web page: {job.open()}")
    except LightboardError as error:
        say(f"its web page cannot be opened: {error.message}")
