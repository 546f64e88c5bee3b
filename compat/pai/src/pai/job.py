"""`from pai.job import TrainingJob`: a job of the hub with the parameters and statuses of PAI's SDK."""

from typing import Any, Self

import lightboard
from lightboard import Session, get_default_session
from lightboard.errors import UnexpectedStatusException, UsageError

__all__ = ["TrainingJob", "TrainingJobStatus"]

PAGE_SIZE = 50
INTERVAL_SECS = 5


class TrainingJobStatus:
    """PAI's words for the statuses of jobs. Those that jobs of a hub do not have are there to be compared with."""

    CreateFailed = "CreateFailed"
    InitializeFailed = "InitializeFailed"
    Creating = "Creating"
    Created = "Created"
    Submitted = "Submitted"
    Initializing = "Initializing"
    Running = "Running"
    Succeed = "Succeed"
    Failed = "Failed"
    Terminated = "Terminated"

    @classmethod
    def completed_status(cls) -> list[str]:
        """Those of jobs that have ended."""
        return [cls.InitializeFailed, cls.Succeed, cls.Failed, cls.Terminated]

    @classmethod
    def failed_status(cls) -> list[str]:
        """Those of jobs that have failed."""
        return [cls.InitializeFailed, cls.Failed, cls.CreateFailed]


WORDS = {
    "Queued": TrainingJobStatus.Submitted,
    "Paused": TrainingJobStatus.Submitted,
    "Starting": TrainingJobStatus.Initializing,
    "Restarting": TrainingJobStatus.Initializing,
    "Running": TrainingJobStatus.Running,
    "Pausing": TrainingJobStatus.Running,
    "Stopping": TrainingJobStatus.Running,
    "Succeeded": TrainingJobStatus.Succeed,
    "Failed": TrainingJobStatus.Failed,
    "Stopped": TrainingJobStatus.Terminated,
}
"""PAI's statuses by those of the hub. A deleted job is Terminated as well."""


class TrainingJob(lightboard.TrainingJob):
    """`lightboard.TrainingJob` with PAI's words. `create`, `restart` and what PAI does not have are as there."""

    @classmethod
    def list(  # type: ignore[override]
        cls,
        status: str | None = None,
        session: Session | None = None,
        page_size: int = PAGE_SIZE,
        page_number: int = 1,
    ) -> list[Self]:
        """A page of the jobs with this status, newest first. Raises UsageError if PAI has no such status."""
        session = session or get_default_session()
        query: dict[str, Any] = {"page": page_number, "page_size": page_size, "kind": "job"}
        if status is not None:
            query["status"] = ",".join(hub_statuses(status))
        return [cls(item["id"], session) for item in session.get("/api/v1/jobs", query)["items"]]

    @property
    def training_job_id(self) -> str:
        """Its id."""
        return self.id

    @property
    def training_job_name(self) -> str:
        """Its name."""
        return self.name

    @property
    def status(self) -> str:
        """One of `TrainingJobStatus`."""
        return WORDS.get(super().status, TrainingJobStatus.Terminated)

    @property
    def reason_code(self) -> str:
        """The reason of the status, as one word."""
        return self.reason

    @property
    def reason_message(self) -> str:
        """The reason of the status, as a sentence."""
        return str(self.info()["message"])

    @property
    def console_uri(self) -> str:
        """The link to its page on the hub."""
        return f"{self.session.url}/jobs/{self.id}"

    @property
    def training_job_url(self) -> str:
        """The same as `console_uri`."""
        return self.console_uri

    def is_completed(self) -> bool:
        """Whether it has ended."""
        return self.status in TrainingJobStatus.completed_status()

    def wait(self, interval: float = INTERVAL_SECS, show_logs: bool = True) -> None:  # type: ignore[override]
        """Waits until it has ended, and prints its log and where its page is. Looks at it every `interval` seconds.

        Raises UnexpectedStatusException if it has failed; one that was stopped is no error.
        """
        try:
            super().wait(None, show_logs, pause=interval)
        except UnexpectedStatusException as error:
            if error.status_word in TrainingJobStatus.failed_status():
                raise
        print(f"job {self.id} is {self.status}: {self.console_uri}", flush=True)


def hub_statuses(status: str) -> list[str]:
    """The statuses of the hub that PAI has one word for. Raises UsageError."""
    found = [own for own, word in WORDS.items() if word == status]
    if not found:
        raise UsageError(
            f"{status} is not a status of jobs", hint=f"statuses: {', '.join(dict.fromkeys(WORDS.values()))}"
        )
    return found
