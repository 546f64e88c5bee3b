"""Promises about the first start after an upgrade: what a project shows, it goes on showing, and nothing more."""

import pathlib

import pytest
from cast import AT, Cast, folder

from lightboard.hub.adoption import WANTED, adopt
from lightboard.hub.db import bindings, datasets, projects, settings
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver

KEY = 'kind = "s3"\naccess_key_id = "AK"\nsecret_access_key = "sekret"\n'


class Upgraded:
    """A hub of before, with folders and credentials for all, and the project `vision` beside the first."""

    def __init__(self, cast: Cast, top: pathlib.Path) -> None:
        self.cast = cast
        self.logs, self.other = top / "logs", top / "other"
        for path in (self.logs / "runs", self.other, top / "hub" / "credentials"):
            path.mkdir(parents=True)
        self.source_resolver = SourceResolver(top / "hub", [str(self.logs), str(self.other)])
        self.keys = top / "hub" / "credentials"
        with cast.database.write() as session:
            settings.put(session, WANTED, "yes")

    def dataset(self, uri: str, kind: DatasetKind, credential: str = "") -> None:
        """One of the editor."""
        new = Dataset(id="", name="", project=self.cast.vision, owner="", kind=kind, uri=uri, credential=credential)
        with self.cast.database.write() as session:
            datasets.create(session, self.cast.editor, new, AT)

    def start(self, default_auth: DefaultAuth = DefaultAuth.NOTHING) -> list[str]:
        """What the first start says."""
        with self.cast.database.write() as session:
            return adopt(session, self.source_resolver, default_auth, AT)

    def bound(self, project: str = "vision") -> list[tuple[str, str]]:
        """What a project has."""
        with self.cast.database.read() as session:
            return [(each.kind.value, each.value) for each in bindings.find(session, self.cast.admin, project)]


@pytest.fixture
def upgraded(cast: Cast, tmp_path: pathlib.Path) -> Upgraded:
    """Fresh for each test."""
    return Upgraded(cast, tmp_path)


def test_folders_that_a_project_shows_are_bound_to_it(upgraded: Upgraded) -> None:
    """The roots they are below, once, and it is said; what it never used is not."""
    upgraded.cast.board(sources=(folder(str(upgraded.logs / "runs")), folder("/nowhere")))
    upgraded.dataset(str(upgraded.logs), DatasetKind.NFS)

    said = upgraded.start()

    assert upgraded.bound() == [("root", str(upgraded.logs))]
    assert said == [f"upgrade: bound to the project vision, which shows logs there: {upgraded.logs}"]
    assert (upgraded.start(), upgraded.bound("default")) == ([], [])


def test_storage_elsewhere_counts(upgraded: Upgraded) -> None:
    """As what `storage:` means."""
    with upgraded.cast.database.write() as session:
        projects.change(session, upgraded.cast.owner, "vision", {"storage": str(upgraded.other)}, AT)
    upgraded.start()
    assert upgraded.bound() == [("root", str(upgraded.other))]


def test_credentials_that_it_names_or_needs(upgraded: Upgraded) -> None:
    """Those without a project in their file; one that names projects needs no binding."""
    for name, more in (
        ("named", ""),
        ("fits", 'uris = ["s3://logs/"]'),
        ("listed", 'projects = ["vision"]'),
        ("unused", ""),
    ):
        (upgraded.keys / f"{name}.toml").write_text(KEY + more)
    upgraded.dataset("s3://a/b", DatasetKind.S3, "named")
    upgraded.dataset("s3://c/d", DatasetKind.S3, "listed")
    upgraded.cast.board(sources=(Source(id="", kind=SourceKind.URI, path="s3://logs/x"),))

    upgraded.start()

    assert upgraded.bound() == [("credential", "fits"), ("credential", "named")]


def test_what_the_hubs_own_keys_opened(upgraded: Upgraded) -> None:
    """Is bound as a storage; unsigned addresses need nothing."""
    upgraded.cast.board(sources=(Source(id="", kind=SourceKind.URI, path="s3://logs/x"),))
    upgraded.start(DefaultAuth.ENVIRONMENT)
    assert upgraded.bound() == [("storage", "s3://logs/x")]


def test_a_new_hub_adopts_nothing(upgraded: Upgraded) -> None:
    """Nobody asked for it."""
    with upgraded.cast.database.write() as session:
        settings.remove(session, WANTED)
    upgraded.cast.board(sources=(folder(str(upgraded.logs / "runs")),))
    assert (upgraded.start(), upgraded.bound()) == ([], [])
