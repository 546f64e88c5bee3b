"""Resolving the sources of a board, and what may be read."""

import os
import pathlib

import pytest

from lightboard.errors import Invalid, LaunchError
from lightboard.hub.db import bindings, datasets, projects
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri, source_of
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver
from support.personas import START_TIME, Personas, folder_source

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

KEY = """
kind = "s3"
access_key_id = "AK"
secret_access_key = "sekret"
virtual_hosted = true
"""


class Ground:
    """An allowed folder with logs, a folder outside, the hub's own, and what they are linked by."""

    def __init__(self, personas: Personas, top: pathlib.Path) -> None:
        self.personas = personas
        self.allowed, self.outside, self.hub = (top / name for name in ("allowed", "outside", "hub"))
        for path in (self.allowed / "runs", self.outside, self.hub / "credentials"):
            path.mkdir(parents=True)
        (self.allowed / "out").symlink_to(self.outside)
        (self.allowed / "in").symlink_to(self.allowed / "runs")
        personas.bind(str(self.allowed))

    def places(self, **options: object) -> SourceResolver:
        """Started without folders: the one allowed is bound to the project."""
        return SourceResolver(self.hub, **options)  # type: ignore[arg-type]

    def credential(self, name: str, text: str, *, bound: bool = True) -> None:
        """An administrator lays one down, and binds it to the project."""
        (self.hub / "credentials" / f"{name}.toml").write_text(text)
        if bound:
            self.personas.bind(name, BindingKind.CREDENTIAL)

    def change(self, **fields: str) -> None:
        """The owner of the project changes it."""
        with self.personas.database.write() as session:
            projects.change(session, self.personas.owner, "vision", fields, START_TIME)

    def dataset(self, uri: str, kind: DatasetKind = DatasetKind.PATH, name: str = "data", **fields: str) -> Dataset:
        """A dataset of the editor."""
        asked = Dataset(id="", name=name, project=self.personas.vision, owner="", kind=kind, uri=uri, **fields)
        with self.personas.database.write() as session:
            return datasets.create(session, self.personas.editor, asked, START_TIME)

    def check_dataset(self, uri: str, kind: DatasetKind = DatasetKind.PATH, credential: str = "") -> None:
        """Raises Invalid for what cannot be a dataset of the project."""
        new = Dataset(
            id="", name="x", project=self.personas.vision, owner="", kind=kind, uri=uri, credential=credential
        )
        with self.personas.database.read() as session:
            self.places().check_dataset(session, new)

    def resolve(
        self, source: Source | str, places: SourceResolver | None = None, project: str = "vision"
    ) -> SourceSpec:
        """What a source of the project comes to."""
        if isinstance(source, str):
            kind, ref, path = parse_uri(source)
            source = Source(id="src-1", kind=kind, ref=ref, path=path)
        with self.personas.database.read() as session:
            return (places or self.places()).resolve(session, projects.row_of(session, project).id, source)  # type: ignore[union-attr]

    def refused(
        self, source: Source | str, places: SourceResolver | None = None, project: str = "vision"
    ) -> tuple[str, str]:
        """Why it may not be read: reason and message."""
        with pytest.raises(LaunchError) as raised:
            self.resolve(source, places, project)
        return raised.value.reason, raised.value.message


@pytest.fixture
def ground(personas: Personas, tmp_path: pathlib.Path) -> Ground:
    """Fresh for each test."""
    return Ground(personas, tmp_path)


# Folders


def test_folders_below_a_root_are_allowed(ground: Ground) -> None:
    """With their patterns; links inside are followed."""
    source = folder_source(str(ground.allowed / "in"), alias="a", include="x*", exclude="*y")

    assert ground.resolve(source) == SourceSpec(
        alias="a",
        url=str(ground.allowed / "runs"),
        include="x*",
        exclude="*y",
        roots=(str(ground.allowed), str(ground.hub / "storage" / "vision")),
        refused=(str(ground.hub),),
    )


