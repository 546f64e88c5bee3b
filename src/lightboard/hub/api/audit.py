"""Who did what, for those who answer for it."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.hub.api.asking import Asked, answered
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, audit, projects
from lightboard.schema.audit import AuditAnswer, AuditPage, AuditQuestion

routes = Routes("audit")


@routes.get("/api/v1/audit", right="audit.list", answer=AuditPage)
def find(asked: Asked, question: Annotated[AuditQuestion, Query()]) -> Response:
    """A page of what was done in a project, or on the whole hub, newest first."""
    with asked.read() as session:
        project = projects.get(session, asked.who, question.project).id if question.project else ""
        actor = accounts.row_of(session, question.actor) if question.actor else None
        wanted = question.model_copy(update={"project": project, "actor": actor.id if actor else question.actor})
        lines, total = audit.find(session, asked.who, wanted)
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
    return answered(told)
