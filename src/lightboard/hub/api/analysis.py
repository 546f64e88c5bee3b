"""Job Analysis as DCE's programs ask for it: the same TensorBoards in that shape, to list and to delete.

As in `/apis/baize.io/v1alpha1/workspaces/{workspace}/analysis` of DaoCloud's API documents; a workspace is a project.
"""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from starlette.responses import Response

from lightboard.hub import lifecycle
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import PHASES
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.analysis import AnalysisAnswer, AnalysisPage, AnalysisPlace, AnalysisStatus
from lightboard.schema.page import MOST, MOST_PAGES
from lightboard.schema.tensorboards import TensorboardQuestion

PREFIXES = {"/api/v1": "analysis", "/apis/baize.io/v1alpha1": "baize_analysis"}
"""Where the addresses begin, and what begins the names of their operations."""
SORTS = {
    "": "-created",
    "creationTimestamp": "created",
    "-creationTimestamp": "-created",
    "name": "name",
    "-name": "-name",
}
ALL = -1
"""As a page size: everything on one page."""

routes = Routes("analysis")


def find(
    context: ContextDep,
    workspace: Annotated[str, Path(max_length=200)],
    page: Annotated[int, Query(alias="page.page", ge=1, le=MOST_PAGES)] = 1,
    page_size: Annotated[int, Query(alias="page.pageSize", ge=ALL, le=MOST)] = 20,
    sort: Annotated[str, Query(alias="page.sort")] = "",
    search: Annotated[str, Query(alias="page.search", max_length=1000)] = "",
) -> Response:
    """The TensorBoards of a project in DCE's shape."""
    size = MOST if page_size <= 0 else page_size
    question = TensorboardQuestion(
        project=workspace,
        page=1 if page_size == ALL else page,
        page_size=size,
        search=search,
        sort=SORTS.get(sort, "-created"),  # type: ignore[arg-type]
    )
    with context.read() as session:
        boards, total = tensorboards.find(session, context.who, question)
        names = accounts.names(session, {board.owner for board in boards})
    items = [analysis_of(context, board, names.get(board.owner, "")) for board in boards]
    return json_response(
        AnalysisPage(items=items, page=AnalysisPlace(page=question.page, pageSize=page_size, total=total))
    )


def delete(context: ContextDep, workspace: str, name: str) -> Response:
    """Delete a TensorBoard by its name; logs stay."""
    with context.write() as session:
        board = tensorboards.apply_event(
            session,
            context.who,
            name,
            "tensorboards.delete",
            lifecycle.DeleteRequested(),
            context.at,
            project=workspace,
        )
        names = accounts.names(session, {board.owner})
    context.hub.wake()
    return json_response(analysis_of(context, board, names.get(board.owner, "")))


def analysis_of(context: RequestContext, board: Tensorboard, owner: str) -> AnalysisAnswer:
    """One of them."""
    return AnalysisAnswer(
        name=board.name,
        type="TENSORBOARD",
        creationTimestamp=datetime.fromtimestamp(board.created_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        status=AnalysisStatus(
            phase=PHASES.get(board.status, ""),
            accessUrl=context.board_url(board, owner),
            message=board.message or board.reason,
        ),
        owner=owner,
    )


for prefix, noun in PREFIXES.items():
    path = f"{prefix}/workspaces/{{workspace}}/analysis"
    routes.get(path, right="tensorboards.list", answer=AnalysisPage, operation_id=f"{noun}_find")(find)
    routes.delete(
        f"{path}/{{name}}", right="tensorboards.delete", answer=AnalysisAnswer, operation_id=f"{noun}_delete"
    )(delete)