def test_roots_are_resolved_at_the_start(ground: Ground) -> None:
    """Links changed later have no effect."""
    named = ground.hub.parent / "named"
    named.symlink_to(ground.allowed)
    places = SourceResolver(ground.hub, [str(named)])
    named.unlink()
    named.symlink_to(ground.outside)

    assert ground.resolve(str(ground.allowed / "runs"), places, "default").roots[0] == str(ground.allowed)
    assert ground.refused(str(named), places, "default")[0] == "AccessDenied"


@pytest.mark.parametrize("path", ["/etc", "{outside}", "{allowed}/out", "{allowed}/../outside", "{allowed}-not", "/"])
def test_folders_outside_are_refused(ground: Ground, path: str) -> None:
    """By path, link, traversal, or common prefix."""
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
        "an administrator can bind a folder to the project: lightboard project bind PROJECT --root FOLDER",
    )


def test_command_line_roots_belong_to_the_first_project(ground: Ground) -> None:
    """`--allow-root` opens nothing to others."""
    places = SourceResolver(ground.hub, [str(ground.outside)])

    assert ground.refused(str(ground.outside), places)[0] == "AccessDenied"
    assert ground.resolve(str(ground.outside), places, project="default").url == str(ground.outside)
    assert ground.refused(str(ground.allowed), places, project="default")[0] == "AccessDenied"


@pytest.mark.databases("sqlite", "postgres")
def test_command_line_roots_are_not_inherited(ground: Ground) -> None:
    """If the first project is deleted, the second does not get them."""
    with ground.personas.database.write() as session:
        projects.remove(session, ground.personas.admin, "default", START_TIME)

    assert ground.refused(str(ground.outside), SourceResolver(ground.hub, [str(ground.outside)]))[0] == "AccessDenied"


def test_the_data_directory_is_never_a_source(ground: Ground) -> None:
    """Even if everything is allowed."""
    ground.personas.bind("/")
    for path in (ground.hub, ground.hub / "credentials", ground.hub.parent):
        assert ground.refused(str(path)) == ("AccessDenied", f"{path} contains the hub's own files")
    assert ground.resolve(str(ground.outside)).url == str(ground.outside)


# Storage


def test_the_default_storage_is_a_private_folder(ground: Ground) -> None:
    """Created on first use."""
    assert ground.resolve("storage:image/results").url == str(ground.hub / "storage/vision/image/results")
    assert os.stat(ground.hub / "storage/vision").st_mode & 0o777 == 0o700


def test_links_do_not_lead_out_of_the_storage(ground: Ground) -> None:
    """Not into that of another project either."""
    ground.resolve("storage:")
    (ground.hub / "storage/other").mkdir()
    (ground.hub / "storage/vision/link").symlink_to(ground.hub / "storage/other")

    assert ground.refused("storage:link/x") == ("AccessDenied", "storage:link/x leads out of the project's storage")


def test_storages_can_be_configured(ground: Ground) -> None:
    """A bucket or an allowed folder; naming it allows nothing."""
    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    found = []
    for storage in (str(ground.allowed), "s3://team-logs/a", "/etc"):
        ground.change(storage=storage)
        try:
            found.append(ground.resolve("storage:runs").url)
        except LaunchError as error:
            found.append(error.reason)

    assert found == [str(ground.allowed / "runs"), "s3://team-logs/a/runs", "AccessDenied"]


def test_errors_hide_where_the_storage_is(ground: Ground) -> None:
    """They show the path as written."""
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


def test_boards_show_storage_paths_as_written(ground: Ground) -> None:
    """And other folders as they are."""
    sources = [ground.resolve(text) for text in ("storage:runs", str(ground.allowed))]

    assert [source.shown for source in sources] == ["storage:runs", ""]


# Datasets


def of(dataset: Dataset, path: str = "") -> Source:
    """A source over it."""
    return Source(id="s", kind=SourceKind.DATASET, ref=dataset.id, path=path)


