"""Every route and method, for every role, on own and foreign resources."""

import pathlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from string import Formatter

import httpx
import pytest

from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Principal, Right, Visibility, allowed, allowed_on_hub
from lightboard.hub.api.routes import OPEN, RIGHT
from lightboard.hub.db import datasets, invitations, project_secrets, projects, shares, tokens
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.jobs import JobKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access, Tensorboard
from lightboard.hub.resources.tokens import Token
from support.hub_client import HubClient
from support.hub_routes import BODIES, QUERIES, every_operation
from support.personas import START_TIME, Personas, folder_source
from support.source_archives import store_source_code

PEOPLE = {
    "admin": None,
    "owner": Role.OWNER,
    "leader": Role.ADMIN,
    "editor": Role.EDITOR,
    "colleague": Role.EDITOR,
    "viewer": Role.VIEWER,
    "stranger": None,
}
"""Who asks, and what they are in the project of the things asked for, which are all the editor's."""


def rule_of(right: str) -> Right:
    """The row of the table of rights."""
    return RIGHTS.get(right) or HUB_RIGHTS[right]


OPEN_ROUTES = {
    ("GET", "/api/v1/entry"),
    ("POST", "/api/v1/setup"),
    ("POST", "/api/v1/login"),
    ("GET", "/api/v1/recover"),
    ("GET", "/api/v1/oidc/start"),
    ("GET", "/api/v1/oidc/callback"),
    ("GET", "/api/v1/enter/{label}"),
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/s/{ticket}"),
}
NOT_HERE = ("/s/{ticket}", "/api/v1/recover", "/api/v1/oidc/start", "/api/v1/oidc/callback")
"""Open, but this ticket is none, and this hub knows no outside login."""
ANYWHERE = ("/api/v1/credentials", "/api/v1/roots")
"""For whoever has the right in any project."""
IMAGES, IMAGE = "/api/v1/images", "torch"
"""Those are the same in all projects."""


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people, a project and an image in it."""
    (tmp_path / "torch.txt").write_text("torch\n")
    with HubClient(database, personas, tmp_path, images=(f"{IMAGE}={tmp_path}/torch.txt",)) as asked:
        yield asked


def routes() -> list[tuple[str, str, str]]:
    """Method, path and right of everything that is no page and no board."""
    return [
        (method, path, operation.get(RIGHT, "none"))
        for path, methods in every_operation().items()
        for method, operation in methods.items()
    ]


def cases() -> list[tuple[str, str, str, bool]]:
    """Each route; those of one TensorBoard with a private one as well."""
    both = {True: (True, False), False: (False,)}
    return [
        (method, path, right, private)
        for method, path, right in routes()
        for private in both[right.startswith("tensorboards.") and ("{id}" in path or "{name}" in path)]
    ]


def test_every_route_declares_a_known_right() -> None:
    """A route without one would be open to all."""
    assert [route for route in routes() if route[2] not in {*RIGHTS, *HUB_RIGHTS, OPEN}] == []


def test_public_routes_are_listed() -> None:
    """So that none becomes public by mistake."""
    assert {(method, path) for method, path, right in routes() if right == OPEN} <= OPEN_ROUTES


class Things:
    """One of each kind, made by the editor in the project `vision` once an address has it.

    The token and the invitations are the requester's own, since nobody else's is ever seen.
    """

    def __init__(self, hub: HubClient, requester: str, private: bool) -> None:
        self._hub = hub
        self._requester = requester or "editor"
        self._private = private

    def address(self, method: str, template: str) -> str:
        """The path and query of a route."""
        return self.path(template) + QUERIES.get((method, template), "")

    def path(self, template: str) -> str:
        """An address with these in it."""
        kind = template.removeprefix("/api/v1").split("/")[1]
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        return template.format(**{name: self._word(name, kind, template) for name in names})

    def _named(self, kind: str, template: str) -> str:
        """What has a name in its address."""
        if kind == "images":
            return IMAGE
        of_kind = {"jobs": JobKind.JOB, "notebooks": JobKind.NOTEBOOK}
        asked = [each for noun, each in of_kind.items() if f"/{noun}/" in template]
        return self._hub.personas.create_job(kind=asked[0]).id if asked else self.board.name

    def _word(self, name: str, kind: str, template: str) -> str:
        """What stands for a name in an address of things of a kind."""
        make: dict[str, Callable[[], str]] = {
            "tensorboards": lambda: self.board.id,
            "jobs": lambda: self.job,
            "datasets": lambda: self.dataset,
            "projects": lambda: self.project,
            "accounts": lambda: self.member,
            "tokens": lambda: self.token,
            "invitations": lambda: self.invited,
            "source": lambda: self.board.sources[1].id,
            "share": lambda: self.share,
            "account": lambda: self.member,
            "binding": lambda: self.binding,
            "invitation": lambda: self.invitation,
            "secret": lambda: self.secret,
            "digest": lambda: self.digest,
            "workspace": lambda: "vision",
            "project": lambda: "vision",
            "cluster": lambda: "one",
            "namespace": lambda: "two",
            "name": lambda: self._named(kind, template),
            "ticket": lambda: "none",
            "label": lambda: self.board.id,
        }
        return make[kind if name == "id" else name]()

    @cached_property
    def board(self) -> Tensorboard:
        """With two sources."""
        access = Access.PRIVATE if self._private else Access.PROJECT
        sources = (folder_source("/logs/a"), folder_source("/logs/b"))
        return self._hub.personas.create_board(access=access, sources=sources)

    @cached_property
    def project(self) -> str:
        """With a board in it, or the first who may delete it would."""
        assert self.board
        return "vision"

    @cached_property
    def job(self) -> str:
        """With source code and a web page."""
        return self._hub.personas.create_job(source_code=self.digest, http_port=8080).id

    @cached_property
    def digest(self) -> str:
        """That of source code."""
        return store_source_code(self._hub, self._hub.personas.vision)

    @cached_property
    def dataset(self) -> str:
        """A folder."""
        new = Dataset(id="", name="", project="vision", owner="", kind=DatasetKind.PATH, uri="/logs")
        with self._hub.database.write() as session:
            return datasets.create(session, self._hub.personas.editor, new, START_TIME).id

    @cached_property
    def share(self) -> str:
        """A link to the board."""
        with self._hub.database.write() as session:
            return shares.create(session, self._hub.personas.leader, self.board.id, 100_000.0, START_TIME).id

    @cached_property
    def member(self) -> str:
        """The account `guest`, which is in the project."""
        with self._hub.database.write() as session:
            projects.set_member(session, self._hub.personas.admin, "vision", "guest", Role.VIEWER, START_TIME)
        return "guest"

    @cached_property
    def token(self) -> str:
        """The requester's."""
        scopes = frozenset({Scope.READ})
        wanted = Token(id="", account="", name="x", digest=secrets.token_hex(), shown="", scopes=scopes)
        with self._hub.database.write() as session:
            return tokens.create(session, self._hub.principal(self._requester), wanted, START_TIME).id

    @cached_property
    def binding(self) -> str:
        """A bucket."""
        return self._hub.personas.bind(f"s3://bucket/{secrets.token_hex()}", BindingKind.STORAGE).id

    @cached_property
    def secret(self) -> str:
        """The editor's."""
        hub = self._hub
        with hub.database.write() as session:
            box = hub.hub.jobs.secret_box
            return project_secrets.put(
                session, hub.personas.editor, box, "vision", "hf_token", "s3cret", START_TIME
            ).name

    @cached_property
    def invitation(self) -> str:
        """Somebody's to the project."""
        with self._hub.database.write() as session:
            return invitations.invite(
                session, self._hub.personas.owner, "vision", "newcomer", Role.VIEWER, START_TIME
            ).invitation.id

    @cached_property
    def invited(self) -> str:
        """The requester's, to another project."""
        personas = self._hub.personas
        host = personas.admin if self._requester == "owner" else personas.owner
        with self._hub.database.write() as session:
            other = projects.create(session, host, Project(id="", name="", display_name="Other"), START_TIME)
            return invitations.invite(session, host, other.id, self._requester, Role.VIEWER, START_TIME).invitation.id


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(("method", "path", "right", "private"), cases(), ids=str)
def test_routes_follow_the_access_table(hub: HubClient, method: str, path: str, right: str, private: bool) -> None:
    """404 for hidden, 403 for forbidden, 401 without a login."""
    hub.personas.add_account("colleague")
    hub.personas.add_account("guest")
    with hub.database.write() as session:
        projects.set_member(session, hub.personas.admin, "vision", "colleague", Role.EDITOR, START_TIME)
    got, wanted, things = {}, {}, None

    for name in ("", *PEOPLE):
        for kind in ("", "read") if name else ("",):
            if things is None or "tokens" in path or "invitations" in path:
                things = Things(hub, name, private)
            answer = hub.request(method, things.address(method, path), name, BODIES.get((method, path)), kind)
            got[name, kind] = verdict(answer.status_code)
            wanted[name, kind] = expected(hub, method, path, right, name, kind, private)
            if method != "GET" and answer.is_success:
                things = None  # the next one gets things to which nothing has happened

    assert got == wanted


