"""The tokens of jobs: they reach their own job alone, while its attempt runs."""

import httpx
import pytest

from lightboard.hub.access import HUB
from lightboard.hub.api.job_tokens import RIGHTS
from lightboard.hub.api.routes import OPEN, RIGHT
from lightboard.hub.db import accounts, jobs
from support.hub_client import BASE, HubClient
from support.hub_routes import BODIES, QUERIES, every_operation

pytestmark = pytest.mark.databases("sqlite")
PATH = "/api/v1/jobs"
NOT_FOR_JOBS = "the token of a job reads and stops this job alone, by its id"


class RunningJob:
    """A job of the editor that runs until it is stopped, and asks the hub things with its token."""

    def __init__(self, hub: HubClient, owner: str = "editor") -> None:
        self.hub = hub
        body = {"command": ["train"], "project": "vision", "name": f"train-of-{owner}"}
        self.id = hub.request("POST", PATH, owner, body).json()["id"]
        hub.reconcile()
        self.token = self.current_token()

    def current_token(self) -> str:
        """That of the current attempt."""
        with self.hub.database.read() as session:
            return self.hub.hub.auth.job_tokens.variables(jobs.get(session, self.id))["LIGHTBOARD_JOB_TOKEN"]

    def ask(self, method: str, path: str, token: str = "") -> httpx.Response:
        """The answer to the job itself."""
        url = path.replace("{id}", self.id) + QUERIES.get((method, path), "")
        headers = {"Authorization": f"Bearer {token or self.token}"}
        return self.hub.open_session().request(method, url, json=BODIES.get((method, path)), headers=headers)


@pytest.fixture
def job(hub: HubClient) -> RunningJob:
    """The one that asks."""
    return RunningJob(hub)


def operations(of_itself: bool) -> list[tuple[str, str]]:
    """Method and path of what a job may do with itself, or of everything else that needs a login."""
    return [
        (method, path)
        for path, methods in every_operation().items()
        for method, operation in methods.items()
        if operation.get(RIGHT, OPEN) != OPEN
        and (operation[RIGHT] in RIGHTS and path.startswith(f"{PATH}/{{id}}")) is of_itself
    ]


def test_a_job_reaches_no_route_but_its_own(job: RunningJob) -> None:
    """All of the others give one answer, whatever they name."""
    answers = {each: job.ask(*each) for each in operations(of_itself=False)}

    assert len(answers) > 50
    assert {(answer.status_code, NOT_FOR_JOBS in answer.text) for answer in answers.values()} == {(403, True)}


def test_a_job_reads_what_the_hub_knows_about_it(job: RunningJob) -> None:
    """Its settings, log, metrics, resource usage and lineage."""
    paths = [path for method, path in operations(of_itself=True) if method == "GET"]

    assert {path.removeprefix(f"{PATH}/{{id}}"): job.ask("GET", path).status_code for path in paths} == {
        "": 200, "/http": 404, "/inputs": 200, "/lineage": 200, "/logs": 200, "/logs/stream": 200, "/metrics": 200,
        "/source-code": 404, "/top": 200, "/usage": 200,
    }  # fmt: skip


def test_a_job_stops_itself(job: RunningJob) -> None:
    """The audit log says that it was not its owner."""
    answer = job.ask("PUT", f"{PATH}/{{id}}/stop")
    entry = job.hub.request("GET", "/api/v1/audit?project=vision", "owner").json()["items"][0]

    assert (answer.status_code, answer.json()["status"]) == (200, "Stopping")
    assert (entry["action"], entry["actor_name"], entry["via"]) == ("job.stop", "editor", "job train-of-editor")


@pytest.mark.parametrize("name", ["train-of-editor", "train-of-owner"])
def test_a_job_is_known_by_its_id_alone(job: RunningJob, name: str) -> None:
    """Names are given again, so not even its own is one."""
    RunningJob(job.hub, "owner")

    assert job.ask("GET", f"{PATH}/{name}").status_code == 403


def test_a_job_does_not_reach_another_one_of_its_owner(job: RunningJob) -> None:
    """Although the owner does."""
    body = {"command": ["train"], "project": "vision", "name": "second"}
    other = job.hub.request("POST", PATH, "editor", body).json()["id"]

    assert job.ask("GET", f"{PATH}/{other}").status_code == 403


def test_a_token_ends_with_its_attempt(job: RunningJob) -> None:
    """The next attempt has another one."""
    job.hub.request("PUT", f"{PATH}/{job.id}/stop", "editor")
    job.hub.reconcile()
    ended = job.ask("GET", f"{PATH}/{{id}}")
    job.hub.request("PUT", f"{PATH}/{job.id}/restart", "editor")
    job.hub.reconcile()

    assert (ended.status_code, ended.json()["error"]["message"]) == (401, "the login or token is not valid")
    assert job.ask("GET", f"{PATH}/{{id}}").status_code == 401
    assert job.ask("GET", f"{PATH}/{{id}}", job.current_token()).status_code == 200


def test_a_token_ends_when_its_owner_is_disabled(job: RunningJob) -> None:
    """Before the job is stopped."""
    with job.hub.database.write() as session:
        accounts.change(session, HUB, job.hub.principal("editor").account, {"disabled": True}, job.hub.now)

    assert job.ask("GET", f"{PATH}/{{id}}").status_code == 401


def test_a_forged_token_is_none(job: RunningJob) -> None:
    """Such as one with a letter of the signature changed."""
    forged = job.token[:-5] + ("A" if job.token[-5] != "A" else "B") + job.token[-4:]

    assert job.ask("GET", f"{PATH}/{{id}}", forged).status_code == 401


def test_no_answer_has_the_token(job: RunningJob) -> None:
    """Not even to the owner of the job."""
    found = "".join(
        job.hub.request(method, path.replace("{id}", job.id) + QUERIES.get((method, path), ""), "editor").text
        for method, path in (*operations(of_itself=True), ("GET", PATH))
        if method == "GET"
    )

    assert job.id in found
    assert "lbjob_" not in found
    assert "lbjob_" not in job.hub.log_text


def test_a_job_is_told_where_the_hub_is(job: RunningJob) -> None:
    """As the hub's own address, since it runs beside it."""
    with job.hub.database.read() as session:
        variables = job.hub.hub.auth.job_tokens.variables(jobs.get(session, job.id))

    assert variables == {"LIGHTBOARD_JOB_URL": BASE, "LIGHTBOARD_JOB_TOKEN": job.token}
