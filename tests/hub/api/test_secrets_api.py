"""Secrets over HTTP, and jobs that use them, on a scripted runner."""

import json
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from lightboard.hub.access import Permission
from lightboard.hub.db import jobs as job_rows
from lightboard.hub.db import projects
from lightboard.hub.db.tables import AnswerRow, JobRow, SecretRow
from lightboard.hub.resources.roles import Role
from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

PATH = "/api/v1/projects/vision/secrets"
JOBS = "/api/v1/jobs"
VALUE = "s3cret-value-of-the-token"
HF = {"HF_TOKEN": {"secret": "hf"}}


@pytest.fixture
def hub(hub: HubClient) -> HubClient:
    """With another editor in `vision`."""
    hub.personas.add_account("colleague")
    with hub.database.write() as session:
        projects.set_member(session, hub.personas.admin, "vision", "colleague", Role.EDITOR, hub.now)
    return hub


def put(hub: HubClient, name: str = "hf", value: str = VALUE, who: str = "editor") -> dict[str, Any]:
    """A secret in `vision`."""
    answer = hub.request("PUT", f"{PATH}/{name}", who, {"value": value})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def submit(hub: HubClient, environment: dict[str, Any], who: str = "editor", **fields: Any) -> dict[str, Any]:
    """A new job in `vision`, after some passes, as its owner sees it."""
    body = {"command": ["train"], "project": "vision", "environment": environment, **fields}
    answer = hub.request("POST", JOBS, who, body)
    assert answer.status_code == 201, answer.text
    hub.reconcile()
    return get(hub, answer.json()["id"], who)


def get(hub: HubClient, id: str, who: str = "editor") -> dict[str, Any]:
    """A job as somebody sees it."""
    found: dict[str, Any] = hub.request("GET", f"{JOBS}/{id}", who).json()
    return found


def variable(hub: HubClient, job: dict[str, Any], name: str = "HF_TOKEN") -> str | None:
    """The value of a variable that the runner got with the last attempt."""
    with hub.database.read() as session:
        handle = job_rows.get(session, job["id"]).runner_ref
    return hub.runner.spec(handle).environment_of(0).get(name)


def error(answer: Any) -> tuple[int, str]:
    """The status and message of a response."""
    return answer.status_code, answer.json()["error"]["message"]


def test_a_secret_is_listed_without_its_value(hub: HubClient) -> None:
    """Its name, who added it, and when."""
    made = put(hub)
    listed = hub.request("GET", PATH, "colleague").json()["items"]

    expected = {
        "name": "hf",
        "project": hub.personas.vision,
        "owner": hub.personas.editor.account,
        "owner_name": "editor",
        "created_at": hub.now,
        "updated_at": hub.now,
        "version": 1,
    }
    assert made == {**expected, "rights": ["secrets.list", "secrets.create", "secrets.update", "secrets.delete"]}
    assert listed == [{**expected, "rights": ["secrets.list", "secrets.create"]}]


def test_secrets_are_listed_by_name(hub: HubClient) -> None:
    """In one order, whoever added them."""
    for name in ("b", "a.key", "B", "_x"):
        put(hub, name)

    assert [item["name"] for item in hub.request("GET", PATH, "owner").json()["items"]] == ["B", "_x", "a.key", "b"]


def test_a_value_is_replaced_by_whoever_added_it(hub: HubClient) -> None:
    """Or an owner or admin of the project; another editor may not."""
    put(hub)
    hub.now += 1
    mine = put(hub, value="second")
    colleague = hub.request("PUT", f"{PATH}/hf", "colleague", {"value": "stolen"})
    leader = put(hub, value="third", who="leader")

    assert (mine["version"], mine["created_at"], mine["updated_at"]) == (2, hub.now - 1, hub.now)
    assert error(colleague) == (403, "this needs secrets.update: replace their values")
    assert (leader["version"], leader["owner_name"]) == (3, "editor")
    assert variable(hub, submit(hub, HF)) == "third"


def test_a_secret_is_deleted_by_whoever_added_it(hub: HubClient) -> None:
    """After that, there is none."""
    put(hub)
    colleague = hub.request("DELETE", f"{PATH}/hf", "colleague")
    mine = hub.request("DELETE", f"{PATH}/hf", "editor")
    again = hub.request("DELETE", f"{PATH}/hf", "editor")

    assert error(colleague) == (403, "this needs secrets.delete: delete secrets")
    assert mine.status_code == 204
    assert error(again) == (404, "vision has no secret hf")
    assert hub.request("GET", PATH, "editor").json()["items"] == []


