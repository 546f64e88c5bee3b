"""The Job Analysis API of DCE: lists and deletes the same TensorBoards in another format.

It follows `/apis/baize.io/v1alpha1/workspaces/{workspace}/analysis` of DaoCloud's API documents. A workspace is a
project. Jobs and notebooks are in `dce_jobs`.
"""

from collections.abc import Mapping
from typing import Annotated

from fastapi import Path, Query
from starlette.responses import Response

from lightboard.hub import dce_format, lifecycle
from lightboard.hub.api.dce_jobs import NAMESPACE, PlaceDep
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.api.tensorboard_responses import PHASES, dataset_names
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.analysis import AnalysisPage, AnalysisResponse, AnalysisStatus
from lightboard.schema.dce import DcePage, DcePageRequest
from lightboard.schema.tensorboards import TensorboardRequest

PREFIXES = {"/api/v1": "analysis", "/apis/baize.io/v1alpha1": "baize_analysis"}
"""Path prefixes, with the prefix of their operation ids."""

routes = Routes("analysis")


def find(
    context: ContextDep, workspace: Annotated[str, Path(max_length=200)], query: Annotated[DcePageRequest, Query()]
) -> Response:
    """List the TensorBoards of a project in DCE's format."""
    request = TensorboardRequest(
        project=workspace, page=query.number, page_size=query.size, search=query.search, sort=query.order
    )
    with context.read() as session:
        boards, total = tensorboards.find(session, context.principal, request)
        owners = accounts.names(session, {board.owner for board in boards})
        names = dataset_names(session, boards)
    items = [analysis_of(context, board, owners.get(board.owner, ""), names) for board in boards]
    page = DcePage(page=query.number, page_size=query.page_size, total=total)
    return json_response(AnalysisPage(items=items, page=page))


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
        owners = accounts.names(session, {board.owner})
        names = dataset_names(session, [board])
    boards.wake()
    return json_response(analysis_of(context, board, owners.get(board.owner, ""), names))


@routes.get(f"{NAMESPACE}/analysis", right="tensorboards.list", response=AnalysisPage)
def find_in_namespace(context: ContextDep, place: PlaceDep, query: Annotated[DcePageRequest, Query()]) -> Response:
    """List the TensorBoards of a project in DCE's format, at the route of a namespace."""
    return find(context, place.workspace, query)


@routes.delete(f"{NAMESPACE}/analysis/{{name}}", right="tensorboards.delete", response=AnalysisResponse)
def delete_in_namespace(context: ContextDep, boards: BoardsDep, place: PlaceDep, name: str) -> Response:
    """Delete a TensorBoard by name, at the route of a namespace; its logs are kept."""
    return delete(context, boards, place.workspace, name)


def analysis_of(context: RequestContext, board: Tensorboard, owner: str, names: Mapping[str, str]) -> AnalysisResponse:
    """A TensorBoard in DCE's format. `names` are those of datasets, by id."""
    volumes, log_path = dce_format.place_of(board.sources[0], names)
    return AnalysisResponse(
        name=board.name,
        type="TENSORBOARD",
        creation_timestamp=dce_format.timestamp(board.created_at),
        status=AnalysisStatus(
            phase=PHASES.get(board.status, ""),
            access_url=context.board_url(board, owner),
            message=board.message or board.reason,
        ),
        owner=owner,
        kube_volumes=volumes,
        log_path=log_path,
    )


for prefix, noun in PREFIXES.items():
    path = f"{prefix}/workspaces/{{workspace}}/analysis"
    routes.get(path, right="tensorboards.list", response=AnalysisPage, operation_id=f"{noun}_find")(find)
    routes.delete(
        f"{path}/{{name}}", right="tensorboards.delete", response=AnalysisResponse, operation_id=f"{noun}_delete"
    )(delete)
