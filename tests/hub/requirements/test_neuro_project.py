"""Requirements of the Neu.ro document about projects: C4, C5 and C9 to C11, with its answers and `make`.

Its training program needs TensorFlow and runs in tests/frameworks.
"""

import pathlib
import re
import shutil
import sys
from collections.abc import Iterator

import pytest

from lightboard.cli.project_files import ProjectFolder
from lightboard.client.notebooks import Notebook
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import UsageError
from support.hub_cli import LOGS, HubCli, delete_all, fetch_json
from support.hub_process import HubProcess, wait_for
from support.neuro_project import ANSWERS, DOCUMENT, Project, init
from support.notebook_image import write_notebook_image
from support.python_packages import write_list, write_wheel
from support.sandboxes import working_sandbox

QUESTIONS = "project_name [Neuro Project]: project_slug [imagesummary]: code_directory [modules]: "
"""As printed in the document, but for what is typed."""
LOG_A_LOSS = """
import time
from tensorboardX import SummaryWriter
import measured
writer = SummaryWriter("results/image/first")
writer.add_scalar("loss", measured.LOSS, 3)
writer.close()
"""
NO_ENVIRONMENT = "`make setup train IMAGE=NAME` uses an environment of the hub that has these packages"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub with the environment of the tests as an image, because that has tensorboardX, and one for notebooks."""
    notebooks = write_notebook_image(tmp_path_factory.mktemp("notebooks") / "image")
    words = ("--job-slots", "4", "--image", f"tests={sys.prefix}", "--image", f"notebooks={notebooks}")
    with HubProcess(
        tmp_path_factory.mktemp("hub"), *words, "--preset", "first=cpu:1", "--preset", "other=cpu:1"
    ) as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's in all projects, with nothing in use before and after, and nothing in storage."""
    with Session(hub.url, hub.token) as opened:
        yield opened
        delete_all(opened)
        for notebook in Notebook.list(opened):
            notebook.delete()
    shutil.rmtree(storage_of(hub), ignore_errors=True)


@pytest.fixture
def project(cli: HubCli) -> Project:
    """Made with the answers of the document, without requirements."""
    made = Project(cli, image="tests")
    (made.folder / "requirements.txt").write_text("")
    return made


def storage_of(hub: HubProcess) -> pathlib.Path:
    """What `storage:image` is on the disk of the hub."""
    return hub.home / "hub" / "storage" / "image" / "image"


def test_c4_project_init_asks_as_in_the_document(cli: HubCli) -> None:
    """In that order, with the defaults in brackets; then the folder is there."""
    project = Project(cli, image="tests")
    files = sorted(str(path.relative_to(project.folder)) for path in project.folder.rglob("*") if path.is_file())

    assert project.asked.stdout == QUESTIONS
    assert project.asked.stderr.splitlines() == [
        f"created {project.folder}",
        "next: cd image, make setup, make train, make tensorboard",
    ]
    assert files == [
        *(".gitignore", ".project.mk", "Makefile", "README.md", "job.sh", "modules/train.py", "requirements.txt")
    ]
    assert list((project.folder / "results").iterdir()) == []
    assert re.search(r"^PROJECT_ID = neuro-project-[0-9a-f]{8}$", (project.folder / ".project.mk").read_text(), re.M)


def test_c4_empty_answers_are_the_defaults(cli: HubCli) -> None:
    """The slug is made of the name."""
    init(cli, "\n\n\n")

    assert (cli.folder / "neuro-project" / "modules" / "train.py").is_file()


