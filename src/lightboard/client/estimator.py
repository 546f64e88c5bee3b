"""`Estimator`: the settings of a training job, which can be submitted several times. As in PAI's SDK."""

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lightboard.client.analysis import is_enabled
from lightboard.client.git_repository import cloned
from lightboard.client.output_folders import OutputFolders, folder_name, output_folders
from lightboard.client.polling import print_status
from lightboard.client.presets import preset_or_default
from lightboard.client.project_secrets import Secret
from lightboard.client.session import Session, get_default_session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import UsageError


class Estimator:
    """The settings of training jobs. Nothing is sent before `fit`.

    `command` is a line for `sh`, or a program with its arguments. It starts in a copy of `source_dir`, a folder of this
    machine. `image_uri` is the name of an image of the hub, by default the programs of the hub itself. `instance_count`
    is the number of replicas, `max_run_time` the limit of one attempt in seconds, `environments` are variables.
    `base_job_name` is the display name of the jobs. `instance_type` is the name of a preset of the hub; a hub that has
    no such preset gives the job its default one, and `fit` says so on stderr. `volumes` are those of
    `TrainingJob.create`. With `git_config`, `source_dir` is a folder of the repository `repo`, of its `branch` or
    `commit`, which `fit` clones. `analysis` creates the TensorBoard together with the job, as *Enable Tensorboard* in
    the form does: `{}` for that of its own logs, `{"dataset": ..., "log_path": ...}` for logs in another folder.

    The outputs of each job are in its own folder, or in a new folder for each job in `output_path`, a folder of the
    project's storage such as `storage:results`. Checkpoints go to `checkpoints_path` itself, if it is given. Limits are
    those of `TrainingJob.create`.

    Raises UsageError for `requirements` and `metric_definitions`, which PAI has, and for outputs in other places.
    """

    _job_class: ClassVar[type[TrainingJob]] = TrainingJob
    """What `fit` returns. A subclass can have another."""

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        source_dir: str | None = None,
        image_uri: str | None = None,
        instance_type: str | None = None,
        *,
        instance_count: int = 1,
        hyperparameters: Mapping[str, bool | int | float | str] | None = None,
        environments: Mapping[str, str | Secret] | None = None,
        base_job_name: str | None = None,
        max_run_time: float | None = None,
        life_span: float = 0,
        queue_timeout: float = 0,
        grace_period: float = 30,
        max_retries: int = 0,
        memory_bytes: int | None = None,
        priority: int = 5,
        output_path: str | None = None,
        checkpoints_path: str | None = None,
        labels: Mapping[str, str] | None = None,
        volumes: Sequence[str] = (),
        git_config: Mapping[str, str] | None = None,
        analysis: Mapping[str, Any] | None = None,
        session: Session | None = None,
        **unsupported: Any,
    ) -> None:
        refuse_unsupported(unsupported)
        self.command = command
        self.source_dir = source_dir
        self.image_uri = image_uri
        self.instance_type = instance_type
        self.instance_count = instance_count
        self.hyperparameters = dict(hyperparameters or {})
        self.environments = dict(environments or {})
        self.base_job_name = base_job_name
        self.max_run_time = max_run_time
        self.life_span = life_span
        self.queue_timeout = queue_timeout
        self.grace_period = grace_period
        self.max_retries = max_retries
        self.memory_bytes = memory_bytes
        self.priority = priority
        self.output_path = output_path
        self.checkpoints_path = checkpoints_path
        self.labels = dict(labels or {})
        self.volumes = tuple(volumes)
        self.git_config = dict(git_config or {})
        self.analysis = None if analysis is None else dict(analysis)
        self.session = session
        self._latest_job: TrainingJob | None = None

    def set_hyperparameters(self, **hyperparameters: bool | int | float | str) -> None:
        """Adds hyper-parameters to those of jobs from now on."""
        self.hyperparameters |= hyperparameters

    def fit(
        self,
        inputs: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        wait: bool = True,
        show_logs: bool = True,
        job_name: str | None = None,
    ) -> TrainingJob:
        """Submits a job with these settings. With `wait`, waits until it has succeeded; see `TrainingJob.wait`.

        `inputs` are folders or files of the hub by name, `job_name` is the display name. `outputs` can have folders of
        the project's storage, such as `storage:runs`, for `model`, `checkpoints` and `tensorboard`. Raises UsageError
        for others, and for a repository that cannot be cloned, and the errors of `TrainingJob.create`.
        """
        display_name = job_name or self.base_job_name or ""
        folders = self._output_folders(outputs or {}, display_name)
        session = self.session or get_default_session()
        with self._source_folder() as folder:
            self._latest_job = self._job_class.create(
                self.command or "",
                source_dir=folder,
                display_name=display_name,
                environment=self.environments,
                hyperparameters=self.hyperparameters,
                image=self.image_uri or "",
                preset=preset_or_default(session, self.instance_type or "", print_status),
                inputs=inputs,
                replicas=self.instance_count,
                memory_bytes=self.memory_bytes,
                priority=self.priority,
                max_retries=self.max_retries,
                max_run_time=self.max_run_time or 0,
                life_span=self.life_span,
                queue_timeout=self.queue_timeout,
                grace_period=self.grace_period,
                labels=self.labels,
                log_dir=folders.log_dir,
                tensorboard=is_enabled(self.analysis),
                volumes=[*self.volumes, *folders.volumes],
                session=session,
            )
        return self._latest_job.wait(show_logs=show_logs) if wait else self._latest_job

    def _output_folders(self, outputs: Mapping[str, str], display_name: str) -> OutputFolders:
        name = folder_name(display_name, secrets.token_hex(3))
        return output_folders(outputs, self.output_path or "", self.checkpoints_path or "", self.analysis, name)

    def _source_folder(self) -> contextlib.AbstractContextManager[str | None]:
        """The folder of its source code, while it is needed."""
        if self.git_config:
            return cloned(self.git_config, self.source_dir)
        return contextlib.nullcontext(self.source_dir)

    @property
    def latest_job(self) -> TrainingJob:
        """The job of the last `fit`. Raises UsageError if there was none."""
        if self._latest_job is None:
            raise UsageError("no job has been submitted with this estimator", hint="call fit first")
        return self._latest_job

    def tensorboard(self, wait: bool = True, open_browser: bool = False) -> TensorBoard:
        """The TensorBoard of the last job: always the same one, created or started if needed.

        Raises UsageError if there was no job, and the errors of `TensorBoard.create`.
        """
        return self.latest_job.tensorboard(wait=wait, open_browser=open_browser)

    def tensorboard_data(self) -> str:
        """The folder of the TensorBoard logs of the last job, as a source. Raises UsageError if there was no job."""
        return self.latest_job.output_path("tensorboard")

    def model_data(self) -> str:
        """The folder of what the last job wrote to `PAI_OUTPUT_MODEL`. Raises UsageError if there was no job."""
        return self.latest_job.output_path("model")

    def checkpoints_data(self) -> str:
        """The folder of what the last job wrote to `PAI_OUTPUT_CHECKPOINTS`. Raises UsageError if there was no job."""
        return self.latest_job.output_path("checkpoints")


UNSUPPORTED = {
    "requirements": "only an administrator of the hub can add an environment, by --image NAME=requirements.txt; then "
    "image_uri is its NAME",
    "metric_definitions": "metrics are the scalars of TensorBoard logs, not what matches in the log: write them there",
}
"""What PAI's estimators have and a hub does not do, with what to do instead."""


def refuse_unsupported(settings: Mapping[str, Any]) -> None:
    """Raises UsageError if a setting is given that estimators do not have."""
    for name, value in settings.items():
        if value is not None:
            raise UsageError(f"Estimator has no {name} here", hint=UNSUPPORTED.get(name, "check the spelling"))
