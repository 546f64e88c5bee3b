"""Resolves the sources of a board to folders and URLs, and checks that its project may read them.

Roots and credentials given when the hub starts (`--allow-root`, `--object-stores environment`, credentials that name no
project) belong to the first project. An administrator can bind more to any project (`hub.db.bindings`). The real path
of a folder must be below a root of its project or in the storage of the project; the other files of the hub are never
readable. URLs are opened with the credentials that the project may use for them.
"""

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from lightboard.errors import Invalid, LaunchError, NotFound, NotReady
from lightboard.hub import credentials
from lightboard.hub.credentials import Credential, is_below
from lightboard.hub.db import bindings, datasets, projects
from lightboard.hub.db.engine import Session
from lightboard.hub.folders import FolderTree
from lightboard.hub.launchers.base import BoardSpec, SourceSpec
from lightboard.hub.real_paths import RealPaths
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.jobs import RESERVED
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri, source_of
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.storage.bucket import environment_options
from lightboard.storage.urls import is_url
from lightboard.types import ACCESS_DENIED, SOURCE_NOT_FOUND, UNREACHABLE

MAX_REFERENCES = 8
FOLDERS = (DatasetKind.PATH, DatasetKind.NFS, DatasetKind.PVC)


class DefaultAuth(StrEnum):
    """How URLs without a credential are opened: not at all, without signing, or with the keys of the hub's environment.

    These keys open any URL for the first project. For other projects they open URLs below a storage bound to them.
    """

    NOTHING = "nothing"
    ANONYMOUS = "anonymous"
    ENVIRONMENT = "environment"


