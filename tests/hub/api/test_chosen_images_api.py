"""Container images that accounts choose, over HTTP, on a hub without a sandbox."""

import pathlib
from collections.abc import Iterator

import pytest

from lightboard.hub.db.engine import Database
from support.hub_client import HubClient
from support.personas import Personas

PATTERNS = ("docker.io/library/*", "registry.example.com/team/*")


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With two patterns."""
    with HubClient(database, personas, tmp_path, container_images=PATTERNS) as asked:
        yield asked


@pytest.mark.parametrize("kind", ["jobs", "notebooks"])
def test_an_image_that_is_not_allowed_is_refused(hub: HubClient, kind: str) -> None:
    """With all that are, for jobs and notebooks."""
    body = {"image": "pytorch/pytorch:2.9.0", "project": "vision", **({"command": ["true"]} if kind == "jobs" else {})}
    answer = hub.request("POST", f"/api/v1/{kind}", "editor", body)

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422,
        "this hub has no image pytorch/pytorch:2.9.0",
    )
    assert answer.json()["error"]["hint"] == (
        "its images: none; container images that one may name: docker.io/library/*, registry.example.com/team/*; "
        "an administrator can add one: lightboard hub --image NAME=PATH"
    )


def test_an_allowed_image_needs_the_sandbox_of_jobs(hub: HubClient) -> None:
    """Before anything is fetched."""
    body = {"command": ["true"], "image": "python:3.12", "project": "vision"}
    answer = hub.request("POST", "/api/v1/jobs", "editor", body)

    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith(
        "the image python:3.12 could not be built: containers need the sandbox of jobs"
    )


def test_the_list_of_images_tells_which_can_be_named(hub: HubClient) -> None:
    """Those that somebody has named are for administrators; one that nobody has named is not there."""
    hub.request("POST", "/api/v1/jobs", "editor", {"command": ["true"], "image": "python", "project": "vision"})
    lists = [hub.request("GET", "/api/v1/images", name).json() for name in ("editor", "admin")]

    assert [found["container_images"] for found in lists] == [list(PATTERNS)] * 2
    assert [found["items"] for found in lists] == [[], ["python"]]
    assert hub.request("GET", "/api/v1/images/python", "admin").json()["state"] == "failed"
    assert hub.request("GET", "/api/v1/images/ubuntu", "admin").status_code == 404
    assert hub.request("GET", "/api/v1/images/a/b", "admin").status_code == 404
