"""From a run to its job, from a job to what it ran with, and running it again, over HTTP."""

import pathlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import pytest

from lightboard import __version__
from lightboard.hub.db.engine import Database
from lightboard.hub.db.tables import AttemptRow, PackageListRow
from lightboard.hub.resources.jobs import JobKind
from lightboard.hub.runners.memory import Program
from support.hub_client import BASE, BrowserSession, HubClient
from support.job_lineage import EMPTY_CONTENTS, JOBS, create, lineage, recorded
from support.personas import Personas
from support.source_archives import archive_of

METADATA = "Name: {name}\nVersion: {version}\n\n"
RUN = "attempt-1/rank-0"


@pytest.fixture
def image(tmp_path: pathlib.Path) -> pathlib.Path:
    """A virtual environment with two packages."""
    site = tmp_path / "image/lib/python3.12/site-packages"
    for name, version in (("numpy", "2.1.0"), ("torch", "2.9.0")):
        (site / f"{name}-{version}.dist-info").mkdir(parents=True)
        (site / f"{name}-{version}.dist-info/METADATA").write_text(METADATA.format(name=name, version=version))
    (tmp_path / "image/bin").mkdir()
    (tmp_path / "image/pyvenv.cfg").write_text("version = 3.12.3\n")
    python = tmp_path / "image/bin/python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return tmp_path / "image"


def makers(hub: HubClient, board: str, run: str, name: str = "viewer") -> list[str]:
    """The names of the jobs that have made a run, as somebody sees them."""
    answer = hub.request("GET", f"/api/v1/tensorboards/{board}/lineage?{urlencode({'run': run})}", name)
    assert answer.status_code == 200, answer.text
    return [job["name"] for job in answer.json()["jobs"]]


def board_over(hub: HubClient, *uris: str, who: str = "editor", **fields: Any) -> str:
    """The id of a TensorBoard of `vision` over sources."""
    body = {"sources": [{"uri": uri} for uri in uris], "project": "vision", "access": "project", **fields}
    answer = hub.request("POST", "/api/v1/tensorboards", who, body)
    assert answer.status_code == 201, answer.text
    hub.reconcile()
    return str(answer.json()["id"])