@pytest.mark.parametrize("kind", [DatasetKind.PATH, DatasetKind.NFS, DatasetKind.PVC])
def test_folder_datasets(ground: Ground, kind: DatasetKind) -> None:
    """With a path below them."""
    assert ground.resolve(of(ground.dataset(str(ground.allowed), kind), "runs")).url == str(ground.allowed / "runs")


def test_datasets_grant_no_access(ground: Ground) -> None:
    """Their folders must be allowed, and links do not lead out."""
    (ground.allowed / "set").mkdir()
    (ground.allowed / "set" / "link").symlink_to(ground.allowed / "runs")

    assert ground.refused(of(ground.dataset("/etc", name="etc")))[0] == "AccessDenied"
    assert ground.refused(of(ground.dataset(str(ground.allowed / "set")), "link"))[0] == "AccessDenied"


@pytest.mark.parametrize("own", ["", "bound"])
def test_datasets_in_the_storage_of_their_project(ground: Ground, own: str) -> None:
    """Wherever that is; links in them lead to nothing else in it."""
    storage = ground.allowed / own if own else ground.hub / "storage" / "vision"
    (storage / "set" / "runs").mkdir(parents=True)
    (storage / "set" / "link").symlink_to(storage)
    if own:
        ground.change(storage=str(storage))
    dataset = ground.dataset("storage:set", DatasetKind.STORAGE)

    assert (dataset.uri, ground.resolve(of(dataset, "runs")).url) == ("storage:set", str(storage / "set" / "runs"))
    assert ground.refused(of(dataset, "link"))[0] == "AccessDenied"


def test_a_dataset_in_the_storage_is_given_as_one(ground: Ground) -> None:
    """A folder of the machine would be another kind."""
    with pytest.raises(Invalid) as refused:
        ground.dataset(str(ground.allowed), DatasetKind.STORAGE)

    assert refused.value.hint == "give storage:PATH"


def test_references_resolve_to_their_target(ground: Ground) -> None:
    """With its credential."""
    ground.credential("team", KEY)
    ground.dataset("s3://team-logs/a", DatasetKind.S3, name="real", credential="team")
    reference = ground.dataset("real", DatasetKind.REFERENCE, name="alias")

    assert ground.resolve(of(reference, "b")).url == "s3://team-logs/a/b"


def test_deleted_datasets_are_missing_sources(ground: Ground) -> None:
    """Is told as a source that is not there."""
    gone = Source(id="s", kind=SourceKind.DATASET, ref="ds-gone")

    assert ground.refused(gone) == ("SourceNotFound", "the dataset was removed from the hub")


# Buckets


def test_datasets_use_their_credential(ground: Ground) -> None:
    """As storage options, which are never printed."""
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
def test_credentials_are_limited_to_their_bucket_and_project(ground: Ground, bounds: str, allowed: bool) -> None:
    """Naming one in a dataset does not widen it."""
    ground.credential("team", KEY + bounds, bound="projects" not in bounds)
    source = of(ground.dataset("s3://team-logs/a", DatasetKind.S3, credential="team"))

    if allowed:
        assert ground.resolve(source).options
    else:
        assert ground.refused(source)[0] == "AccessDenied"


def test_urls_use_credentials_for_that_place(ground: Ground) -> None:
    """Credentials without a place are not used for arbitrary URLs."""
    ground.credential("loose", KEY)
    assert ground.refused("s3://team-logs/a") == ("AccessDenied", "this project has no credential for s3://team-logs/a")

    ground.credential("team", KEY + 'uris = ["s3://team-logs/"]\n')
    assert ground.resolve("s3://team-logs/a").options["access_key_id"] == "AK"
    assert ground.refused("s3://other/a")[0] == "AccessDenied"


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(
    ("text", "default", "vision"),
    [("", True, False), ('projects = ["vision"]', False, True), ('projects = ["default"]', True, False)],
)
def test_credentials_are_limited_to_listed_projects(ground: Ground, text: str, default: bool, vision: bool) -> None:
    """Without a list they belong to the first; for others they do not exist."""
    ground.credential("team", KEY + text, bound=False)
    usable = {}
    for name in ("default", "vision"):
        with ground.personas.database.read() as session:
            project = projects.get(session, ground.personas.admin, name)
            usable[name] = list(ground.places().credentials_of(session, project))

    assert usable == {"default": ["team"] if default else [], "vision": ["team"] if vision else []}


