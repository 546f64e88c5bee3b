"""Where logs can be, where boards can run, and what jobs can have: the options of forms."""

from dataclasses import asdict

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.access import Principal, allowed
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep, JobsDep
from lightboard.hub.db import projects
from lightboard.hub.db.access_checks import denied
from lightboard.hub.resources.projects import Project
from lightboard.schema.locations import Credentials, ExecutorResponse, Executors, PresetResponse, Presets, Roots

routes = Routes("places")


@routes.get("/api/v1/credentials", right="datasets.create", response=Credentials, operation_id="places_credentials")
def credentials(context: ContextDep, boards: BoardsDep, project: str = "") -> Response:
    """List the names of the credentials that datasets of a project can use, or of all projects of the account."""
    source_resolver = boards.source_resolver
    with context.read() as session:
        chosen = chosen_projects(session, context.principal, project, "datasets.create")
        names = {name for each in chosen for name in source_resolver.credentials_of(session, each)}
    everything = context.principal.administrator and not project
    return json_response(Credentials(items=source_resolver.credentials() if everything else sorted(names)))


@routes.get("/api/v1/roots", right="tensorboards.create", response=Roots, operation_id="places_roots")
def roots(context: ContextDep, boards: BoardsDep, project: str = "") -> Response:
    """List the local folders below which a project, or all projects of the account, may have logs."""
    with context.read() as session:
        chosen = chosen_projects(session, context.principal, project, "tensorboards.create")
        found = [root for each in chosen for root in boards.source_resolver.roots_of(session, each.id)]
    return json_response(Roots(items=list(dict.fromkeys(found))))


@routes.get("/api/v1/executors", right="tensorboards.list", response=Executors, operation_id="places_executors")
def executors(boards: BoardsDep) -> Response:
    """List where boards run, and the capabilities there."""
    launcher = boards.launcher
    return json_response(Executors(items=[ExecutorResponse(name=launcher.name, **asdict(launcher.capabilities()))]))


@routes.get("/api/v1/presets", right="jobs.list", response=Presets, operation_id="places_presets")
def presets(jobs: JobsDep) -> Response:
    """List the presets that jobs can have; the first is that of jobs that name none."""
    return json_response(Presets(items=[PresetResponse(**asdict(each)) for each in jobs.presets.by_name.values()]))


def chosen_projects(session: Session, principal: Principal, project: str, right: str) -> list[Project]:
    """The named project, else all in which the principal has the right; for administrators, all projects.

    Raises PermissionDenied if the principal has the right in none.
    """
    if project:
        return [projects.get(session, principal, project, right)]
    found = [
        each
        for each, role, _ in projects.find(session, principal)
        if allowed(principal, right, role=role, project=each.id)
    ]
    if not found and not principal.administrator:
        raise denied(principal, right)
    return found
