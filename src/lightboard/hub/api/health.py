"""For who keeps the hub running: is it there, is it ready, how is it."""

from starlette.responses import Response

from lightboard.errors import LightboardError
from lightboard.hub.api.asking import Asked, Asking
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.db import figures
from lightboard.hub.metrics import CONTENT_TYPE
from lightboard.hub.resources.tensorboards import Status

routes = Routes("health")


@routes.get("/healthz", right=OPEN)
async def healthz() -> Response:
    """Whether the process answers."""
    return Response("ok\n", media_type="text/plain")


@routes.get("/readyz", right=OPEN)
def readyz(asked: Asked) -> Response:
    """Whether it can do its work: the database answers and has its tables, and a worker answers."""
    wrong = [text for text in (database_fault(asked), worker_fault(asked)) if text]
    return Response("\n".join(wrong or ["ready"]) + "\n", 503 if wrong else 200, media_type="text/plain")


@routes.get("/metrics", right="hub.read")
def metrics(asked: Asked) -> Response:
    """Figures for Prometheus."""
    with asked.read() as session:
        boards, memory = figures.boards_by_status(session), figures.memory_bytes(session)
    counts = {status.value: boards.get(status, 0) for status in Status if status is not Status.DELETED}
    return Response(asked.hub.metrics.text(counts, memory), media_type=CONTENT_TYPE)


def database_fault(asked: Asking) -> str:
    """What is wrong with the database, in words that say nothing of where it is; "" if nothing is."""
    try:
        asked.hub.database.check()
    except LightboardError:
        return "the database does not answer, or has other tables"
    return ""


def worker_fault(asked: Asking) -> str:
    """What is wrong with the workers."""
    try:
        asked.hub.launcher.warm()
    except LightboardError:
        return "no worker answers"
    return ""
