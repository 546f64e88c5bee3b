"""The first start after an upgrade binds what projects use, and nothing more."""

import pathlib

import pytest

from lightboard.hub.adoption import WANTED, adopt
from lightboard.hub.db import bindings, datasets, projects, settings
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver
from support.personas import START_TIME, Personas, folder_source

KEY = 'kind = "s3"\naccess_key_id = "AK"\nsecret_access_key = "sekret"\n'


class Upgraded:
    """A hub of before, with folders and credentials for all, and the project `vision` beside the first."""

    def __init__(self, personas: Personas, top: pathlib.Path) -> None:
        self.personas = personas
        self.logs, self.other = top / "logs", top / "other"
        for path in (self.logs / "runs", self.other, top / "hub" / "credentials"):
            path.mkdir(parents=True)
        self.source_resolver = SourceResolver(top / "hub", [str(self.logs), str(self.other)])
        self.keys = top / "hub" / "credentials"
        with personas.database.write() as session:
            settings.put(session, WANTED, "yes")

    def dataset(self, uri: str, kind: DatasetKind, credential: str = "") -> None:
        """One of the editor."""
        new = Dataset(id="", name="", project=self.personas.vision, owner="", kind=kind, uri=uri, credential=credential)
        with self.personas.database.write() as session:
            datasets.create(session, self.personas.editor, new, START_TIME)

    def start(self, default_auth: DefaultAuth = DefaultAuth.NOTHING) -> list[str]:
        """What the first start says."""
        with self.personas.database.write() as session:
            return adopt(session, self.source_resolver, default_auth, START_TIME)

    def bound(self, project: str = "vision") -> list[tuple[str, str]]:
        """What a project has."""
        with self.personas.database.read() as session:
            return [(each.kind.value, each.value) for each in bindings.find(session, self.personas.admin, project)]


@pytest.fixture
def upgraded(personas: Personas, tmp_path: pathlib.Path) -> Upgraded:
    """Fresh for each test."""
    return Upgraded(personas, tmp_path)


def test_roots_in_use_are_bound(upgraded: Upgraded) -> None:
    """Once, and reported; unused roots are not."""
    upgraded.personas.create_board(sources=(folder_source(str(upgraded.logs / "runs")), folder_source("/nowhere")))
    upgraded.dataset(str(upgraded.logs), DatasetKind.NFS)

    said = upgraded.start()

    assert upgraded.bound() == [("root", str(upgraded.logs))]
    assert said == [f"upgrade: bound to the project vision, which shows logs there: {upgraded.logs}"]
    assert (upgraded.start(), upgraded.bound("default")) == ([], [])


def test_configured_storages_are_bound(upgraded: Upgraded) -> None:
    """As what `storage:` means."""
    with upgraded.personas.database.write() as session:
        projects.change(session, upgraded.personas.owner, "vision", {"storage": str(upgraded.other)}, START_TIME)
    upgraded.start()
    assert upgraded.bound() == [("root", str(upgraded.other))]


def test_credentials_in_use_are_bound(upgraded: Upgraded) -> None:
    """Those without a project in their file; others need no binding."""
    for name, more in (
        ("named", ""),
        ("fits", 'uris = ["s3://logs/"]'),
        ("listed", 'projects = ["vision"]'),
        ("unused", ""),
    ):
        (upgraded.keys / f"{name}.toml").write_text(KEY + more)
    upgraded.dataset("s3://a/b", DatasetKind.S3, "named")
    upgraded.dataset("s3://c/d", DatasetKind.S3, "listed")
    upgraded.personas.create_board(sources=(Source(id="", kind=SourceKind.URI, path="s3://logs/x"),))

    upgraded.start()

    assert upgraded.bound() == [("credential", "fits"), ("credential", "named")]


def test_buckets_opened_with_the_hubs_keys_are_bound(upgraded: Upgraded) -> None:
    """As storages; unsigned URLs need none."""
    upgraded.personas.create_board(sources=(Source(id="", kind=SourceKind.URI, path="s3://logs/x"),))
    upgraded.start(DefaultAuth.ENVIRONMENT)
    assert upgraded.bound() == [("storage", "s3://logs/x")]


def test_a_new_hub_adopts_nothing(upgraded: Upgraded) -> None:
    """Nobody asked for it."""
    with upgraded.personas.database.write() as session:
        settings.remove(session, WANTED)
    upgraded.personas.create_board(sources=(folder_source(str(upgraded.logs / "runs")),))
    assert (upgraded.start(), upgraded.bound()) == ([], [])
