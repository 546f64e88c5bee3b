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
from lightboard.hub.db import accounts, datasets
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.schema.datasets import ChangeDataset, CreateDataset, DatasetAnswer, Datasets, UsedBy, UsedByAnswer

PATH = "/api/v1/datasets"

routes = Routes("datasets")


@routes.get(PATH, right="datasets.list", answer=Datasets)
def find(context: ContextDep, project: str = "") -> Response:
    """The datasets of a project, or of all that the asker sees."""
    with context.read() as session:
        found = datasets.find(session, context.who, project)
        return json_response(Datasets(items=answers_of(session, context, found)))


@routes.post(PATH, right="datasets.create", answer=DatasetAnswer, status=201)
def create(context: ContextDep, body: CreateDataset) -> Response:
    """Make a dataset."""
    fields = body.model_dump(exclude={"kind"})
    new = Dataset(id="", owner=context.who.account, kind=DatasetKind(body.kind), **fields)
    with context.read() as session:  # not while writing: a folder may be on a disk that does not answer
        context.hub.source_resolver.check_dataset(
            session, replace(new, project=datasets.project_for(session, context.who, new.project))
        )

    def act(session: Session) -> StorableResponse:
        made = datasets.create(session, context.who, new, context.at)
        told = answers_of(session, context, [made])[0]
        return StorableResponse(told, 201, version=made.version, location=context.url(f"{PATH}/{made.id}"))

    return context.run_idempotent(body, act)


@routes.get(f"{PATH}/{{id}}", right="datasets.list", answer=DatasetAnswer)
def get(context: ContextDep, id: str, project: str = "") -> Response:
    """One dataset, by its id or its name."""
    with context.read() as session:
        dataset = datasets.get(session, context.who, id, project=project)
        return json_response(answers_of(session, context, [dataset])[0], version=dataset.version)


@routes.patch(f"{PATH}/{{id}}", right="datasets.update", answer=DatasetAnswer)
def change(context: ContextDep, id: str, body: ChangeDataset) -> Response:
    """Change a dataset."""
    wanted = non_null_fields(body)
    if {"uri", "credential"} & set(wanted):
        with context.read() as session:
            before = datasets.get(session, context.who, id, "datasets.update")
            context.hub.source_resolver.check_dataset(session, replace(before, **wanted))
    with context.write() as session:
        dataset = datasets.change(session, context.who, id, wanted, context.at, context.if_match_version())
        return json_response(answers_of(session, context, [dataset])[0], version=dataset.version)


@routes.delete(f"{PATH}/{{id}}", right="datasets.delete", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """Take a dataset out of the hub; the data stays."""
    with context.write() as session:
        datasets.remove(session, context.who, id, context.at)
    return no_content()


@routes.get(f"{PATH}/{{id}}/used-by", right="datasets.list", answer=UsedByAnswer)
def used_by(context: ContextDep, id: str) -> Response:
    """The TensorBoards over a dataset that the asker may see."""
    with context.read() as session:
        boards = datasets.used_by(session, context.who, id)
    told = [UsedBy(id=board.id, display_name=board.display_name, status=board.status.value) for board in boards]
    return json_response(UsedByAnswer(items=told))


def answers_of(session: Session, context: RequestContext, found: Sequence[Dataset]) -> list[DatasetAnswer]:
    """Datasets as they travel."""
    owners = accounts.names(session, {dataset.owner for dataset in found})
    return [
        DatasetAnswer(
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
            rights=datasets.rights_of(session, context.who, dataset),
        )
        for dataset in found
    ]
