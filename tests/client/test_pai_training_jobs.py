"""`pai.job.TrainingJob`: jobs in the words and with the parameters of PAI's SDK, on a real hub."""

from types import ModuleType
from typing import get_args

import pytest

from lightboard.client.session import Session
from lightboard.errors import UnexpectedStatusException, UsageError
from lightboard.schema.jobs import JobStatusWord
from support.hub_process import HubProcess
from support.pai_modules import pai_module

SOON = 0.001
"""Seconds, of which every job takes more."""


@pytest.fixture(scope="module")
def pai() -> ModuleType:
    """The module `pai.job`."""
    return pai_module("job")


def test_waiting_takes_an_interval_and_has_no_end(
    pai: ModuleType, session: Session, hub: HubProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    """By position and by name; the log is printed, and then where the page of the job is."""
    job = pai.TrainingJob.create("echo trained", session=session)

    waited = [job.wait(SOON), job.wait(interval=SOON, show_logs=False)]

    link = f"{hub.url}/jobs/{job.id}"
    told = f"job {job.id} is Succeed: {link}\n"
    assert (waited, capsys.readouterr().out) == ([None, None], f"trained\n{told}{told}")
    assert (job.console_uri, job.status, job.is_succeeded(), job.is_completed()) == (link, "Succeed", True, True)


def test_a_failed_job_is_an_error(pai: ModuleType, session: Session) -> None:
    """With the reason."""
    job = pai.TrainingJob.create("exit 3", session=session)

    with pytest.raises(UnexpectedStatusException):
        job.wait(SOON, show_logs=False)
    assert (job.status, job.reason_code, job.is_succeeded()) == ("Failed", "Error", False)


def test_a_stopped_job_is_terminated_and_no_error(pai: ModuleType, session: Session) -> None:
    """As in PAI's SDK."""
    job = pai.TrainingJob.create("sleep 600", session=session)
    job.stop()

    job.wait(SOON, show_logs=False)

    assert (job.status, job.is_completed(), job.is_succeeded()) == ("Terminated", True, False)


def test_jobs_are_listed_by_pais_words(pai: ModuleType, session: Session) -> None:
    """A page of them, newest first."""
    ended = [pai.TrainingJob.create("true", session=session) for _ in range(2)]
    for job in ended:
        job.wait(SOON, show_logs=False)
    stopped = pai.TrainingJob.create("sleep 600", session=session).stop(wait=True)

    def ids(**filters: object) -> list[str]:
        return [job.training_job_id for job in pai.TrainingJob.list(session=session, **filters)]

    assert ids(status="Succeed") == [ended[1].id, ended[0].id]
    assert ids(page_size=2, page_number=2) == [ended[0].id]
    assert ids(status="Terminated") == [stopped.id]
    with pytest.raises(UsageError, match="Succeeded is not a status of jobs"):
        ids(status="Succeeded")


def test_every_status_of_the_hub_has_a_word(pai: ModuleType) -> None:
    """Deleted jobs have one without being found by it."""
    assert {*get_args(JobStatusWord)} == {*pai.WORDS, "Deleting", "Deleted"}


def test_estimators_make_such_jobs(pai: ModuleType, session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """And wait for the last one."""
    estimator = pai_module("estimator").Estimator(command="true", session=session)
    job = estimator.fit(wait=False)

    assert (estimator.wait(SOON, show_logs=False) is job, type(job)) == (True, pai.TrainingJob)
    assert capsys.readouterr().out == f"job {job.id} is Succeed: {job.console_uri}\n"