def test_an_existing_folder_is_kept(cli: HubCli) -> None:
    """As it is."""
    (cli.folder / "image").mkdir()

    said = init(cli, ANSWERS, code=2).stderr

    assert f"lightboard: {cli.folder}/image exists\n" in said
    assert list((cli.folder / "image").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "slug", "code", "message"),
    [
        ("a $(b)", "image", "modules", "'a $(b)' cannot be the name of a project"),
        ("a", "../image", "modules", "'../image' cannot be a project_slug"),
        ("a", "Image", "modules", "'Image' cannot be a project_slug"),
        ("a", "image", "../modules", "'../modules' cannot be a code_directory"),
        ("a", "image", "my modules", "'my modules' cannot be a code_directory"),
        ("a", "image", "Makefile", "'Makefile' cannot be a code_directory"),
        ("a", "image", "results", "'results' cannot be a code_directory"),
    ],
)
def test_names_that_make_could_not_use_are_refused(name: str, slug: str, code: str, message: str) -> None:
    """Before anything is written."""
    with pytest.raises(UsageError) as caught:
        ProjectFolder(name=name, slug=slug, code_directory=code)

    assert caught.value.message == message


def test_c9_to_c11_make_tensorboard_prints_the_command_of_the_document(project: Project) -> None:
    """With our name of the program; the id is one that was made for the project."""
    printed = project.make("-n", "tensorboard", "LIGHTBOARD=lightboard")

    expected = DOCUMENT.replace("neuro run", "lightboard run").replace("neuro-project-d2c1fffe", "ID").splitlines()
    assert [re.sub(r"neuro-project-[0-9a-f]{8}", "ID", " ".join(line.split())) for line in printed] == [
        " ".join(line.split()) for line in expected
    ]


