"""The response to a request that extends the life span of a TensorBoard or a job."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.access import Principal
from lightboard.hub.api.request_context import RequestContext, Reveal, StorableResponse
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.life_spans import ExtendLifeSpan
from lightboard.schema.model import ResponseModel

Resource = TypeVar("Resource", Tensorboard, Job)
Extend = Callable[[Session, Principal, str, ExtendLifeSpan, float, int | None, str], Resource]
"""Extends the life span of the resource with an id or name, at a time, if it has that version, in a project."""
Describe = Callable[[Session, RequestContext, Resource], ResponseModel]


def respond_with_extended(
    context: RequestContext,
    id: str,
    body: ExtendLifeSpan,
    project: str,
    extend: Extend[Resource],
    describe: Describe[Resource],
    reveal: Reveal | None = None,
) -> Response:
    """Extends once for each Idempotency-Key. `reveal` is as for `run_idempotent`."""

    def run(session: Session) -> StorableResponse:
        version = context.if_match_version()
        extended = extend(session, context.principal, id, body, context.at, version, project)
        return StorableResponse(describe(session, context, extended), 200, version=extended.version)

    return context.run_idempotent(body, run, reveal)
