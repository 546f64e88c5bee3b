"""`Estimator`: settings of jobs, in the words of PAI's SDK."""

import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from lightboard import Estimator, TrainingJob
from lightboard.client.analysis import log_folder
from lightboard.client.output_folders import below
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


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("requirements", "only an administrator of the hub can add an environment"),
        ("metric_definitions", "the scalars of TensorBoard logs"),
        ("nonsense", "spelling"),
    ],
)
def test_settings_that_would_change_the_job_are_an_error(pai: ModuleType, name: str, hint: str) -> None:
    """Instead of a job that does something else; the hint says what to do. None is as if it were not given."""
    for create in (Estimator, pai.Estimator):
        create(command="true", **{name: None})
        with pytest.raises(UsageError, match=f"Estimator has no {name} here") as caught:
            create(command="true", **{name: "value"})
        assert hint in caught.value.hint


def test_what_the_hub_can_do_is_passed_through(pai: ModuleType) -> None:
    """Under PAI's names."""
    settings: dict[str, Any] = {"git_config": {"repo": "r"}, "analysis": {}, "labels": {"team": "a"}}
    estimator = pai.Estimator("image", "true", **settings)

    assert {name: getattr(estimator, name) for name in settings} == settings


# Where the source code comes from, and the logs go


def git(*words: str, folder: pathlib.Path) -> str:
    """What git prints."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A repository whose program `code/say.py` says "new" on `main`, "other" on the branch `other`, and "old" in the
    first commit; its address and that commit.
    """
    folder = tmp_path_factory.mktemp("repository")
    git("init", "-q", "-b", "main", folder=folder)
    (folder / "code").mkdir()
    commits = []
    for word, branch in (("old", []), ("other", ["-b", "other"]), ("new", ["main"])):
        if branch:
            git("checkout", "-q", *branch, folder=folder)
        (folder / "code" / "say.py").write_text(f"print({word!r})")
        git("add", ".", folder=folder)
        git("commit", "-q", "-m", word, folder=folder)
        commits.append(git("rev-parse", "HEAD", folder=folder))
    return folder.as_uri(), commits[0]


