"""Health checks and metrics."""

from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.services import JobsDep, MonitoringDep
from lightboard.hub.db import metrics_queries
from lightboard.hub.metrics import CONTENT_TYPE
from lightboard.hub.resources.tensorboards import Status

routes = Routes("health")


@routes.get("/healthz", right=OPEN)
async def healthz() -> Response:
    """Whether the process responds."""
    return Response("ok\n", media_type="text/plain")


@routes.get("/readyz", right=OPEN)
def readyz(monitoring: MonitoringDep, jobs: JobsDep) -> Response:
    """Whether the hub is ready: database and data directory are writable, and a worker responds.

    The last line says whether jobs are isolated from the hub and from each other.
    """
    problems = monitoring.readiness.problems()
    lines = [*(problems or ["ready"]), jobs.policy.summary]
    return Response("\n".join(lines) + "\n", 503 if problems else 200, media_type="text/plain")


@routes.get("/metrics", right="hub.read")
def metrics(context: ContextDep, monitoring: MonitoringDep) -> Response:
    """Metrics for Prometheus."""
    with context.read() as session:
        boards, memory = metrics_queries.boards_by_status(session), metrics_queries.memory_bytes(session)
    counts = {status.value: boards.get(status, 0) for status in Status if status is not Status.DELETED}
    return Response(monitoring.metrics.text(counts, memory), media_type=CONTENT_TYPE)
