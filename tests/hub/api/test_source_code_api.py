"""Source code of jobs over HTTP."""

import asyncio
import gzip
import hashlib
import os
import pathlib
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from lightboard.hub.access import Permission
from lightboard.hub.api import app as hub_app
from lightboard.hub.api.open_file_response import OpenFileResponse
from lightboard.hub.db import source_code
from lightboard.hub.db.source_code import KEEP_UNUSED_SECS
from lightboard.testing.async_runner import run_async
from support.hub_client import HubClient
from support.source_archives import archive_of, hostile_archives

PATH = "/api/v1/source-code"
DIGEST = hashlib.sha256(gzip.decompress(archive_of())).hexdigest()
STORED = {"digest": DIGEST, "files": 2, "size_bytes": 29}
NEVER = "0" * 64


def send(hub: HubClient, archive: bytes, name: str = "editor", project: str = "vision") -> Any:
    """The response to an upload."""
    return hub.request("POST", f"{PATH}?project={project}", name, content=archive)


def submit(hub: HubClient, digest: str = DIGEST, name: str = "editor") -> Any:
    """The response to a new job in `vision`."""
    return hub.request("POST", "/api/v1/jobs", name, {"command": ["train"], "project": "vision", "source_code": digest})


def stored(hub: HubClient) -> list[str]:
    """The names of the files that the hub has."""
    return sorted(path.name for path in hub.hub.jobs.source_archives.path_of("").parent.iterdir())


@pytest.fixture
def known(hub: HubClient) -> HubClient:
    """A hub that has the archive."""
    assert send(hub, archive_of()).status_code == 201
    return hub


def test_an_upload_returns_its_digest(hub: HubClient) -> None:
    """That of the tar file, by which it is found again."""
    answer = send(hub, archive_of())

    assert (answer.status_code, answer.json()) == (201, STORED)
    assert hub.request("GET", f"{PATH}/{DIGEST}?project=vision", "owner").json() == STORED
    assert stored(hub) == [f"{DIGEST}.tar.gz"]


def test_a_job_has_its_source_code(known: HubClient) -> None:
    """Told with the job, and downloaded from it by whoever sees the job."""
    job = submit(known).json()
    answer = known.request("GET", f"/api/v1/jobs/{job['id']}/source-code", "viewer")

    assert job["source_code"] == STORED
    assert answer.content == archive_of()
    assert answer.headers["content-disposition"] == 'attachment; filename="train-source-code.tar.gz"'


def test_jobs_without_source_code_have_none_to_download(hub: HubClient) -> None:
    """Null in the response."""
    job = submit(hub, "").json()
    answer = hub.request("GET", f"/api/v1/jobs/{job['id']}/source-code", "editor")

    assert (job["source_code"], answer.status_code) == (None, 404)
    assert answer.json()["error"]["message"] == "the job train has no source code"


@pytest.mark.parametrize("where", ["unknown", "other project"])
def test_a_job_needs_source_code_of_its_project(hub: HubClient, where: str) -> None:
    """Who knows a digest does not get what it is the digest of."""
    if where == "other project":
        hub.request("POST", "/api/v1/projects", "admin", {"name": "beta"})
        assert send(hub, archive_of(), "admin", "beta").status_code == 201
    answer = submit(hub)

    assert (answer.status_code, answer.json()["error"]["hint"]) == (404, "upload it to this project first")
    assert answer.json()["error"]["message"] == f"the project vision has no source code {DIGEST[:12]}"


@pytest.mark.parametrize("digest", ["x", "../../key", DIGEST.upper(), DIGEST[:-1]])
def test_other_words_are_no_digests(hub: HubClient, digest: str) -> None:
    """They might be paths."""
    assert submit(hub, digest).status_code == 422


@pytest.mark.databases("sqlite")  # what is asked of a database before and after is the same for other uploads
@pytest.mark.parametrize("wrong", hostile_archives())
def test_hostile_uploads_are_refused(hub: HubClient, wrong: str) -> None:
    """And nothing of them stays."""
    answer = send(hub, hostile_archives()[wrong]())

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert stored(hub) == []