NEEDING = [(method, path) for method, path, right in routes() if right != OPEN and rule_of(right).needs]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(("method", "path"), NEEDING, ids=str)
def test_routes_check_permissions(hub: HubClient, method: str, path: str) -> None:
    """For everybody but administrators, before anything else."""
    hub.personas.add_account("guest")
    address, body = Things(hub, "owner", private=False).address(method, path), BODIES.get((method, path))
    hub.personas.set_permissions()

    refused = [hub.request(method, address, name, body) for name in ("owner", "editor")]
    allowed = hub.request(method, address, "admin", body)

    for answer in refused:
        assert (answer.status_code, code_of(answer)) == (403, "permission_denied")
        assert '"message": "this account is not permitted to ' in answer.text
        assert "an administrator of the hub can permit it: " in answer.text
    assert allowed.status_code not in (401, 403)


def code_of(answer: httpx.Response) -> str:
    """The code of an error, in the hub's format or in DCE's."""
    told = answer.json()
    return str(told["error"]["code"] if "error" in told else told["id"])


def verdict(status: int) -> str:
    """What an answer says about rights."""
    return {401: "who?", 403: "no", 404: "not there"}.get(status, "yes" if status < 500 else f"broken {status}")


def expected(hub: HubClient, method: str, path: str, right: str, name: str, kind: str, private: bool) -> str:
    """What the table of rights says."""
    if right == OPEN:
        return "not there" if path in NOT_HERE else "yes"
    if not name:
        return "who?"
    who = hub.principal(name)
    if kind == "read":
        who = replace(who, scopes=frozenset({Scope.READ}))
    rule = rule_of(right)
    if rule.scope not in who.scopes:
        return "no"
    if right in HUB_RIGHTS:
        return "yes" if allowed_on_hub(who, right) else "no"
    return in_project(who, path, right, PEOPLE[name], private, who.account if name == "editor" else "somebody else")


def in_project(who: Principal, path: str, right: str, role: Role | None, private: bool, owner: str) -> str:
    """For a thing of the editor in the project `vision`."""
    if right == "audit.list":
        return "yes" if who.administrator else "no"
    if path in ANYWHERE:
        return "yes" if who.administrator or (role and allowed(who, right, role=role, project="vision")) else "no"
    if right.endswith(".list") and ("{" not in path or path.startswith(IMAGES)):
        return "yes"
    seeing = {"tensorboards": "tensorboards.get", "jobs": "jobs.get", "datasets": "datasets.list"}.get(
        right.partition(".")[0], "project.get"
    )
    is_private = private and ((right.startswith("tensorboards.") and "{id}" in path) or "{name}" in path)
    hidden = Visibility.LEADERS if is_private else Visibility.MEMBERS
    may = {
        "see": allowed(replace(who, scopes=frozenset(Scope)), seeing if "{" in path else "project.get",
                       role=role, project="vision", owner=owner, visibility=hidden),
        "do": allowed(who, right, role=role, project="vision", owner=owner, visibility=hidden),
    }  # fmt: skip
    if not may["see"]:
        return "not there"
    return "yes" if may["do"] else "no"
