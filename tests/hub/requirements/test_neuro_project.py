"""Requirements of the Neu.ro document about projects: C4 to C8, with its answers and `make`."""

import gzip
import pathlib
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator

import numpy as np
import pytest

from lightboard.cli.project_files import ProjectFolder
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import UsageError
from support.hub_cli import HubCli, delete_all, fetch_json
from support.hub_process import HubProcess, wait_for
from support.neuro_project import ANSWERS, Project, init

QUESTIONS = "project_name [Neuro Project]: project_slug [imagesummary]: code_directory [modules]: "
"""As printed in the document, but for what is typed."""
EPOCHS = 25


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub with the environment of the tests as an image, because that has tensorboardX."""
    with HubProcess(tmp_path_factory.mktemp("hub"), "--image", f"tests={sys.prefix}") as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's in all projects, with nothing in use before and after."""
    with Session(hub.url, hub.token) as opened:
        yield opened
        delete_all(opened)


@pytest.fixture
def project(cli: HubCli) -> Project:
    """Made with the answers of the document."""
    return Project(cli, image="tests")


def test_c4_project_init_asks_as_in_the_document(project: Project) -> None:
    """In that order, with the defaults in brackets; then the folder is there."""
    files = sorted(str(path.relative_to(project.folder)) for path in project.folder.rglob("*") if path.is_file())

    assert project.asked.stdout == QUESTIONS
    assert project.asked.stderr.splitlines() == [
        f"created {project.folder}",
        "next: cd image, make setup, make train, make tensorboard",
    ]
    assert files == [".gitignore", "Makefile", "README.md", "modules/train.py"]
    assert re.search(r"^PROJECT_ID = neuro-project-[0-9a-f]{8}$", (project.folder / "Makefile").read_text(), re.M)


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
    ],
)
def test_names_that_make_could_not_use_are_refused(name: str, slug: str, code: str, message: str) -> None:
    """Before anything is written."""
    with pytest.raises(UsageError) as caught:
        ProjectFolder(name=name, slug=slug, code_directory=code)

    assert caught.value.message == message


def test_c5_to_c8_setup_train_and_tensorboard_show_the_matrix_of_each_epoch(
    project: Project, hub: HubProcess, session: Session
) -> None:
    """Accuracy and loss of training and validation, and the confusion matrix, from the sample that `init` writes."""
    project.make("setup")
    again = project.make("setup")
    trained = project.make("train")
    with project.start("tensorboard") as process:
        project.interrupt(process, "TensorBoard ")
    (board,) = TensorBoard.list(session)
    scalars = fetch_json(hub, board, "data/plugin/scalars/tags")
    images = {run: tags for run, tags in fetch_json(hub, board, "data/plugin/images/tags").items() if tags}
    (run,) = images
    (tag,) = images[run]
    query = urllib.parse.urlencode({"run": run, "tag": tag, "sample": 0})
    steps = fetch_json(hub, board, f"data/plugin/images/images?{query}")

    assert any("image" in line for line in again)
    assert [line for line in trained if line.startswith(f"epoch {EPOCHS} of {EPOCHS}: ")] != []
    assert board.info()["name"] == "tensorboard-image"
    assert {name.rpartition("/")[2]: sorted(tags) for name, tags in scalars.items() if tags} == {
        "train": ["epoch_accuracy", "epoch_loss"],
        "validation": ["epoch_accuracy", "epoch_loss"],
    }
    assert re.fullmatch(r"train-image_\w{6}/tensorboard/attempt-1/rank-0/\d{8}-\d{6}/cm", run)
    assert (images[run][tag]["displayName"], steps[-1]["step"]) == ("Confusion Matrix", EPOCHS - 1)


def test_c5_an_interrupted_training_continues(project: Project, session: Session) -> None:
    """`make kill-train` ends it."""
    project.make("setup")
    with project.start("train", "TRAIN=sleep 600") as process:
        lines = project.interrupt(process, "Status: running")
    (job,) = TrainingJob.list(session)
    status = job.status
    project.make("kill-train")
    wait_for(lambda: job.status, lambda status: status == "Stopped", "its end")

    assert (job.name, status) == ("train-image", "Running")
    assert "detached; train-image continues" in lines


def test_the_sample_reads_fashion_mnist(project: Project, tmp_path: pathlib.Path) -> None:
    """In the files in which it is published, which are not in these tests: two images take their place."""
    data = tmp_path / "data"
    data.mkdir()
    for part in ("train", "t10k"):
        images = bytes(16) + np.full((20, 784), 255, np.uint8).tobytes()
        (data / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
        (data / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(bytes(8) + bytes([3] * 20)))

    done = subprocess.run(
        [sys.executable, "train.py"], cwd=project.folder / "modules", capture_output=True, text=True,
        env={**project.env, "PAI_INPUT_DATA": str(data), "LIGHTBOARD_LOG_DIR": str(tmp_path / "logs")},
    )  # fmt: skip

    assert done.stdout.splitlines()[-1:] == ["epoch 25 of 25: validation accuracy 1.000"], done.stderr


WITHOUT_WRITER = "import runpy, sys; sys.modules['tensorboardX'] = None; runpy.run_path('train.py')"


def test_c5_the_sample_says_what_its_python_lacks(project: Project) -> None:
    """In one line, with what to do. A hub's Python need not have what writes logs."""
    trained = subprocess.run(
        [sys.executable, "-c", WITHOUT_WRITER], cwd=project.folder / "modules", capture_output=True, text=True
    )

    assert (trained.returncode, trained.stderr) == (
        1,
        "train.py needs NumPy, tensorboardX and Pillow, but the Python of this job has no tensorboardX. "
        "`make train IMAGE=NAME` uses another environment of the hub.\n",
    )
