"""Where logs may lie, and where boards run: what forms offer."""

from dataclasses import asdict

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.access import Principal, allowed
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import projects
from lightboard.hub.db.rights import denied
from lightboard.hub.resources.projects import Project
from lightboard.schema.places import Credentials, ExecutorAnswer, Executors, Roots

routes = Routes("places")


@routes.get("/api/v1/credentials", right="datasets.create", answer=Credentials)
def credentials(context: ContextDep, project: str = "") -> Response:
    """Names of the credentials that datasets of a project can use, or of all projects of the asker."""
    source_resolver = context.hub.source_resolver
    with context.read() as session:
        chosen = chosen_projects(session, context.who, project, "datasets.create")
        names = {name for each in chosen for name in source_resolver.credentials_of(session, each)}
    everything = context.who.administrator and not project
    return json_response(Credentials(items=source_resolver.credentials() if everything else sorted(names)))


@routes.get("/api/v1/roots", right="tensorboards.create", answer=Roots)
def roots(context: ContextDep, project: str = "") -> Response:
    """Local folders below which logs of a project may lie, or of all projects of the asker."""
    with context.read() as session:
        chosen = chosen_projects(session, context.who, project, "tensorboards.create")
        found = [root for each in chosen for root in context.hub.source_resolver.roots_of(session, each.id)]
    return json_response(Roots(items=list(dict.fromkeys(found))))


@routes.get("/api/v1/executors", right="tensorboards.list", answer=Executors)
def executors(context: ContextDep) -> Response:
    """Where boards run, and what can be asked of them there."""
    launcher = context.hub.launcher
    return json_response(Executors(items=[ExecutorAnswer(name=launcher.name, **asdict(launcher.capabilities()))]))


def chosen_projects(session: Session, who: Principal, project: str, right: str) -> list[Project]:
    """The project that is named, else all in which the asker has the right; for administrators that is all there are.

    Raises PermissionDenied for who has the right in none.
    """
    if project:
        return [projects.get(session, who, project, right)]
    found = [each for each, role, _ in projects.find(session, who) if allowed(who, right, role=role, project=each.id)]
    if not found and not who.administrator:
        raise denied(who, right)
    return found
