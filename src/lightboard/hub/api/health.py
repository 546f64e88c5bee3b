"""For who keeps the hub running: is it there, is it ready, how is it."""

from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.db import metrics_queries
from lightboard.hub.metrics import CONTENT_TYPE
from lightboard.hub.resources.tensorboards import Status

routes = Routes("health")


@routes.get("/healthz", right=OPEN)
async def healthz() -> Response:
    """Whether the process answers."""
    return Response("ok\n", media_type="text/plain")


@routes.get("/readyz", right=OPEN)
def readyz(context: ContextDep) -> Response:
    """Whether it can do its work: database and folder keep what is written, and a worker answers."""
    wrong = context.hub.readiness.faults()
    return Response("\n".join(wrong or ["ready"]) + "\n", 503 if wrong else 200, media_type="text/plain")


@routes.get("/metrics", right="hub.read")
def metrics(context: ContextDep) -> Response:
    """Figures for Prometheus."""
    with context.read() as session:
        boards, memory = metrics_queries.boards_by_status(session), metrics_queries.memory_bytes(session)
    counts = {status.value: boards.get(status, 0) for status in Status if status is not Status.DELETED}
    return Response(context.hub.metrics.text(counts, memory), media_type=CONTENT_TYPE)
