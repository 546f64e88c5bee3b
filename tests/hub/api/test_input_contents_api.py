"""What was in the inputs of jobs, and whether that has changed, over HTTP."""

import os
import pathlib
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import text

from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient
from support.hub_process import wait_for
from support.job_lineage import EMPTY_CONTENTS, JOBS, create, lineage, recorded


class TestContents:
    """What was in the inputs of an attempt, and whether that has changed."""

    @staticmethod
    def compared(hub: HubClient, job: dict[str, Any], name: str = "viewer", attempt: int = 0) -> dict[str, Any]:
        """The inputs of a job as they were and as they are now."""
        answer = hub.request("GET", f"{JOBS}/{job['id']}/inputs?attempt={attempt}", name)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @staticmethod
    def write(path: pathlib.Path, data: bytes, mtime_ns: int = 1_700_000_000_000_000_005) -> None:
        """A file with a time of change."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(mtime_ns, mtime_ns))

    def test_names_sizes_and_times_of_files_are_recorded(self, hub: HubClient) -> None:
        """Of what the input names in the dataset, and no more; of all kinds of inputs and volumes."""
        self.write(hub.logs / "mnist/train/b/2.png", b"12")
        self.write(hub.logs / "mnist/train/a.png", b"123")
        self.write(hub.logs / "mnist/test.png", b"1")
        data = {"kind": "path", "uri": str(hub.logs / "mnist"), "name": "mnist", "project": "vision"}
        hub.request("POST", "/api/v1/datasets", "editor", data)
        job = create(
            hub,
            inputs={"train": "dataset:mnist/train", "one": f"{hub.logs}/mnist/test.png"},
            volumes=[{"source": str(hub.logs / "mnist"), "target": "/data/mnist", "read_only": True}],
        )
        told = {each["name"]: each["contents"] for each in recorded(hub, job)["attempts"][0]["inputs"]}

        assert {name: (each["files"], each["size_bytes"]) for name, each in told.items()} == {
            "train": (2, 5), "one": (1, 1), "/data/mnist": (3, 6),
        }  # fmt: skip
        lines = b"a.png\0" + b"3\0" + b"1700000000000000005\n" + b"b/2.png\0" + b"2\0" + b"1700000000000000005\n"
        assert told["train"]["digest"] == sha256(lines).hexdigest()

    def test_a_volume_that_a_job_writes_to_is_not_recorded(self, hub: HubClient) -> None:
        """It changes what is there itself."""
        volumes = [{"source": "storage:models", "target": "/models", "read_only": False}]
        job = create(hub, inputs={"train": str(hub.logs)}, volumes=volumes)
        found = wait_for(
            lambda: lineage(hub, job)["attempts"][0]["inputs"],
            lambda each: each[0]["contents"],
            "contents of the input",
        )

        assert [(each["name"], each["contents"]) for each in found] == [("train", EMPTY_CONTENTS), ("/models", None)]
        assert [each["changed"] for each in self.compared(hub, job)["inputs"]] == [False, None]

    @pytest.mark.parametrize("change", ["content", "time", "name", "more", "less", "nothing"])
    def test_changed_contents_are_told(self, hub: HubClient, change: str) -> None:
        """Files that were replaced, touched, renamed, added or removed."""
        file = hub.logs / "data/1.png"
        self.write(file, b"123")
        job = create(hub, inputs={"train": str(hub.logs / "data")})
        before = recorded(hub, job)["attempts"][0]["inputs"][0]["contents"]
        match change:
            case "content":
                self.write(file, b"1234")
            case "time":
                self.write(file, b"123", 1_700_000_000_000_000_006)
            case "name":
                file.rename(file.with_name("2.png"))
            case "more":
                self.write(file.with_name("2.png"), b"")
            case "less":
                file.unlink()
        found = self.compared(hub, job)

        assert (found["attempt"], [(each["recorded"], each["changed"]) for each in found["inputs"]]) == (
            1, [(before, change != "nothing")],
        )  # fmt: skip
        assert lineage(hub, job)["attempts"][0]["inputs"][0]["contents"] == before

    def test_data_that_is_gone_has_changed(self, hub: HubClient) -> None:
        """A dataset that was removed cannot be compared."""
        for name in ("one", "two"):
            (hub.logs / name).mkdir()
        data = {"kind": "path", "uri": str(hub.logs / "two"), "name": "two", "project": "vision"}
        id = hub.request("POST", "/api/v1/datasets", "editor", data).json()["id"]
        job = create(hub, inputs={"one": str(hub.logs / "one"), "two": "dataset:two"})
        recorded(hub, job)
        (hub.logs / "one").rmdir()
        hub.request("DELETE", f"/api/v1/datasets/{id}", "editor")
        found = self.compared(hub, job)["inputs"]

        missing = {**EMPTY_CONTENTS, "digest": "", "problem": "Missing"}
        assert [(each["now"], each["changed"]) for each in found] == [(missing, True), (None, None)]

    def test_each_attempt_is_compared_with_its_own_record(self, hub: HubClient) -> None:
        """And none with that of another."""
        hub.runner.programs["python", "train.py"] = Program(exit_code=0)
        self.write(hub.logs / "data/1.png", b"123")
        job = create(hub, inputs={"train": str(hub.logs / "data")})
        recorded(hub, job)
        self.write(hub.logs / "data/2.png", b"123")
        hub.request("PUT", f"{JOBS}/{job['id']}/restart", "editor")
        hub.reconcile()
        recorded(hub, job)

        found = {number: self.compared(hub, job, attempt=number)["inputs"][0]["changed"] for number in (0, 1, 2)}
        assert found == {0: False, 1: True, 2: False}
        answer = hub.request("GET", f"{JOBS}/{job['id']}/inputs?attempt=3", "viewer")
        assert (answer.status_code, answer.json()["error"]["message"]) == (
            404,
            f"there is no record of attempt 3 of {job['name']}",
        )

    def test_a_job_that_has_not_started_is_compared_with_nothing(self, hub: HubClient) -> None:
        """But what it would read is told."""
        body = {"command": ["true"], "project": "vision", "inputs": {"train": str(hub.logs)}}
        job = hub.request("POST", JOBS, "editor", body).json()

        assert self.compared(hub, job) == {
            "attempt": 0,
            "inputs": [{"name": "train", "recorded": None, "now": EMPTY_CONTENTS, "changed": None}],
        }

    def test_links_out_of_the_folders_of_a_project_are_counted(self, hub: HubClient, tmp_path: pathlib.Path) -> None:
        """What is there is not recorded; links that stay inside are followed, as jobs follow them."""
        self.write(tmp_path / "secret/token", b"123456")
        self.write(hub.logs / "blobs/1.png", b"12")
        (hub.logs / "data").mkdir()
        (hub.logs / "data/1.png").symlink_to("../blobs/1.png")
        (hub.logs / "data/out").symlink_to(tmp_path / "secret")
        (hub.logs / "data/nothing").symlink_to("nowhere")
        job = create(hub, inputs={"train": str(hub.logs / "data")})
        found = recorded(hub, job)["attempts"][0]["inputs"][0]["contents"]

        assert (found["files"], found["size_bytes"], found["links_skipped"]) == (1, 2, 1)

    def test_only_who_sees_a_job_sees_what_is_in_its_inputs(self, hub: HubClient) -> None:
        """Others are told that there is no such job."""
        job = create(hub, inputs={"train": str(hub.logs)})

        assert hub.request("GET", f"{JOBS}/{job['id']}/inputs", "stranger").status_code == 404

    def test_jobs_of_earlier_hubs_have_no_contents(self, hub: HubClient) -> None:
        """Their records lack the field."""
        job = create(hub, inputs={"train": str(hub.logs)})
        recorded(hub, job)
        with hub.database.write() as session:
            session.execute(
                text("UPDATE attempts SET inputs = :inputs"),
                {"inputs": '{"train": {"source": "/logs", "dataset": "", "name": "", "version": 0, "uri": ""}}'},
            )

        assert self.compared(hub, job)["inputs"] == [
            {"name": "train", "recorded": None, "now": EMPTY_CONTENTS, "changed": None}
        ]
        assert lineage(hub, job)["attempts"][0]["inputs"][0]["contents"] is None
