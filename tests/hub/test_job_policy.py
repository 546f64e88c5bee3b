"""Jobs run only where everybody may read what they can read."""

import pathlib
import socket
from collections.abc import Iterator

import httpx
import pytest

from lightboard.hub.access import HUB
from lightboard.hub.db import accounts
from lightboard.hub.db.engine import Database
from lightboard.hub.job_policy import NOT_PERMITTED, NOT_TRUSTED, JobPolicy
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.replicas import Isolation, Limits
from support.databases import Postgres
from support.hub_process import HubProcess, wait_for
from support.personas import Personas

BODY = {"command": ["true"]}
STOPPABLE = "exec 2> /dev/null; trap 'echo saved; exit 0' TERM; echo begun; while :; do sleep 0.05; done"
REFUSAL = "this hub runs no jobs, because it has several accounts and jobs could read the data of all"


def reason(policy: JobPolicy, database: Database) -> str:
    """Why no job may start, "" if jobs may."""
    with database.read() as session:
        refusal = policy.refusal(session)
    return refusal.reason if refusal else ""


@pytest.mark.databases("sqlite")
def test_a_second_account_ends_it_unless_jobs_are_trusted_or_isolated(database: Database) -> None:
    """Also a disabled one, whose data is still there."""
    strict, trusting, isolating = JobPolicy(), JobPolicy(trusted=True), JobPolicy(isolation=Isolation.KERNEL)
    policies = (strict, trusting, isolating)
    with database.write() as session:
        accounts.create_first(session, Account(id="", name="one"), 1.0)
    alone = [reason(policy, database) for policy in policies]
    with database.write() as session:
        accounts.create(session, HUB, Account(id="", name="two", disabled=True), 1.0)

    assert (alone, [reason(policy, database) for policy in policies]) == (["", "", ""], [NOT_TRUSTED, "", ""])


@pytest.mark.parametrize(
    ("policy", "summary"),
    [
        (JobPolicy("they run on Linux only", isolation=Isolation.KERNEL), "jobs: unavailable"),
        (JobPolicy(trusted=True), "jobs: not isolated, limited by watching"),
        (
            JobPolicy(isolation=Isolation.KERNEL, limits=Limits.CGROUP),
            "jobs: isolated by the kernel, limited by control groups",
        ),
    ],
)
def test_the_policy_is_told_in_a_line(policy: JobPolicy, summary: str) -> None:
    """For the health check."""
    assert policy.summary == summary


def test_a_hub_with_several_accounts_runs_no_jobs_without_isolation(tmp_path: pathlib.Path) -> None:
    """Neither new ones nor ended ones again, nor those that were waiting or ran. It says what to do."""
    with HubProcess(tmp_path, "--job-slots", "1", "--job-isolation", "none") as hub:
        body = {"command": ["sh", "-c", STOPPABLE]}
        running, waiting = (hub.json("POST", "/api/v1/jobs", body)["id"] for _ in range(2))
        wait_for(lambda: texts(hub, running), bool, "it to have begun")
        hub.wait_for_job(running, "Running")
        hub.create_account("second")
        stopped = hub.wait_for_job(running, "Stopped")
        failed = hub.wait_for_job(waiting, "Failed")
        log = texts(hub, running)
        refused = hub.request("POST", "/api/v1/jobs", BODY)
        restart = hub.request("PUT", f"/api/v1/jobs/{running}/restart")

    errors = [answer.json()["error"] for answer in (refused, restart)]
    assert [(error["code"], error["message"]) for error in errors] == [("permission_denied", REFUSAL)] * 2
    assert "--trust-jobs" in errors[0]["hint"]
    told = [(job["reason"], job["message"]) for job in (stopped, failed)]
    assert told == [(NOT_TRUSTED, f"{REFUSAL}; {errors[0]['hint']}")] * 2
    assert log == ["begun", "saved"]


@pytest.mark.databases("sqlite")
def test_a_job_from_before_the_isolation_may_not_go_on(database: Database) -> None:
    """Although the hub isolates new ones. Trusted, it may."""
    with database.write() as session:
        accounts.create_first(session, Account(id="", name="one"), 1.0)
        accounts.create(session, HUB, Account(id="", name="two"), 1.0)
    policies = [JobPolicy(trusted=trusted, isolation=Isolation.KERNEL) for trusted in (False, True)]
    with database.read() as session:
        refusals = [policy.refusal_of(session, each) for policy in policies for each in Isolation]

    assert [refusal and (refusal.reason, refusal.hint) for refusal in refusals] == [
        (NOT_TRUSTED, "start it again: it will be isolated"), None, None, None, None, None,
    ]  # fmt: skip


