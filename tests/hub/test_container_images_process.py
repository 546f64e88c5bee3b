"""Container images that a real hub gets from podman, and jobs that run in them."""

import io
import os
import pathlib
import re
import subprocess
import tarfile
import threading
from collections.abc import Iterator, Mapping
from functools import partial

import pytest

from lightboard.hub.container_engine import extraction
from lightboard.hub.container_reference import ContainerReference
from lightboard.hub.environment_builder import UNSTORED_SECS, EnvironmentBuilder
from support.container_images import engine_settings, write_archive, write_root
from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for
from support.sandboxes import working_sandbox

TIMEOUT_SECS = 60.0
IMAGE, ABSENT = "registry/small:1", "absent"
CHOSEN, FORBIDDEN = "registry.example.com/team/small:1", "registry.example.com/other/small:1"
"""The engine has both, so that none is pulled."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """With an image from an archive, and one that no registry has."""
    folder = tmp_path_factory.mktemp("containers")
    working_sandbox(folder / "sandbox")
    env = engine_settings(folder / "engine")
    archive = folder / "small.tar"
    write_archive(archive, write_root(folder / "root"), ["PATH=/usr/bin", "GREETING=from the image"])
    load(archive, env, CHOSEN, FORBIDDEN)
    images = [f"--image={IMAGE}=docker-archive:{archive}", f"--image={ABSENT}=docker://localhost:9/none:1"]
    allowed = [f"--container-images={pattern}" for pattern in ("registry.example.com/team/*", "localhost:9/**")]
    with HubProcess(folder / "hub", *images, *allowed, env=env) as running:
        yield running


def load(archive: pathlib.Path, env: Mapping[str, str], *names: str) -> None:
    """Gives the engine an image with these names."""
    run = partial(subprocess.run, env={**os.environ, **env}, check=True, capture_output=True, text=True)
    id = run(["podman", "pull", "--quiet", f"docker-archive:{archive}"]).stdout.strip()
    for name in names:
        run(["podman", "tag", id, name])


def printed(hub: HubProcess, id: str) -> list[str]:
    """What a job has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"]]


def test_a_job_runs_in_its_container_image(hub: HubProcess) -> None:
    """With the variables of the image below its own, and its outputs where they always are."""
    script = 'cat /etc/image-release /etc/secret; echo "$GREETING, $LR"; cd "$PAI_OUTPUT_MODEL" && touch a && ls -d a'
    wanted = {"command": ["sh", "-c", script], "image": IMAGE, "environment": {"LR": "0.1"}}
    id = hub.json("POST", "/api/v1/jobs", wanted)["id"]
    job = hub.wait_for_job(id, "Succeeded")
    lineage = hub.json("GET", f"/api/v1/jobs/{id}/lineage")
    attempt = lineage["attempts"][-1]

    assert printed(hub, id) == ["test image", "only root could read this", "from the image, 0.1", "a"]
    assert (job["isolation"], attempt["program"]) == ("kernel", "/usr/bin/sh")
    assert lineage["packages"][attempt["packages"]] == [{"name": "greeting", "version": "1.2"}]


def test_an_image_is_listed_with_its_packages(hub: HubProcess) -> None:
    """As one that the hub has built from a list."""
    image = wait_for(
        lambda: hub.json("GET", f"/api/v1/images/{IMAGE}"), lambda found: found["state"] == "ready", "the image"
    )

    assert (image["installed"], image["notebooks"]) == ([{"name": "greeting", "version": "1.2"}], False)
    assert image["source"].startswith("docker-archive:/")


