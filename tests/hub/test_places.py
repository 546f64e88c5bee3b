"""Promises about what the sources of a board mean, and what may be read."""

import os
import pathlib

import pytest
from cast import AT, Cast, folder

from lightboard.errors import Invalid, LaunchError
from lightboard.hub.db import datasets, projects
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.places import OpenTo, Places
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri

KEY = """
kind = "s3"
access_key_id = "AK"
secret_access_key = "sekret"
virtual_hosted = true
"""


class Ground:
    """An allowed folder with logs, a folder outside, the hub's own, and what they are linked by."""

    def __init__(self, cast: Cast, top: pathlib.Path) -> None:
        self.cast = cast
        self.allowed, self.outside, self.hub = (top / name for name in ("allowed", "outside", "hub"))
        for path in (self.allowed / "runs", self.outside, self.hub / "credentials"):
            path.mkdir(parents=True)
        (self.allowed / "out").symlink_to(self.outside)
        (self.allowed / "in").symlink_to(self.allowed / "runs")

    def places(self, **options: object) -> Places:
        """With the one allowed folder."""
        return Places(self.hub, [str(self.allowed)], **options)  # type: ignore[arg-type]

    def credential(self, name: str, text: str) -> None:
        """An administrator lays one down."""
        (self.hub / "credentials" / f"{name}.toml").write_text(text)

    def dataset(self, uri: str, kind: DatasetKind = DatasetKind.PATH, name: str = "data", **fields: str) -> Dataset:
        """A dataset of the editor."""
        asked = Dataset(id="", name=name, project=self.cast.vision, owner="", kind=kind, uri=uri, **fields)
        with self.cast.database.write() as session:
            return datasets.create(session, self.cast.editor, asked, AT)

    def resolve(self, source: Source | str, places: Places | None = None) -> SourceSpec:
        """What a source of the project comes to."""
        if isinstance(source, str):
            kind, ref, path = parse_uri(source)
            source = Source(id="src-1", kind=kind, ref=ref, path=path)
        with self.cast.database.read() as session:
            return (places or self.places()).resolve(session, self.cast.vision, source)

    def refused(self, source: Source | str, places: Places | None = None) -> tuple[str, str]:
        """Why it may not be read: reason and message."""
        with pytest.raises(LaunchError) as raised:
            self.resolve(source, places)
        return raised.value.reason, raised.value.message


@pytest.fixture
def ground(cast: Cast, tmp_path: pathlib.Path) -> Ground:
    """Fresh for each test."""
    return Ground(cast, tmp_path)


# Folders


def test_a_folder_below_an_allowed_one(ground: Ground) -> None:
    """As it is, with its patterns; links within are followed."""
    source = folder(str(ground.allowed / "in"), alias="a", include="x*", exclude="*y")

    assert ground.resolve(source) == SourceSpec(alias="a", url=str(ground.allowed / "runs"), include="x*", exclude="*y")


@pytest.mark.parametrize("path", ["/etc", "{outside}", "{allowed}/out", "{allowed}/../outside", "{allowed}-not", "/"])
def test_a_folder_that_is_not_allowed(ground: Ground, path: str) -> None:
    """By its place, by a link, by climbing, by a name that only begins alike."""
    path = path.format(outside=ground.outside, allowed=ground.allowed)
    kind, _, clean = parse_uri(path)

    reason, message = ground.refused(Source(id="s", kind=kind, path=clean))
    assert (reason, message.startswith(f"{clean} ")) == ("AccessDenied", True)


def test_the_hint_names_the_flag(ground: Ground) -> None:
    """So that somebody can do something."""
    with pytest.raises(LaunchError) as raised:
        ground.resolve("/etc")
    assert raised.value.hint == "an administrator allows it by --allow-root FOLDER"


def test_without_allowed_folders_none_is(ground: Ground) -> None:
    """That is how a hub begins."""
    assert ground.refused(str(ground.allowed), Places(ground.hub))[0] == "AccessDenied"


def test_the_hubs_own_files_are_never_logs(ground: Ground) -> None:
    """Not even where everything is allowed: keys are there, and the storage of other projects."""
    everything = Places(ground.hub, ["/"])
    for path in (ground.hub, ground.hub / "credentials", ground.hub.parent):
        assert ground.refused(str(path), everything) == ("AccessDenied", f"{path} holds the hub's own files")
    assert ground.resolve(str(ground.outside), everything).url == str(ground.outside)


