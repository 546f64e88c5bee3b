"""Where logs may lie, and where boards run: what forms offer."""

from dataclasses import asdict

from starlette.responses import Response

from lightboard.hub.access import allowed
from lightboard.hub.api.asking import Asked, Asking, answered
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import projects
from lightboard.hub.db.rights import denied
from lightboard.schema.places import Credentials, ExecutorAnswer, Executors, Roots

routes = Routes("places")


@routes.get("/api/v1/credentials", right="datasets.create", answer=Credentials)
def credentials(asked: Asked) -> Response:
    """Names of the credentials that datasets can use."""
    check_anywhere(asked, "datasets.create")
    return answered(Credentials(items=asked.hub.places.credentials()))


@routes.get("/api/v1/roots", right="tensorboards.create", answer=Roots)
def roots(asked: Asked) -> Response:
    """Local folders below which logs may lie."""
    check_anywhere(asked, "tensorboards.create")
    return answered(Roots(items=list(asked.hub.settings.allow_roots)))


@routes.get("/api/v1/executors", right="tensorboards.list", answer=Executors)
def executors(asked: Asked) -> Response:
    """Where boards run, and what can be asked of them there."""
    launcher = asked.hub.launcher
    return answered(Executors(items=[ExecutorAnswer(name=launcher.name, **asdict(launcher.capabilities()))]))


def check_anywhere(asked: Asking, right: str) -> None:
    """Raises PermissionDenied for who has a right in no project."""
    who = asked.who
    with asked.read() as session:
        mine = projects.memberships(session, who)
    if not who.administrator and not any(allowed(who, right, role=role, project=each.id) for each, role in mine):
        raise denied(who, right)