def test_a_job_has_a_container_image_that_its_owner_has_chosen(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """Nobody has named it before; administrators see it in the list."""
    cli = HubCli(hub, tmp_path)
    before = hub.request("GET", f"/api/v1/images/{CHOSEN}").status_code
    id = cli("job", "submit", "--image", CHOSEN, "--", "cat", "/etc/image-release").strip()
    job = hub.wait_for_job(id, "Succeeded")
    image = hub.json("GET", f"/api/v1/images/{CHOSEN}")

    assert (before, printed(hub, id), job["image"]) == (404, ["test image"], CHOSEN)
    assert (image["state"], image["digest"], image["source"]) == ("ready", job["image_digest"], f"docker://{CHOSEN}")
    assert CHOSEN in hub.json("GET", "/api/v1/images")["items"]


def test_other_container_images_are_refused(hub: HubProcess) -> None:
    """Also those that the engine has already; the hint tells which are allowed."""
    for name in (FORBIDDEN, "registry.example.com/team/sub/small:1", "small:1", "docker://registry.example.com/x"):
        answer = hub.request("POST", "/api/v1/jobs", {"command": ["true"], "image": name})
        error = answer.json()["error"]

        assert (answer.status_code, error["message"]) == (422, f"this hub has no image {name}")
        assert "container images that one may name: registry.example.com/team/*, localhost:9/**;" in error["hint"]


def test_a_chosen_image_that_cannot_be_had_is_tried_again(hub: HubProcess) -> None:
    """By the next job that asks for it; the first has failed with the words of the engine."""
    wanted = {"command": ["true"], "image": "localhost:9/missing:1"}
    jobs = [hub.wait_for_job(hub.json("POST", "/api/v1/jobs", wanted)["id"], "Failed") for _ in range(2)]

    assert [job["reason"] for job in jobs] == ["ImageNotBuilt"] * 2
    assert all("connection refused" in job["message"] for job in jobs)


def test_an_image_that_cannot_be_had_says_why(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """In the words of the engine, whose output is the log."""
    image = wait_for(
        lambda: hub.json("GET", f"/api/v1/images/{ABSENT}"), lambda found: found["state"] == "failed", "the failure"
    )
    log = HubCli(hub, tmp_path)("image", "log", ABSENT)

    assert image["message"].startswith("Error: ")
    assert "connection refused" in image["message"]
    assert image["message"].removesuffix(" (exit code 125)") in log


def test_a_container_image_needs_a_sandbox(tmp_path: pathlib.Path) -> None:
    """Programs of the machine are not run in its place."""
    archive = tmp_path / "small.tar"
    archive.write_bytes(b"never read")
    words = (f"--image={IMAGE}=docker-archive:{archive}", "--job-isolation=none")
    with HubProcess(tmp_path / "hub", *words) as hub:
        answer = hub.request("POST", "/api/v1/jobs", {"command": ["true"], "image": IMAGE})

    assert answer.status_code == 422
    assert "containers need the sandbox of jobs" in answer.json()["error"]["message"]


def test_an_image_larger_than_what_is_left_is_not_unpacked(tmp_path: pathlib.Path) -> None:
    """Jobs fail with that reason, nothing of it is kept, and an image of the administrator has no limit."""
    working_sandbox(tmp_path / "sandbox")
    env = engine_settings(tmp_path / "engine")
    archive = tmp_path / "small.tar"
    write_archive(archive, write_root(tmp_path / "root"), ["PATH=/usr/bin"])
    load(archive, env, CHOSEN)
    allowed = ("--container-images=registry.example.com/**", "--container-images-size=1M")
    with HubProcess(tmp_path / "hub", f"--image={IMAGE}=docker-archive:{archive}", *allowed, env=env) as hub:
        wanted = [{"command": ["ls"], "image": image} for image in (CHOSEN, IMAGE)]
        jobs = [hub.json("POST", "/api/v1/jobs", each)["id"] for each in wanted]
        failed, done = hub.wait_for_job(jobs[0], "Failed"), hub.wait_for_job(jobs[1], "Succeeded")
        folders = (hub.home / "hub" / "environments").iterdir()
        kept = sorted(sorted(path.name for path in folder.iterdir() if path.name != "log") for folder in folders)

    assert (failed["reason"], done["status"]) == ("ImageNotBuilt", "Succeeded")
    assert re.search(
        r"could not be built: its [\d.]+ MB are more than the 1\.0 MB that are left; the container images that "
        r"accounts have named may take 1M of disk together; those of jobs that have ended are removed when room is "
        r"needed, and an administrator can allow more: lightboard hub --container-images-size SIZE",
        failed["message"],
    )
    assert kept == [["built.json", "environment", "reference", "requirements", "tmp"], ["reference", "requirements"]]


def test_unused_images_make_room_for_others(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was named first, and no more than have to; those of jobs stay."""
    env = engine_settings(tmp_path / "engine")
    archive = tmp_path / "small.tar"
    write_archive(archive, write_root(tmp_path / "root"), ["PATH=/usr/bin"])
    names = [f"registry.example.com/team/small:{number}" for number in range(5)]
    load(archive, env, *names)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    now, changed = 0.0, threading.Semaphore(0)
    engine_bytes = size_in_engine(names[0], env)
    builder = EnvironmentBuilder(
        tmp_path, {}, on_change=changed.release, clock=lambda: now, limit_bytes=3 * engine_bytes
    )
    builder.remove_when_full(lambda: ["image-0"])
    builder.start()
    for number, name in enumerate(names[:3]):
        builder.request(f"image-{number}", ContainerReference(f"docker://{name}"))
        changed.acquire(timeout=TIMEOUT_SECS)
        now += UNSTORED_SECS + 1
    left = []
    for number in (3, 4):  # the second finds a job that uses one, and two that may be those of new jobs
        builder.request(f"image-{number}", ContainerReference(f"docker://{names[number]}"))
        changed.acquire(timeout=TIMEOUT_SECS)
        left.append([f"image-{each}" for each in range(5) if builder.folder(f"image-{each}").read() is not None])
        builder.request("image-2", ContainerReference(f"docker://{names[2]}"))
    builder.close()

    assert left == [["image-0", "image-2", "image-3"]] * 2
    assert "more than" in builder.failure("image-4")


def size_in_engine(name: str, env: Mapping[str, str]) -> int:
    """How much disk the engine says that an image takes."""
    command = ["podman", "image", "inspect", "--format", "{{.Size}}", name]
    return int(subprocess.run(command, env={**os.environ, **env}, check=True, capture_output=True, text=True).stdout)


def test_no_name_in_an_image_leads_out_of_its_folder(tmp_path: pathlib.Path) -> None:
    """Neither `..`, nor links; nothing of it changes the user of a program."""
    working_sandbox(tmp_path / "sandbox")
    outside, folder, archive = tmp_path / "outside", tmp_path / "root", tmp_path / "image.tar"
    outside.mkdir()
    folder.mkdir()
    with tarfile.open(archive, "w") as tar:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, str(outside)
        tar.addfile(link)
        for name in ("link/through", f"../{outside.name}/up", "plain"):
            info = tarfile.TarInfo(name)
            info.size, info.mode = 4, 0o6755
            tar.addfile(info, io.BytesIO(b"data"))

    subprocess.run(extraction(str(archive), str(folder)), capture_output=True)

    assert list(outside.iterdir()) == []
    assert oct((folder / "plain").stat().st_mode & 0o7777) == "0o755"