@pytest.mark.parametrize("name", ["", "1st", "-x", "a b", "a:b", "é", "x" * 101, "a%2Fb"])
def test_names_follow_a_rule(hub: HubClient, name: str) -> None:
    """One that can be part of an address and of `secret:NAME`."""
    assert hub.request("PUT", f"{PATH}/{name}", "editor", {"value": VALUE}).status_code in (404, 405, 422)
    assert hub.request("GET", PATH, "editor").json()["items"] == []


@pytest.mark.parametrize("value", ["", "a\0b", "ü" * 40_000, "x" * 65_537, "\ud800", None, 5])
def test_values_fit_into_a_variable(hub: HubClient, value: Any) -> None:
    """The error does not quote it."""
    answer = hub.request(
        "PUT",
        f"{PATH}/hf",
        "editor",
        content=json.dumps({"value": value}).encode(),  # httpx does not send unpaired surrogates
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 422
    error = answer.json()["error"]
    assert not value or str(value)[:20] not in error["message"] + error["hint"]


def test_the_number_of_secrets_is_limited(hub: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a project; values can still be replaced."""
    monkeypatch.setattr("lightboard.hub.db.project_secrets.MAX_SECRETS", 2)
    put(hub, "one")
    put(hub, "two")

    assert error(hub.request("PUT", f"{PATH}/three", "editor", {"value": VALUE})) == (
        422,
        "2 secrets are the maximum for a project",
    )
    assert put(hub, "two", "other")["version"] == 2


def test_a_job_gets_the_value_and_tells_the_name(hub: HubClient) -> None:
    """To everybody who sees the job; plain values are told to its owner alone."""
    put(hub)
    job = submit(hub, {"MODE": "fast", **HF})

    assert (job["status"], variable(hub, job), variable(hub, job, "MODE")) == ("Running", VALUE, "fast")
    assert job["environment"] == {"MODE": "fast", "HF_TOKEN": {"secret": "hf"}}
    assert get(hub, job["id"], "viewer")["environment"] == {"MODE": None, "HF_TOKEN": {"secret": "hf"}}


def test_a_notebook_gets_the_value_too(hub: HubClient) -> None:
    """It is a job."""
    put(hub)
    answer = hub.request("POST", "/api/v1/notebooks", "editor", {"project": "vision", "environment": HF})
    hub.reconcile()
    job = get(hub, answer.json()["id"])

    assert (job["status"], job["environment"], variable(hub, job)) == ("Running", HF, VALUE)


def test_a_secret_of_the_job_overrides_what_the_hub_sets(hub: HubClient) -> None:
    """As a plain variable does."""
    put(hub, "folder", "/mine")
    job = submit(hub, {"PAI_OUTPUT_TENSORBOARD": {"secret": "folder"}})

    assert variable(hub, job, "PAI_OUTPUT_TENSORBOARD") == "/mine"


def test_each_attempt_gets_the_current_value(hub: HubClient) -> None:
    """Not the one of when the job was created."""
    hub.runner.programs["train",] = Program(exit_code=1)
    put(hub)
    job = submit(hub, HF)
    put(hub, value="second")
    hub.request("PUT", f"{JOBS}/{job['id']}/restart", "editor")
    hub.reconcile()

    assert (get(hub, job["id"])["attempt"], variable(hub, job)) == (2, "second")


def test_a_job_with_an_unknown_secret_is_not_created(hub: HubClient) -> None:
    """The error names the variable."""
    answer = hub.request("POST", JOBS, "editor", {"command": ["x"], "project": "vision", "environment": HF})

    assert error(answer) == (404, "the variable HF_TOKEN: there is no secret hf in this project")
    assert hub.request("GET", JOBS, "editor").json()["total"] == 0


def test_a_waiting_job_whose_secret_was_deleted_fails_with_one_reason(hub: HubClient) -> None:
    """It takes no slot and is not retried; one that runs keeps its value."""
    put(hub)
    running = submit(hub, HF)
    waiting = hub.request(
        "POST", JOBS, "editor", {"command": ["t"], "project": "vision", "environment": HF, "max_retries": 3}
    ).json()
    hub.request("DELETE", f"{PATH}/hf", "editor")
    hub.reconcile()
    failed = get(hub, waiting["id"])

    told = {name: failed[name] for name in ("status", "reason", "message", "attempt", "retries")}
    assert told == {
        "status": "Failed",
        "reason": "SecretNotFound",
        "message": "the variable HF_TOKEN: there is no secret hf in this project; lightboard secret ls lists those of "
        "the project, and lightboard secret add adds one",
        "attempt": 0,
        "retries": 0,
    }
    assert (get(hub, running["id"])["status"], variable(hub, running)) == ("Running", VALUE)


def test_a_secret_of_another_key_is_reported(hub: HubClient) -> None:
    """As after the key of the hub was lost, or somebody has copied a value from another row."""
    put(hub)
    put(hub, "other", "other-value")
    with hub.database.write() as session:
        sealed = session.scalar(select(SecretRow.sealed).where(SecretRow.name == "other"))
        session.execute(update(SecretRow).where(SecretRow.name == "hf").values(sealed=sealed))
    job = submit(hub, HF)

    assert (job["status"], job["reason"]) == ("Failed", "SecretUnreadable")
    assert job["message"] == (
        "the variable HF_TOKEN: the secret hf cannot be decrypted: the hub has another key than when it was added; "
        "add it again, or restore the key of the hub"
    )


def test_who_has_left_the_project_gets_no_values(hub: HubClient) -> None:
    """A job that waits when its owner is removed does not start with what the project has had since."""
    put(hub)
    job = hub.request("POST", JOBS, "colleague", {"command": ["t"], "project": "vision", "environment": HF}).json()
    with hub.database.write() as session:
        projects.remove_member(session, hub.personas.owner, "vision", "colleague", hub.now)
    hub.reconcile()
    failed = get(hub, job["id"])

    assert (failed["status"], failed["reason"]) == ("Failed", "AccessDenied")
    assert failed["message"].startswith("the owner of this job may not use the secrets of the project any more; ")


def test_who_became_a_viewer_gets_no_values(hub: HubClient) -> None:
    """Since viewers run no jobs."""
    put(hub)
    job = hub.request("POST", JOBS, "colleague", {"command": ["t"], "project": "vision", "environment": HF}).json()
    with hub.database.write() as session:
        projects.set_member(session, hub.personas.owner, "vision", "colleague", Role.VIEWER, hub.now)
    hub.reconcile()

    assert get(hub, job["id"])["reason"] == "AccessDenied"


def test_secrets_that_are_too_large_together_are_refused(hub: HubClient) -> None:
    """With a reason, and not by a program that cannot be executed."""
    put(hub, value="x" * 65_536)
    job = submit(hub, {f"V{n}": {"secret": "hf"} for n in range(17)})

    assert (job["status"], job["message"]) == (
        "Failed",
        "the secrets of the job have together more than 1,048,576 bytes; the variables of a program are limited; put "
        "large data into the storage of the project",
    )


def test_running_again_takes_the_reference(hub: HubClient) -> None:
    """Also by somebody else, who may use the secrets of the project; plain values have to be given."""
    put(hub)
    job = submit(hub, {"MODE": "fast", **HF})
    again = f"{JOBS}/{job['id']}/run-again"
    without = hub.request("POST", again, "colleague", {})
    made = hub.request("POST", again, "colleague", {"environment": {"MODE": "slow"}}).json()
    own = hub.request("POST", again, "editor", {"environment": {"HF_TOKEN": "plain"}}).json()
    hub.reconcile()

    assert error(without) == (422, "only editor, who owns this job, knows the values of MODE")
    assert made["environment"] == {"MODE": "slow", "HF_TOKEN": {"secret": "hf"}}
    assert variable(hub, made) == VALUE
    assert own["environment"] == {"MODE": "fast", "HF_TOKEN": "plain"}


def test_lineage_has_names_of_variables(hub: HubClient) -> None:
    """And nothing else of them."""
    put(hub)
    job = submit(hub, {"MODE": "fast", **HF})
    answer = hub.request("GET", f"{JOBS}/{job['id']}/lineage", "editor")

    assert answer.json()["environment"] == ["MODE", "HF_TOKEN"]
    assert VALUE not in answer.text


def test_dce_tells_no_value(hub: HubClient) -> None:
    """Its format has no form for secrets."""
    put(hub)
    job = submit(hub, HF, name="fit")
    place = "/apis/baize.io/v1alpha1/workspaces/vision/clusters/one/namespaces/two"
    told = hub.request("GET", f"{place}/jobs/{job['name']}", "editor").json()

    assert told["baseConfig"]["podConfig"]["kubeEnvs"] == [{"name": "HF_TOKEN", "value": ""}]


def test_a_repeated_request_gets_the_reference_again(hub: HubClient) -> None:
    """The stored response has no plain value, and the one that is sent has all."""
    put(hub)
    body = {"command": ["t"], "project": "vision", "environment": {"MODE": "fast", **HF}}
    first, second = (
        hub.request("POST", JOBS, "editor", body, headers={"Idempotency-Key": "one"}).json() for _ in range(2)
    )
    with hub.database.read() as session:
        stored = session.scalars(select(AnswerRow.body)).all()

    assert first["environment"] == second["environment"] == {"MODE": "fast", **HF}
    assert first["id"] == second["id"]
    assert ["fast" in text for text in stored] == [False]


def test_nothing_of_a_value_is_stored_for_an_idempotency_key(hub: HubClient) -> None:
    """Not even a digest, which short values could be found by."""
    answer = hub.request("PUT", f"{PATH}/hf", "editor", {"value": "1234"}, headers={"Idempotency-Key": "one"})
    with hub.database.read() as session:
        stored = session.scalars(select(AnswerRow.key)).all()

    assert (answer.status_code, stored) == (200, [])


def test_the_audit_has_names_alone(hub: HubClient) -> None:
    """Of what was added, replaced and deleted, and of what a job was created with."""
    put(hub)
    put(hub, value="second")
    submit(hub, {"A": {"secret": "hf"}, "B": {"secret": "hf"}}, name="fit")
    hub.request("DELETE", f"{PATH}/hf", "editor")
    answer = hub.request("GET", f"/api/v1/audit?project={hub.personas.vision}", "owner")
    events = [(item["action"], item["target"], item["details"]) for item in answer.json()["items"]]

    about = [event for event in events if event[0].startswith("secret.")]
    assert about == [
        ("secret.delete", "hf", {"name": "hf"}),
        ("secret.replace", "hf", {"name": "hf"}),
        ("secret.create", "hf", {"name": "hf"}),
    ]
    assert [details for action, _, details in events if action == "job.create"] == [{"name": "fit", "secrets": "hf"}]


def test_a_deleted_job_forgets_its_secrets(hub: HubClient) -> None:
    """As its plain variables."""
    put(hub)
    job = submit(hub, HF)
    hub.request("DELETE", f"{JOBS}/{job['id']}", "editor")
    hub.reconcile()
    with hub.database.read() as session:
        row = session.get_one(JobRow, job["id"])
        assert (row.environment, row.secrets) == ({}, {})


def test_a_deleted_project_has_no_secrets(hub: HubClient) -> None:
    """They go with it."""
    put(hub)
    assert hub.request("DELETE", "/api/v1/projects/vision", "owner").status_code == 204
    with hub.database.read() as session:
        assert session.scalars(select(SecretRow.name)).all() == []


def test_volumes_are_no_secrets(hub: HubClient) -> None:
    """Neu.ro's form is refused with a hint."""
    put(hub)
    volumes = [{"source": "secret:hf", "target": "/keys/hf"}]
    answer = hub.request("POST", JOBS, "editor", {"command": ["t"], "project": "vision", "volumes": volumes})

    assert error(answer) == (422, "the volume /keys/hf: a secret cannot be mounted as a file")


def test_secrets_need_no_permission_to_run_jobs(hub: HubClient) -> None:
    """Somebody may care for them who runs none; using one needs a job."""
    hub.personas.set_permissions(Permission.USE_TENSORBOARDS)
    put(hub)
    answer = hub.request("POST", JOBS, "editor", {"command": ["t"], "project": "vision", "environment": HF})

    assert answer.status_code == 403


def test_the_outline_of_a_job_has_no_value(hub: HubClient) -> None:
    """It is made where only a handle is needed."""
    put(hub)
    job = submit(hub, HF)
    with hub.database.read() as session:
        stored = job_rows.get(session, job["id"])

    assert hub.hub.jobs.workloads.outline(replace(stored, attempt=1)).environment == {}
