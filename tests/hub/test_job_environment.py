"""The variables of jobs: PAI's to the letter, and those of others for the same folder."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from lightboard.hub import job_environment
from lightboard.hub.job_environment import JobFolders
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.hub.resources.volumes import Volume

OUTPUT = PurePosixPath("/storage/jobs/mnist_abc123")
LOGS = OUTPUT / "tensorboard"
FOLDERS = JobFolders(OUTPUT, LOGS, {"train-data": "/data/mnist/train"}, "/hub/code", "/hub/config")
JOB = Job(
    id="job-1",
    name="mnist",
    display_name="MNIST",
    project="prj-1",
    owner="acc-1",
    command=("python", "train.py"),
    hyperparameters={"lr": 0.1, "batch-size": 32, "shuffle": True, "optimizer": "adam w"},
    attempt=2,
    replicas=2,
)


def test_variables_of_all_replicas() -> None:
    """Their names and values."""
    assert job_environment.job_variables(JOB, FOLDERS, "vision") == {
        "LIGHTBOARD_JOB_ID": "job-1",
        "LIGHTBOARD_JOB_NAME": "mnist",
        "LIGHTBOARD_JOB_ATTEMPT": "2",
        "LIGHTBOARD_PROJECT": "vision",
        "PAI_TRAINING_JOB_ID": "job-1",
        "PAI_WORKING_DIR": "/hub/code",
        "PAI_CONFIG_DIR": "/hub/config",
        "PAI_HPS": '{"lr": 0.1, "batch-size": 32, "shuffle": true, "optimizer": "adam w"}',
        "PAI_HPS_LR": "0.1",
        "PAI_HPS_BATCH_SIZE": "32",
        "PAI_HPS_SHUFFLE": "true",
        "PAI_HPS_OPTIMIZER": "adam w",
        "PAI_USER_ARGS": "--lr 0.1 --batch-size 32 --shuffle true --optimizer 'adam w'",
        "PAI_INPUT_TRAIN_DATA": "/data/mnist/train",
        "PAI_OUTPUT_MODEL": "/storage/jobs/mnist_abc123/model",
        "PAI_OUTPUT_CHECKPOINTS": "/storage/jobs/mnist_abc123/checkpoints",
    }


def test_outputs_can_be_volumes() -> None:
    """At PAI's paths, if the job may write there. The variables have the paths at which it finds them."""
    at = {"model": "/ml/output/model", "checkpoints": "/ml/output/checkpoints"}
    volumes = [Volume(source="storage:a", target=at["model"], read_only=False)]
    volumes.append(Volume(source="storage:b", target=at["checkpoints"], read_only=True))
    job = replace(JOB, volumes=tuple(volumes))

    assert job_environment.channels_of(job) == ("checkpoints",)
    assert "PAI_OUTPUT_MODEL" not in job_environment.job_variables(job, FOLDERS, "vision")
    assert job_environment.output_variables({at["model"]: "/real/a", "/data": "/real/data"}) == {
        "PAI_OUTPUT_MODEL": "/real/a"
    }


def test_threads_are_as_many_as_the_cpus_of_the_preset() -> None:
    """Unless the job says otherwise."""
    job = replace(JOB, preset="cpu-large", cpus=8)
    own = replace(job, environment={"OMP_NUM_THREADS": "2"})

    assert [job_environment.job_variables(each, FOLDERS, "vision")["OMP_NUM_THREADS"] for each in (job, own)] == [
        "8",
        "2",
    ]


def test_each_replica_and_attempt_has_a_log_folder_of_its_own() -> None:
    """Under all four names, so that no two writers share a file."""
    folder = "/storage/jobs/mnist_abc123/tensorboard/attempt-2/rank-1"

    assert job_environment.replica_variables(JOB, LOGS, 1) == {
        "PAI_OUTPUT_TENSORBOARD": folder,
        "TENSORBOARD_LOGGING_DIR": folder,
        "AIP_TENSORBOARD_LOG_DIR": folder,
        "LIGHTBOARD_LOG_DIR": folder,
    }


@pytest.mark.parametrize("name", ["PAI_HPS_LR", "PAI_OUTPUT_MODEL", "PAI_OUTPUT_TENSORBOARD", "MINE"])
def test_variables_that_a_job_sets_itself_win(name: str) -> None:
    """Whatever they are."""
    job = Job(**{**vars(JOB), "environment": {name: "own"}})
    common = job_environment.job_variables(job, FOLDERS, "vision")

    assert {**common, **job_environment.replica_variables(job, LOGS, 0)}[name] == "own"


def test_a_notebook_has_one_folder_of_logs_and_no_channels() -> None:
    """Whoever uses it names the runs in it, in all attempts."""
    notebook = replace(JOB, kind=JobKind.NOTEBOOK, output="notebooks/first")
    logs = PurePosixPath("/storage/notebooks/first/logs")

    assert job_environment.replica_variables(notebook, logs, 0)["PAI_OUTPUT_TENSORBOARD"] == str(logs)
    assert job_environment.channels_of(notebook) == ()
    assert job_environment.logs_below(notebook, "mnist/logs") == "mnist/logs"


def test_jobs_that_log_to_one_folder_have_a_folder_each_in_it() -> None:
    """By the name of their outputs, which no two have."""
    assert job_environment.logs_below(replace(JOB, output="jobs/mnist_abc123"), "data/logs") == "data/logs/mnist_abc123"


def test_the_first_replica_finds_the_port_of_its_web_page() -> None:
    """And the path at which browsers see it. What the job sets itself stays."""
    job = replace(JOB, http_port=8080, environment={"PORT": "9000"})

    assert [job_environment.http_variables(job, "/lb/http/job-1/", rank) for rank in range(2)] == [
        {"LIGHTBOARD_HTTP_PORT": "8080", "LIGHTBOARD_HTTP_PATH": "/lb/http/job-1"},
        {},
    ]
