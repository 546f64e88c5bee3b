"""Datasets: named places with data."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.asking import Asked, Asking, Made, answered, done, leave_out_none
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, datasets
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.schema.datasets import ChangeDataset, CreateDataset, DatasetAnswer, Datasets, UsedBy, UsedByAnswer

PATH = "/api/v1/datasets"

routes = Routes("datasets")


@routes.get(PATH, right="datasets.list", answer=Datasets)
def find(asked: Asked, project: str = "") -> Response:
    """The datasets of a project, or of all that the asker sees."""
    with asked.read() as session:
        found = datasets.find(session, asked.who, project)
        return answered(Datasets(items=answers_of(session, asked, found)))


@routes.post(PATH, right="datasets.create", answer=DatasetAnswer, status=201)
def create(asked: Asked, body: CreateDataset) -> Response:
    """Make a dataset."""
    fields = body.model_dump(exclude={"kind"})
    new = Dataset(id="", owner=asked.who.account, kind=DatasetKind(body.kind), **fields)
    with asked.read() as session:  # not while writing: a folder may be on a disk that does not answer
        asked.hub.places.check_dataset(
            session, replace(new, project=datasets.project_for(session, asked.who, new.project))
        )

    def act(session: Session) -> Made:
        made = datasets.create(session, asked.who, new, asked.at)
        told = answers_of(session, asked, [made])[0]
        return Made(told, 201, version=made.version, location=asked.url(f"{PATH}/{made.id}"))

    return asked.once(body, act)


@routes.get(f"{PATH}/{{id}}", right="datasets.list", answer=DatasetAnswer)
def get(asked: Asked, id: str, project: str = "") -> Response:
    """One dataset, by its id or its name."""
    with asked.read() as session:
        dataset = datasets.get(session, asked.who, id, project=project)
        return answered(answers_of(session, asked, [dataset])[0], version=dataset.version)


@routes.patch(f"{PATH}/{{id}}", right="datasets.update", answer=DatasetAnswer)
def change(asked: Asked, id: str, body: ChangeDataset) -> Response:
    """Change a dataset."""
    wanted = leave_out_none(body)
    if {"uri", "credential"} & set(wanted):
        with asked.read() as session:
            before = datasets.get(session, asked.who, id, "datasets.update")
            asked.hub.places.check_dataset(session, replace(before, **wanted))
    with asked.write() as session:
        dataset = datasets.change(session, asked.who, id, wanted, asked.at, asked.wanted_version())
        return answered(answers_of(session, asked, [dataset])[0], version=dataset.version)


@routes.delete(f"{PATH}/{{id}}", right="datasets.delete", status=204)
def remove(asked: Asked, id: str) -> Response:
    """Take a dataset out of the hub; the data stays."""
    with asked.write() as session:
        datasets.remove(session, asked.who, id, asked.at)
    return done()


@routes.get(f"{PATH}/{{id}}/used-by", right="datasets.list", answer=UsedByAnswer)
def used_by(asked: Asked, id: str) -> Response:
    """The TensorBoards over a dataset that the asker may see."""
    with asked.read() as session:
        boards = datasets.used_by(session, asked.who, id)
    told = [UsedBy(id=board.id, display_name=board.display_name, status=board.status.value) for board in boards]
    return answered(UsedByAnswer(items=told))


def answers_of(session: Session, asked: Asking, found: Sequence[Dataset]) -> list[DatasetAnswer]:
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
            rights=datasets.rights_of(session, asked.who, dataset),
        )
        for dataset in found
    ]
