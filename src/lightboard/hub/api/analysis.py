"""The Job Analysis API of DCE: lists and deletes the same TensorBoards in another format.

It follows `/apis/baize.io/v1alpha1/workspaces/{workspace}/analysis` of DaoCloud's API documents. A workspace is a
project.
"""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from starlette.responses import Response

from lightboard.hub import lifecycle
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.api.tensorboard_responses import PHASES
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.analysis import AnalysisPage, AnalysisPlace, AnalysisResponse, AnalysisStatus
from lightboard.schema.page import MAX_PAGE_SIZE, MAX_PAGES
from lightboard.schema.tensorboards import TensorboardRequest

PREFIXES = {"/api/v1": "analysis", "/apis/baize.io/v1alpha1": "baize_analysis"}
"""Path prefixes, with the prefix of their operation ids."""
SORTS = {
    "": "-created",
    "creationTimestamp": "created",
    "-creationTimestamp": "-created",
    "name": "name",
    "-name": "-name",
}
ALL = -1
"""Page size for everything on one page."""

routes = Routes("analysis")


def find(
    context: ContextDep,
    workspace: Annotated[str, Path(max_length=200)],
    page: Annotated[int, Query(alias="page.page", ge=1, le=MAX_PAGES)] = 1,
    page_size: Annotated[int, Query(alias="page.pageSize", ge=ALL, le=MAX_PAGE_SIZE)] = 20,
    sort: Annotated[str, Query(alias="page.sort")] = "",
    search: Annotated[str, Query(alias="page.search", max_length=1000)] = "",
) -> Response:
    """List the TensorBoards of a project in DCE's format."""
    size = MAX_PAGE_SIZE if page_size <= 0 else page_size
    query = TensorboardRequest(
        project=workspace,
        page=1 if page_size == ALL else page,
        page_size=size,
        search=search,
        sort=SORTS.get(sort, "-created"),  # type: ignore[arg-type]
    )
    with context.read() as session:
        boards, total = tensorboards.find(session, context.principal, query)
        names = accounts.names(session, {board.owner for board in boards})
    items = [analysis_of(context, board, names.get(board.owner, "")) for board in boards]
    return json_response(
        AnalysisPage(items=items, page=AnalysisPlace(page=query.page, pageSize=page_size, total=total))
    )


def delete(context: ContextDep, boards: BoardsDep, workspace: str, name: str) -> Response:
    """Delete a TensorBoard by name; its logs are kept."""
    with context.write() as session:
        board = tensorboards.apply_event(
            session,
            context.principal,
            name,
            "tensorboards.delete",
            lifecycle.DeleteRequested(),
            context.at,
            project=workspace,
        )
        names = accounts.names(session, {board.owner})
    boards.wake()
    return json_response(analysis_of(context, board, names.get(board.owner, "")))


def analysis_of(context: RequestContext, board: Tensorboard, owner: str) -> AnalysisResponse:
    """A TensorBoard in DCE's format."""
    return AnalysisResponse(
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
    routes.get(path, right="tensorboards.list", response=AnalysisPage, operation_id=f"{noun}_find")(find)
    routes.delete(
        f"{path}/{{name}}", right="tensorboards.delete", response=AnalysisResponse, operation_id=f"{noun}_delete"
    )(delete)
