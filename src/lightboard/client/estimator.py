"""`Estimator`: the settings of a training job, which can be submitted several times. As in PAI's SDK."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from lightboard.client.polling import print_status
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
    `TrainingJob.create`.
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
        labels: Mapping[str, str] | None = None,
        volumes: Sequence[str] = (),
        session: Session | None = None,
    ) -> None:
        self.command = command
        self.source_dir = source_dir
        self.image_uri = image_uri
        self.instance_type = instance_type
        self.instance_count = instance_count
        self.hyperparameters = dict(hyperparameters or {})
        self.environments = dict(environments or {})
        self.base_job_name = base_job_name
        self.max_run_time = max_run_time
        self.labels = dict(labels or {})
        self.volumes = tuple(volumes)
        self.session = session
        self._latest_job: TrainingJob | None = None

    def set_hyperparameters(self, **hyperparameters: bool | int | float | str) -> None:
        """Adds hyper-parameters to those of jobs from now on."""
        self.hyperparameters |= hyperparameters

    def fit(
        self,
        inputs: Mapping[str, str] | None = None,
        wait: bool = True,
        show_logs: bool = True,
        job_name: str | None = None,
    ) -> TrainingJob:
        """Submits a job with these settings. With `wait`, waits until it has succeeded; see `TrainingJob.wait`.

        `inputs` are folders or files of the hub by name, `job_name` is the display name. Raises the errors of
        `TrainingJob.create`.
        """
        session = self.session or get_default_session()
        self._latest_job = self._job_class.create(
            self.command or "",
            source_dir=self.source_dir,
            display_name=job_name or self.base_job_name or "",
            environment=self.environments,
            hyperparameters=self.hyperparameters,
            image=self.image_uri or "",
            preset=self._preset(session),
            inputs=inputs,
            replicas=self.instance_count,
            max_run_time=self.max_run_time or 0,
            labels=self.labels,
            volumes=self.volumes,
            session=session,
        )
        return self._latest_job.wait(show_logs=show_logs) if wait else self._latest_job

    def _preset(self, session: Session) -> str:
        """The preset that the hub has for the instance type; "" for its default, and a line that says so."""
        if not self.instance_type:
            return ""
        names = [preset["name"] for preset in session.get("/api/v1/presets")["items"]]
        if self.instance_type in names:
            return self.instance_type
        default = f"its default, {names[0]}" if names else "what it gives all jobs"
        print_status(f"the hub has no preset {self.instance_type}; the job gets {default}")
        return ""

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
