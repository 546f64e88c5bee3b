"""From the sources of a board to places that can be read: what they mean, and whether they may be.

Every folder is followed through its links and must then lie below one that the administrator allows, or in the
project's own storage; the hub's other files are never a place. Every address is opened with a credential that was laid
down for it, or as the administrator says for all.
"""

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from lightboard.errors import Invalid, LaunchError
from lightboard.hub import credentials
from lightboard.hub.db import datasets, projects
from lightboard.hub.db.engine import Session
from lightboard.hub.launchers.base import BoardSpec, SourceSpec
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.storage.bucket import environment_options
from lightboard.storage.urls import is_url
from lightboard.types import ACCESS_DENIED, SOURCE_NOT_FOUND

MOST_REFERENCES = 8


class OpenTo(StrEnum):
    """How addresses without a credential of their own are asked: not at all, unsigned, or with the hub's own keys."""

    NOTHING = "nothing"
    ANONYMOUS = "anonymous"
    ENVIRONMENT = "environment"


class Places:
    """`folder` is the hub's own; `roots` are the allowed folders; `prefix` goes before `/tb/` in addresses.

    `environ` is what `OpenTo.ENVIRONMENT` takes keys from.
    """

    def __init__(
        self,
        folder: Path,
        roots: Sequence[str] = (),
        *,
        open_to: OpenTo = OpenTo.NOTHING,
        prefix: str = "",
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.folder = folder
        self.roots = tuple(roots)
        self._open_to = open_to
        self._prefix = prefix
        self._environ = environ

    def spec(self, session: Session, board: Tensorboard) -> BoardSpec:
        """What the launcher is told of a board. Raises LaunchError where one of its sources may not be read."""
        overlay = self.folder / "overlays" / board.project / f"{board.source_key}.json"
        overlay.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return BoardSpec(
            id=board.id,
            version=board.spec_version,
            sources=tuple(self.resolve(session, board.project, source) for source in board.sources),
            prefix=f"{self._prefix}/tb/{board.id}",
            title=board.display_name,
            overlay=str(overlay),
            reload_secs=board.reload_secs,
        )

    def resolve(self, session: Session, project: str, source: Source) -> SourceSpec:
        """One source of the project with this id. Raises LaunchError, SourceNotFound or AccessDenied by its reason."""
        home = projects.peek(session, project)
        if home is None:
            raise LaunchError("the project is gone", reason=SOURCE_NOT_FOUND)
        url, options = self._place(session, home, source)
        return SourceSpec(
            alias=source.alias,
            url=url,
            options=options,
            include=source.include,
            exclude=source.exclude,
            shown=source.text if source.kind is SourceKind.STORAGE else "",
        )

    def credentials(self) -> list[str]:
        """The names of those that were laid down."""
        return credentials.names(self.folder / "credentials")

    def check_credential(self, name: str) -> None:
        """Raises Invalid for a name that none has, or one that is broken; "" is none."""
        if name:
            credentials.read(self.folder / "credentials", name)

    def check_folder(self, path: str) -> None:
        """Raises Invalid for a folder of this machine that may not be shown; it need not be there yet."""
        try:
            self._allowed(path)
        except LaunchError as error:
            raise Invalid(error.message, hint=error.hint) from None

    # Inside

    def _place(self, session: Session, project: Project, source: Source) -> tuple[str, Mapping[str, str]]:
        match source.kind:
            case SourceKind.DATASET:
                return self._dataset(session, source)
            case SourceKind.STORAGE:
                return self._storage(project, source)
            case SourceKind.URI:
                return source.path, self._bounded(source.path, project)
            case SourceKind.PATH:
                return self._allowed(source.path), {}

    def _dataset(self, session: Session, source: Source) -> tuple[str, Mapping[str, str]]:
        dataset = followed(session, source.ref)
        owner = projects.peek(session, dataset.project)
        if owner is None:
            raise LaunchError("the project of the dataset is gone", reason=SOURCE_NOT_FOUND)
        place = below(dataset.uri, source.path)
        if not is_url(place):
            return self._allowed(place, dataset.uri), {}
        if not dataset.credential:
            return place, self._bounded(place, owner)
        return place, self._signed(dataset.credential, place, owner)

    def _storage(self, project: Project, source: Source) -> tuple[str, Mapping[str, str]]:
        if is_url(project.storage):
            place = below(project.storage, source.path)
            return place, self._bounded(place, project)
        if project.storage:
            return self._allowed(below(project.storage, source.path), project.storage, source.text), {}
        own = self.folder / "storage" / project.name
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        real = os.path.realpath(below(str(own), source.path))
        if not inside(real, os.path.realpath(own)):
            raise denied(f"{source.text} leads out of the project's storage", "give a folder below it")
        return real, {}

    def _allowed(self, path: str, within: str = "", shown: str = "") -> str:
        """The folder with its links followed. `within`, if given, is what it must stay below as well.

        `shown` is what people call it, "" where that is the path.
        """
        shown = shown or path
        real, own = os.path.realpath(path), os.path.realpath(self.folder)
        if inside(real, own) or inside(own, real):
            raise denied(f"{shown} holds the hub's own files", "logs of a project's storage are storage:PATH")
        if not any(inside(real, os.path.realpath(root)) for root in self.roots):
            raise denied(f"{shown} is not below an allowed folder", "an administrator allows it by --allow-root FOLDER")
        if within and not inside(real, os.path.realpath(within)):
            raise denied(f"{shown} leads elsewhere by a link", "give a folder below it")
        return real

    def _signed(self, name: str, uri: str, project: Project) -> Mapping[str, str]:
        try:
            credential = credentials.read(self.folder / "credentials", name)
        except Invalid as error:
            raise denied(error.message, error.hint) from None
        if not credential.opens(uri, project.name):
            raise denied(
                f"the credential {name} is not for {uri} in this project", "an administrator says what it is for"
            )
        return credential.options

    def _bounded(self, uri: str, project: Project) -> Mapping[str, str]:
        """With what an address is opened that names no credential: one laid down for just this place, or the rule."""
        for name in self.credentials():
            try:
                credential = credentials.read(self.folder / "credentials", name)
            except Invalid:
                continue  # a broken file is told to who names it
            if credential.uris and credential.opens(uri, project.name):
                return credential.options
        if self._open_to is OpenTo.ANONYMOUS:
            return {"anonymous": "true"}
        if self._open_to is OpenTo.ENVIRONMENT:
            return environment_options(uri, self._environ)
        raise denied(f"nothing opens {uri}", "make a dataset with a credential, or ask an administrator for one")


def followed(session: Session, id: str) -> Dataset:
    """The dataset with this id, or what it refers to. Raises LaunchError where that leads nowhere."""
    for _ in range(MOST_REFERENCES):
        dataset = datasets.peek(session, id)
        if dataset is None:
            raise LaunchError("the dataset is gone from the hub", reason=SOURCE_NOT_FOUND, hint="choose another source")
        if dataset.kind is not DatasetKind.REFERENCE:
            return dataset
        id = dataset.uri
    raise LaunchError("the dataset refers to itself", reason=SOURCE_NOT_FOUND, hint="refer to one that is a place")


def below(base: str, path: str) -> str:
    """`path`, which climbs nowhere (`resources.sources`), below a folder or an address."""
    return f"{base.rstrip('/')}/{path}".rstrip("/") or "/"


def inside(path: str, folder: str) -> bool:
    """Whether a real path is the folder or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def denied(message: str, hint: str) -> LaunchError:
    """What may not be read."""
    return LaunchError(message, reason=ACCESS_DENIED, hint=hint)
