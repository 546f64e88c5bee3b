"""Responses for hidden resources equal those for missing ones; they are compared whole.

Every route that names something is called twice: with ids and names of the project `vision`, and with ones that never
existed. `mallory` owns a project and a board of her own, `stranger` is in no project, `viewer` is in `vision`, where
some things are hidden from her.
"""

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import httpx
import pytest

from lightboard.hub.api.shares import PURPOSE
from lightboard.hub.db import datasets, invitations, project_secrets, projects, shares, tokens
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access
from lightboard.hub.resources.tokens import Token
from support.hub_client import PASSWORD, HubClient
from support.hub_routes import BODIES, every_operation
from support.personas import START_TIME, Personas, folder_source
from support.response_comparison import comparable_response
from support.source_archives import store_source_code

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

REQUESTERS = ("", "stranger", "mallory")
"""Who sees nothing of `vision`."""
PAGE = {"Accept": "text/html"}


@dataclass(frozen=True)
class Words:
    """What addresses are made of: one id or name of each kind."""

    board: str
    board_name: str
    source: str
    share: str
    ticket: str
    job: str
    job_name: str
    dataset: str
    dataset_name: str
    project: str
    project_name: str
    account: str
    account_name: str
    token: str
    binding: str
    invitation: str
    digest: str
    secret: str

    def never(self) -> "Words":
        """Such as never were, as long as these."""
        return Words(*(other(getattr(self, field.name)) for field in fields(self)))

    def all(self) -> list[str]:
        """Every one, the longest first."""
        return sorted((getattr(self, field.name) for field in fields(self)), key=len, reverse=True)

    def by_id(self) -> dict[str, dict[str, str]]:
        """What stands in an address below each kind of thing; as ids."""
        inner = {name: getattr(self, name) for name in ("source", "share", "binding", "invitation", "digest", "secret")}
        inner |= {"account": self.account, "name": self.board, "workspace": self.project, "ticket": self.ticket}
        inner |= {"label": self.board, "project": self.project, "job": self.job}
        inner |= {"cluster": "one", "namespace": "two"}
        kinds = {
            "tensorboards": self.board,
            "jobs": self.job,
            "datasets": self.dataset,
            "projects": self.project,
            "accounts": self.account,
            "tokens": self.token,
            "invitations": self.invitation,
        }
        return {kind: {"id": id, **inner} for kind, id in kinds.items()} | {"": {"id": "", **inner}}

    def by_name(self) -> dict[str, dict[str, str]]:
        """The same by names, where there are any."""
        inner = {"account": self.account_name, "name": self.board_name, "workspace": self.project_name}
        inner |= {"label": f"{self.board_name}--{self.account_name}", "project": self.project_name}
        inner |= {"job": self.job_name}
        names = {
            "tensorboards": self.board_name,
            "jobs": self.job_name,
            "datasets": self.dataset_name,
            "projects": self.project_name,
            "accounts": self.account_name,
        }
        known = self.by_id()
        return {kind: {**known[kind], **inner, "id": names.get(kind, known[kind]["id"])} for kind in known}


def other(word: str) -> str:
    """Another one of the same length: its last letter differs, or that of the signed part of a ticket."""
    return word[:-1] + ("0" if word[-1] != "0" else "1")


def kind_of(template: str) -> str:
    """What the first id in an address is of; "" for none of those."""
    kind = template.removeprefix("/api/v1").split("/")[1]
    kinds = ("tensorboards", "jobs", "datasets", "projects", "accounts", "tokens", "invitations")
    return kind if kind in kinds else ""


def operations() -> list[tuple[str, str]]:
    """Method and template of every address that names something."""
    return [(method, path) for path, methods in every_operation().items() for method in methods if "{" in path]


