"""`Estimator`: settings of jobs, in the words of PAI's SDK."""

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from lightboard import Estimator, TrainingJob
from lightboard.client.session import Session
from lightboard.errors import UnexpectedStatusException, UsageError
from support.hub_process import HubProcess
from support.pai_modules import pai_module


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub of one account."""
    words = ("--image", f"own={sys.prefix}", "--preset", "small=cpu:1", "--preset", "ecs.c6.large=cpu:1,memory:1G")
    with HubProcess(tmp_path_factory.mktemp("hub"), "--job-slots", "2", *words) as running:
        yield running


def test_each_fit_is_a_job_with_the_settings(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of PAI, under the names of the hub. What it prints is shown."""
    estimator = Estimator(
        'echo "$PAI_HPS_LR $PAI_HPS_EPOCHS $MODE"', image_uri="own", instance_type="ecs.c6.large", instance_count=2,
        hyperparameters={"lr": 0.1}, environments={"MODE": "fast"}, base_job_name="Mnist", max_run_time=3_600,
        labels={"team": "a"}, session=session,
    )  # fmt: skip
    estimator.set_hyperparameters(epochs=3)
    first = estimator.fit()
    second = estimator.fit(inputs={"train": "storage:jobs"}, wait=False, job_name="Mnist again")
    told = [{name: value for name, value in job.info().items() if name in WANTED} for job in (first, second)]
    second.wait(show_logs=False)

    both: dict[str, Any] = {
        "environment": {"MODE": "fast"}, "hyperparameters": {"lr": 0.1, "epochs": 3}, "image": "own",
        "labels": {"team": "a"}, "max_run_secs": 3_600, "preset": "ecs.c6.large", "replicas": 2,
    }  # fmt: skip
    assert told == [
        {**both, "display_name": "Mnist", "inputs": {}},
        {**both, "display_name": "Mnist again", "inputs": {"train": "storage:jobs"}},
    ]
    shown = capsys.readouterr()
    assert (shown.out, "preset" in shown.err) == ("0.1 3 fast\n", False)
    assert estimator.latest_job is second


WANTED = {
    "display_name", "environment", "hyperparameters", "image", "inputs", "labels", "max_run_secs", "preset", "replicas",
}  # fmt: skip


def test_an_instance_type_that_is_no_preset_gets_the_default(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that was written for a cloud runs unchanged, and says what it gets."""
    job = Estimator("true", instance_type="ecs.gn6i-c4g1.xlarge", session=session).fit(show_logs=False)

    said = "the hub has no preset ecs.gn6i-c4g1.xlarge; the job gets its default, small"
    assert (job.info()["preset"], said in capsys.readouterr().err) == ("small", True)


def test_outputs_of_the_last_job_are_sources(session: Session) -> None:
    """As a TensorBoard or another job can read them."""
    estimator = Estimator("true", session=session)
    job = estimator.fit(show_logs=False)
    folder = job.output_uri

    assert [estimator.tensorboard_data(), estimator.model_data(), estimator.checkpoints_data()] == [
        f"{folder}/tensorboard", f"{folder}/model", f"{folder}/checkpoints",
    ]  # fmt: skip
    assert estimator.tensorboard(wait=False).id == TrainingJob(job.id, session).tensorboard(wait=False).id


def test_a_failed_job_is_an_error_and_can_be_looked_at(session: Session) -> None:
    """It is the latest job all the same."""
    estimator = Estimator("exit 3", session=session)

    with pytest.raises(UnexpectedStatusException):
        estimator.fit(show_logs=False)
    assert estimator.latest_job.exit_code == 3


def test_without_a_job_there_is_nothing_to_show() -> None:
    """The hint says how to get one."""
    with pytest.raises(UsageError, match="no job has been submitted with this estimator") as caught:
        Estimator("true").tensorboard()
    assert caught.value.hint == "call fit first"


def test_an_estimator_without_a_command_cannot_fit(session: Session) -> None:
    """PAI's has none by default either."""
    with pytest.raises(UsageError, match="there is no command to run"):
        Estimator(session=session).fit()


# PAI's parameters


@pytest.fixture(scope="module")
def pai() -> ModuleType:
    """The module `pai.estimator`."""
    return pai_module("estimator")


def test_settings_of_the_cloud_are_ignored(pai: ModuleType) -> None:
    """PAI's order of parameters is kept."""
    estimator = pai.Estimator("image", "python train.py", "code", resource_id="rg-1", user_vpc_config=object())

    assert (estimator.image_uri, estimator.command, estimator.source_dir) == ("image", "python train.py", "code")


@pytest.mark.parametrize("name", ["git_config", "requirements", "output_path", "metric_definitions", "nonsense"])
def test_settings_that_would_change_the_job_are_an_error(pai: ModuleType, name: str) -> None:
    """Instead of a job that does something else."""
    with pytest.raises(UsageError, match=f"Estimator has no {name} here"):
        pai.Estimator("image", "true", **{name: "value"})
