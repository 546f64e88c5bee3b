"""Images that a real hub builds from lists, and jobs that wait for them."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for
from support.python_packages import SlowPackage, any_alive, write_list, write_wheel
from support.sandboxes import working_sandbox

QUICK, BROKEN, SLOW = "registry/quick:1", "broken", "slow"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """With one image that can be built and one that cannot."""
    folder = tmp_path_factory.mktemp("images")
    packages = folder / "packages"
    write_wheel(packages, "greeting", "1.2", "WORD = 'hello'")
    quick = write_list(folder / "quick.txt", packages, "greeting")
    broken = write_list(folder / "broken.txt", packages, "nosuch")
    with HubProcess(folder / "hub", f"--image={QUICK}={quick}", f"--image={BROKEN}={broken}") as running:
        yield running


def image_of(hub: HubProcess, name: str) -> dict[str, Any]:
    """An image with its packages."""
    found: dict[str, Any] = hub.json("GET", f"/api/v1/images/{name}")
    return found


def wait_for_state(hub: HubProcess, name: str, state: str) -> dict[str, Any]:
    """The image as soon as it has this state."""
    return wait_for(lambda: image_of(hub, name), lambda image: image["state"] == state, f"{name} to be {state}")


def run(hub: HubProcess, image: str, program: str) -> str:
    """The id of a new job that runs a Python program."""
    id: str = hub.json("POST", "/api/v1/jobs", {"command": ["python", "-c", program], "image": image})["id"]
    return id


def printed(hub: HubProcess, id: str) -> list[str]:
    """What a job has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs")["lines"]]


def test_a_job_has_the_packages_of_its_image(hub: HubProcess) -> None:
    """And the digest of the image."""
    id = run(hub, QUICK, "import greeting; print(greeting.WORD)")
    job = hub.wait_for_job(id, "Succeeded")
    image = image_of(hub, QUICK)

    assert printed(hub, id) == ["hello"]
    assert (image["state"], image["installed"]) == ("ready", [{"name": "greeting", "version": "1.2"}])
    assert (job["image_digest"], image["packages"], image["notebooks"]) == (image["digest"], 1, False)


def test_a_job_tells_that_its_image_is_another_one_by_now(tmp_path: pathlib.Path) -> None:
    """The hub was started again with another list; what the job was started with stays recorded.

    The command line says so when the job is run again, and where to find what it had.
    """
    packages, names = tmp_path / "packages", ("one", "two")
    for name in names:
        write_wheel(packages, name, "1", "")
    (tmp_path / "lists").mkdir()
    path = write_list(tmp_path / "lists" / "image.txt", packages, "one")
    with HubProcess(tmp_path / "hub", f"--image={QUICK}={path}") as hub:
        job = run(hub, QUICK, "import one")
        ended = hub.wait_for_job(job, "Succeeded")
        before = hub.json("GET", f"/api/v1/jobs/{job}/lineage")["attempts"]
        write_list(path, packages, "two")
        hub.end()
        hub.restart()
        after = hub.json("GET", f"/api/v1/jobs/{job}/lineage")["attempts"]
        again = HubCli(hub, tmp_path).command("job", "run-again", ended["name"]).stderr.splitlines()

    assert [[(each["image_digest"], each["image_changed"]) for each in told] for told in (before, after)] == [
        [(ended["image_digest"], False)],
        [(ended["image_digest"], True)],
    ]
    name = ended["name"]
    assert again[:2] == [
        f"the image {QUICK} has changed since {name} started: the new job may find other packages",
        f"hint: `lightboard job lineage --packages {name}` lists those that {name} had, "
        "for an image that has them again",
    ]


def test_a_job_runs_again_with_the_environment_that_it_had(tmp_path: pathlib.Path) -> None:
    """Which is kept while another job uses it. Otherwise it gets what the image has by now."""
    packages = tmp_path / "packages"
    for version in ("1", "2"):
        write_wheel(packages, "one", version, f"VERSION = {version}")
    (tmp_path / "lists").mkdir()
    path = write_list(tmp_path / "lists" / "image.txt", packages, "one==1")
    with HubProcess(tmp_path / "hub", f"--image={QUICK}={path}") as hub:
        job = run(hub, QUICK, "import one; print(one.VERSION)")
        ended = hub.wait_for_job(job, "Succeeded")
        hub.wait_for_job(run(hub, QUICK, "import time; time.sleep(600)"), "Running")
        write_list(path, packages, "one==2")
        hub.end()
        hub.restart()
        wait_for_state(hub, QUICK, "ready")
        attempt = hub.json("GET", f"/api/v1/jobs/{job}/lineage")["attempts"][0]
        bodies: list[dict[str, str]] = [{"image_digest": attempt["image_digest"]}, {}]
        again = [hub.json("POST", f"/api/v1/jobs/{job}/run-again", body)["id"] for body in bodies]
        digests = [hub.wait_for_job(each, "Succeeded")["image_digest"] for each in again]
        lines = [printed(hub, each) for each in again]

    assert (attempt["image_changed"], attempt["image_kept"], attempt["package_changes"]) == (
        True, True, [{"name": "one", "recorded": "1", "now": "2"}],
    )  # fmt: skip
    assert lines == [["1"], ["2"]]
    assert [digest == ended["image_digest"] for digest in digests] == [True, False]