@dataclass
class HiddenResources:
    """A hub with the things of `vision`, hidden from all who ask, and those of mallory."""

    hub: HubClient
    there: Words
    private: Words
    mine: Words

    def request(self, requester: str, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """An answer."""
        return self.hub.request(method, path, requester, body, **more)

    def differing(self, requester: str, words: Words, pairs: list[tuple[Any, ...]]) -> list[str]:
        """Questions that are answered otherwise for what exists; each pair is asked with it and without it."""
        said = [*words.all(), *words.never().all()]
        told = []
        for there, absent in pairs:
            one, two = (comparable_response(self.request(requester, *question), *said) for question in (there, absent))
            if one != two or one[0] >= 500:
                told.append(f"{there[0]} {there[1]}: {one} for what exists, {two} for what does not")
        return told


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people who are in no project of the others."""
    with HubClient(database, personas, tmp_path) as asked:
        yield asked


@pytest.fixture
def resources(hub: HubClient) -> HiddenResources:
    """With things of everybody."""
    personas = hub.personas
    for name in ("guest", "newcomer", "mallory"):
        personas.add_account(name)
    with hub.database.write() as session:
        beta = projects.create(session, personas.admin, Project(id="", name="beta"), START_TIME)
        projects.set_member(session, personas.admin, "beta", "mallory", Role.OWNER, START_TIME)
        projects.set_member(session, personas.admin, "vision", "guest", Role.VIEWER, START_TIME)
    personas.bind("/logs", project="beta")
    there = made(hub, "editor", personas.vision, "curves", Access.PROJECT)
    private = made(hub, "editor", personas.vision, "hidden", Access.PRIVATE)
    mine = made(hub, "mallory", beta.id, "ownone", Access.PROJECT)
    return HiddenResources(hub, there, private, mine)


def made(hub: HubClient, who: str, project: str, name: str, access: Access) -> Words:
    """One of each kind, of somebody in a project, with names that begin alike."""
    personas, requester = hub.personas, hub.principal(who)
    board = personas.create_board(
        requester,
        project=project,
        name=name,
        access=access,
        sources=(folder_source("/logs/a"), folder_source("/logs/b")),
    )
    digest = store_source_code(hub, project, name)
    with hub.database.write() as session:
        box = hub.hub.jobs.secret_box
        secret = project_secrets.put(session, requester, box, project, f"{name}-key", "s3cret", START_TIME).name
    job = personas.create_job(
        requester, project=project, name=f"{name}-job", source_code=digest, secrets={"TOKEN": secret}
    )
    hub.reconcile()
    owner = personas.admin
    with hub.database.write() as session:
        new = Dataset(id="", name=f"{name}-data", project=project, owner="", kind=DatasetKind.PATH, uri="/logs")
        dataset = datasets.create(session, requester, new, START_TIME)
        share = shares.create(session, owner, board.id, 100_000.0, START_TIME)
        wanted = Token(id="", account="", name="x", digest=board.id, shown="", scopes=frozenset({Scope.READ}))
        token = tokens.create(session, requester, wanted, START_TIME)
        invitation = invitations.invite(session, owner, project, f"{name}-guest", Role.VIEWER, START_TIME).invitation
        project_name = projects.names(session, {project})[project]
    binding = personas.bind(f"s3://bucket/{board.id}", BindingKind.STORAGE, project).id
    ticket = hub.hub.auth.token_signer.issue(PURPOSE, {"share": share.id, "board": board.id}, share.expires_at)
    account = "mallory" if who == "mallory" else "editor"
    return Words(
        board.id, board.name, board.sources[1].id, share.id, ticket, job.id, job.name, dataset.id, dataset.name,
        project, project_name,
        hub.principal(account).account, account, token.id, binding, invitation.id, digest,
        secret,
    )  # fmt: skip


def address(template: str, words: dict[str, dict[str, str]]) -> str:
    """A template with ids in it. Where the name of a job is asked for, it has that."""
    own = words[kind_of(template)]
    return template.format(**{**own, "name": own["job" if names_job(template) else "name"]})


def names_job(template: str) -> bool:
    """Whether `{name}` is that of a job or notebook, and not of a board."""
    return template.partition("/{name}")[0].endswith(("/jobs", "/notebooks"))


@pytest.mark.parametrize("requester", REQUESTERS)
@pytest.mark.parametrize("named", [False, True], ids=["by id", "by name"])
def test_no_route_reveals_existence(resources: HiddenResources, requester: str, named: bool) -> None:
    """For every method and kind of resource; share links open what they share, for anyone."""
    spell = Words.by_name if named else Words.by_id
    for words in (resources.there, resources.private):
        pairs = [
            tuple((method, address(path, spell(each)), BODIES.get((method, path))) for each in (words, words.never()))
            for method, path in operations()
            if path != "/s/{ticket}"
        ]
        assert resources.differing(requester, words, pairs) == []


def test_private_boards_do_not_exist_for_other_members(resources: HiddenResources) -> None:
    """Neither the board nor anything below it."""
    words = resources.private
    pairs = [
        tuple(
            (method, address(path, spell(each)), BODIES.get((method, path)))
            for each in (words, changed(words, words.never()))
        )
        for spell in (Words.by_id, Words.by_name)
        for method, path in operations()
        if kind_of(path) == "tensorboards" or ("{name}" in path and not names_job(path))
    ]
    assert resources.differing("viewer", words, pairs) == []


def changed(words: Words, never: Words) -> Words:
    """The same project and account, but no such board."""
    kept = {"project": words.project, "project_name": words.project_name}
    return Words(**{field.name: kept.get(field.name, getattr(never, field.name)) for field in fields(words)})


def test_ids_of_others_are_not_found_below_own_resources(resources: HiddenResources) -> None:
    """Sources, share links, members, bindings and invitations of others."""
    words, mine = resources.there, resources.mine
    pairs = []
    for method, path in operations():
        if path.count("{") != 2 or kind_of(path) not in ("tensorboards", "projects"):
            continue
        for spell in (Words.by_id, Words.by_name):
            own = spell(mine)[kind_of(path)]["id"]
            pairs.append(
                tuple(
                    (method, path.format(**{**spell(each)[kind_of(path)], "id": own}), BODIES.get((method, path)))
                    for each in (words, words.never())
                )
            )
    assert len(pairs) > 8
    assert resources.differing("mallory", words, pairs) == []


def questions(words: Words, mine: Words) -> list[tuple[Any, ...]]:
    """Addresses and bodies that name things beside the address."""
    api = "/api/v1"
    place = {"sources": [{"uri": "/logs/runs"}]}
    found: list[tuple[Any, ...]] = []
    for project in (words.project, words.project_name):
        found += [
            ("GET", f"{api}/{path}?project={project}")
            for path in (
                "tensorboards",
                "jobs",
                f"source-code/{words.digest}",
                "datasets",
                "roots",
                "credentials",
                "audit",
                f"datasets/{words.dataset_name}",
            )
        ]
        for board in (words.board, words.board_name, mine.board, mine.board_name):
            found += [
                ("GET", f"{api}/tensorboards/{board}{rest}?project={project}") for rest in ("", "/events", "/logs")
            ]
            found.append(("PUT", f"{api}/tensorboards/{board}/stop?project={project}"))
        found += [
            ("POST", f"{api}/tensorboards", {**place, "project": project}),
            ("POST", f"{api}/tensorboards", {**place, "project": project, "reuse": True}),
            ("POST", f"{api}/tensorboards/probe", {**place, "project": project}),
            ("POST", f"{api}/datasets", {"kind": "path", "uri": "/logs", "project": project}),
            ("POST", f"{api}/jobs", {"command": ["true"], "project": project}),
            ("POST", f"{api}/source-code?project={project}", {}),
            ("POST", f"{api}/tokens", {"name": "one", "scopes": ["read"], "project": project}),
        ]
    for dataset in (words.dataset, words.dataset_name):
        source = {"sources": [{"dataset": dataset}]}
        found += [
            ("POST", f"{api}/tensorboards", source),
            ("POST", f"{api}/tensorboards/probe", source),
            ("PATCH", f"{api}/tensorboards/{mine.board}", source),
            ("POST", f"{api}/tensorboards/{mine.board}/sources", {"dataset": dataset}),
            ("POST", f"{api}/datasets", {"kind": "reference", "uri": dataset}),
            ("GET", f"{api}/projects/{mine.project}/folders?root=dataset:{dataset}"),
            ("POST", f"{api}/projects/{mine.project}/bindings", {"kind": "dataset", "value": dataset}),
        ]
    for project in (mine.project, words.project):
        variables = {"TOKEN": {"secret": words.secret}}
        body = {"command": ["true"], "project": project, "environment": variables}
        found += [
            ("POST", f"{api}/jobs", body),
            ("POST", f"{api}/notebooks", {"project": project, "environment": variables}),
        ]
    for account in (words.account, words.account_name):
        found += [
            ("GET", f"{api}/tensorboards?owner={account}"),
            ("GET", f"{api}/jobs?owner={account}"),
            ("GET", f"{api}/audit?project={mine.project}&actor={account}"),
            ("GET", f"{api}/accounts?search={account}"),
            ("PUT", f"{api}/projects/{mine.project}/members", {"account": account, "role": "viewer"}),
            ("DELETE", f"{api}/projects/{mine.project}/members/{account}"),
        ]
    found += [
        ("GET", f"{api}/audit?project={mine.project}&target={words.board}"),
        ("GET", f"{api}/tensorboards?search={words.board_name}"),
        ("GET", f"{api}/jobs?search={words.job_name}"),
        ("POST", f"{api}/jobs", {"command": ["true"], "project": mine.project, "source_code": words.digest}),
        ("GET", f"{api}/tensorboards?source={words.dataset}"),
        ("GET", f"{api}/datasets/{mine.dataset}?project={words.project_name}"),
    ]
    return found


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("requester", REQUESTERS)
def test_no_query_or_body_reveals_existence(resources: HiddenResources, requester: str) -> None:
    """Of a project, dataset or account that it names."""
    words = resources.there
    pairs = list(zip(questions(words, resources.mine), questions(words.never(), resources.mine), strict=True))

    assert resources.differing(requester, words, pairs) == []


def test_invitations_do_not_reveal_accounts(resources: HiddenResources) -> None:
    """The response is the same for a name that nobody has."""
    answers = []
    for account in ("stranger", "strangel"):
        body = {"account": account, "role": "viewer"}
        answer = resources.request("mallory", "POST", f"/api/v1/projects/{resources.mine.project}/invitations", body)
        answers.append(comparable_response(answer, account, answer.json()["id"]))

    assert answers[0][0] == 201
    assert answers[0] == answers[1]


BELOW = ("", "/", "/api/v1/runs", "/api/v1/events", "/assets/a.js", "/data/plugin/scalars/tags", "/?token=wrong")


@pytest.mark.parametrize("requester", REQUESTERS)
@pytest.mark.parametrize("headers", [PAGE, {}], ids=["page", "program"])
def test_no_board_url_reveals_existence(resources: HiddenResources, requester: str, headers: dict[str, str]) -> None:
    """At `/tb/<id>/`: pages, programs, streams, files, and tokens in the URL."""
    said = [*resources.there.all(), *resources.there.never().all()]
    token = resources.hub.token(requester) if requester else "none"
    for method in ("GET", "HEAD", "POST", "PATCH"):
        for rest in (*BELOW, f"/?token={token}&x=1"):
            answers = [
                comparable_response(resources.request(requester, method, f"/tb/{id}{rest}", headers=headers), *said)
                for id in (resources.there.board, other(resources.there.board))
            ]
            assert answers[0] == answers[1], (method, rest)
            assert answers[0][0] < 500


def test_console_pages_do_not_reveal_existence(resources: HiddenResources) -> None:
    """All pages are one document."""
    said = [*resources.there.all(), *resources.there.never().all()]
    for kind in ("board", "dataset", "project_name"):
        word = getattr(resources.there, kind)
        folder_name = {"board": "tensorboards", "dataset": "datasets", "project_name": "projects"}[kind]
        one, two = (
            comparable_response(resources.request("", "GET", f"/{folder_name}/{each}", headers=PAGE), *said)
            for each in (word, other(word))
        )
        assert one == two, kind


@pytest.mark.parametrize("requester", REQUESTERS)
def test_expired_share_links_look_like_unknown_ones(resources: HiddenResources, requester: str) -> None:
    """Revoked, expired, forged, or of a deleted board: the same response."""
    hub, words = resources.hub, resources.there
    lives = resources.request(requester, "GET", f"/s/{words.ticket}")
    forged = comparable_response(resources.request(requester, "GET", f"/s/{other(words.ticket)}"))
    never = hub.hub.auth.token_signer.issue(PURPOSE, {"share": other(words.share), "board": words.board}, 100_000.0)
    hub.request("DELETE", f"/api/v1/tensorboards/{words.board}/shares/{words.share}", "admin")

    assert lives.status_code == 303
    assert forged[0] == 404
    assert [
        comparable_response(resources.request(requester, "GET", f"/s/{ticket}")) for ticket in (words.ticket, never)
    ] == [forged] * 2


def test_logins_do_not_reveal_accounts(resources: HiddenResources) -> None:
    """With a wrong password, and for accounts without a password."""
    resources.hub.set_password("editor")
    answers = [
        comparable_response(resources.hub.open_session().log_in(name, "wrong " + PASSWORD), name)
        for name in ("editor", "edytor", "viewer")
    ]

    assert answers[0][0] == 401
    assert answers == [answers[0]] * 3


@pytest.mark.databases("sqlite", "postgres")
def test_the_audit_omits_boards_hidden_from_the_owner(resources: HiddenResources) -> None:
    """Their creation, sources, links and visitors; administrators see everything."""
    body = {"sources": [{"uri": "/logs/secret-place"}], "name": "secretive", "access": "private"}
    made = resources.request("editor", "POST", "/api/v1/tensorboards", body)
    id = made.json()["id"]
    resources.hub.reconcile()
    share = resources.request("editor", "POST", f"/api/v1/tensorboards/{id}/shares", {"expires_secs": 60}).json()["id"]
    resources.request("editor", "DELETE", f"/api/v1/tensorboards/{id}/shares/{share}")
    resources.request("editor", "PUT", f"/api/v1/tensorboards/{id}/stop")

    told, all_of_it = (
        resources.request(name, "GET", "/api/v1/audit?project=vision&page_size=1000") for name in ("owner", "admin")
    )
    by_target = resources.request("owner", "GET", f"/api/v1/audit?project=vision&target={id}").json()

    for word in (id, "secretive", "secret-place", share):
        assert word not in told.text, word
        assert word in all_of_it.text, word
    assert (by_target["items"], by_target["total"]) == ([], 0)
    assert resources.there.board in told.text


@pytest.mark.databases("sqlite", "postgres")
def test_the_audit_shows_owners_what_they_may_see(resources: HiddenResources) -> None:
    """Visible boards, private ones in an explicitly chosen project, and everything that is not a board."""
    actions = {
        line["action"] for line in resources.request("owner", "GET", "/api/v1/audit?project=vision").json()["items"]
    }
    targets = resources.request("owner", "GET", "/api/v1/audit?project=vision&page_size=1000").text

    assert {"tensorboard.create", "share.create", "dataset.create", "member.set", "binding.create"} <= actions
    assert resources.private.board in targets
