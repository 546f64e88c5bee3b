"""The sources of a TensorBoard, one at a time, while it runs too."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import NotFound
from lightboard.hub.api.request_context import ContextDep, StorableResponse, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import detail_of
from lightboard.hub.api.tensorboards import PATH, source_asked
from lightboard.hub.db import tensorboards
from lightboard.schema.tensorboards import SourceQuestion, TensorboardDetail

routes = Routes("sources")


@routes.post(f"{PATH}/{{id}}/sources", right="tensorboards.update", answer=TensorboardDetail)
def add(context: ContextDep, id: str, body: SourceQuestion, project: str = "") -> Response:
    """Add a place to a TensorBoard."""

    def act(session: Session) -> StorableResponse:
        before = tensorboards.get(session, context.who, id, "tensorboards.update", project)
        wanted = {"sources": (*before.sources, source_asked(body))}
        board = tensorboards.change(session, context.who, before.id, wanted, context.at, context.if_match_version())
        return StorableResponse(detail_of(session, context, board), 200, version=board.version)

    answer = context.run_idempotent(body, act)
    context.hub.wake()
    return answer


@routes.delete(f"{PATH}/{{id}}/sources/{{source}}", right="tensorboards.update", answer=TensorboardDetail)
def remove(context: ContextDep, id: str, source: str, project: str = "") -> Response:
    """Take a place from a TensorBoard; its last one stays."""
    with context.write() as session:
        before = tensorboards.get(session, context.who, id, "tensorboards.update", project)
        left = tuple(each for each in before.sources if each.id != source)
        if left == before.sources:
            raise NotFound(f"{before.name} has no source {source}")
        board = tensorboards.change(
            session, context.who, before.id, {"sources": left}, context.at, context.if_match_version()
        )
        told = detail_of(session, context, board)
    context.hub.wake()
    return json_response(told, version=board.version)