@pytest.mark.databases("sqlite", "postgres")
def test_bound_storages_open_urls_below(ground: Ground) -> None:
    """With their credential, which stays hidden; the closest one wins."""
    for name in ("wide", "own"):
        ground.credential(name, KEY.replace("AK", name.upper()), bound=False)
    ground.personas.bind("s3://logs/teams", BindingKind.STORAGE, credential="wide")
    ground.personas.bind("s3://logs/teams/vision", BindingKind.STORAGE, credential="own")

    keys = [ground.resolve(uri).options["access_key_id"] for uri in ("s3://logs/teams/a", "s3://logs/teams/vision/b")]
    assert keys == ["WIDE", "OWN"]
    for uri in ("s3://logs/teams-not", "s3://logs", "s3://other/teams/vision"):
        assert ground.refused(uri) == ("AccessDenied", f"this project has no credential for {uri}")
    assert ground.refused(of(ground.dataset("s3://logs/x", DatasetKind.S3, credential="wide")))[0] == "AccessDenied"


def test_bound_storages_may_use_the_hubs_keys(ground: Ground) -> None:
    """These open nothing else, except for the first project."""
    places = ground.places(default_auth=DefaultAuth.ENVIRONMENT, environ={"AWS_ACCESS_KEY_ID": "AK"})
    ground.personas.bind("s3://logs/vision", BindingKind.STORAGE)

    assert dict(ground.resolve("s3://logs/vision/a", places).options) == {"access_key_id": "AK"}
    assert ground.refused("s3://logs/other", places)[0] == "AccessDenied"
    assert dict(ground.resolve("s3://logs/other", places, project="default").options) == {"access_key_id": "AK"}


def test_object_stores_can_be_opened_to_all(ground: Ground) -> None:
    """Unsigned; the first project may also use the hub's keys."""
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
        ('kind = "ftp"', "the credential bad has no valid kind"),
        ('kind = "s3"\npassword = "sekret"', "the credential bad has an unknown field password"),
        ('kind = "s3"\nuris = "s3://a"', "the credential bad: uris is not a list of strings"),
    ],
)
def test_errors_of_credentials_omit_their_content(ground: Ground, text: str, message: str) -> None:
    """Administrators who bind them see what is wrong."""
    ground.credential("bad", text, bound=False)
    with pytest.raises(Invalid) as raised:
        ground.places().validate_binding(bound("bad", BindingKind.CREDENTIAL))
    assert (raised.value.message, "sekret" in raised.value.hint) == (message, False)


@pytest.mark.parametrize("name", ["missing", "../outside", "a/b", ".", "TEAM"])
def test_missing_credentials(ground: Ground, name: str) -> None:
    """By any name or path."""
    ground.credential("team", KEY)
    (ground.outside / "key.toml").write_text(KEY)
    with pytest.raises(Invalid, match="there is no credential"):
        ground.places().validate_binding(bound(name, BindingKind.CREDENTIAL))
    with pytest.raises(Invalid, match="there is no credential"):
        ground.check_dataset("s3://team-logs/a", DatasetKind.S3, name)


def test_credentials_are_listed_by_name(ground: Ground) -> None:
    """Sorted."""
    for name in ("b", "a"):
        ground.credential(name, KEY)

    assert ground.places().credentials() == ["a", "b"]


