"""Jobs over HTTP, on a scripted runner."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from lightboard.hub.access import Permission
from lightboard.hub.db import jobs as job_rows
from lightboard.hub.db.tables import AnswerRow
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

PATH = "/api/v1/jobs"
PRINT, WAIT = ["print"], ["wait"]


@pytest.fixture
def programs(hub: HubClient) -> HubClient:
    """A hub whose runner knows a command that prints two lines and ends; others run until they are stopped."""
    hub.runner.programs[tuple(PRINT)] = Program(exit_code=0, lines=("one", "two"))
    return hub


def create(hub: HubClient, command: list[str], name: str = "editor", **fields: Any) -> dict[str, Any]:
    """A new job in `vision`, after some passes."""
    answer = hub.request("POST", PATH, name, {"command": command, "project": "vision", **fields})
    assert answer.status_code == 201, answer.text
    hub.reconcile()
    return get(hub, answer.json()["id"], name)


def get(hub: HubClient, id: str, name: str = "editor") -> dict[str, Any]:
    """The job as somebody sees it."""
    found: dict[str, Any] = hub.request("GET", f"{PATH}/{id}", name).json()
    return found


def steps(job: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Its history: status, actor and attempt."""
    return [(step["status"], step["actor"], step["attempt"]) for step in job["transitions"]]


def test_a_job_runs_to_its_end(programs: HubClient) -> None:
    """With what it is, its result and its history."""
    job = create(
        programs, PRINT, name="editor", display_name="Print two", hyperparameters={"lr": 0.1, "on": True, "n": 3}
    )

    told = {key: job[key] for key in ("name", "display_name", "command", "hyperparameters", "status", "exit_code")}
    assert told == {
        "name": "print-two",
        "display_name": "Print two",
        "command": PRINT,
        "hyperparameters": {"lr": 0.1, "on": True, "n": 3},
        "status": "Succeeded",
        "exit_code": 0,
    }
    assert steps(job) == [("Queued", "editor", 0), ("Starting", "", 1), ("Succeeded", "", 1)]


def test_outputs_have_a_folder_in_the_storage_of_the_project(programs: HubClient) -> None:
    """Of its own, also for two jobs of one name."""
    first, second = (create(programs, PRINT, display_name="mnist") for _ in range(2))

    for job in (first, second):
        folder = job["output_uri"].removeprefix("storage:jobs/mnist_")
        assert (len(folder), job["tensorboard_uri"]) == (6, f"{job['output_uri']}/tensorboard")
    assert first["output_uri"] != second["output_uri"]


@pytest.mark.parametrize(
    ("command", "display_name", "name"),
    [
        (["python", "train.py", "--lr", "0.1"], "python train.py --lr 0.1", "python-train-py-lr-0-1"),
        (["sh", "-c", "echo hello; sleep 1"], "echo hello; sleep 1", "echo-hello-sleep-1"),
        (["/bin/bash", "-c", "训练"], "训练", "job"),
    ],
)
def test_a_job_without_a_name_is_named_after_its_command(
    hub: HubClient, command: list[str], display_name: str, name: str
) -> None:
    """A line for a shell without the shell."""
    job = create(hub, command)

    assert (job["display_name"], job["name"]) == (display_name, name)


def test_a_life_span_is_extended(hub: HubClient) -> None:
    """By whoever may stop the job; added to, or set. Without one, there is nothing to add to."""
    path = f"{PATH}/{create(hub, ['wait'], life_span_secs=60)['id']}/extend"
    endless = f"{PATH}/{create(hub, ['wait'])['id']}/extend"
    added = hub.request("POST", path, "editor", {"additional_secs": 30}).json()
    told = [hub.request("POST", each, "editor", {"total_secs": 0}).json() for each in (path, path)]

    assert [(job["life_span_secs"], job["version"]) for job in (added, *told)] == [(90, 4), (0, 5), (0, 5)]
    assert hub.request("POST", endless, "editor", {"additional_secs": 30}).json()["life_span_secs"] == 0
    assert hub.request("POST", path, "viewer", {"total_secs": 9}).status_code == 403
    assert hub.request("POST", path, "editor", {}).status_code == 422


