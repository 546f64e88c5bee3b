"""The sources of a TensorBoard, one at a time, while it runs too."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import NotFound
from lightboard.hub.api.asking import Asked, Made, answered
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import detail_of
from lightboard.hub.api.tensorboards import PATH, source_asked
from lightboard.hub.db import tensorboards
from lightboard.schema.tensorboards import SourceQuestion, TensorboardDetail

routes = Routes("sources")


@routes.post(f"{PATH}/{{id}}/sources", right="tensorboards.update", answer=TensorboardDetail)
def add(asked: Asked, id: str, body: SourceQuestion, project: str = "") -> Response:
    """Add a place to a TensorBoard."""

    def act(session: Session) -> Made:
        before = tensorboards.get(session, asked.who, id, "tensorboards.update", project)
        wanted = {"sources": (*before.sources, source_asked(body))}
        board = tensorboards.change(session, asked.who, before.id, wanted, asked.at, asked.wanted_version())
        return Made(detail_of(session, asked, board), 200, version=board.version)

    answer = asked.once(body, act)
    asked.hub.wake()
    return answer


@routes.delete(f"{PATH}/{{id}}/sources/{{source}}", right="tensorboards.update", answer=TensorboardDetail)
def remove(asked: Asked, id: str, source: str, project: str = "") -> Response:
    """Take a place from a TensorBoard; its last one stays."""
    with asked.write() as session:
        before = tensorboards.get(session, asked.who, id, "tensorboards.update", project)
        left = tuple(each for each in before.sources if each.id != source)
        if left == before.sources:
            raise NotFound(f"{before.name} has no source {source}")
        board = tensorboards.change(session, asked.who, before.id, {"sources": left}, asked.at, asked.wanted_version())
        told = detail_of(session, asked, board)
    asked.hub.wake()
    return answered(told, version=board.version)
