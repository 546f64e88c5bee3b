"""`from pai.estimator import Estimator`. Settings of PAI's cloud are ignored, others that a hub lacks are an error."""

from typing import Any

import lightboard
from pai.job import INTERVAL_SECS, TrainingJob

__all__ = ["Estimator"]

CLOUD = frozenset(
    ("job_type", "user_vpc_config", "experiment_config", "resource_id", "instance_spec", "resource_type", "settings")
)
"""Where a job runs in the cloud. Here it runs on the machine of the hub."""


class Estimator(lightboard.Estimator):
    """`lightboard.Estimator` with PAI's order of parameters.

    Raises:
        UsageError: a setting would change what the job does, and is not supported.
    """

    _job_class = TrainingJob

    def __init__(
        self,
        image_uri: str | None = None,
        command: str | list[str] | None = None,
        source_dir: str | None = None,
        **settings: Any,
    ) -> None:
        own = {name: value for name, value in settings.items() if name not in CLOUD and value is not None}
        super().__init__(command, source_dir, image_uri, **own)

    def wait(self, interval: float = INTERVAL_SECS, show_logs: bool = True) -> lightboard.TrainingJob:
        """Waits until the last job has ended; see `TrainingJob.wait`. Raises UsageError if there was no job."""
        job = self.latest_job
        job.wait(interval, show_logs)
        return job