def test_a_job_cannot_change_its_environment(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """In a sandbox it is read-only, whatever its permissions are."""
    working_sandbox(tmp_path / "sandbox")
    id = run(hub, QUICK, "import os; open(os.environ['VIRTUAL_ENV'] + '/new', 'w')")
    hub.wait_for_job(id, "Failed")

    assert printed(hub, id)[-1].startswith("OSError: [Errno 30] Read-only file system")


def test_a_notebook_needs_jupyterlab_in_its_image(hub: HubProcess) -> None:
    """Which is known as soon as the image is built."""
    wait_for_state(hub, QUICK, "ready")
    answer = hub.request("POST", "/api/v1/notebooks", {"image": QUICK})

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422, f"JupyterLab is not installed in the image {QUICK}",
    )  # fmt: skip


def test_an_image_that_cannot_be_built_says_why(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """To whoever asks for it, and with the log of pip to administrators."""
    wait_for_state(hub, BROKEN, "failed")
    error = hub.request("POST", "/api/v1/jobs", {"command": ["true"], "image": BROKEN}).json()["error"]
    log = HubCli(hub, tmp_path)("image", "log", BROKEN).splitlines()
    member = hub.create_account("member", "editor")
    paths = [("GET", ""), ("GET", "/log"), ("PUT", "/rebuild")]
    answers = [hub.request(method, f"/api/v1/images/{BROKEN}{path}", None, member) for method, path in paths]

    assert (error["message"], error["hint"]) == (
        f"the image {BROKEN} could not be built: No matching distribution found for nosuch (exit code 1)",
        f"an administrator can read how: lightboard image log {BROKEN}",
    )
    assert "ERROR: No matching distribution found for nosuch" in log
    assert [answer.status_code for answer in answers] == [200, 403, 403]
    assert answers[0].json()["source"] == ""


def test_images_are_shown_and_built_again_on_the_command_line(hub: HubProcess, tmp_path: pathlib.Path) -> None:
    """With their packages as pip writes them. One that has not failed is not built again."""
    cli = HubCli(hub, tmp_path)
    wait_for_state(hub, BROKEN, "failed")
    shown = cli("image", "get", QUICK).splitlines()
    again = cli.command("image", "rebuild", BROKEN)
    refused = cli.command("image", "rebuild", QUICK, code=1)
    wait_for_state(hub, BROKEN, "failed")

    assert (shown[0].split(), shown[-1]) == (["name", QUICK], "  greeting==1.2")
    assert again.stderr == f"{BROKEN} is building\n"
    assert refused.stderr.splitlines()[0] == f"lightboard: the image {QUICK} is ready"


def test_jobs_wait_for_an_image_also_if_the_hub_is_killed(tmp_path: pathlib.Path) -> None:
    """No process of the build is left, what is half-built is not used, and the next hub builds it."""
    slow = SlowPackage(tmp_path / "packages", "late", "3", "WORD = 'at last'")
    late = write_list(tmp_path / "late.txt", tmp_path / "packages", "late")
    with HubProcess(tmp_path / "hub", f"--image={SLOW}={late}") as hub:
        job = run(hub, SLOW, "import late; print(late.WORD)")
        notebook = hub.json("POST", "/api/v1/notebooks", {"image": SLOW, "name": "early"})["id"]
        pids = wait_for(slow.pids, bool, "the build to begin")
        message = wait_for(lambda: hub.json("GET", f"/api/v1/jobs/{job}")["message"], bool, "a message")
        hub.kill()
        wait_for(lambda: any_alive(pids), lambda alive: not alive, "the end of pip")
        hub.restart()
        rows = HubCli(hub, tmp_path)("image", "ls").splitlines()
        slow.allow()
        ended = hub.wait_for_job(job, "Succeeded")
        failed = hub.wait_for_job(notebook, "Failed")
        image = image_of(hub, SLOW)

        assert message == f"waiting for the image {SLOW}, which is being built"
        assert [row.split()[:2] for row in rows] == [["NAME", "STATE"], [SLOW, "building"]]
        assert (printed(hub, job), ended["image_digest"]) == (["at last"], image["digest"])
        assert failed["message"].startswith(f"JupyterLab is not installed in the image {SLOW}")
