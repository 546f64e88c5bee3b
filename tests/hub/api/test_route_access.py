"""Every route and method, for every role, on own and foreign resources."""

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Principal, Right, Visibility, allowed, allowed_on_hub
from lightboard.hub.api.routes import OPEN, RIGHT
from lightboard.hub.db import datasets, invitations, projects, shares, tokens
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access
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


@dataclass
class Things:
    """One of each kind, made by the editor in the project `vision`."""

    board: str
    job: str
    name: str
    source: str
    share: str
    dataset: str
    token: str
    binding: str
    invitation: str
    invited: str
    digest: str

    def address(self, method: str, template: str) -> str:
        """The path and query of a route."""
        return self.path(template) + QUERIES.get((method, template), "")

    def path(self, template: str) -> str:
        """An address with these in it."""
        kind = template.removeprefix("/api/v1").split("/")[1]
        id = {
            "tensorboards": self.board,
            "jobs": self.job,
            "datasets": self.dataset,
            "projects": "vision",
            "accounts": "guest",
            "tokens": self.token,
            "invitations": self.invited,
        }.get(kind, "")
        filled = {"id": id, "source": self.source, "share": self.share, "account": "guest",
                  "binding": self.binding, "invitation": self.invitation, "digest": self.digest}  # fmt: skip
        name = IMAGE if kind == "images" else self.name
        words = {"workspace": "vision", "project": "vision", "name": name, "ticket": "none", "label": self.board}
        return template.format(**filled, **words)


def make_things(hub: HubClient, requester: str, private: bool) -> Things:
    """Fresh ones; the token and the invitation are the requester's own, since nobody else's is ever seen."""
    access = Access.PRIVATE if private else Access.PROJECT
    board = hub.personas.create_board(access=access, sources=(folder_source("/logs/a"), folder_source("/logs/b")))
    with hub.database.write() as session:
        new = Dataset(id="", name="", project="vision", owner="", kind=DatasetKind.PATH, uri="/logs")
        dataset = datasets.create(session, hub.personas.editor, new, START_TIME)
        shared = shares.create(session, hub.personas.leader, board.id, 100_000.0, START_TIME)
        projects.set_member(session, hub.personas.admin, "vision", "guest", Role.VIEWER, START_TIME)
        wanted = Token(id="", account="", name="x", digest=board.id, shown="", scopes=frozenset({Scope.READ}))
        token = tokens.create(session, hub.principal(requester or "editor"), wanted, START_TIME)
        invitation = invitations.invite(
            session, hub.personas.owner, "vision", "newcomer", Role.VIEWER, START_TIME
        ).invitation
        host = hub.personas.admin if requester == "owner" else hub.personas.owner
        other = projects.create(session, host, Project(id="", name="", display_name="Other"), START_TIME)
        invited = invitations.invite(session, host, other.id, requester or "editor", Role.VIEWER, START_TIME).invitation
    binding = hub.personas.bind(f"s3://bucket/{board.id}", BindingKind.STORAGE).id
    digest = store_source_code(hub, hub.personas.vision)
    job = hub.personas.create_job(source_code=digest)
    ids = (board.id, job.id, board.name, board.sources[1].id, shared.id, dataset.id, token.id, binding)
    return Things(*ids, invitation.id, invited.id, digest)


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
                things = make_things(hub, name, private)
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
    things = make_things(hub, "owner", private=False)
    hub.personas.set_permissions()

    address, body = things.address(method, path), BODIES.get((method, path))
    refused = [hub.request(method, address, name, body) for name in ("owner", "editor")]
    allowed = hub.request(method, address, "admin", body)

    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in refused] == [
        (403, "permission_denied")
    ] * 2
    for answer in refused:
        assert answer.json()["error"]["message"].startswith("this account is not permitted to ")
        assert answer.json()["error"]["hint"].startswith("an administrator of the hub can permit it: ")
    assert allowed.status_code not in (401, 403)


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
