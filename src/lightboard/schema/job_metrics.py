"""The metrics of jobs: the scalars in their TensorBoard logs. Times are seconds since the epoch."""

from lightboard.schema.model import Number, ResponseModel, Step, Whole


class JobMetricSummary(ResponseModel):
    """The last point of a scalar, and some of its points, oldest first: `steps` and `values` are equally long.

    `name` is the tag with its run, without attempt and replica, so that it is the same in all jobs. `run` is the name
    that the TensorBoard of the job shows.
    """

    name: str
    run: str
    tag: str
    step: Step
    wall_time: Number
    value: Number
    steps: list[Step]
    values: list[Number]


class JobMetric(JobMetricSummary):
    """A scalar of one job. `attempt` and `rank` are those of its run, 0 if its name has none."""

    attempt: int
    rank: int
    wall_times: list[Number]


class JobMetrics(ResponseModel):
    """The scalars of a job, of which each has at most 64 points.

    `read_at` is when its logs were last read, null for never. `behind`: more is to be read. `limited`: some scalars or
    bytes are left out, because there are too many. `message` is why the logs cannot be read, "" if they can.
    """

    items: list[JobMetric]
    read_at: float | None
    behind: bool
    limited: bool
    message: str


class MetricCount(ResponseModel):
    """How many of the listed jobs have a metric."""

    name: str
    jobs: Whole