# Storage


def test_storage_is_the_projects_own_folder(ground: Ground) -> None:
    """Made when it is first asked for, for nobody else to read."""
    assert ground.resolve("storage:image/results").url == str(ground.hub / "storage/vision/image/results")
    assert os.stat(ground.hub / "storage/vision").st_mode & 0o777 == 0o700


def test_a_link_does_not_lead_out_of_storage(ground: Ground) -> None:
    """Into that of another project as little as anywhere."""
    ground.resolve("storage:")
    (ground.hub / "storage/other").mkdir()
    (ground.hub / "storage/vision/link").symlink_to(ground.hub / "storage/other")

    assert ground.refused("storage:link/x") == ("AccessDenied", "storage:link/x leads out of the project's storage")


def test_a_project_may_have_its_storage_elsewhere(ground: Ground) -> None:
    """In a bucket, or a folder that is allowed; nobody allows one to themselves by naming it."""
    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    found = []
    for storage in (str(ground.allowed), "s3://team-logs/a", "/etc"):
        with ground.cast.database.write() as session:
            projects.change(session, ground.cast.owner, "vision", {"storage": storage}, AT)
        try:
            found.append(ground.resolve("storage:runs").url)
        except LaunchError as error:
            found.append(error.reason)

    assert found == [str(ground.allowed / "runs"), "s3://team-logs/a/runs", "AccessDenied"]


def test_an_error_shows_a_path_of_storage_as_it_was_written(ground: Ground) -> None:
    """Where it is kept is nobody's business."""
    elsewhere = ground.allowed / "vision"
    elsewhere.mkdir()
    (elsewhere / "link").symlink_to(ground.allowed)
    told = []
    for storage in (str(elsewhere), "/etc"):
        with ground.cast.database.write() as session:
            projects.change(session, ground.cast.owner, "vision", {"storage": storage}, AT)
        told.append(ground.refused("storage:link/x"))

    assert told == [
        ("AccessDenied", "storage:link/x leads elsewhere by a link"),
        ("AccessDenied", "storage:link/x is not below an allowed folder"),
    ]


def test_a_board_calls_storage_what_its_people_call_it(ground: Ground) -> None:
    """And other folders what they are."""
    sources = [ground.resolve(text) for text in ("storage:runs", str(ground.allowed))]

    assert [source.shown for source in sources] == ["storage:runs", ""]


# Datasets


def of(dataset: Dataset, path: str = "") -> Source:
    """A source over it."""
    return Source(id="s", kind=SourceKind.DATASET, ref=dataset.id, path=path)


@pytest.mark.parametrize("kind", [DatasetKind.PATH, DatasetKind.NFS, DatasetKind.PVC])
def test_a_dataset_of_a_folder(ground: Ground, kind: DatasetKind) -> None:
    """And a path below it."""
    assert ground.resolve(of(ground.dataset(str(ground.allowed), kind), "runs")).url == str(ground.allowed / "runs")


def test_a_dataset_allows_nothing_new(ground: Ground) -> None:
    """Its folder must be allowed as any, and a link in it leads nowhere else."""
    (ground.allowed / "set").mkdir()
    (ground.allowed / "set" / "link").symlink_to(ground.allowed / "runs")

    assert ground.refused(of(ground.dataset("/etc", name="etc")))[0] == "AccessDenied"
    assert ground.refused(of(ground.dataset(str(ground.allowed / "set")), "link"))[0] == "AccessDenied"


def test_a_reference_is_what_it_refers_to(ground: Ground) -> None:
    """With its credential."""
    ground.credential("team", KEY)
    ground.dataset("s3://team-logs/a", DatasetKind.S3, name="real", credential="team")
    reference = ground.dataset("real", DatasetKind.REFERENCE, name="alias")

    assert ground.resolve(of(reference, "b")).url == "s3://team-logs/a/b"


def test_a_dataset_that_is_gone(ground: Ground) -> None:
    """Is told as a source that is not there."""
    gone = Source(id="s", kind=SourceKind.DATASET, ref="ds-gone")

    assert ground.refused(gone) == ("SourceNotFound", "the dataset is gone from the hub")


