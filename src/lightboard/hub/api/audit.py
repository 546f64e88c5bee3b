"""Who did what, for those who answer for it."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, audit, projects
from lightboard.schema.audit import AuditAnswer, AuditPage, AuditQuestion

routes = Routes("audit")


@routes.get("/api/v1/audit", right="audit.list", answer=AuditPage)
def find(context: ContextDep, question: Annotated[AuditQuestion, Query()]) -> Response:
    """A page of what was done in a project, or on the whole hub, newest first."""
    with context.read() as session:
        project = projects.get(session, context.who, question.project).id if question.project else ""
        actor = accounts.row_of(session, question.actor) if question.actor else None
        wanted = question.model_copy(update={"project": project, "actor": actor.id if actor else question.actor})
        lines, total = audit.find(session, context.who, wanted)
        names = accounts.names(session, {line.actor for line in lines})
    told = AuditPage(
        items=[
            AuditAnswer(
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
        page=question.page,
        page_size=question.page_size,
        total=total,
    )
    return json_response(told)
