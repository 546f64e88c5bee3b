"""`lightboard notebook ...`."""

import json
import pathlib
from collections.abc import Callable, Iterator

import pytest

from lightboard.cli.main import main
from lightboard.client.notebooks import Notebook
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import PROJECT, HubCli, delete_boards
from support.hub_process import HubProcess
from support.notebook_image import write_notebook_image

REFUSED = "admin has 0 TensorBoards in use, and 0 is the limit"
IMAGE = "telling"
"""Its JupyterLab starts at once."""
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests."""
    folder = tmp_path_factory.mktemp("hub")
    image = write_notebook_image(folder / "image")
    with HubProcess(folder, "--job-slots", "2", "--image", f"{IMAGE}={image}") as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's, without notebooks before and after."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        yield opened
        delete_boards(opened)
        for job in [*Notebook.list(opened), *TrainingJob.list(opened)]:
            job.delete()


@pytest.fixture
def typed(
    hub: HubProcess,
    session: Session,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Typed:
    """Runs `lightboard` in this process; its exit code, stdout and stderr."""
    for name, value in HubCli(hub, tmp_path).env.items():
        if name.startswith("LIGHTBOARD_"):
            monkeypatch.setenv(name, value)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(words))
        return code, *capsys.readouterr()

    return run


def create(session: Session, name: str) -> Notebook:
    """A notebook that runs."""
    return Notebook.create(name=name, image=IMAGE, session=session)


def test_create_waits_and_prints_the_link(typed: Typed, session: Session, hub: HubProcess) -> None:
    """Alone on stdout; the link leads to JupyterLab."""
    code, out, err = typed("notebook", "create", "--name", "lab", "--image", IMAGE)

    (notebook,) = Notebook.list(session)
    assert (code, out) == (0, f"{notebook.url}\n")
    assert err.splitlines()[-1] == f"lab ({notebook.id}) is Running"
    assert hub.request("GET", notebook.url.removeprefix(hub.url)).json()["path"] == f"/notebooks/{notebook.id}/"


def test_create_sends_all_settings(typed: Typed) -> None:
    """Those of the form."""
    flags = (
        f"--name all --display-name All --env A=1 --input train=storage:a --image {IMAGE} --memory 1G --idle 2h "
        "--max-run-time 8h --label a=b --tag t --log-dir storage:runs/all --detach --json -p default"
    )
    told = json.loads(typed("notebook", "create", *flags.split())[1])

    wanted = {
        "kind": "notebook",
        "name": "all",
        "display_name": "All",
        "environment": {"A": "1"},
        "image": IMAGE,
        "inputs": {"train": "storage:a"},
        "memory_bytes": 1 << 30,
        "idle_secs": 7_200,
        "max_run_secs": 28_800,
        "labels": {"a": "b"},
        "tags": ["t"],
        "log_dir": "storage:runs/all",
        "tensorboard_uri": "storage:runs/all",
        "project_name": "default",
    }
    assert {name: told[name] for name in wanted} == wanted


def test_create_prints_the_link_of_its_tensorboard(typed: Typed, session: Session) -> None:
    """Below its own; it shows the folder that was asked for, and belongs to the notebook."""
    code, out, _ = typed("notebook", "create", "--image", IMAGE, "--tensorboard", "--log-dir", "storage:runs/fit")

    (notebook,) = Notebook.list(session)
    (board,) = TensorBoard.list(session)
    info = board.info()
    assert (code, out) == (0, f"{notebook.url}\n{board.app_uri}\n")
    assert (info["origin"], info["origin_id"], board.summary_uri) == ("notebook", notebook.id, "storage:runs/fit")


def test_without_its_tensorboard_no_notebook_is_created(typed: Typed, session: Session, no_boards: None) -> None:
    """If the account has as many as it may."""
    code, out, err = typed("notebook", "create", "--image", IMAGE, "--tensorboard")

    assert (code, out, REFUSED in err, Notebook.list(session)) == (1, "", True, [])


def test_create_does_not_wait_if_detached(typed: Typed, session: Session) -> None:
    """The link is known before there is a slot."""
    filler = TrainingJob.create(["sleep", "600"], replicas=2, session=session)

    code, out, err = typed("notebook", "create", "--name", "later", "--image", IMAGE, "--detach")

    (notebook,) = Notebook.list(session)
    filler.stop()
    assert (code, out, err) == (0, f"{notebook.url}\n", f"later ({notebook.id}) is Queued\n")


def test_notebooks_are_listed_without_jobs(typed: Typed, session: Session) -> None:
    """And the other way round."""
    assert typed("notebook", "ls") == (0, "", "no notebooks; create one with lightboard notebook create\n")
    create(session, "lab")
    TrainingJob.create("true", name="train", session=session, wait=True)

    names = [[line.split()[0] for line in typed(kind, "ls")[1].splitlines()] for kind in ("notebook", "job")]

    assert names == [["NAME", "lab"], ["NAME", "train"]]


def test_details_are_shown(typed: Typed, session: Session) -> None:
    """With the folder of its files."""
    create(session, "details")

    told = dict(line.split("  ", 1) for line in typed("notebook", "get", "details")[1].splitlines())

    shown = ("name", "status", "idle time", "run time", "files", "TensorBoard logs")
    assert [told[name].strip() for name in shown] == [
        *("details", "Running", "30m", "no limit", "storage:notebooks/details", "storage:notebooks/details/logs")
    ]


def test_jobs_are_no_notebooks(typed: Typed, session: Session) -> None:
    """They have no link."""
    TrainingJob.create("true", name="train", session=session, wait=True)

    code, out, err = typed("notebook", "start", "train")

    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "lightboard: train is a job, and no notebook",
        "hint: lightboard notebook ls lists the notebooks",
    ]


def test_notebooks_are_stopped_opened_and_deleted(
    typed: Typed, session: Session, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening one starts it, and opens its link in the browser of this machine."""
    notebook = create(session, "lab")
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >>"{tmp_path}/opened"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")

    stopped = typed("notebook", "stop", "lab")
    notebook.stop(wait=True)
    opened = typed("notebook", "open", "lab")[:2]
    running = notebook.status
    deleted = typed("notebook", "delete", "lab", "-y")

    assert stopped[0] == 0
    assert (opened, running) == ((0, f"{notebook.url}\n"), "Running")
    assert (tmp_path / "opened").read_text() == f"{notebook.url}\n"
    assert deleted == (0, "", f"{notebook.id} deleted; its files are kept\n")


def test_started_notebooks_have_the_same_link(typed: Typed, session: Session) -> None:
    """And a log of their own."""
    notebook = create(session, "lab")
    notebook.stop(wait=True)

    code, out, err = typed("notebook", "start", "lab")

    assert (code, out, err.splitlines()[-1]) == (0, f"{notebook.url}\n", f"lab ({notebook.id}) is Running")
    assert notebook.info()["attempt"] == 2


def test_logs_are_printed(typed: Typed, session: Session, hub: HubProcess) -> None:
    """What JupyterLab says."""
    notebook = create(session, "lab")
    hub.request("GET", notebook.url.removeprefix(hub.url))

    assert typed("notebook", "logs", "lab")[1].startswith("arguments -E -m jupyterlab")


def test_deleting_names_what_is_kept(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """Of jobs and of notebooks."""
    create(session, "lab")
    TrainingJob.create("true", name="train", session=session, wait=True)

    done = HubCli(hub, tmp_path).command("notebook", "delete", "lab", "train", code=1)

    assert done.stderr.startswith("Delete lab, train? The files and outputs are kept. [y/N]:")