def test_datasets_need_an_allowed_folder(ground: Ground) -> None:
    """On creation; the folder need not exist yet."""
    ground.check_dataset(str(ground.allowed / "later"))
    with pytest.raises(Invalid, match="/etc is not below a folder that this project may show"):
        ground.check_dataset("file:///etc")
    with pytest.raises(Invalid, match="contains the hub's own files"):
        ground.check_dataset(str(ground.hub / "credentials"))


def test_bindable_values(ground: Ground) -> None:
    """Existing folders outside the data directory, and storages with a usable credential."""
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
        str(ground.hub): "contains the hub's own files",
        str(ground.hub / "storage"): "contains the hub's own files",
    }
    for value, message in wrong.items():
        with pytest.raises(Invalid, match=message):
            places.validate_binding(bound(value, BindingKind.ROOT))
    with pytest.raises(Invalid, match="the credential team is not for s3://other"):
        places.validate_binding(bound("s3://other", BindingKind.STORAGE, "team"))


@pytest.mark.databases("sqlite", "postgres")
def test_datasets_of_other_projects_are_missing(ground: Ground) -> None:
    """Until bound; then they and their references resolve as in their own project."""
    ground.personas.bind(str(ground.outside), project="default")
    new = Dataset(id="", name="theirs", project="default", owner="", kind=DatasetKind.PATH, uri=str(ground.outside))
    with ground.personas.database.write() as session:
        theirs = datasets.create(session, ground.personas.admin, new, START_TIME)
    assert ground.refused(of(theirs)) == ("AccessDenied", "the dataset belongs to another project")

    made = ground.personas.bind(theirs.id, BindingKind.DATASET)
    reference = ground.dataset("theirs", DatasetKind.REFERENCE, name="alias")
    assert [ground.resolve(of(each)).url for each in (theirs, reference)] == [str(ground.outside)] * 2

    with ground.personas.database.write() as session:
        bindings.remove(session, ground.personas.admin, "vision", made.id, START_TIME)
    for each in (theirs, reference):
        assert ground.refused(of(each)) == ("AccessDenied", "the dataset belongs to another project")


def bound(value: str, kind: BindingKind, credential: str = "") -> Binding:
    """Something that is to be bound."""
    return Binding(id="", project="prj", kind=kind, value=value, credential=credential)


# Inputs of jobs


def input_path(ground: Ground, source: Source, **options: object) -> str:
    """The path of data for a job of the project."""
    with ground.personas.database.read() as session:
        project = projects.row_of(session, "vision")
        assert project is not None
        found = projects.get_unchecked(session, project.id)
        assert found is not None
        return ground.places(**options).input_path(session, found, source)


def test_inputs_are_in_folders_of_their_project(ground: Ground) -> None:
    """Files and what does not exist yet as well."""
    storage = ground.hub / "storage" / "vision"
    sources = ("storage:data/file", str(ground.allowed / "in"))

    assert [input_path(ground, source_of(text)) for text in sources] == [
        str(storage / "data" / "file"), str(ground.allowed / "runs"),
    ]  # fmt: skip


def test_inputs_are_in_no_folder_of_another_project(ground: Ground) -> None:
    """Although a dataset there is bound: a TensorBoard may show it, but jobs see the folders of their project."""
    ground.personas.bind(str(ground.outside), project="default")
    new = Dataset(id="", name="theirs", project="default", owner="", kind=DatasetKind.PATH, uri=str(ground.outside))
    with ground.personas.database.write() as session:
        theirs = datasets.create(session, ground.personas.admin, new, START_TIME)
    ground.personas.bind(theirs.id, BindingKind.DATASET)

    with pytest.raises(LaunchError, match=f"{ground.outside} belongs to another project"):
        input_path(ground, of(theirs))


def test_inputs_are_in_no_bucket(ground: Ground) -> None:
    """A command cannot open it as a file."""
    with pytest.raises(LaunchError, match="s3://open/data is in a bucket, which jobs cannot read"):
        input_path(ground, source_of("s3://open/data"), default_auth=DefaultAuth.ANONYMOUS)