def test_source_code_comes_from_a_repository(
    session: Session, repository: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """That of its default branch, of a branch, or of a commit."""
    repo, commit = repository
    configs: list[dict[str, str]] = [{}, {"branch": "other"}, {"commit": commit}]
    for config in configs:
        Estimator("python say.py", "code", git_config={"repo": repo, **config}, image_uri="own", session=session).fit()

    assert capsys.readouterr().out.splitlines() == ["new", "other", "old"]


@pytest.mark.parametrize(
    ("config", "folder", "message"),
    [
        ({"repo": ""}, "code", "git_config has no repo"),
        ({"token": "secret"}, "code", "git_config cannot have token"),
        ({"branch": "none"}, "code", "git: "),
        ({"commit": "0" * 40}, "code", "git: "),
        ({}, "nowhere", "has no folder nowhere"),
        ({}, "../..", r"has no folder \.\./\.\."),
    ],
)
def test_a_repository_that_cannot_be_used_is_an_error(
    session: Session, repository: tuple[str, str], config: dict[str, str], folder: str, message: str
) -> None:
    """And there is no job."""
    before = len(TrainingJob.list(session))
    estimator = Estimator("true", folder, git_config={"repo": repository[0], **config}, session=session)

    with pytest.raises(UsageError, match=message):
        estimator.fit()
    assert len(TrainingJob.list(session)) == before


def test_a_machine_without_git_is_told(monkeypatch: pytest.MonkeyPatch, session: Session) -> None:
    """With what to do instead."""
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(UsageError, match="there is no git on this machine"):
        Estimator("true", git_config={"repo": "file:///r"}, session=session).fit()


@pytest.mark.parametrize(
    ("outputs", "analysis", "log_dir"),
    [
        ({"tensorboard": "storage:runs"}, None, "storage:runs"),
        (None, {"log_path": "/runs/fit"}, "storage:runs/fit"),
        (None, {"enabled": False, "log_path": "runs"}, "storage:runs"),
        (None, {}, ""),
        (None, None, ""),
    ],
)
def test_logs_go_where_outputs_or_analysis_say(
    session: Session, outputs: dict[str, str] | None, analysis: dict[str, Any] | None, log_dir: str
) -> None:
    """`analysis` creates the TensorBoard as well, unless it is not enabled."""
    estimator = Estimator("true", analysis=analysis, session=session)
    info = estimator.fit(outputs=outputs, show_logs=False).info()

    enabled = analysis is not None and analysis.get("enabled", True)
    assert (info["log_dir"], info["tensorboard"] is not None) == (log_dir, enabled)
    assert estimator.tensorboard_data() == info["tensorboard_uri"]
    estimator.latest_job.delete_tensorboard()


SAVE = 'echo "$0" >> "$PAI_OUTPUT_MODEL/word"; echo "$0" >> "$PAI_OUTPUT_CHECKPOINTS/words"'


def test_outputs_go_where_paths_say(session: Session, hub: HubProcess) -> None:
    """A folder for each job, with its logs; checkpoints are in the same one for all."""
    estimator = Estimator(
        ["sh", "-c", SAVE, "a"], base_job_name="My first: CNN", output_path="storage:results",
        checkpoints_path="storage:kept", session=session,
    )  # fmt: skip
    folders = []
    for _ in range(2):
        estimator.fit(show_logs=False)
        folders.append([estimator.model_data(), estimator.tensorboard_data()])
    storage = hub.home / "hub" / "storage" / "default"

    assert estimator.checkpoints_data() == "storage:kept"
    assert (storage / "kept" / "words").read_text() == "a\na\n"
    for model, logs in folders:
        name = re.fullmatch(r"storage:(results/My-first-CNN_[0-9a-f]{6})/model", model)
        assert name
        assert logs == f"storage:{name[1]}/tensorboard"
        assert (storage / name[1] / "model" / "word").read_text() == "a\n"
    assert folders[0][0] != folders[1][0]


def test_outputs_of_one_fit_have_their_own_folders(session: Session) -> None:
    """Those that are named; the others are in the folder of the job."""
    estimator = Estimator(["sh", "-c", SAVE, "a"], session=session)
    job = estimator.fit(outputs={"model": "storage:best"}, show_logs=False)

    assert [job.output_path(each) for each in ("model", "checkpoints")] == [
        "storage:best",
        f"{job.output_uri}/checkpoints",
    ]


def test_limits_reach_the_job(session: Session) -> None:
    """Durations in seconds."""
    limits: dict[str, Any] = {"max_retries": 2, "memory_bytes": 1 << 30, "priority": 7}
    times = {"max_run_time": 50, "life_span": 60, "queue_timeout": 70, "grace_period": 5}
    info = Estimator("true", **limits, **times, session=session).fit(show_logs=False).info()

    wanted = {**limits, "max_run_secs": 50, "life_span_secs": 60, "queue_timeout_secs": 70, "grace_secs": 5}
    assert {name: info[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("folder", "path"),
    [("storage:", "storage:a/model"), ("storage:r/", "storage:r/a/model"), ("storage:/r", "storage:r/a/model")],
)
def test_folders_of_outputs_have_one_spelling(folder: str, path: str) -> None:
    """Also in the root of the storage."""
    assert below(folder, "a", "model") == path


def test_analysis_names_a_dataset() -> None:
    """As the form does."""
    found = [log_folder({"dataset": "mnist", "log_path": path}) for path in ("logs/fit", "")]

    assert found == ["dataset:mnist/logs/fit", "dataset:mnist"]


@pytest.mark.parametrize(
    ("outputs", "analysis", "message"),
    [
        ({"logs": "storage:a"}, None, "a job has no output logs"),
        ({"model": "oss://bucket/a"}, None, "'oss://bucket/a' is not a folder that a job can write to"),
        ({"tensorboard": "storage:a"}, {"log_path": "b"}, "outputs and analysis name two folders"),
        (None, {"keep_after": "delete"}, "analysis cannot have keep_after"),
    ],
)
def test_outputs_that_the_hub_cannot_have_are_an_error(
    outputs: dict[str, str] | None, analysis: dict[str, Any] | None, message: str
) -> None:
    """Before anything is sent."""
    with Session("http://127.0.0.1:1", "token") as nowhere, pytest.raises(UsageError, match=message):
        Estimator("true", analysis=analysis, session=nowhere).fit(outputs=outputs)
