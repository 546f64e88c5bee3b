"""`Job`: what training jobs and notebooks of the hub have in common."""

from collections.abc import Iterator
from typing import Any, Self
from urllib.parse import quote

from lightboard.client.job_follower import JobFollower
from lightboard.client.job_logs import JobLogReader
from lightboard.client.pages import all_items
from lightboard.client.polling import print_status, wait_until
from lightboard.client.session import Session, get_default_session
from lightboard.client.tensorboards import TensorBoard
from lightboard.errors import NotFound

ROUTE = "/api/v1/jobs"
SUCCEEDED = "Succeeded"
GONE = frozenset({"Deleting", "Deleted"})
ENDED = frozenset({SUCCEEDED, "Failed", "Stopped"}) | GONE
"""Statuses in which it does not run again by itself."""
JOB = "job"


class Job:
    """A job or a notebook on the hub. Its properties send a request each time."""

    def __init__(self, job_id: str, session: Session | None = None) -> None:
        self.id = job_id
        self.session = session or get_default_session()

    # What it is

    def info(self) -> dict[str, Any]:
        """All data of the job."""
        return dict(self.session.get(route(self.id)))

    @property
    def status(self) -> str:
        """Queued, Starting, Running, Restarting, Pausing, Paused, Stopping, Succeeded, Failed, Stopped, Deleting or
        Deleted.
        """
        return str(self.info()["status"])

    @property
    def reason(self) -> str:
        """The reason of the status, as one word."""
        return str(self.info()["reason"])

    @property
    def name(self) -> str:
        """The name. Another job of the project can have it when this one has ended."""
        return str(self.info()["name"])

    @property
    def display_name(self) -> str:
        """The display name."""
        return str(self.info()["display_name"])

    @property
    def output_uri(self) -> str:
        """The folder of its outputs, such as `storage:jobs/mnist_x7k2p9`."""
        return str(self.info()["output_uri"])

    @property
    def tensorboard_uri(self) -> str:
        """The folder of its TensorBoard logs, with a folder for each attempt and replica."""
        return str(self.info()["tensorboard_uri"])

    # What it does

    def logs(self, follow: bool = False, rank: int = 0, attempt: int = 0) -> Iterator[str]:
        """The lines that a replica has printed in one attempt (0 is the last one), oldest first.

        With `follow` also new ones, until the attempt has ended; without an `attempt`, through all attempts from the
        current one on, until the job has ended. Of lines that replace each other, such as progress bars, only the last
        one is returned. Raises NotFound if there is no such attempt or replica.
        """
        if not follow:
            return self._read_attempt(rank, attempt)
        if not attempt:
            return self._follow(rank)
        return JobFollower(self.session, route(self.id), rank, print_status).attempt_lines(attempt)

    def _follow(self, rank: int) -> Iterator[str]:
        follower = JobFollower(self.session, route(self.id), rank, print_status)
        for info in follower.states():
            ended = info["status"] in ENDED
            if info["status"] not in GONE:
                yield from follower.lines(info, ended)
            if ended:
                return

    def _read_attempt(self, rank: int, attempt: int) -> Iterator[str]:
        reader = JobLogReader(self.session, f"{route(self.id)}/logs", rank, attempt)
        yield from reader.read()
        yield from reader.end()

    def top(self) -> dict[str, Any]:
        """Its current resource usage: `replicas` with rank, memory_bytes, cpu_secs, processes and gpus."""
        return dict(self.session.get(f"{route(self.id)}/top"))

    def usage(self, attempt: int = 0) -> dict[str, Any]:
        """What an attempt, the last by default, has used over time: `replicas`, each with its samples as lists.

        A sample is of `secs` seconds, until `at`, in seconds since the epoch. It has `cpus`, which is processor time
        per second, `memory_bytes` and `processes`. `gpus` have an id and lists of `utilization` and `memory_bytes`.
        """
        return dict(self.session.get(f"{route(self.id)}/usage", {"attempt": attempt}))

    def lineage(self) -> dict[str, Any]:
        """What it ran with: of each of its `attempts` the program, Python, packages and inputs, and its source code.

        `package_changes` of an attempt are the packages that differ in its image now; None if that is not known. Also
        the `tensorboards` that show its runs, and the jobs that it was run again as.
        """
        return dict(self.session.get(f"{route(self.id)}/lineage"))

    def compare_inputs(self, attempt: int = 0) -> list[dict[str, Any]]:
        """What was in its inputs when an attempt started, 0 for the last one, compared with what is there now.

        Each has its `name`, `recorded` and `now` with files, size_bytes and digest, and `changed`: None if that is not
        known. Lists all files, which may take seconds. Raises NotFound if there is no such attempt.
        """
        return [*self.session.get(f"{route(self.id)}/inputs", {"attempt": attempt})["inputs"]]

    def stop(self, wait: bool = False, timeout: float | None = None) -> Self:
        """Stops it; no change if it has ended. Its command gets SIGTERM, and SIGKILL after its grace period.

        With `wait`, waits until it has stopped. Raises NotReady if that takes longer than `timeout` seconds (0 or None
        is no limit).
        """
        self.session.request("PUT", f"{route(self.id)}/stop")
        if wait:
            wait_until(self.info, lambda info: info["status"] in ENDED, timeout or None)
        return self

    def delete(self, wait: bool = True, timeout: float = 60) -> None:
        """Ends and deletes it with its log; its outputs are kept. A missing one is not an error.

        Raises NotReady if it is not deleted after `timeout` seconds.
        """
        try:
            self.session.request("DELETE", route(self.id))
            if wait:
                wait_until(self.info, lambda info: info["status"] == "Deleted", timeout)
        except NotFound:
            return

    def tensorboard(
        self, wait: bool = True, open_browser: bool = False, timeout: float = 600, *, log_dir: str = ""
    ) -> TensorBoard:
        """The TensorBoard of its logs: always the same one, created or started if needed, also after its end.

        With `log_dir`, such as `dataset:mnist/logs`, it shows that folder from now on. Waits until it is running unless
        `wait` is False. `open_browser` opens it in the browser of this machine. Raises the errors of
        `TensorBoard.create`.
        """
        board = self._tensorboard_of(log_dir) if log_dir else self._own_tensorboard(wait, timeout)
        if log_dir and wait:
            board.wait(timeout)
        if open_browser:
            board.open()
        return board

    def delete_tensorboard(self) -> None:
        """Deletes its TensorBoard, if it has one; the logs are kept. `tensorboard` creates another."""
        self.session.request("PATCH", route(self.id), body={"tensorboard": False})

    def _tensorboard_of(self, log_dir: str) -> TensorBoard:
        body = {"tensorboard": True, "log_dir": log_dir}
        return TensorBoard(self.session.request("PATCH", route(self.id), body=body)["tensorboard"]["id"], self.session)

    def _own_tensorboard(self, wait: bool, timeout: float) -> TensorBoard:
        info = self.info()
        return TensorBoard.create(
            info["tensorboard_uri"],
            wait=wait,
            timeout=timeout,
            display_name=info["display_name"],
            session=self.session,
            origin=kind_of(info),
            origin_id=self.id,
            reuse=True,
            project=info["project"],
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"


def route(job: str) -> str:
    """The path of a job."""
    return f"{ROUTE}/{quote(job, safe='')}"


def find_job(session: Session, id_or_name: str) -> dict[str, Any]:
    """The job with this id, or this name in the project of the session. Raises NotFound."""
    found: dict[str, Any] = session.get(route(id_or_name), {"project": session.project})
    return found


def list_jobs(session: Session, **filters: Any) -> Iterator[dict[str, Any]]:
    """All that match, page by page."""
    return all_items(session, ROUTE, **filters)


def kind_of(info: Any) -> str:
    """`job` or `notebook`; hubs that have no notebooks do not say it."""
    return str(info.get("kind", JOB))
