"""The audit of a project, or of the whole hub."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, audit, projects
from lightboard.schema.audit import AuditPage, AuditRequest, AuditResponse

routes = Routes("audit")


@routes.get("/api/v1/audit", right="audit.list", response=AuditPage)
def find(context: ContextDep, query: Annotated[AuditRequest, Query()]) -> Response:
    """List audit events of a project or of the whole hub, newest first."""
    with context.read() as session:
        project = projects.get(session, context.principal, query.project).id if query.project else ""
        actor = accounts.row_of(session, query.actor) if query.actor else None
        wanted = query.model_copy(update={"project": project, "actor": actor.id if actor else query.actor})
        lines, total = audit.find(session, context.principal, wanted)
        names = accounts.names(session, {line.actor for line in lines})
    result = AuditPage(
        items=[
            AuditResponse(
                id=line.id,
                at=line.at,
                actor=line.actor,
                actor_name=names.get(line.actor, ""),
                action=line.action,
                kind=line.kind,
                target=line.target,
                project=line.project,
                via=line.via,
                address=line.address,
                details=line.details,
            )
            for line in lines
        ],
        page=query.page,
        page_size=query.page_size,
        total=total,
    )
    return json_response(result)