def test_c5_setup_train_and_tensorboard_in_one_command(project: Project, hub: HubProcess, session: Session) -> None:
    """Setup installs what the program imports, training finds it, and the viewer shows what it wrote to `results`."""
    write_wheel(project.folder / "wheels", "measured", "1.0", "LOSS = 0.25\n")
    write_list(project.folder / "requirements.txt", pathlib.Path("wheels"), "measured")
    (project.folder / "modules" / "train.py").write_text(LOG_A_LOSS)

    with project.start("setup", "train", "tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    (board,) = TensorBoard.list(session)
    train, _ = TrainingJob.list(session)
    tags = fetch_json(hub, board, "data/plugin/scalars/tags")
    (run,) = tags
    points = fetch_json(hub, board, f"data/plugin/scalars/scalars?run={run}&tag=loss")
    metrics = wait_for(train.metrics, bool, "the metrics of the job")

    assert [job.name for job in TrainingJob.list(session)] == ["train-image", "setup-image"]
    assert re.fullmatch(r"train-image_\w{6}/attempt-1/rank-0/image/first", run)
    assert [point[1:] for point in points] == [[3, 0.25]]
    assert [metric["name"] for metric in metrics] == ["image/first/loss"]


def test_c5_a_second_setup_installs_nothing(project: Project) -> None:
    """As long as the requirements are the same."""
    write_wheel(project.folder / "wheels", "installed_once", "1.0")
    write_list(project.folder / "requirements.txt", pathlib.Path("wheels"), "installed_once")
    first, again = project.make("setup"), project.make("setup")

    assert "installing requirements.txt" in first
    assert "installing requirements.txt" not in again
    assert "requirements.txt is installed" in again


def test_c5_what_cannot_be_installed_is_said_in_one_line(project: Project) -> None:
    """By `make setup`, as on a hub without internet, and by `make train` where that was left out."""
    write_list(project.folder / "requirements.txt", pathlib.Path("."), "tensorflow-cpu")
    set_up, trained = project.make("setup", code=2), project.make("train", code=2)

    assert [line for line in set_up if "No matching distribution" in line] == [
        "requirements.txt cannot be installed here (No matching distribution found for tensorflow-cpu); "
        + NO_ENVIRONMENT
    ]
    assert [line for line in trained if line.startswith("requirements.txt")] == [
        f"requirements.txt is not installed, which `make setup` does; {NO_ENVIRONMENT}"
    ]


def test_c5_without_a_folder_for_packages_the_environment_must_have_them(project: Project) -> None:
    """As on a Ray cluster, where jobs have no volumes."""
    lacking = [*project.make("setup", "ENVIRONMENT="), *project.make("train", "ENVIRONMENT=", "TRAIN=echo trained")]
    write_list(project.folder / "requirements.txt", pathlib.Path("."), "tensorflow-cpu")
    refused = project.make("setup", "ENVIRONMENT=", code=2)

    assert ("requirements.txt is installed" in lacking, "trained" in lacking) == (True, True)
    assert f"requirements.txt is not installed here; {NO_ENVIRONMENT}" in refused


def test_c5_an_interrupted_training_continues(project: Project, session: Session) -> None:
    """With the preset that was asked for. `make kill-train` ends it."""
    project.make("setup")
    with project.start("train", "TRAIN=sleep 600", "PRESET=other") as process:
        lines = project.interrupt(process, "Status: running")
    job, _ = TrainingJob.list(session)
    found = (job.name, job.status, job.info()["preset"])
    project.make("kill-train")
    wait_for(lambda: job.status, lambda status: status == "Stopped", "its end")

    assert found == ("train-image", "Running", "other")
    assert "detached; train-image continues" in lines


def test_c2_a_killed_training_leaves_its_results(project: Project, hub: HubProcess, session: Session) -> None:
    """As it had written them."""
    (project.folder / "modules" / "train.py").write_text(
        LOG_A_LOSS.replace("measured.LOSS", "0.5").replace("import measured", "") + "print('logged')\ntime.sleep(600)\n"
    )
    project.make("setup")
    with project.start("train") as process:
        project.interrupt(process, "logged")
    project.make("kill-train")
    job, _ = TrainingJob.list(session)
    wait_for(lambda: job.status, lambda status: status == "Stopped", "its end")
    board = TensorBoard.create(job.info()["tensorboard_uri"], session=session, project="image").wait()

    (run,) = fetch_json(hub, board, "data/plugin/scalars/tags")
    assert run.endswith("/attempt-1/rank-0/image/first")


def test_a_notebook_has_the_uploaded_code_and_the_results(project: Project, hub: HubProcess, session: Session) -> None:
    """`make jupyter` makes one the first time, and opens it the next."""
    project.make("setup")
    project.make("upload-code")
    project.make("jupyter", "IMAGE=notebooks")
    again = project.make("jupyter", "IMAGE=notebooks")
    (notebook,) = Notebook.list(session)
    info = notebook.info()
    project.make("kill-jupyter")
    wait_for(lambda: notebook.status, lambda status: status == "Stopped", "its end")

    assert again[-1] == info["url"]
    assert [(each["source"], each["target"], each["read_only"]) for each in info["volumes"]] == [
        ("storage:image/modules", "/project/modules", False),
        ("storage:image/results", "/project/results", True),
    ]
    assert [path.name for path in (storage_of(hub) / "modules").iterdir()] == ["train.py"]


def test_results_are_downloaded(project: Project, hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """As they are in the storage of the project, from beside its TensorBoard."""
    working_sandbox(tmp_path / "sandbox")
    shutil.copytree(LOGS / "torch", storage_of(hub) / "results", dirs_exist_ok=True)
    with project.start("setup", "tensorboard") as process:
        project.interrupt(process, "TensorBoard ")

    project.make("download-results")

    assert contents(project.folder / "results") == contents(storage_of(hub) / "results")


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_kill_all_stops_everything_of_the_project(project: Project, session: Session) -> None:
    """Its training, TensorBoard and notebook; and nothing is wrong when nothing runs."""
    project.make("setup")
    project.make("kill-all")
    with project.start("train", "TRAIN=sleep 600") as process:
        project.interrupt(process, "Status: running")
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    project.make("jupyter", "IMAGE=notebooks")
    project.make("kill-all")
    all_of_it = [*TrainingJob.list(session)[:1], *TensorBoard.list(session), *Notebook.list(session)]
    found = [wait_for(lambda one=one: one.status, lambda s: s == "Stopped", "its end") for one in all_of_it]

    assert found == ["Stopped"] * 3
