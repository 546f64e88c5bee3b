"""Adds and removes single sources of a TensorBoard, also while it runs."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import NotFound
from lightboard.hub.api.request_context import ContextDep, StorableResponse, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.api.tensorboard_responses import detail_of
from lightboard.hub.api.tensorboards import PATH, to_source
from lightboard.hub.db import tensorboards
from lightboard.schema.tensorboards import SourceRequest, TensorboardDetail

routes = Routes("sources")


@routes.post(f"{PATH}/{{id}}/sources", right="tensorboards.update", response=TensorboardDetail)
def add(context: ContextDep, boards: BoardsDep, id: str, body: SourceRequest, project: str = "") -> Response:
    """Add a source to a TensorBoard."""

    def run(session: Session) -> StorableResponse:
        before = tensorboards.get(session, context.principal, id, "tensorboards.update", project)
        changes = {"sources": (*before.sources, to_source(body))}
        board = tensorboards.change(
            session, context.principal, before.id, changes, context.at, context.if_match_version()
        )
        return StorableResponse(detail_of(session, context, board), 200, version=board.version)

    answer = context.run_idempotent(body, run)
    boards.wake()
    return answer


@routes.delete(f"{PATH}/{{id}}/sources/{{source}}", right="tensorboards.update", response=TensorboardDetail)
def remove(context: ContextDep, boards: BoardsDep, id: str, source: str, project: str = "") -> Response:
    """Remove a source from a TensorBoard; the last one cannot be removed."""
    with context.write() as session:
        before = tensorboards.get(session, context.principal, id, "tensorboards.update", project)
        remaining = tuple(each for each in before.sources if each.id != source)
        if remaining == before.sources:
            raise NotFound(f"{before.name} has no source {source}")
        board = tensorboards.change(
            session, context.principal, before.id, {"sources": remaining}, context.at, context.if_match_version()
        )
        result = detail_of(session, context, board)
    boards.wake()
    return json_response(result, version=board.version)