class TestRecords:
    """What each attempt starts with."""

    @pytest.fixture
    def hub(
        self, database: Database, personas: Personas, tmp_path: pathlib.Path, image: pathlib.Path
    ) -> Iterator[HubClient]:
        """With the image."""
        with HubClient(database, personas, tmp_path, images=(f"torch:2.9={image}",)) as asked:
            yield asked

    def test_an_attempt_records_what_it_found(self, hub: HubClient, image: pathlib.Path) -> None:
        """Programs, packages, data and resources; of variables the names alone."""
        hub.request("POST", "/api/v1/source-code?project=vision", "editor", content=archive_of())
        code = hub.request("POST", "/api/v1/source-code?project=vision", "editor", content=archive_of()).json()
        (hub.logs / "mnist/train").mkdir(parents=True)
        data = {"kind": "path", "uri": str(hub.logs / "mnist"), "name": "mnist", "project": "vision"}
        dataset = hub.request("POST", "/api/v1/datasets", "editor", data).json()
        job = create(
            hub,
            image="torch:2.9",
            environment={"SEED": "7", "HF_TOKEN": "secret"},
            inputs={"train": "dataset:mnist/train"},
            hyperparameters={"lr": 0.1},
            source_code=code["digest"],
        )
        told = recorded(hub, job)
        attempt = told["attempts"][0]

        assert {key: told[key] for key in ("command", "hyperparameters", "environment", "image", "replicas")} == {
            "command": ["python", "train.py"],
            "hyperparameters": {"lr": 0.1},
            "environment": ["SEED", "HF_TOKEN"],
            "image": "torch:2.9",
            "replicas": 1,
        }
        assert told["source_code"] == code
        assert attempt == {
            "attempt": 1,
            "at": 2_000.0,
            "program": f"{image}/bin/python",
            "python": "3.12.3",
            "packages": attempt["packages"],
            "image_digest": "",
            "image_changed": False,
            "image_kept": False,
            "package_changes": [],
            "inputs": [
                {
                    "name": "train",
                    "source": "dataset:mnist/train",
                    "dataset": {
                        "id": dataset["id"],
                        "name": "mnist",
                        "version": 1,
                        "uri": str(hub.logs / "mnist"),
                        "current_version": 1,
                    },
                    "contents": EMPTY_CONTENTS,
                }
            ],
            "preset": "",
            "cpus": 1,
            "memory_bytes": None,
            "gpus": 0,
            "hub_version": __version__,
        }
        assert told["packages"] == {
            attempt["packages"]: [{"name": "numpy", "version": "2.1.0"}, {"name": "torch", "version": "2.9.0"}]
        }
        assert "secret" not in str(told)

    def test_many_attempts_have_one_list_of_packages(self, hub: HubClient, image: pathlib.Path) -> None:
        """Until something is installed."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        jobs = [create(hub, image="torch:2.9") for _ in range(5)]
        site = image / "lib/python3.12/site-packages"
        (site / "numpy-2.1.0.dist-info/METADATA").write_text(METADATA.format(name="numpy", version="2.2.0"))
        (site / "numpy-2.1.0.dist-info").rename(site / "numpy-2.2.0.dist-info")
        later = create(hub, image="torch:2.9")

        with hub.database.read() as session:
            stored = session.query(AttemptRow).count(), session.query(PackageListRow).count()
        digests = {lineage(hub, job)["attempts"][0]["packages"] for job in [*jobs, later]}
        assert (stored, len(digests)) == ((6, 2), 2)

    def test_packages_are_compared_with_those_of_the_image(self, hub: HubClient, image: pathlib.Path) -> None:
        """What was replaced, removed and added since; unless another Python may have been meant."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        job = create(hub, image="torch:2.9")
        others = [create(hub, image="torch:2.9", environment={"PATH": f"{image}/bin"}), create(hub)]
        site = image / "lib/python3.12/site-packages"
        (site / "numpy-2.1.0.dist-info/METADATA").write_text(METADATA.format(name="NumPy", version="2.2.0"))
        (site / "torch-2.9.0.dist-info").rename(site / "torchvision-0.24.dist-info")
        (site / "torchvision-0.24.dist-info/METADATA").write_text(METADATA.format(name="torchvision", version="0.24"))

        found = [lineage(hub, each)["attempts"][0]["package_changes"] for each in (job, *others)]
        assert found == [
            [
                {"name": "NumPy", "recorded": "2.1.0", "now": "2.2.0"},
                {"name": "torch", "recorded": "2.9.0", "now": None},
                {"name": "torchvision", "recorded": None, "now": "0.24"},
            ],
            None,
            None,
        ]

    def test_folders_that_a_job_has_chosen_are_not_looked_into(self, hub: HubClient, image: pathlib.Path) -> None:
        """Since the hub can read more than a job can: what comes first there is not known."""
        elsewhere = image.rename(image.with_name("elsewhere"))
        image.mkdir()
        job = create(hub, environment={"PATH": f"{elsewhere}/bin:/usr/bin"})
        named = create(hub, command=[f"{elsewhere}/bin/python", "train.py"], environment={"PATH": f"{elsewhere}/bin"})
        found = [lineage(hub, each)["attempts"][0] for each in (job, named)]

        assert [(each["program"], each["python"], each["packages"]) for each in found] == [
            ("", "", ""), (f"{elsewhere}/bin/python", "", ""),
        ]  # fmt: skip

    def test_a_changed_or_removed_dataset_is_told(self, hub: HubClient) -> None:
        """The version of the attempt stays what it was."""
        (hub.logs / "a").mkdir()
        data = {"kind": "path", "uri": str(hub.logs / "a"), "name": "mnist", "project": "vision"}
        id = hub.request("POST", "/api/v1/datasets", "editor", data).json()["id"]
        job = create(hub, inputs={"train": "dataset:mnist"})
        versions = []
        for change in (("PATCH", {"uri": str(hub.logs)}), ("DELETE", None)):
            hub.request(change[0], f"/api/v1/datasets/{id}", "editor", change[1])
            found = lineage(hub, job)["attempts"][0]["inputs"][0]["dataset"]
            versions.append((found["version"], found["current_version"], found["uri"]))

        assert versions == [(1, 2, str(hub.logs / "a")), (1, None, str(hub.logs / "a"))]

    def test_each_attempt_has_its_own_record(self, hub: HubClient) -> None:
        """Oldest first; a job that has not started has none."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        job = create(hub)
        hub.now = 3_000.0
        hub.request("PUT", f"{JOBS}/{job['id']}/restart", "editor")
        before = [each["attempt"] for each in lineage(hub, job)["attempts"]]
        hub.reconcile()

        assert before == [1]
        assert [(each["attempt"], each["at"]) for each in lineage(hub, job)["attempts"]] == [(1, 2_000.0), (2, 3_000.0)]

    def test_only_who_sees_a_job_sees_its_lineage(self, hub: HubClient) -> None:
        """Others are told that there is no such job."""
        job = create(hub)

        assert hub.request("GET", f"{JOBS}/{job['id']}/lineage", "stranger").status_code == 404


class TestRuns:
    """From a run to its job."""

    def test_a_run_leads_to_its_job(self, hub: HubClient) -> None:
        """With what one wants to know of it first."""
        job = create(hub, hyperparameters={"lr": 0.1}, display_name="First")
        board = board_over(hub, job["tensorboard_uri"])
        answer = hub.request("GET", f"/api/v1/tensorboards/{board}/lineage?run={RUN}", "viewer").json()
        found = answer["jobs"][0]

        assert (answer["run"], found) == (
            RUN,
            {
                "id": job["id"],
                "kind": "job",
                "name": "first",
                "display_name": "First",
                "status": "Running",
                "attempt": 1,
                "rank": 0,
                "command": ["python", "train.py"],
                "image": "",
                "python": found["python"],
                "inputs": [],
                "source_code": "",
                "url": f"http://127.0.0.1:8080/jobs/{job['id']}",
            },
        )

    def test_a_board_over_the_whole_storage_tells_jobs_apart(self, hub: HubClient) -> None:
        """Also those with logs in another folder, by replica; runs that no job has made have none."""
        plain, logged = create(hub, display_name="plain"), create(hub, display_name="logged", log_dir="storage:runs")
        board = board_over(hub, "storage:")
        of_plain = f"{plain['output_uri'].removeprefix('storage:')}/tensorboard/attempt-1/rank-1"
        of_logged = f"runs/{logged['output_uri'].rpartition('/')[2]}/attempt-1/rank-0"

        assert [makers(hub, board, run) for run in (of_plain, of_logged, "runs/own", ".")] == [
            ["plain"], ["logged"], [], [],
        ]  # fmt: skip

    def test_the_same_folder_by_another_name_leads_to_the_job(self, hub: HubClient) -> None:
        """A dataset in the storage, with an alias."""
        job = create(hub)
        data = {"kind": "storage", "uri": "storage:jobs", "name": "outputs", "project": "vision"}
        assert hub.request("POST", "/api/v1/datasets", "editor", data).status_code == 201
        body = {"sources": [{"uri": "dataset:outputs", "alias": "all"}], "project": "vision", "access": "project"}
        board = hub.request("POST", "/api/v1/tensorboards", "editor", body).json()["id"]
        run = f"all/{job['output_uri'].rpartition('/')[2]}/tensorboard/{RUN}"

        assert (makers(hub, board, run), makers(hub, board, run.removeprefix("all/"))) == ([job["name"]], [])

    def test_jobs_of_projects_that_one_does_not_see_are_hidden(self, hub: HubClient) -> None:
        """Even if their logs are on a TensorBoard that one sees."""
        job = create(hub)
        hub.request("POST", "/api/v1/projects", "admin", {"name": "audit"})
        hub.request("PUT", "/api/v1/projects/audit/members", "admin", {"account": "stranger", "role": "viewer"})
        data = {"kind": "storage", "uri": "storage:jobs", "name": "outputs", "project": "vision"}
        dataset = hub.request("POST", "/api/v1/datasets", "editor", data).json()["id"]
        hub.request("POST", "/api/v1/projects/audit/bindings", "admin", {"kind": "dataset", "value": dataset})
        body = {"sources": [{"uri": f"dataset:{dataset}"}], "project": "audit", "access": "project"}
        board = hub.request("POST", "/api/v1/tensorboards", "admin", body).json()["id"]
        run = f"{job['output_uri'].rpartition('/')[2]}/tensorboard/{RUN}"

        assert (makers(hub, board, run, "stranger"), makers(hub, board, run, "admin")) == ([], [job["name"]])

    def test_a_deleted_job_is_still_told(self, hub: HubClient) -> None:
        """With its status."""
        job = create(hub)
        board = board_over(hub, job["output_uri"])
        hub.request("DELETE", f"{JOBS}/{job['id']}", "editor")
        hub.reconcile()
        found = hub.request("GET", f"/api/v1/tensorboards/{board}/lineage?run=tensorboard/{RUN}", "editor").json()

        assert [(each["id"], each["status"]) for each in found["jobs"]] == [(job["id"], "Deleted")]

    def test_a_job_leads_to_its_tensorboards(self, hub: HubClient) -> None:
        """With what the names of its runs begin with; hidden ones are left out."""
        job = create(hub)
        below = f"{job['output_uri'].removeprefix('storage:jobs/')}/tensorboard/"
        own = board_over(hub, job["tensorboard_uri"], who="owner")
        whole = board_over(hub, "storage:jobs")
        board_over(hub, "storage:other")
        hidden = board_over(hub, job["output_uri"], who="owner", access="private")

        found = {each["id"]: each["run_prefix"] for each in lineage(hub, job)["tensorboards"]}
        assert found == {own: "", whole: below}
        assert hidden in {each["id"] for each in lineage(hub, job, "owner")["tensorboards"]}


class TestBoards:
    """What the page of a board is told at its own address."""

    @staticmethod
    def ask(hub: HubClient, board: str, name: str = "", run: str = RUN, **more: Any) -> httpx.Response:
        """The answer to a board's page."""
        return hub.request("GET", f"/tb/{board}/.lightboard/lineage?{urlencode({'run': run})}", name, **more)

    def test_the_page_of_a_board_asks_at_its_own_address(self, hub: HubClient) -> None:
        """And is told as much as the API tells."""
        job = create(hub)
        board = board_over(hub, job["tensorboard_uri"])
        answer = self.ask(hub, board, "viewer")

        assert answer.json() == hub.request("GET", f"/api/v1/tensorboards/{board}/lineage?run={RUN}", "viewer").json()
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")

    def test_guests_are_told_of_no_job(self, hub: HubClient) -> None:
        """Neither without login, nor with an account of another project."""
        job = create(hub)
        board = board_over(hub, job["tensorboard_uri"], access="public_link", http_auth=False)

        assert [self.ask(hub, board, name).json()["jobs"] for name in ("", "stranger")] == [[], []]

    def test_who_may_not_open_a_board_is_refused(self, hub: HubClient) -> None:
        """As for any other address of the board."""
        job = create(hub)
        board = board_over(hub, job["tensorboard_uri"], access="private")

        assert [self.ask(hub, board, name).status_code for name in ("", "stranger")] == [401, 404]

    def test_a_request_without_a_run_is_an_error(self, hub: HubClient) -> None:
        """With a hint."""
        answer = self.ask(hub, board_over(hub, "storage:"), "viewer", run="")

        assert (answer.status_code, answer.json()["error"]["hint"]) == (400, "GET /.lightboard/lineage?run=NAME")


