"""Jobs run only where everybody may read what they can read."""

import pathlib

import pytest

from lightboard.hub.access import HUB
from lightboard.hub.db import accounts
from lightboard.hub.db.engine import Database
from lightboard.hub.job_policy import NOT_TRUSTED, JobPolicy
from lightboard.hub.resources.accounts import Account
from support.databases import Postgres
from support.hub_process import HubProcess

BODY = {"command": ["true"]}
REFUSAL = "this hub runs no jobs, because it has several accounts and jobs could read the data of all"


def reason(policy: JobPolicy, database: Database) -> str:
    """Why no job may start, "" if jobs may."""
    with database.read() as session:
        refusal = policy.refusal(session)
    return refusal.reason if refusal else ""


@pytest.mark.databases("sqlite")
def test_a_second_account_ends_it_unless_it_is_trusted(database: Database) -> None:
    """Also a disabled one, whose data is still there."""
    strict, trusting = JobPolicy(), JobPolicy(trusted=True)
    with database.write() as session:
        accounts.create_first(session, Account(id="", name="one"), 1.0)
    alone = [reason(strict, database), reason(trusting, database)]
    with database.write() as session:
        accounts.create(session, HUB, Account(id="", name="two", disabled=True), 1.0)

    assert (alone, [reason(strict, database), reason(trusting, database)]) == (["", ""], [NOT_TRUSTED, ""])


def test_a_hub_with_several_accounts_runs_no_jobs(tmp_path: pathlib.Path) -> None:
    """Not even those that were waiting already. It says what to do."""
    with HubProcess(tmp_path, "--job-slots", "1") as hub:
        waiting = hub.json("POST", "/api/v1/jobs", {"command": ["true"], "replicas": 2})["id"]
        hub.create_account("second")
        refused = hub.request("POST", "/api/v1/jobs", BODY)
        hub.json("PUT", f"/api/v1/jobs/{waiting}/stop")
        restart = hub.request("PUT", f"/api/v1/jobs/{waiting}/restart")

    errors = [answer.json()["error"] for answer in (refused, restart)]
    assert [(error["code"], error["message"]) for error in errors] == [("permission_denied", REFUSAL)] * 2
    assert "--trust-jobs" in errors[0]["hint"]


def test_a_trusting_hub_runs_the_jobs_of_all(tmp_path: pathlib.Path) -> None:
    """Whose accounts are permitted to."""
    with HubProcess(tmp_path, "--trust-jobs") as hub:
        editor = hub.create_account("second", "editor")
        id = hub.json("POST", "/api/v1/jobs", BODY, editor)["id"]
        hub.wait_for_job(id, "Succeeded")
        hub.json("PATCH", "/api/v1/accounts/second", {"permissions": {"run_jobs": False}})
        refused = hub.request("POST", "/api/v1/jobs", BODY, editor)

    assert refused.json()["error"]["hint"] == "an administrator of the hub can permit it: run_jobs"


@pytest.mark.postgres
def test_hubs_with_a_shared_database_run_no_jobs(tmp_path: pathlib.Path, postgres: Postgres) -> None:
    """A job runs on one machine, and the others could not find it."""
    address = postgres.ready()
    with HubProcess(tmp_path, database=address) as hub:
        refused = hub.request("POST", "/api/v1/jobs", BODY)
    postgres.drop(address)

    assert refused.json()["error"]["message"] == (
        "this hub runs no jobs: several hubs may share its PostgreSQL database, and jobs run on one machine; use SQLite"
    )