def test_statuses_of_other_platforms(hub: HubClient) -> None:
    """PAI's, DCE's and Neu.ro's words for a running job and for a stopped one."""
    job = create(hub, ["wait"])
    hub.request("PUT", f"{PATH}/{job['id']}/stop", "editor")
    hub.reconcile()
    stopped = get(hub, job["id"])

    keys = ("status", "pai_status", "phase", "neuro_status", "reason")
    assert tuple(job[key] for key in keys) == ("Running", "Running", "RUNNING", "running", "")
    assert tuple(stopped[key] for key in keys) == ("Stopped", "Terminated", "FAILED", "cancelled", "UserRequested")


def test_an_ended_job_runs_again(programs: HubClient) -> None:
    """As another attempt of the same job."""
    job = create(programs, PRINT)
    programs.request("PUT", f"{PATH}/{job['id']}/restart", "owner")
    programs.reconcile()

    assert steps(get(programs, job["id"]))[3:] == [
        ("Queued", "owner", 1), ("Starting", "", 2), ("Succeeded", "", 2),
    ]  # fmt: skip


def test_a_job_is_paused_and_resumed(hub: HubClient) -> None:
    """A repeated request changes nothing. The audit log has both, and other platforms their words for it."""
    job = create(hub, ["wait"])
    for _ in range(2):
        hub.request("PUT", f"{PATH}/{job['id']}/pause", "owner")
        hub.reconcile()
    paused = get(hub, job["id"])
    for _ in range(2):
        resumed = hub.request("PUT", f"{PATH}/{job['id']}/resume", "editor").json()
        hub.reconcile()

    keys = ("status", "message", "pai_status", "phase", "neuro_status", "reason")
    assert tuple(paused[key] for key in keys) == (
        "Paused", "paused by owner", "Created", "CREATED", "suspended", "UserRequested",
    )  # fmt: skip
    assert steps(get(hub, job["id"]))[3:] == [
        ("Pausing", "owner", 1), ("Paused", "", 1), ("Queued", "editor", 1), ("Starting", "", 2), ("Running", "", 2),
    ]  # fmt: skip
    assert resumed["status"] == "Running"
    actions = [event["action"] for event in hub.request("GET", "/api/v1/audit", "admin").json()["items"]]
    assert [action for action in actions if action in ("job.pause", "job.resume")] == ["job.resume", "job.pause"]


def test_an_ended_job_cannot_be_paused(programs: HubClient) -> None:
    """Nor resumed; the hint says what to do."""
    job = create(programs, PRINT, display_name="mnist")
    answers = [programs.request("PUT", f"{PATH}/{job['id']}/{verb}", "editor") for verb in ("pause", "resume")]

    assert [(answer.status_code, answer.json()["error"]["hint"]) for answer in answers] == [
        (409, "only a job that waits or runs can be paused"), (409, "restart it instead"),
    ]  # fmt: skip