class TestSubdomains:
    """The page of a board at a host of its own, where the login at the console is not known."""

    @pytest.fixture
    def hub(self, database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
        """With a domain for boards."""
        with HubClient(database, personas, tmp_path, domain="boards.test", public_url=BASE) as asked:
            yield asked

    def test_the_cookie_of_a_board_is_sufficient(self, hub: HubClient) -> None:
        """The answer leads to the console; a visitor with a share link is told of no job."""
        job = create(hub)
        board = board_over(hub, job["tensorboard_uri"], name="curves")
        hub.set_password("editor")
        console, member = hub.open_session(), BrowserSession(hub, "http://curves--editor.boards.test")
        console.log_in("editor", "correct horse battery")
        ticket = urlsplit(console.request("GET", f"/api/v1/enter/{board}").headers["location"])
        member.request("GET", f"{ticket.path}?{ticket.query}")
        shared = hub.request("POST", f"/api/v1/tensorboards/{board}/shares", "editor", {"expires_secs": 60}).json()
        guest = hub.open_session()
        own = guest.request("GET", shared["url"].removeprefix(BASE)).headers["location"]
        path = f".lightboard/lineage?run={RUN}"
        answers = [member.request("GET", f"/{path}"), guest.request("GET", f"{own}{path}")]

        assert [each.status_code for each in answers] == [200, 200]
        told = [[found["url"] for found in each.json()["jobs"]] for each in answers]
        assert told == [[f"{BASE}/jobs/{job['id']}"], []]


class TestRunAgain:
    """Another job like one."""

    @staticmethod
    def again(hub: HubClient, job: dict[str, Any], name: str = "editor", **body: Any) -> httpx.Response:
        """The answer to running it again."""
        return hub.request("POST", f"{JOBS}/{job['id']}/run-again", name, body)

    def test_it_asks_for_the_same(self, hub: HubClient) -> None:
        """With the next name; both know of each other."""
        code = hub.request("POST", "/api/v1/source-code?project=vision", "editor", content=archive_of()).json()
        (hub.logs / "data").mkdir()
        job = create(
            hub,
            name="mnist",
            environment={"SEED": "7"},
            hyperparameters={"lr": 0.1},
            inputs={"train": str(hub.logs / "data")},
            source_code=code["digest"],
            replicas=2,
            memory_bytes=1 << 30,
            priority=7,
            max_retries=3,
            max_run_secs=60.0,
            grace_secs=5.0,
            labels={"team": "vision"},
            tags=["baseline"],
            log_dir="storage:runs",
        )
        again = self.again(hub, job).json()
        hub.reconcile()

        own = {"id", "name", "display_name", "version", "transitions", "output_uri", "repeat_of", "status", "message"}
        assert {key: again[key] for key in again if key not in own} == {key: job[key] for key in job if key not in own}
        assert (again["name"], again["display_name"], again["repeat_of"]) == ("mnist-2", "mnist-2", job["id"])
        assert lineage(hub, again)["repeat_of"] == {"id": job["id"], "name": "mnist", "status": "Running"}
        assert [each["name"] for each in lineage(hub, job)["repeats"]] == ["mnist-2"]

    def test_it_runs_where_the_hub_runs_its_jobs_now(self, hub: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not on the runner that the hub had before, where nobody would start it."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        job = create(hub, name="mnist")
        monkeypatch.setattr(hub.runner, "name", "elsewhere")
        again = self.again(hub, job).json()
        hub.reconcile()

        done = hub.request("GET", f"{JOBS}/{again['id']}", "editor").json()
        assert (job["runner"], done["runner"], done["status"]) == ("memory", "elsewhere", "Succeeded")

    def test_names_go_on(self, hub: HubClient) -> None:
        """Also from a job that was itself run again, and after the others have ended."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        first = create(hub, name="mnist")
        second = self.again(hub, first).json()
        hub.reconcile()
        third = self.again(hub, second).json()

        assert (second["name"], third["name"]) == ("mnist-2", "mnist-3")

    def test_others_give_the_values_of_variables(self, hub: HubClient) -> None:
        """Which only the owner of a job sees."""
        job = create(hub, environment={"HF_TOKEN": "secret", "SEED": "7"})
        refused = self.again(hub, job, "owner", environment={"SEED": "8"})
        made = self.again(hub, job, "owner", environment={"SEED": "8", "HF_TOKEN": "own"}).json()

        assert (refused.status_code, refused.json()["error"]["message"]) == (
            422,
            "only editor, who owns this job, knows the values of HF_TOKEN",
        )
        assert (made["environment"], made["owner_name"]) == ({"HF_TOKEN": "own", "SEED": "8"}, "owner")

    def test_values_may_be_replaced(self, hub: HubClient) -> None:
        """The others stay."""
        job = create(hub, environment={"A": "1", "B": "2"})

        assert self.again(hub, job, environment={"B": "3"}).json()["environment"] == {"A": "1", "B": "3"}

    def test_only_environments_that_it_had_can_be_asked_for(self, hub: HubClient) -> None:
        """Others may be of images that the account may not have."""
        answer = self.again(hub, create(hub), image_digest="0" * 64)

        assert (answer.status_code, answer.json()["error"]["message"]) == (
            422, f"no attempt of python-train-py had the environment {'0' * 64}",
        )  # fmt: skip

    def test_a_repeated_request_creates_one_job(self, hub: HubClient) -> None:
        """By its key; values of variables are not stored with it."""
        job = create(hub, environment={"HF_TOKEN": "secret"})
        key = {"Idempotency-Key": "again-1"}
        answers = [
            hub.request("POST", f"{JOBS}/{job['id']}/run-again", "editor", {}, headers=key).json() for _ in range(2)
        ]

        assert answers[0]["id"] == answers[1]["id"]
        assert [each["environment"] for each in answers] == [{"HF_TOKEN": "secret"}] * 2

    def test_a_notebook_is_only_started(self, hub: HubClient) -> None:
        """Since its folder has its name."""
        made = hub.personas.create_job(kind=JobKind.NOTEBOOK, name="notes")
        answer = self.again(hub, {"id": made.id})

        assert (answer.status_code, answer.json()["error"]["message"]) == (
            422,
            "notes is a notebook, which can only be started",
        )

    @pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
    def test_it_needs_the_right_to_create_jobs(self, hub: HubClient, name: str, status: int) -> None:
        """Seeing the job is not enough."""
        assert self.again(hub, create(hub), name).status_code == status