def test_a_trusting_hub_runs_the_jobs_of_all(tmp_path: pathlib.Path) -> None:
    """Whose accounts are permitted to."""
    with HubProcess(tmp_path, "--trust-jobs", "--job-isolation", "none") as hub:
        editor = hub.create_account("second", "editor")
        id = hub.json("POST", "/api/v1/jobs", BODY, editor)["id"]
        hub.wait_for_job(id, "Succeeded")
        hub.json("PATCH", "/api/v1/accounts/second", {"permissions": {"run_jobs": False}})
        refused = hub.request("POST", "/api/v1/jobs", BODY, editor)

    assert refused.json()["error"]["hint"] == "an administrator of the hub can permit it: run_jobs"


@pytest.mark.databases("sqlite")
def test_whoever_loses_the_permission_starts_nothing_more(personas: Personas) -> None:
    """Although jobs wait already. Administrators always may."""
    policy = JobPolicy(trusted=True)
    personas.set_permissions()
    with personas.database.read() as session:
        refusals = [policy.refusal_for(session, who.account) for who in (personas.admin, personas.editor)]

    assert [refusal and refusal.reason for refusal in refusals] == [None, NOT_PERMITTED]


@pytest.fixture
def shared_database(postgres: Postgres) -> Iterator[str]:
    """The address of one that hubs can share."""
    address = postgres.ready()
    yield address
    postgres.drop(address)


@pytest.mark.postgres
def test_a_hub_with_postgresql_runs_jobs(tmp_path: pathlib.Path, shared_database: str) -> None:
    """Also after it was killed, when those that ran are found again."""
    with HubProcess(tmp_path, database=shared_database) as hub:
        waits = hub.json("POST", "/api/v1/jobs", {"command": ["sh", "-c", "echo begun; exec sleep 1000"]})["id"]
        hub.wait_for_job(waits, "Running")
        hub.kill()
        hub.restart()
        hub.json("PUT", f"/api/v1/jobs/{waits}/pause")
        paused = hub.wait_for_job(waits, "Paused")
        prints = hub.json("POST", "/api/v1/jobs", {"command": ["echo", "hello"], "max_retries": 1})["id"]
        hub.wait_for_job(prints, "Succeeded")
        logs = [texts(hub, id) for id in (waits, prints)]
        hub.json("DELETE", f"/api/v1/jobs/{waits}")
        hub.wait_for_job(waits, "Deleted")

    assert (paused["attempt"], logs) == (1, [["begun"], ["hello"]])


@pytest.mark.postgres
def test_one_of_the_hubs_that_share_a_database_runs_jobs(tmp_path: pathlib.Path, shared_database: str) -> None:
    """Others say which it is: they could not find its processes. It may be another one that has its data folder."""
    one, other = tmp_path / "one", tmp_path / "other"
    with HubProcess(one, database=shared_database) as first:
        with HubProcess(one, database=shared_database) as second, HubProcess(other, database=shared_database) as third:
            id = first.json("POST", "/api/v1/jobs", {"command": ["sleep", "1000"]})["id"]
            first.wait_for_job(id, "Running")
            refused = [message_of(hub.request("POST", "/api/v1/jobs", BODY)) for hub in (second, third)]
            first.end()
            second.restart()
            seen = second.json("GET", f"/api/v1/jobs/{id}")
            second.json("DELETE", f"/api/v1/jobs/{id}")
            second.wait_for_job(id, "Deleted")
        holder = f"process {first.process.pid} on {socket.gethostname()}"

    assert (seen["status"], seen["attempt"]) == ("Running", 1)
    assert refused == [
        f"this hub runs no jobs: another hub ({holder}) uses {one / 'hub' / 'runner'}, and runs them",
        "this hub runs no jobs: those of its database run on the hub with the data folder "
        f"{one / 'hub'} on {socket.gethostname()}",
    ]


def texts(hub: HubProcess, id: str) -> list[str]:
    """What a job has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"]]


def message_of(response: httpx.Response) -> str:
    """The message of an error."""
    return str(response.json()["error"]["message"])