class SourceResolver:
    """`folder` is the data directory; `roots` are those of the first project; `prefix` precedes `/tb/` in paths.

    `private` are files of the hub outside its data directory. No board may show them, nor the data directory; together
    they are `hidden_paths`. `environ` is where
    `DefaultAuth.ENVIRONMENT` takes keys from. `real_paths` resolves symlinks in paths that users enter.
    """

    def __init__(
        self,
        folder: Path,
        roots: Sequence[str] = (),
        *,
        private: Sequence[str | os.PathLike[str]] = (),
        default_auth: DefaultAuth = DefaultAuth.NOTHING,
        prefix: str = "",
        environ: Mapping[str, str] = os.environ,
        real_paths: RealPaths | None = None,
    ) -> None:
        self.folder = folder
        self._real_path = (real_paths or RealPaths()).of
        # Symlinks in the paths of roots are resolved once, so that changing them later has no effect.
        self.roots = tuple(os.path.realpath(root) for root in roots)
        self.hidden_paths = tuple(dict.fromkeys(os.path.realpath(path) for path in (folder, *private)))
        self._default_auth = default_auth
        self._prefix = prefix
        self._environ = environ

    def board_spec(self, session: Session, board: Tensorboard) -> BoardSpec:
        """The spec of a board for the launcher. Raises LaunchError if one of its sources may not be read."""
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
        """Resolves one source of a project (an id). Raises LaunchError: SourceNotFound or AccessDenied."""
        home = projects.get_unchecked(session, project)
        if home is None:
            raise LaunchError("the project was deleted", reason=SOURCE_NOT_FOUND)
        url, options = self._locate(session, home, source)
        return SourceSpec(
            alias=source.alias,
            url=url,
            options=options,
            include=source.include,
            exclude=source.exclude,
            shown=source.text if source.kind is SourceKind.STORAGE else "",
            roots=self._readable_roots(session, home, url),
            refused=self.hidden_paths,
        )

    def roots_of(self, session: Session, project: str) -> tuple[str, ...]:
        """The real paths of the folders below which a project (an id) may show logs."""
        given = self.roots if projects.is_first(session, project) else ()
        return tuple(dict.fromkeys((*given, *bindings.values_of(session, project, BindingKind.ROOT))))

    def folder_tree(self, session: Session, project: Project, source: Source) -> FolderTree:
        """The folder of a source for browsing: a root of the project, its storage, or a dataset it may use.

        Accesses no disk but that of the hub. Raises NotFound for anything the project may not show, whether or not it
        exists, and Invalid for a bucket.
        """
        roots, refused = self.roots_of(session, project.id), self.hidden_paths
        if source.kind is SourceKind.PATH and source.path in roots:
            return FolderTree(source.path, roots, refused, sealed=False, disk=source.path)
        if source.kind is SourceKind.STORAGE and not project.storage:
            own = self._default_storage(project)
            return FolderTree(own, (own,), refused, sealed=True, disk=own)
        if source.kind in (SourceKind.PATH, SourceKind.URI):
            raise NotFound(f"{source.path} is not a folder that this project may show", hint=BIND_ROOT)
        place = project.storage
        if source.kind is SourceKind.DATASET:
            try:
                dataset = follow_references(session, project.id, source.ref)
            except LaunchError as error:
                raise NotFound(error.message, hint=error.hint) from None
            place, roots = dataset.uri, self.roots_of(session, dataset.project)
            if dataset.kind is DatasetKind.STORAGE:
                owner, path = projects.get_unchecked(session, dataset.project), source_of(dataset.uri).path
                if owner is None:
                    raise NotFound("the project of the dataset was deleted")
                if not owner.storage:
                    folder = join_path(self._default_storage(owner), path)
                    return FolderTree(folder, (folder,), refused, sealed=True, disk=folder)
                place = join_path(owner.storage, path)
        if is_url(place):
            raise Invalid("folders in a bucket cannot be browsed", hint="enter the path")
        folder = parse_uri(place)[2]
        holders = [root for root in roots if is_inside(folder, root)]
        return FolderTree(folder, roots, refused, sealed=True, disk=max(holders, key=len, default=""))

    def credentials(self) -> list[str]:
        """The names of all credential files."""
        return credentials.names(self.folder / "credentials")

    def credentials_of(self, session: Session, project: Project) -> dict[str, Credential]:
        """The credentials that a project may use, by name, without invalid files."""
        first = projects.is_first(session, project.id)
        bound = bindings.values_of(session, project.id, BindingKind.CREDENTIAL)
        found = {}
        for name in self.credentials():
            with contextlib.suppress(Invalid):
                credential = credentials.read(self.folder / "credentials", name)
                of_file = project.name in credential.projects if credential.projects else first
                if of_file or name in bound:
                    found[name] = credential
        return found

    def check_dataset(self, session: Session, dataset: Dataset) -> None:
        """Raises Invalid for a folder or credential that its project may not use. The folder need not exist yet.

        Raises NotReady if its disk does not respond.
        """
        if dataset.kind in FOLDERS:
            try:
                self._allowed_path(session, dataset.project, parse_uri(dataset.uri)[2])
            except LaunchError as error:
                raised = NotReady if error.reason == UNREACHABLE else Invalid
                raise raised(error.message, hint=error.hint) from None
        project = projects.get_unchecked(session, dataset.project)
        if dataset.credential and (project is None or dataset.credential not in self.credentials_of(session, project)):
            raise Invalid(
                f"there is no credential {dataset.credential} for this project",
                hint="an administrator can create credentials/NAME.toml and bind it to the project",
            )

    def validate_binding(self, binding: Binding) -> Binding:
        """The binding to store. A folder is stored by its real path, so that changing symlinks later has no effect.

        Raises Invalid for a folder with the hub's own files, and for a missing or invalid credential.
        """
        real = binding.value
        if binding.kind is BindingKind.ROOT:
            try:
                real = self._real_path(binding.value)
            except LaunchError as error:
                raise NotReady(error.message, hint=error.hint) from None
            own = os.path.realpath(self.folder)
            if is_inside(real, own):
                raise Invalid(f"{binding.value} contains the hub's own files", hint="bind another folder")
            if not os.path.isdir(real):
                raise Invalid(f"there is no folder {binding.value}", hint="give an existing folder")
        name = binding.value if binding.kind is BindingKind.CREDENTIAL else binding.credential
        if name:
            credential = credentials.read(self.folder / "credentials", name)
            if binding.kind is BindingKind.STORAGE and not credential.opens(binding.value):
                raise Invalid(f"the credential {name} is not for {binding.value}", hint="see `uris` in its file")
        return replace(binding, value=real)

    def storage_folder(self, session: Session, project: Project) -> str:
        """The real path of the storage of a project, where its jobs write. May take as long as its disk does.

        Raises LaunchError if it is in a bucket, or the project may not use it.
        """
        if is_url(project.storage):
            raise LaunchError(
                f"the storage of the project {project.name} is in a bucket, which jobs on this machine cannot write to",
                reason=ACCESS_DENIED,
                hint="give the project a folder as its storage",
            )
        if not project.storage:
            return self._default_storage(project)
        return self._allowed_path(session, project.id, parse_uri(project.storage)[2])

    def input_path(self, session: Session, project: Project, source: Source) -> str:
        """The real path of data that a job of the project reads. May take as long as its disk does.

        Raises LaunchError: SourceNotFound or AccessDenied; also for a bucket, and for a folder that only another
        project may show, because jobs see the folders of their own.
        """
        path, _ = self._locate(session, project, source)
        if is_url(path):
            raise access_denied(
                f"{path} is in a bucket, which jobs cannot read", "copy it to the storage of the project"
            )
        roots = (*self.roots_of(session, project.id), self.storage_folder(session, project))
        if not any(is_inside(path, root) for root in roots):
            raise access_denied(f"{path} belongs to another project", BIND_ROOT)
        return path

    def log_path(self, session: Session, project: Project, source: Source) -> str:
        """The path of a folder for TensorBoard logs, relative to the storage of the project.

        May take as long as its disk does. Raises LaunchError as `writable_path`.
        """
        return self.writable_path(session, project, source, "logs cannot be written there")

    def writable_path(self, session: Session, project: Project, source: Source, problem: str) -> str:
        """The path of a folder that jobs of the project may write to, relative to its storage.

        May take as long as its disk does. Raises LaunchError as `input_path`, and with the message `problem` for a
        place that is not below the storage, and for RESERVED folders.
        """
        path = self.input_path(session, project, source)
        storage = self.storage_folder(session, project)
        relative = os.path.relpath(path, storage)
        first = relative.partition("/")[0]
        if first in (".", "..", *RESERVED):
            raise access_denied(problem, "choose a folder in the storage of the project, besides those of jobs")
        return relative

    def place(self, session: Session, project: Project, source: Source) -> str:
        """The path or URL of a source, to compare it with others: symlinks are not resolved, and no right is checked.

        Touches no disk. Raises LaunchError for a dataset that is missing or not the project's to use.
        """
        if source.kind is SourceKind.STORAGE:
            own = parse_uri(project.storage)[2] if project.storage else str(self.folder / "storage" / project.name)
            return join_path(own, source.path)
        if source.kind is not SourceKind.DATASET:
            return source.path
        dataset = follow_references(session, project.id, source.ref)
        owner = projects.get_unchecked(session, dataset.project)
        if owner is None:
            raise LaunchError("the project of the dataset was deleted", reason=SOURCE_NOT_FOUND)
        return join_path(self.place(session, owner, source_of(dataset.uri)), source.path)

    # Internals

    def _readable_roots(self, session: Session, project: Project, url: str) -> tuple[str, ...]:
        """The roots that the reads of a board are confined to, whatever symlinks say.

        A folder of a dataset bound from another project is its own root: links in it cannot reach roots over there.
        """
        own = (*self.roots_of(session, project.id), os.path.realpath(self.folder / "storage" / project.name))
        return own if is_url(url) or any(is_inside(url, root) for root in own) else (*own, url)

    def _locate(self, session: Session, project: Project, source: Source) -> tuple[str, Mapping[str, str]]:
        match source.kind:
            case SourceKind.DATASET:
                return self._locate_in_dataset(session, project, source)
            case SourceKind.STORAGE:
                return self._locate_in_storage(session, project, source)
            case SourceKind.URI:
                return source.path, self._options_for(session, project, source.path)
            case SourceKind.PATH:
                return self._allowed_path(session, project.id, source.path), {}

    def _locate_in_dataset(self, session: Session, project: Project, source: Source) -> tuple[str, Mapping[str, str]]:
        dataset = follow_references(session, project.id, source.ref)
        owner = projects.get_unchecked(session, dataset.project)
        if owner is None:
            raise LaunchError("the project of the dataset was deleted", reason=SOURCE_NOT_FOUND)
        if dataset.kind is DatasetKind.STORAGE:
            return self._locate_in_storage_dataset(session, owner, dataset, source.path)
        place = join_path(dataset.uri, source.path)
        if not is_url(place):
            return self._allowed_path(session, owner.id, place, dataset.uri), {}
        if not dataset.credential:
            return place, self._options_for(session, owner, place)
        return place, self._dataset_options(session, owner, dataset.credential, place)

    def _locate_in_storage_dataset(
        self, session: Session, owner: Project, dataset: Dataset, path: str
    ) -> tuple[str, Mapping[str, str]]:
        """A path in a dataset in the storage of its project, which links cannot lead out of the dataset."""
        own = source_of(dataset.uri)
        whole, _ = self._locate_in_storage(session, owner, own)
        place, options = self._locate_in_storage(session, owner, replace(own, path=f"{own.path}/{path}".strip("/")))
        if not is_inside(place, whole):
            raise access_denied(f"{path} leads out of the dataset {dataset.name}", "use a folder in it")
        return place, options

    def _locate_in_storage(self, session: Session, project: Project, source: Source) -> tuple[str, Mapping[str, str]]:
        if is_url(project.storage):
            place = join_path(project.storage, source.path)
            return place, self._options_for(session, project, place)
        if project.storage:
            place = join_path(project.storage, source.path)
            return self._allowed_path(session, project.id, place, project.storage, source.text), {}
        own = self._default_storage(project)
        real = self._real_path(join_path(own, source.path))
        if not is_inside(real, own):
            raise access_denied(f"{source.text} leads out of the project's storage", "use a folder below it")
        return real, {}

    def _default_storage(self, project: Project) -> str:
        """The real path of the storage folder that the hub creates for a project."""
        own = self.folder / "storage" / project.name
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.path.realpath(own)

    def _allowed_path(self, session: Session, project: str, path: str, within: str = "", shown: str = "") -> str:
        """The real path of a folder, which must be below a root and, if given, below `within`.

        `shown` is its name in error messages, "" for the path.
        """
        shown = shown or path
        real, own = self._real_path(path), os.path.realpath(self.folder)
        if is_inside(real, own) or is_inside(own, real):
            raise access_denied(
                f"{shown} contains the hub's own files", "for logs in the project's storage use storage:PATH"
            )
        if not any(is_inside(real, root) for root in self.roots_of(session, project)):
            raise access_denied(f"{shown} is not below a folder that this project may show", BIND_ROOT)
        if within and not is_inside(real, self._real_path(within)):
            raise access_denied(f"{shown} leads elsewhere by a link", "use a folder below it")
        return real

    def _dataset_options(self, session: Session, project: Project, name: str, uri: str) -> Mapping[str, str]:
        """The storage options of the credential that a dataset of the project names."""
        credential = self.credentials_of(session, project).get(name)
        if credential is None or not credential.opens(uri):
            raise access_denied(f"the credential {name} is not for {uri} in this project", BIND_CREDENTIAL)
        return credential.options

    def _options_for(self, session: Session, project: Project, uri: str) -> Mapping[str, str]:
        """The storage options for a URL that names no credential.

        They come from the nearest storage bound to the project, else from a credential of the project for this URL,
        else from `default_auth`. Raises LaunchError.
        """
        storages = [
            each
            for each in bindings.of_project(session, project.id)
            if each.kind is BindingKind.STORAGE and is_below(uri, each.value)
        ]
        nearest = max(storages, key=lambda each: len(each.value), default=None)
        if nearest is not None and nearest.credential:
            return self._storage_options(nearest, uri)
        for credential in self.credentials_of(session, project).values():
            if credential.uris and credential.opens(uri):
                return credential.options
        if self._default_auth is DefaultAuth.ANONYMOUS:
            return {"anonymous": "true"}
        if self._default_auth is DefaultAuth.ENVIRONMENT and (
            nearest is not None or projects.is_first(session, project.id)
        ):
            return environment_options(uri, self._environ)
        raise access_denied(
            f"this project has no credential for {uri}", "create a dataset with a credential, or ask an administrator"
        )

    def _storage_options(self, storage: Binding, uri: str) -> Mapping[str, str]:
        """The storage options of the credential that a storage is bound with."""
        try:
            credential = credentials.read(self.folder / "credentials", storage.credential)
        except Invalid as error:
            raise access_denied(error.message, error.hint) from None
        if not credential.opens(uri):
            raise access_denied(f"the credential {storage.credential} is not for {uri}", BIND_CREDENTIAL)
        return credential.options


