"""Attaching the terminal to a TensorBoard or a job: its statuses and its output, until it ends or Ctrl-C detaches."""

from collections.abc import Callable

from lightboard.cli.jobs import INTERRUPTED, follow_to_end, say_detached
from lightboard.cli.log_output import show_log_line
from lightboard.cli.output import say, show
from lightboard.client.neuro_status import neuro_words
from lightboard.client.tensorboards import GONE, TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import HubUnreachable

NOTICE = (
    "Terminal is attached to the remote job, so you receive the job's output.",
    "Use 'Ctrl-C' to detach (it will NOT terminate the job), or restart the",
    "job with `--detach` option.",
)
"""As Neu.ro writes it."""
VERBS = ("attach", "kill")
"""The commands that follow and stop what was detached."""
STOPPED = frozenset({"Stopped", "Deleting", *GONE})


def nothing() -> None:
    """What happens by default once something runs."""


def attach_tensorboard(
    board: TensorBoard,
    name: str,
    project: str | None,
    *,
    on_running: Callable[[], object] = nothing,
    seen: int | None = None,
) -> int:
    """Prints the statuses and the server log of a TensorBoard. Returns the exit code, also after an interruption.

    Raises the errors of `TensorBoard.wait` if it does not start.
    """
    try:
        board.wait(say=say_with_notice(on_running), seen=seen)
        show(f"TensorBoard {hub_version(board)} at {board.app_uri} (Press CTRL+C to quit)")
        for line in board.logs(follow=True):
            show_log_line(line)
        info = board.info()
    except KeyboardInterrupt:
        say_detached(name, project, VERBS)
        return INTERRUPTED
    except HubUnreachable:
        say_detached(name, project, VERBS)
        raise
    say(f"Status: {neuro_words(info)}")
    return 0 if info["status"] in STOPPED else 1


def hub_version(board: TensorBoard) -> str:
    """The version of what serves a TensorBoard."""
    return str(board.session.get("/api/v1/entry")["version"])


def attach_job(
    job: TrainingJob,
    name: str,
    project: str | None,
    *,
    on_running: Callable[[], object] = nothing,
    seen: int | None = None,
) -> int:
    """Prints the statuses and the log of a job. Returns the exit code of its command, also after an interruption."""
    status = say_with_notice(on_running)
    return follow_to_end(job, name, project, None, verbs=VERBS, say_status=status, seen=seen)


def say_with_notice(on_running: Callable[[], object]) -> Callable[[str], None]:
    """A function that says statuses. At the first one that runs it says what Ctrl-C does, and calls `on_running`."""
    attached = False

    def say_status(line: str) -> None:
        nonlocal attached
        say(line)
        if line == "Status: running" and not attached:
            attached = True
            for words in NOTICE:
                say(words)
            on_running()

    return say_status
