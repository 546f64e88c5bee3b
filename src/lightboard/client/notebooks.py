"""`Notebook`: a JupyterLab on the hub."""

import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

from lightboard.client.jobs import ENDED, Job, find_job, kind_of, list_jobs, route
from lightboard.client.polling import StatusLines, poll
from lightboard.client.project_secrets import Secret, variables_request
from lightboard.client.session import Session, get_default_session
from lightboard.client.volumes import parse_volumes
from lightboard.counts import counted
from lightboard.errors import NotFound, NotReady, UnexpectedStatusException

KIND = "notebook"
RUNNING = "Running"


class Notebook(Job):
    """A notebook on the hub. `status`, `url` and the other properties send a request each time."""

    @classmethod
    def create(
        cls,
        *,
        name: str = "",
        display_name: str = "",
        environment: Mapping[str, str | Secret] | None = None,
        image: str = "",
        inputs: Mapping[str, str] | None = None,
        preset: str = "",
        memory_bytes: int | None = None,
        idle_time: float = 1800,
        max_run_time: float = 0,
        labels: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        log_dir: str = "",
        tensorboard: bool = False,
        volumes: Sequence[str] = (),
        project: str = "",
        session: Session | None = None,
        wait: bool = True,
        timeout: float | None = None,
    ) -> Self:
        """Creates a notebook, and waits until it runs unless `wait` is False; see `wait`.

        Its files are in the folder of its name in the project's storage. It is stopped after `idle_time` seconds
        without use, and `max_run_time` after each start; 0 is never. The rest is as in `TrainingJob.create`.

        Raises:
            UsageError: a volume is not one.
            PermissionDenied: the account may not run notebooks here.
            Conflict: there is a notebook of this name.
            TensorboardLimitExceeded: the account has as many TensorBoards as it may have.
            Invalid: a value is not valid.
        """
        session = session or get_default_session()
        body = {
            "project": project or session.project,
            "name": name,
            "display_name": display_name,
            "environment": variables_request(environment),
            "image": image,
            "inputs": dict(inputs or {}),
            "preset": preset,
            "memory_bytes": memory_bytes,
            "idle_secs": idle_time,
            "max_run_secs": max_run_time,
            "labels": dict(labels or {}),
            "tags": list(tags),
            "log_dir": log_dir,
            "tensorboard": tensorboard,
            "volumes": [volume.request() for volume in parse_volumes(volumes)],
        }
        notebook = cls(session.request("POST", "/api/v1/notebooks", body=body)["id"], session)
        return notebook.wait(timeout) if wait else notebook

    @classmethod
    def get(cls, notebook_id: str, session: Session | None = None) -> Self:
        """The notebook with this id, or this name in the project of the session. Raises NotFound."""
        session = session or get_default_session()
        return cls(find_notebook(session, notebook_id)["id"], session)

    @classmethod
    def list(cls, session: Session | None = None, **filters: Any) -> Sequence["Notebook"]:
        """All that match: `project`, `owner` ("me"), `status`, `search`, `sort`."""
        session = session or get_default_session()
        return [cls(item["id"], session) for item in list_notebooks(session, **filters)]

    @property
    def url(self) -> str:
        """The link at which its owner opens it; it never changes."""
        return str(self.info()["url"])

    def wait(self, timeout: float | None = None, *, say: Callable[[str], None] | None = None) -> Self:
        """Waits until it runs. Each status change is passed to `say`, by default printed to stderr.

        Raises:
            UnexpectedStatusException: it has failed, or was stopped or deleted.
            NotReady: it does not run after `timeout` seconds (0 or None is no limit); it continues to wait.
        """
        status = StatusLines(say)
        for info in poll(self.info, timeout or None):
            status.update(info)
            if info["status"] == RUNNING:
                return self
            if info["status"] in ENDED:
                raise UnexpectedStatusException(info["status"], info["reason"], info["message"])
        raise NotReady(
            f"{self.id} does not run after {counted(timeout or 0, 'second')}", hint="it continues to wait for a slot"
        )

    def start(self, wait: bool = True, timeout: float | None = None) -> Self:
        """Starts it; no change if it runs. With `wait`, waits until it runs; see `wait`."""
        self.session.request("PUT", f"{route(self.id)}/restart")
        return self.wait(timeout) if wait else self

    def open(self) -> str:
        """Opens it in the browser of this machine. Returns the link."""
        link = self.url
        webbrowser.open(link)
        return link


def find_notebook(session: Session, id_or_name: str) -> dict[str, Any]:
    """The notebook with this id, or this name in the project of the session. Raises NotFound."""
    found = find_job(session, id_or_name)
    if kind_of(found) != KIND:
        raise NotFound(f"{id_or_name} is a job, and no notebook", hint="lightboard notebook ls lists the notebooks")
    return found


def list_notebooks(session: Session, **filters: Any) -> Iterator[dict[str, Any]]:
    """All that match, page by page."""
    return list_jobs(session, kind=KIND, **filters)