def test_long_uploads_are_refused(hub: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """While they arrive."""
    monkeypatch.setitem(hub_app.LARGER, PATH, 1 << 20)
    answer = send(hub, bytes(1 << 20) + b"more")

    assert (answer.status_code, stored(hub)) == (413, [])


def test_accounts_without_the_permission_upload_nothing(hub: HubClient) -> None:
    """Since they run no jobs."""
    hub.personas.set_permissions()
    answer = send(hub, archive_of())

    assert (answer.status_code, stored(hub)) == (403, [])


def test_the_archives_of_an_account_are_limited(known: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it does not fill the disk; what it has uploaded before can be uploaded again."""
    monkeypatch.setattr(source_code, "MAX_STORED_BYTES", len(archive_of()) + 10)
    refused = send(known, archive_of({"another": b"file"}))
    again = send(known, archive_of())
    monkeypatch.setattr(source_code, "MAX_STORED_BYTES", 10)
    before_it_is_sent = send(known, b"not even read")

    assert [answer.status_code for answer in (refused, again, before_it_is_sent)] == [409, 201, 409]
    assert refused.json()["error"]["hint"] == "delete jobs; source code that no job uses is deleted after a day"
    assert stored(known) == [f"{DIGEST}.tar.gz"]


def test_an_account_uploads_one_archive_at_a_time(hub: HubClient) -> None:
    """Another one meanwhile is refused; afterwards it is not."""

    async def ask() -> list[int]:
        begun = asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            begun.set()
            yield archive_of()[:10]
            answers.append(await post(archive_of()))
            yield archive_of()[10:]

        async def post(content: Any) -> int:
            headers = {"Authorization": f"Bearer {hub.token('editor')}"}
            answer = await hub.open_session().ask("POST", f"{PATH}?project=vision", content=content, headers=headers)
            return answer.status_code

        answers: list[int] = []
        first = await post(slowly())
        return [*answers, first, await post(archive_of())]

    assert hub.run(ask()) == [429, 201, 201]


def test_lost_source_code_can_be_uploaded_again(known: HubClient) -> None:
    """The hub does not say that it has what it has lost, as after an incomplete backup."""
    known.hub.jobs.source_archives.path_of(DIGEST).unlink()
    found = known.request("GET", f"{PATH}/{DIGEST}?project=vision", "editor")

    assert (found.status_code, send(known, archive_of()).status_code) == (404, 201)
    assert known.request("GET", f"{PATH}/{DIGEST}?project=vision", "editor").json() == STORED


def test_source_code_that_was_asked_for_is_kept_for_another_day(known: HubClient) -> None:
    """So that it is still there when the job is created."""
    known.now += KEEP_UNUSED_SECS - 1
    known.request("GET", f"{PATH}/{DIGEST}?project=vision", "editor")
    known.now += KEEP_UNUSED_SECS - 1
    known.reconciler.delete_expired(known.now)

    assert submit(known).status_code == 201


def test_unused_source_code_is_deleted_after_a_day(known: HubClient) -> None:
    """What a job uses is kept until that is deleted."""
    job = submit(known).json()["id"]
    assert send(known, archive_of({"unused": b""})).status_code == 201
    kept = []
    for _ in range(2):
        known.now += KEEP_UNUSED_SECS + 1
        age_files(known)
        known.reconciler.delete_expired(known.now)
        kept.append(stored(known))
        known.request("DELETE", f"/api/v1/jobs/{job}", "editor")
        known.reconcile()

    assert kept == [[f"{DIGEST}.tar.gz"], []]
    assert known.request("GET", f"{PATH}/{DIGEST}?project=vision", "editor").status_code == 404


def test_source_code_that_a_job_uses_again_is_kept_for_another_day(known: HubClient) -> None:
    """So that nothing deletes it while that job is created, although the last one that used it is being deleted."""
    first = submit(known).json()["id"]
    known.now += KEEP_UNUSED_SECS + 1
    second = known.request("POST", f"/api/v1/jobs/{first}/run-again", "editor", {}).json()["id"]
    age_files(known)
    for job in (first, second):
        known.request("DELETE", f"/api/v1/jobs/{job}", "editor")
        known.reconcile()
    known.reconciler.delete_expired(known.now)

    assert (stored(known), submit(known).status_code) == ([f"{DIGEST}.tar.gz"], 201)


def test_lost_source_code_is_not_downloaded(known: HubClient) -> None:
    """And the answer does not say that the job never had any."""
    job = submit(known).json()["id"]
    known.hub.jobs.source_archives.path_of(DIGEST).unlink()
    answer = known.request("GET", f"/api/v1/jobs/{job}/source-code", "viewer")

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        404, "the hub has the source code of the job train no longer",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("headers", "status", "expected"), [({}, 200, b"0123456789"), ({"range": "bytes=3-5"}, 206, b"345")]
)
def test_a_file_that_is_deleted_before_it_is_sent_is_complete(
    tmp_path: pathlib.Path, headers: dict[str, str], status: int, expected: bytes
) -> None:
    """It was open when the answer was decided, so nobody gets a status of success and then nothing."""
    path = tmp_path / "archive"
    path.write_bytes(b"0123456789")
    response = OpenFileResponse(path, media_type="application/gzip", filename="archive")
    path.unlink()

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(response), base_url="http://hub") as client:
            return await client.get("/", headers=headers)

    answer = run_async(ask())

    assert (answer.status_code, answer.content) == (status, expected)


def age_files(hub: HubClient) -> None:
    """As if all archives had been stored at the beginning."""
    for path in hub.hub.jobs.source_archives.path_of("").parent.iterdir():
        os.utime(path, (0, 0))


def test_the_permission_is_that_of_running_jobs(hub: HubClient) -> None:
    """An account that has it may upload to a project in which it may create jobs, and to no other."""
    hub.personas.set_permissions(Permission.RUN_JOBS)
    answers = {name: send(hub, archive_of(), name).status_code for name in ("editor", "viewer", "stranger")}

    assert answers == {"editor": 201, "viewer": 403, "stranger": 404}