def test_a_job_of_another_runner_cannot_be_restarted(programs: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor resumed: nobody would start it on a hub that runs its jobs elsewhere by now."""
    ended, paused = create(programs, PRINT), create(programs, WAIT)
    programs.request("PUT", f"{PATH}/{paused['id']}/pause", "owner")
    programs.reconcile()
    monkeypatch.setattr(programs.runner, "name", "elsewhere")

    answers = [
        programs.request("PUT", f"{PATH}/{ended['id']}/restart", "owner"),
        programs.request("PUT", f"{PATH}/{paused['id']}/resume", "owner"),
    ]

    assert [(answer.status_code, answer.json()["error"]["message"]) for answer in answers] == [
        (409, "the job ran on the runner memory, which this hub has no longer")
    ] * 2


def test_a_job_that_runs_on_another_runner_cannot_be_ended(
    programs: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub does not reach its processes. One that only waits has none."""
    running, waiting = create(programs, WAIT), create(programs, WAIT, replicas=2)
    monkeypatch.setattr(programs.runner, "name", "elsewhere")

    refused = [
        programs.request("PUT", f"{PATH}/{running['id']}/stop", "owner"),
        programs.request("PUT", f"{PATH}/{running['id']}/pause", "owner"),
        programs.request("DELETE", f"{PATH}/{running['id']}", "owner"),
    ]
    stopped = programs.request("PUT", f"{PATH}/{waiting['id']}/stop", "owner")

    error = f"the job {running['name']} may run on the runner memory, which this hub does not have now"
    assert [(answer.status_code, answer.json()["error"]["message"]) for answer in refused] == [(409, error)] * 3
    assert stopped.json()["status"] == "Stopped"


def test_a_repeated_restart_runs_the_job_once(programs: HubClient) -> None:
    """A client whose response was lost sends the same key again, after the job has ended again."""
    job = create(programs, PRINT, environment={"TOKEN": "secret"})
    answers = []
    for _ in range(2):
        headers = {"Idempotency-Key": "once"}
        answers.append(programs.request("PUT", f"{PATH}/{job['id']}/restart", "editor", headers=headers).json())
        programs.reconcile()

    assert get(programs, job["id"])["attempt"] == 2
    assert answers[0] == answers[1]
    assert answers[0]["environment"] == {"TOKEN": "secret"}
    with programs.database.read() as session:
        assert "secret" not in "".join(session.scalars(select(AnswerRow.body)))


def test_a_job_that_needs_more_slots_than_there_are_says_so(hub: HubClient) -> None:
    """It waits, since the hub may be started with more."""
    job = create(hub, ["train"], replicas=64)

    assert (job["status"], job["message"]) == (
        "Queued",
        f"needs 64 slots, and this hub has {hub.hub.jobs.capacity.slots}",
    )


def test_a_deleted_job_leaves_the_list(programs: HubClient) -> None:
    """It can still be found by its id."""
    job = create(programs, PRINT)
    programs.request("DELETE", f"{PATH}/{job['id']}", "editor")
    programs.reconcile()

    listed = programs.request("GET", PATH, "editor").json()["total"]
    assert (listed, get(programs, job["id"])["status"]) == (0, "Deleted")


def test_a_job_is_found_by_its_name(programs: HubClient) -> None:
    """The one that has not ended, then an own one, then the newest."""
    ids = []
    for command, name in ((PRINT, "editor"), (PRINT, "editor"), (PRINT, "owner"), (["wait"], "owner")):
        ids.append(create(programs, command, name, display_name="mnist")["id"])
        programs.now += 1
    running = get(programs, "mnist")["id"]
    programs.request("PUT", f"{PATH}/{ids[3]}/stop", "owner")
    programs.reconcile()

    assert (running, get(programs, "mnist")["id"], get(programs, "mnist", "viewer")["id"]) == (ids[3], ids[1], ids[3])


def test_a_name_belongs_to_one_job_that_has_not_ended(hub: HubClient) -> None:
    """Another one with it is refused, and so is restarting an ended one."""
    ended = create(hub, ["wait"], display_name="mnist")
    hub.request("PUT", f"{PATH}/{ended['id']}/stop", "editor")
    hub.reconcile()
    create(hub, ["wait"], display_name="mnist")
    body = {"command": ["wait"], "project": "vision", "name": "mnist"}
    another = hub.request("POST", PATH, "editor", body)
    restart = hub.request("PUT", f"{PATH}/{ended['id']}/restart", "editor")

    assert [(answer.status_code, answer.json()["error"]["message"]) for answer in (another, restart)] == [
        (409, "a job mnist in this project has not ended")
    ] * 2


def test_a_list_is_filtered(programs: HubClient) -> None:
    """By status, owner and words."""
    create(programs, PRINT, display_name="alpha")
    create(programs, ["wait"], display_name="beta")
    create(programs, ["wait"], "owner", display_name="gamma")

    def names(query: str) -> list[str]:
        items = programs.request("GET", f"{PATH}?sort=name&{query}", "editor").json()["items"]
        return [item["name"] for item in items]

    assert {
        query: names(query) for query in ("", "status=Running", "owner=me", "search=BET", "status=queued,RUNNING")
    } == {
        "": ["alpha", "beta", "gamma"],
        "status=Running": ["beta", "gamma"],
        "owner=me": ["alpha", "beta"],
        "search=BET": ["beta"],
        "status=queued,RUNNING": ["beta", "gamma"],
    }


def test_values_of_variables_are_shown_to_the_owner_alone(hub: HubClient) -> None:
    """They may be secrets."""
    job = create(hub, ["wait"], environment={"WANDB_API_KEY": "hush"})

    seen = {name: get(hub, job["id"], name)["environment"] for name in ("editor", "owner", "admin", "viewer")}
    seen["editor, reading"] = hub.request("GET", f"{PATH}/{job['id']}", "editor", kind="read").json()["environment"]
    hidden = {"WANDB_API_KEY": None}
    assert seen == {
        "editor": {"WANDB_API_KEY": "hush"},
        "editor, reading": hidden,
        "owner": hidden,
        "admin": hidden,
        "viewer": hidden,
    }
    assert "hush" not in hub.log_text


def test_values_of_variables_are_in_no_stored_answer(hub: HubClient) -> None:
    """A repeated request gets them back from what it sends itself."""
    body = {"command": ["wait"], "project": "vision", "environment": {"KEY": "hush"}}
    answers = [hub.request("POST", PATH, "editor", body, headers={"idempotency-key": "one"}) for _ in range(2)]
    with hub.database.read() as session:
        stored = session.scalars(select(AnswerRow.body)).all()

    assert [(answer.json()["id"], answer.json()["environment"]) for answer in answers] == [
        (answers[0].json()["id"], {"KEY": "hush"})
    ] * 2
    assert [text for text in stored if "hush" in text] == []


# Logs


def log(hub: HubClient, id: str, query: str = "", name: str = "viewer") -> dict[str, Any]:
    """A part of a log."""
    found: dict[str, Any] = hub.request("GET", f"{PATH}/{id}/logs?{query}", name).json()
    return found


def test_a_log_is_read_in_parts(programs: HubClient) -> None:
    """Until it says that it is complete."""
    job = create(programs, PRINT)
    first = log(programs, job["id"])
    rest = log(programs, job["id"], f"cursor={first['cursor']}")

    assert ([line["text"] for line in first["lines"]], first["complete"]) == (["one", "two"], False)
    assert rest == {"attempt": 1, "lines": [], "cursor": first["cursor"], "lost_bytes": 0, "complete": True}


def test_a_running_job_has_no_complete_log(hub: HubClient) -> None:
    """More may come."""
    job = create(hub, ["wait"])

    assert log(hub, job["id"])["complete"] is False


def test_a_waiting_job_has_no_log_yet(hub: HubClient) -> None:
    """Nor a complete one."""
    answer = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"})

    assert log(hub, answer.json()["id"]) == {
        "attempt": 0, "lines": [], "cursor": 0, "lost_bytes": 0, "complete": False,
    }  # fmt: skip


def test_a_waiting_job_uses_nothing(hub: HubClient) -> None:
    """Only what runs is measured."""
    id = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"}).json()["id"]

    assert hub.request("GET", f"{PATH}/{id}/top", "editor").json()["replicas"] == []


def test_each_attempt_has_a_log_of_its_own(programs: HubClient) -> None:
    """That of an earlier one stays."""
    job = create(programs, PRINT)
    programs.runner.programs[tuple(PRINT)] = Program(exit_code=0, lines=("three",))
    programs.request("PUT", f"{PATH}/{job['id']}/restart", "editor")
    programs.reconcile()

    texts = {query: [line["text"] for line in log(programs, job["id"], query)["lines"]] for query in ("", "attempt=1")}
    assert texts == {"": ["three"], "attempt=1": ["one", "two"]}


def test_a_log_that_there_is_not_is_not_found(programs: HubClient) -> None:
    """With what there is."""
    job = create(programs, PRINT)

    error = log(programs, job["id"], "attempt=2")["error"]
    assert (error["code"], error["message"], error["hint"]) == (
        "not_found", "the job print has no attempt 2 with a replica 0", "attempts so far: 1; replicas: 0 to 0",
    )  # fmt: skip


# What is refused


@pytest.mark.parametrize(
    "command", [[], [""], [" "], ["a\0b"], ["x" * 65_537], ["x"] * 1001, ["x" * 60_000, "y" * 60_000]], ids=range(7)
)
def test_commands_that_cannot_be_run_are_refused(hub: HubClient, command: list[str]) -> None:
    """Before anything is stored."""
    answer = hub.request("POST", PATH, "editor", {"command": command, "project": "vision"})

    assert (answer.status_code, hub.request("GET", PATH, "editor").json()["total"]) == (422, 0)


def test_jobs_need_a_permission(hub: HubClient) -> None:
    """Whoever may run programs can read everything that the hub can. Seeing and stopping needs none."""
    job = create(hub, ["wait"])
    hub.personas.set_permissions(Permission.USE_TENSORBOARDS)

    refused = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"})
    stopped = hub.request("PUT", f"{PATH}/{job['id']}/stop", "editor")
    assert (refused.status_code, refused.json()["error"]["message"], stopped.status_code) == (
        403, "this account is not permitted to run programs on the hub's machine, as jobs", 200,
    )  # fmt: skip


def test_a_project_with_jobs_that_run_is_kept(programs: HubClient) -> None:
    """With one whose jobs have ended, these are deleted."""
    job = create(programs, ["wait"])
    refused = programs.request("DELETE", "/api/v1/projects/vision", "owner")
    programs.request("PUT", f"{PATH}/{job['id']}/stop", "editor")
    programs.reconcile()
    deleted = programs.request("DELETE", "/api/v1/projects/vision", "owner")
    programs.reconcile()

    assert (refused.status_code, refused.json()["error"]["message"], deleted.status_code) == (
        409, "jobs of the project vision wait or run: 1", 204,
    )  # fmt: skip
    assert get(programs, job["id"], "admin")["status"] == "Deleted"


def test_the_audit_log_has_who_did_what(hub: HubClient) -> None:
    """Without the command, which may contain a secret."""
    job = create(hub, ["curl", "--token=hush"], display_name="fetch")
    hub.request("PUT", f"{PATH}/{job['id']}/stop", "owner")

    items = hub.request("GET", "/api/v1/audit", "admin").json()["items"]
    assert [(item["action"], item["details"]) for item in items if item["kind"] == "job"] == [
        ("job.stop", {"name": "fetch"}), ("job.create", {"name": "fetch"}),
    ]  # fmt: skip


def test_an_unknown_status_is_refused(hub: HubClient) -> None:
    """An empty list would look like an answer."""
    error = hub.request("GET", f"{PATH}?status=running,done", "editor").json()["error"]

    assert (error["code"], error["message"]) == ("invalid", "'done' is not a status of jobs")


def test_jobs_cannot_write_into_a_bucket(hub: HubClient) -> None:
    """Nobody waits in the queue for that."""
    hub.personas.bind("s3://bucket/vision", BindingKind.STORAGE)
    hub.request("PATCH", "/api/v1/projects/vision", "owner", {"storage": "s3://bucket/vision"})
    answer = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"})

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422, "the storage of the project vision is in a bucket, which jobs on this machine cannot write to",
    )  # fmt: skip