# Buckets


def test_a_dataset_is_opened_with_its_credential(ground: Ground) -> None:
    """Options as the storage takes them, and never printed."""
    ground.credential("team", KEY)
    spec = ground.resolve(of(ground.dataset("s3://team-logs/a", DatasetKind.S3, credential="team")))

    assert dict(spec.options) == {"access_key_id": "AK", "secret_access_key": "sekret", "virtual_hosted": "true"}
    assert "sekret" not in repr(spec)


@pytest.mark.parametrize(
    ("bounds", "allowed"),
    [
        ("", True),
        ('uris = ["s3://team-logs"]', True),
        ('uris = ["s3://team-logs/a/"]', True),
        ('uris = ["s3://team-logs/a/b"]', False),
        ('uris = ["s3://team"]', False),
        ('projects = ["vision"]', True),
        ('projects = ["other"]', False),
    ],
)
def test_a_credential_is_for_what_it_says(ground: Ground, bounds: str, allowed: bool) -> None:
    """A key for one bucket, or one project, opens no other by a dataset that names it."""
    ground.credential("team", KEY + bounds)
    source = of(ground.dataset("s3://team-logs/a", DatasetKind.S3, credential="team"))

    if allowed:
        assert ground.resolve(source).options
    else:
        assert ground.refused(source)[0] == "AccessDenied"


def test_an_address_is_opened_by_a_credential_for_just_that_place(ground: Ground) -> None:
    """One without bounds is not for addresses that anybody types."""
    ground.credential("loose", KEY)
    assert ground.refused("s3://team-logs/a") == ("AccessDenied", "nothing opens s3://team-logs/a")

    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    assert ground.resolve("s3://team-logs/a").options["access_key_id"] == "AK"
    assert ground.refused("s3://other/a")[0] == "AccessDenied"


def test_an_administrator_may_open_addresses_to_all(ground: Ground) -> None:
    """Unsigned, or with the keys of the hub's own environment."""
    environ = {"AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "sekret"}
    spec = {
        open_to: ground.resolve("s3://public/a", ground.places(open_to=open_to, environ=environ))
        for open_to in (OpenTo.ANONYMOUS, OpenTo.ENVIRONMENT)
    }

    assert {open_to: dict(one.options) for open_to, one in spec.items()} == {
        OpenTo.ANONYMOUS: {"anonymous": "true"},
        OpenTo.ENVIRONMENT: {"access_key_id": "AK", "secret_access_key": "sekret"},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml at all [", "the credential bad cannot be read"),
        ('kind = "ftp"', "the credential bad is of no kind"),
        ('kind = "s3"\npassword = "sekret"', "the credential bad has password"),
        ('kind = "s3"\nuris = "s3://a"', "the credential bad: uris is no list of texts"),
    ],
)
def test_a_broken_credential_is_told_without_its_words(ground: Ground, text: str, message: str) -> None:
    """What is wrong with it, and nothing of what is in it."""
    ground.credential("bad", text)
    with pytest.raises(Invalid) as raised:
        ground.places().check_credential("bad")
    assert (raised.value.message, "sekret" in raised.value.hint) == (message, False)


@pytest.mark.parametrize("name", ["missing", "../outside", "a/b", ".", "TEAM"])
def test_a_credential_that_is_not_there(ground: Ground, name: str) -> None:
    """By any name, and by any way around."""
    ground.credential("team", KEY)
    (ground.outside / "key.toml").write_text(KEY)
    with pytest.raises(Invalid, match="there is no credential"):
        ground.places().check_credential(name)


def test_only_names_of_credentials_are_told(ground: Ground) -> None:
    """In order."""
    for name in ("b", "a"):
        ground.credential(name, KEY)

    assert ground.places().credentials() == ["a", "b"]


def test_a_folder_that_may_not_be_shown_is_no_dataset(ground: Ground) -> None:
    """Said when it is made; one that may be shown need not be there yet."""
    places = ground.places()
    places.check_folder(str(ground.allowed / "later"))
    with pytest.raises(Invalid, match="is not below an allowed folder"):
        places.check_folder("/etc")
    with pytest.raises(Invalid, match="holds the hub's own files"):
        places.check_folder(str(ground.hub / "credentials"))
