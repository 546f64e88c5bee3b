"""Promises about what the sources of a board mean, and what may be read."""

import os
import pathlib

import pytest
from cast import AT, Cast, folder

from lightboard.errors import Invalid, LaunchError
from lightboard.hub.db import bindings, datasets, projects
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver

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
        cast.bind(str(self.allowed))

    def places(self, **options: object) -> SourceResolver:
        """Started without folders: the one allowed is bound to the project."""
        return SourceResolver(self.hub, **options)  # type: ignore[arg-type]

    def credential(self, name: str, text: str, *, bound: bool = True) -> None:
        """An administrator lays one down, and binds it to the project."""
        (self.hub / "credentials" / f"{name}.toml").write_text(text)
        if bound:
            self.cast.bind(name, BindingKind.CREDENTIAL)

    def change(self, **fields: str) -> None:
        """The owner of the project changes it."""
        with self.cast.database.write() as session:
            projects.change(session, self.cast.owner, "vision", fields, AT)

    def dataset(self, uri: str, kind: DatasetKind = DatasetKind.PATH, name: str = "data", **fields: str) -> Dataset:
        """A dataset of the editor."""
        asked = Dataset(id="", name=name, project=self.cast.vision, owner="", kind=kind, uri=uri, **fields)
        with self.cast.database.write() as session:
            return datasets.create(session, self.cast.editor, asked, AT)

    def check_dataset(self, uri: str, kind: DatasetKind = DatasetKind.PATH, credential: str = "") -> None:
        """Raises Invalid for what cannot be a dataset of the project."""
        new = Dataset(id="", name="x", project=self.cast.vision, owner="", kind=kind, uri=uri, credential=credential)
        with self.cast.database.read() as session:
            self.places().check_dataset(session, new)

    def resolve(
        self, source: Source | str, places: SourceResolver | None = None, project: str = "vision"
    ) -> SourceSpec:
        """What a source of the project comes to."""
        if isinstance(source, str):
            kind, ref, path = parse_uri(source)
            source = Source(id="src-1", kind=kind, ref=ref, path=path)
        with self.cast.database.read() as session:
            return (places or self.places()).resolve(session, projects.row_of(session, project).id, source)  # type: ignore[union-attr]

    def refused(
        self, source: Source | str, places: SourceResolver | None = None, project: str = "vision"
    ) -> tuple[str, str]:
        """Why it may not be read: reason and message."""
        with pytest.raises(LaunchError) as raised:
            self.resolve(source, places, project)
        return raised.value.reason, raised.value.message


@pytest.fixture
def ground(cast: Cast, tmp_path: pathlib.Path) -> Ground:
    """Fresh for each test."""
    return Ground(cast, tmp_path)


# Folders


def test_a_folder_below_an_allowed_one(ground: Ground) -> None:
    """As it is, with its patterns; links within are followed."""
    source = folder(str(ground.allowed / "in"), alias="a", include="x*", exclude="*y")

    assert ground.resolve(source) == SourceSpec(
        alias="a",
        url=str(ground.allowed / "runs"),
        include="x*",
        exclude="*y",
        roots=(str(ground.allowed), str(ground.hub / "storage" / "vision")),
        refused=(str(ground.hub),),
    )


def test_a_root_is_what_it_was_at_the_start(ground: Ground) -> None:
    """A link on the way to it that is changed afterwards changes nothing."""
    named = ground.hub.parent / "named"
    named.symlink_to(ground.allowed)
    places = SourceResolver(ground.hub, [str(named)])
    named.unlink()
    named.symlink_to(ground.outside)

    assert ground.resolve(str(ground.allowed / "runs"), places, "default").roots[0] == str(ground.allowed)
    assert ground.refused(str(named), places, "default")[0] == "AccessDenied"


@pytest.mark.parametrize("path", ["/etc", "{outside}", "{allowed}/out", "{allowed}/../outside", "{allowed}-not", "/"])
def test_a_folder_that_is_not_allowed(ground: Ground, path: str) -> None:
    """By its place, by a link, by climbing, by a name that only begins alike."""
    path = path.format(outside=ground.outside, allowed=ground.allowed)
    kind, _, clean = parse_uri(path)

    reason, message = ground.refused(Source(id="s", kind=kind, path=clean))
    assert (reason, message.startswith(f"{clean} ")) == ("AccessDenied", True)


def test_the_hint_names_the_command(ground: Ground) -> None:
    """So that somebody can do something."""
    with pytest.raises(LaunchError) as raised:
        ground.resolve("/etc")
    assert (raised.value.message, raised.value.hint) == (
        "/etc is not below a folder that this project may show",
        "an administrator binds a folder to the project: lightboard project bind PROJECT --root FOLDER",
    )


