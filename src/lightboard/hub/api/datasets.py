"""Datasets: named places with data."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.request_context import (
    ContextDep,
    RequestContext,
    StorableResponse,
    json_response,
    no_content,
    non_null_fields,
)
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.db import accounts, datasets
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.schema.datasets import ChangeDataset, CreateDataset, DatasetResponse, Datasets, UsedBy, UsedByResponse

PATH = "/api/v1/datasets"

routes = Routes("datasets")


@routes.get(PATH, right="datasets.list", response=Datasets)
def find(context: ContextDep, project: str = "") -> Response:
    """List the datasets of a project, or of all visible projects."""
    with context.read() as session:
        found = datasets.find(session, context.principal, project)
        return json_response(Datasets(items=to_responses(session, context, found)))


@routes.post(PATH, right="datasets.create", response=DatasetResponse, status=201)
def create(context: ContextDep, boards: BoardsDep, body: CreateDataset) -> Response:
    """Create a dataset."""
    fields = body.model_dump(exclude={"kind"})
    new = Dataset(id="", owner=context.principal.account, kind=DatasetKind(body.kind), **fields)
    with context.read() as session:  # not in a write transaction, because the disk may hang
        boards.source_resolver.check_dataset(
            session, replace(new, project=datasets.project_for(session, context.principal, new.project))
        )

    def run(session: Session) -> StorableResponse:
        made = datasets.create(session, context.principal, new, context.at)
        result = to_responses(session, context, [made])[0]
        return StorableResponse(result, 201, version=made.version, location=context.url(f"{PATH}/{made.id}"))

    return context.run_idempotent(body, run)


@routes.get(f"{PATH}/{{id}}", right="datasets.list", response=DatasetResponse)
def get(context: ContextDep, id: str, project: str = "") -> Response:
    """Get a dataset by id or name."""
    with context.read() as session:
        dataset = datasets.get(session, context.principal, id, project=project)
        return json_response(to_responses(session, context, [dataset])[0], version=dataset.version)


@routes.patch(f"{PATH}/{{id}}", right="datasets.update", response=DatasetResponse)
def change(context: ContextDep, boards: BoardsDep, id: str, body: ChangeDataset) -> Response:
    """Change a dataset."""
    wanted = non_null_fields(body)
    if {"uri", "credential"} & set(wanted):
        with context.read() as session:
            before = datasets.get(session, context.principal, id, "datasets.update")
            boards.source_resolver.check_dataset(session, replace(before, **wanted))
    with context.write() as session:
        dataset = datasets.change(session, context.principal, id, wanted, context.at, context.if_match_version())
        return json_response(to_responses(session, context, [dataset])[0], version=dataset.version)


@routes.delete(f"{PATH}/{{id}}", right="datasets.delete", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """Remove a dataset from the hub; the data is kept."""
    with context.write() as session:
        datasets.remove(session, context.principal, id, context.at)
    return no_content()


@routes.get(f"{PATH}/{{id}}/used-by", right="datasets.list", response=UsedByResponse)
def used_by(context: ContextDep, id: str) -> Response:
    """List the visible TensorBoards that use a dataset."""
    with context.read() as session:
        found = datasets.used_by(session, context.principal, id)
    result = [UsedBy(id=board.id, display_name=board.display_name, status=board.status.value) for board in found]
    return json_response(UsedByResponse(items=result))


def to_responses(session: Session, context: RequestContext, found: Sequence[Dataset]) -> list[DatasetResponse]:
    """Datasets with the names of their owners and the rights of the principal."""
    owners = accounts.names(session, {dataset.owner for dataset in found})
    return [
        DatasetResponse(
            id=dataset.id,
            name=dataset.name,
            display_name=dataset.display_name,
            project=dataset.project,
            owner=dataset.owner,
            owner_name=owners.get(dataset.owner, ""),
            kind=dataset.kind.value,
            uri=dataset.uri,
            credential=dataset.credential,
            labels=dataset.labels,
            created_at=dataset.created_at,
            version=dataset.version,
            used_by=datasets.uses(session, dataset.id),
            rights=datasets.rights_of(session, context.principal, dataset),
        )
        for dataset in found
    ]