BIND_ROOT = "an administrator can bind a folder to the project: lightboard project bind PROJECT --root FOLDER"
BIND_CREDENTIAL = "an administrator can set its `uris` and bind it to the project"


def follow_references(session: Session, project: str, id: str) -> Dataset:
    """The dataset with this id, or the one it refers to.

    Raises LaunchError if a reference is broken, or leads to a dataset that `project` (an id) may not use.
    """
    for _ in range(MAX_REFERENCES):
        dataset = datasets.get_unchecked(session, id)
        if dataset is None:
            raise LaunchError(
                "the dataset was removed from the hub", reason=SOURCE_NOT_FOUND, hint="choose another source"
            )
        if not datasets.is_of(session, dataset, project):
            raise access_denied("the dataset belongs to another project", "an administrator can bind it to this one")
        if dataset.kind is not DatasetKind.REFERENCE:
            return dataset
        project, id = dataset.project, dataset.uri
    raise LaunchError("the dataset refers to itself", reason=SOURCE_NOT_FOUND, hint="refer to a dataset with data")


def join_path(base: str, path: str) -> str:
    """Joins a relative path without `..` (checked in `resources.sources`) to a folder or URL."""
    return f"{base.rstrip('/')}/{path}".rstrip("/") or "/"


def is_inside(path: str, folder: str) -> bool:
    """Whether a real path is the folder or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def access_denied(message: str, hint: str) -> LaunchError:
    """The error for a source that may not be read."""
    return LaunchError(message, reason=ACCESS_DENIED, hint=hint)