def test_what_the_hub_was_started_with_is_for_the_first_project(ground: Ground) -> None:
    """`--allow-root` opens it to nobody else, whatever is bound elsewhere."""
    places = SourceResolver(ground.hub, [str(ground.outside)])

    assert ground.refused(str(ground.outside), places)[0] == "AccessDenied"
    assert ground.resolve(str(ground.outside), places, project="default").url == str(ground.outside)
    assert ground.refused(str(ground.allowed), places, project="default")[0] == "AccessDenied"


def test_nobody_inherits_what_was_the_first_projects(ground: Ground) -> None:
    """When it is deleted, the second does not become the first."""
    with ground.cast.database.write() as session:
        projects.remove(session, ground.cast.admin, "default", AT)

    assert ground.refused(str(ground.outside), SourceResolver(ground.hub, [str(ground.outside)]))[0] == "AccessDenied"


def test_the_hubs_own_files_are_never_logs(ground: Ground) -> None:
    """Not even where everything is allowed: keys are there, and the storage of other projects."""
    ground.cast.bind("/")
    for path in (ground.hub, ground.hub / "credentials", ground.hub.parent):
        assert ground.refused(str(path)) == ("AccessDenied", f"{path} holds the hub's own files")
    assert ground.resolve(str(ground.outside)).url == str(ground.outside)


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
        ground.change(storage=storage)
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
        ground.change(storage=storage)
        told.append(ground.refused("storage:link/x"))

    assert told == [
        ("AccessDenied", "storage:link/x leads elsewhere by a link"),
        ("AccessDenied", "storage:link/x is not below a folder that this project may show"),
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
    ground.credential("team", KEY + bounds, bound="projects" not in bounds)
    source = of(ground.dataset("s3://team-logs/a", DatasetKind.S3, credential="team"))

    if allowed:
        assert ground.resolve(source).options
    else:
        assert ground.refused(source)[0] == "AccessDenied"


def test_an_address_is_opened_by_a_credential_for_just_that_place(ground: Ground) -> None:
    """One without bounds is not for addresses that anybody types."""
    ground.credential("loose", KEY)
    assert ground.refused("s3://team-logs/a") == ("AccessDenied", "nothing opens s3://team-logs/a in this project")

    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    assert ground.resolve("s3://team-logs/a").options["access_key_id"] == "AK"
    assert ground.refused("s3://other/a")[0] == "AccessDenied"


@pytest.mark.parametrize(
    ("text", "default", "vision"),
    [("", True, False), ('projects = ["vision"]', False, True), ('projects = ["default"]', True, False)],
)
def test_a_credential_is_for_the_projects_of_its_file(ground: Ground, text: str, default: bool, vision: bool) -> None:
    """One that names none is for the first; whoever else names it hears that there is none."""
    ground.credential("team", KEY + text, bound=False)
    usable = {}
    for name in ("default", "vision"):
        with ground.cast.database.read() as session:
            project = projects.get(session, ground.cast.admin, name)
            usable[name] = list(ground.places().credentials_of(session, project))

    assert usable == {"default": ["team"] if default else [], "vision": ["team"] if vision else []}


def test_a_bound_storage_opens_what_lies_below_it(ground: Ground) -> None:
    """With the credential it was bound with, of which the project learns nothing else; the nearest one counts."""
    for name in ("wide", "own"):
        ground.credential(name, KEY.replace("AK", name.upper()), bound=False)
    ground.cast.bind("s3://logs/teams", BindingKind.STORAGE, credential="wide")
    ground.cast.bind("s3://logs/teams/vision", BindingKind.STORAGE, credential="own")

    keys = [ground.resolve(uri).options["access_key_id"] for uri in ("s3://logs/teams/a", "s3://logs/teams/vision/b")]
    assert keys == ["WIDE", "OWN"]
    for uri in ("s3://logs/teams-not", "s3://logs", "s3://other/teams/vision"):
        assert ground.refused(uri) == ("AccessDenied", f"nothing opens {uri} in this project")
    assert ground.refused(of(ground.dataset("s3://logs/x", DatasetKind.S3, credential="wide")))[0] == "AccessDenied"


def test_the_hubs_own_keys_open_a_bound_storage(ground: Ground) -> None:
    """And nothing else, but for the first project."""
    places = ground.places(default_auth=DefaultAuth.ENVIRONMENT, environ={"AWS_ACCESS_KEY_ID": "AK"})
    ground.cast.bind("s3://logs/vision", BindingKind.STORAGE)

    assert dict(ground.resolve("s3://logs/vision/a", places).options) == {"access_key_id": "AK"}
    assert ground.refused("s3://logs/other", places)[0] == "AccessDenied"
    assert dict(ground.resolve("s3://logs/other", places, project="default").options) == {"access_key_id": "AK"}


def test_an_administrator_may_open_addresses_to_all(ground: Ground) -> None:
    """Unsigned; the first project also with the keys of the hub's own environment."""
    environ = {"AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "sekret"}
    spec = {
        default_auth: ground.resolve(
            "s3://public/a", ground.places(default_auth=default_auth, environ=environ), project="default"
        )
        for default_auth in (DefaultAuth.ANONYMOUS, DefaultAuth.ENVIRONMENT)
    }

    assert {default_auth: dict(one.options) for default_auth, one in spec.items()} == {
        DefaultAuth.ANONYMOUS: {"anonymous": "true"},
        DefaultAuth.ENVIRONMENT: {"access_key_id": "AK", "secret_access_key": "sekret"},
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
    """What is wrong with it, and nothing of what is in it, to the administrator who binds it."""
    ground.credential("bad", text, bound=False)
    with pytest.raises(Invalid) as raised:
        ground.places().validate_binding(bound("bad", BindingKind.CREDENTIAL))
    assert (raised.value.message, "sekret" in raised.value.hint) == (message, False)


@pytest.mark.parametrize("name", ["missing", "../outside", "a/b", ".", "TEAM"])
def test_a_credential_that_is_not_there(ground: Ground, name: str) -> None:
    """By any name, and by any way around."""
    ground.credential("team", KEY)
    (ground.outside / "key.toml").write_text(KEY)
    with pytest.raises(Invalid, match="there is no credential"):
        ground.places().validate_binding(bound(name, BindingKind.CREDENTIAL))
    with pytest.raises(Invalid, match="there is no credential"):
        ground.check_dataset("s3://team-logs/a", DatasetKind.S3, name)


def test_only_names_of_credentials_are_told(ground: Ground) -> None:
    """In order."""
    for name in ("b", "a"):
        ground.credential(name, KEY)

    assert ground.places().credentials() == ["a", "b"]


def test_a_folder_that_may_not_be_shown_is_no_dataset(ground: Ground) -> None:
    """Said when it is made; one that may be shown need not be there yet."""
    ground.check_dataset(str(ground.allowed / "later"))
    with pytest.raises(Invalid, match="/etc is not below a folder that this project may show"):
        ground.check_dataset("file:///etc")
    with pytest.raises(Invalid, match="holds the hub's own files"):
        ground.check_dataset(str(ground.hub / "credentials"))


def test_what_can_be_bound(ground: Ground) -> None:
    """Folders that are there and not the hub's own, and storages with a credential that is for them."""
    places = ground.places()
    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    for right in (
        bound(str(ground.outside), BindingKind.ROOT),
        bound("s3://team-logs/a", BindingKind.STORAGE, "team"),
        bound("s3://other", BindingKind.STORAGE),
    ):
        places.validate_binding(right)
    wrong = {
        str(ground.outside / "none"): "there is no folder",
        str(ground.hub): "holds the hub's own files",
        str(ground.hub / "storage"): "holds the hub's own files",
    }
    for value, message in wrong.items():
        with pytest.raises(Invalid, match=message):
            places.validate_binding(bound(value, BindingKind.ROOT))
    with pytest.raises(Invalid, match="the credential team is not for s3://other"):
        places.validate_binding(bound("s3://other", BindingKind.STORAGE, "team"))


def test_a_dataset_of_another_project_is_none(ground: Ground) -> None:
    """Until an administrator binds it; it is then opened as in its own project, and so is what it refers to."""
    ground.cast.bind(str(ground.outside), project="default")
    new = Dataset(id="", name="theirs", project="default", owner="", kind=DatasetKind.PATH, uri=str(ground.outside))
    with ground.cast.database.write() as session:
        theirs = datasets.create(session, ground.cast.admin, new, AT)
    assert ground.refused(of(theirs)) == ("AccessDenied", "the dataset belongs to another project")

    made = ground.cast.bind(theirs.id, BindingKind.DATASET)
    reference = ground.dataset("theirs", DatasetKind.REFERENCE, name="alias")
    assert [ground.resolve(of(each)).url for each in (theirs, reference)] == [str(ground.outside)] * 2

    with ground.cast.database.write() as session:
        bindings.remove(session, ground.cast.admin, "vision", made.id, AT)
    for each in (theirs, reference):
        assert ground.refused(of(each)) == ("AccessDenied", "the dataset belongs to another project")


def bound(value: str, kind: BindingKind, credential: str = "") -> Binding:
    """Something that is to be bound."""
    return Binding(id="", project="prj", kind=kind, value=value, credential=credential)
