"""The metrics of jobs: last values and a few points of their scalars, in lists and of one job."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Invalid
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import job_access, job_scalars
from lightboard.hub.db.tensorboard_lists import words
from lightboard.hub.resources.job_scalars import (
    DEFAULT,
    MAX_COLUMNS,
    ScalarSeries,
    default_columns,
    offered_names,
    place_of,
)
from lightboard.schema.job_metrics import JobMetric, JobMetrics, JobMetricSummary, MetricCount
from lightboard.schema.jobs import JobResponse

LIST_SAMPLES = 32
"""Points of a metric in a list."""
DIGITS = 6
"""Significant digits of these points. The last value is exact."""

routes = Routes("jobs")


@routes.get("/api/v1/jobs/{id}/metrics", right="jobs.get", response=JobMetrics)
def metrics(context: ContextDep, id: str, project: str = "") -> Response:
    """Get the scalars that a job has logged: the last value of each, and some points before it."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, project=project)
        found = job_scalars.of_job(session, job.id)
        state = job_scalars.log_state(session, job.id)
    items = [metric_of(series) for series in found if series.last is not None]
    return json_response(JobMetrics(items=items, **state._asdict()))


def metric_of(series: ScalarSeries) -> JobMetric:
    """A scalar of one job, with the points that are kept."""
    points, place = series.points(), place_of(series.run)
    return JobMetric(
        name=series.name,
        run=series.run,
        tag=series.tag,
        attempt=place.attempt,
        rank=place.rank,
        **points[-1]._asdict(),
        steps=[point.step for point in points],
        values=[point.value for point in points],
        wall_times=[point.wall_time for point in points],
    )


def summary_of(series: ScalarSeries) -> JobMetricSummary:
    """A scalar in a list."""
    points = series.points()
    return JobMetricSummary(
        name=series.name,
        run=series.run,
        tag=series.tag,
        **points[-1]._asdict(),
        steps=[point.step for point in points],
        values=[float(f"{point.value:.{DIGITS}g}") for point in points],
    )


def metric_columns(session: Session, items: Sequence[JobResponse], asked: str) -> dict[str, Any]:
    """Adds the metrics that a list was asked for to its jobs, and returns what the page says about them.

    Raises Invalid for too many.
    """
    wanted = words(asked)
    if not wanted:
        return {}
    if len(wanted) > MAX_COLUMNS:
        raise Invalid(f"{len(wanted)} metrics are too many", hint=f"ask for up to {MAX_COLUMNS}")
    ids = [item.id for item in items]
    counts, jobs = job_scalars.name_counts(session, ids)
    chosen = default_columns(counts, jobs) if wanted == [DEFAULT] else wanted
    found = job_scalars.of_jobs(session, ids, chosen, LIST_SAMPLES - 1)
    for item in items:
        item.metrics = [summary_of(each) for each in found.get(item.id, ()) if each.last is not None]
    offered = [MetricCount(name=name, jobs=counts[name]) for name in offered_names(counts)]
    return {"metrics": chosen, "offered_metrics": offered}