def test_the_log_folder_exists_before_the_job_starts(hub: HubClient) -> None:
    """So that a TensorBoard can show it at once."""
    job = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"}).json()
    storage = hub.logs.parent / "hub" / "storage" / "vision"

    assert (storage / job["tensorboard_uri"].removeprefix("storage:")).is_dir()


def test_a_repeated_start_leaves_the_files_of_running_replicas(hub: HubClient) -> None:
    """A hub that was killed before it had started all of them starts the rest."""
    id = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision"}).json()["id"]
    with hub.database.read() as session:
        job = replace(job_rows.get(session, id), attempt=1)
    workloads, own = hub.hub.jobs.workloads, hub.logs.parent / "hub" / "jobs" / id
    workloads.complete(job)
    files = [own / "tmp" / "0" / "file", own / "config" / "file", own / "code" / "file"]
    for file in files:
        file.touch()
    workloads.complete(job)
    left = [file.exists() for file in files]
    workloads.complete(replace(job, attempt=2))

    assert left == [True, True, True]
    assert [file.exists() for file in files] == [False, False, True]


# Inputs


def test_inputs_are_told_as_they_were_given(hub: HubClient) -> None:
    """Without superfluous slashes, and a dataset by its name."""
    dataset = {"name": "mnist", "kind": "path", "uri": str(hub.logs), "project": "vision"}
    id = hub.request("POST", "/api/v1/datasets", "editor", dataset).json()["id"]
    inputs = {"a": "storage:mnist//train/", "b": "dataset:mnist/train", "c": f"dataset:{id}", "d": str(hub.logs)}
    job = create(hub, ["train"], inputs=inputs)

    assert job["inputs"] == {
        "a": "storage:mnist/train", "b": "dataset:mnist/train", "c": "dataset:mnist", "d": str(hub.logs),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("storage:../other", 422, "the input x: '../other' leads out of its folder"),
        ("relative", 422, "the input x: 'relative' is not an absolute path"),
        ("/etc", 422, "the input x: /etc is not below a folder that this project may show"),
        ("s3://bucket/x", 422, "the input x: this project has no credential for s3://bucket/x"),
        ("dataset:nosuch", 404, "the input x: there is no dataset nosuch in this project"),
    ],
)
def test_inputs_that_the_project_may_not_read_are_refused(
    hub: HubClient, source: str, status: int, message: str
) -> None:
    """Before anything is stored."""
    answer = hub.request("POST", PATH, "editor", {"command": PRINT, "project": "vision", "inputs": {"x": source}})

    assert (answer.status_code, answer.json()["error"]["message"]) == (status, message)
    assert hub.request("GET", PATH, "editor").json()["total"] == 0
