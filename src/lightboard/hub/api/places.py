"""Where logs may lie, and where boards run: what forms offer."""

from dataclasses import asdict

from starlette.responses import Response

from lightboard.hub.api.asking import Asked, answered
from lightboard.hub.api.routes import Routes
from lightboard.schema.places import Credentials, ExecutorAnswer, Executors, Roots

routes = Routes("places")


@routes.get("/api/v1/credentials", right="datasets.create", answer=Credentials)
def credentials(asked: Asked) -> Response:
    """Names of the credentials that datasets can use."""
    return answered(Credentials(items=asked.hub.places.credentials()))


@routes.get("/api/v1/roots", right="tensorboards.create", answer=Roots)
def roots(asked: Asked) -> Response:
    """Local folders below which logs may lie."""
    return answered(Roots(items=list(asked.hub.settings.allow_roots)))


@routes.get("/api/v1/executors", right="tensorboards.list", answer=Executors)
def executors(asked: Asked) -> Response:
    """Where boards run, and what can be asked of them there."""
    launcher = asked.hub.launcher
    return answered(Executors(items=[ExecutorAnswer(name=launcher.name, **asdict(launcher.capabilities()))]))
