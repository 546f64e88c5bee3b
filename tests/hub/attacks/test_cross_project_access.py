"""An account of one project cannot read anything of another project.

`mallory` owns a project, the highest position below administrator. The project `alpha` has a folder, a storage with a
credential, a credential, a dataset and a board; `ann` works there.
"""

import pathlib
from typing import Any

import httpx
import pytest

from lightboard.hub.db import projects
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from support.hub_client import HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

API = "/api/v1"
SECRET = "sekret-of-alpha"
KEY = f'kind = "s3"\nuris = ["s3://alpha-logs/"]\naccess_key_id = "AK"\nsecret_access_key = "{SECRET}"\n'


class Two:
    """Two projects on one hub, and what belongs to each of them."""

    def __init__(self, hub: HubClient, personas: Personas, top: pathlib.Path) -> None:
        self.hub = hub
        self.alpha, self.beta, self.given = (top / name / "logs" for name in ("alpha", "beta", "given"))
        for folder in (self.alpha, self.beta):
            (folder / "run").mkdir(parents=True)
        (top / "hub" / "credentials").mkdir(parents=True, exist_ok=True)
        (top / "hub" / "credentials" / "alpha-key.toml").write_text(KEY)
        for person, project in (("ann", "alpha"), ("mallory", "beta")):
            personas.add_account(person)
            with hub.database.write() as session:
                projects.create(session, personas.admin, Project(id="", name=project), hub.now)
                projects.set_member(session, personas.admin, project, person, Role.OWNER, hub.now)
        self.bind("alpha", kind="root", value=str(self.alpha))
        self.bind("beta", kind="root", value=str(self.beta))
        self.bind("alpha", kind="credential", value="alpha-key")
        self.bind("alpha", kind="storage", value="s3://shared-logs/alpha")
        self.dataset = self.must("POST", "datasets", "ann", self.of_alpha(kind="path", uri=str(self.alpha)))["id"]
        bucket = self.of_alpha(kind="s3", uri="s3://alpha-logs/x", credential="alpha-key", name="bucket")
        self.bucket = self.must("POST", "datasets", "ann", bucket)["id"]
        self.board = self.must("POST", "tensorboards", "ann", self.of_alpha(sources=[{"uri": str(self.alpha)}]))["id"]
        self.own = self.must("POST", "tensorboards", "mallory", self.of_beta(sources=[{"uri": str(self.beta)}]))["id"]
        hub.reconcile()

    def of_alpha(self, **fields: Any) -> dict[str, Any]:
        """Something in the project of ann."""
        return {"project": "alpha", **fields}

    def of_beta(self, **fields: Any) -> dict[str, Any]:
        """Something in the project of mallory."""
        return {"project": "beta", **fields}

    def request(self, method: str, path: str, body: Any = None, name: str = "mallory") -> httpx.Response:
        """What mallory is told."""
        return self.hub.request(method, f"{API}/{path}", name, body)

    def must(self, method: str, path: str, name: str, body: Any) -> Any:
        """What must work."""
        answer = self.request(method, path, body, name)
        assert answer.is_success, answer.text
        return answer.json()

    def bind(self, project: str, **body: Any) -> str:
        """The administrator's part; the id of the binding."""
        return str(self.must("POST", f"projects/{project}/bindings", "admin", body)["id"])

    def attempt(self, source: dict[str, str]) -> tuple[int, str, str]:
        """A board of mallory over a place: the status of the answer, or what became of the board and why."""
        answer = self.request("POST", "tensorboards", self.of_beta(sources=[source]))
        if not answer.is_success:
            return answer.status_code, "", answer.json()["error"]["message"]
        self.hub.reconcile()
        told = self.request("GET", f"tensorboards/{answer.json()['id']}").json()
        self.request("DELETE", f"tensorboards/{told['id']}")
        return answer.status_code, told["status"], told["reason"]

    def refused(self, source: dict[str, str]) -> bool:
        """Whether mallory gets nothing by a place: no board, or one that never comes up."""
        status, became, why = self.attempt(source)
        return status in (403, 404, 422) or (became, why) == ("Creating_Failed", "AccessDenied")

    def shown(self) -> list[str]:
        """Every place that a board of `beta` has been put over."""
        boards = self.hub.launcher.boards.values()
        return [source.url for board in boards if board.spec.id == self.own for source in board.spec.sources]


@pytest.fixture
def two(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Any:
    """A hub that was started with a folder, its own keys for buckets, and an administrator who permits little."""
    given = tmp_path / "given" / "logs"
    given.mkdir(parents=True)
    with HubClient(database, personas, tmp_path, allow_roots=(str(given),), object_stores="environment") as hub:
        yield Two(hub, personas, tmp_path)


def places(two: Two) -> dict[str, dict[str, str]]:
    """Every way to name what belongs to others."""
    return {
        "folder": {"uri": str(two.alpha)},
        "run below it": {"uri": f"{two.alpha}/run"},
        "file uri": {"uri": f"file://{two.alpha}"},
        "climbing": {"uri": f"{two.beta}/../../alpha/logs"},
        "above both": {"uri": str(two.alpha.parent.parent)},
        "what the hub was started with": {"uri": str(two.given)},
        "dataset by id": {"dataset": two.dataset},
        "dataset by uri": {"uri": f"dataset:{two.dataset}"},
        "dataset by name": {"dataset": "bucket"},
        "dataset of a bucket": {"dataset": two.bucket},
        "bucket of a credential": {"uri": "s3://alpha-logs/x"},
        "bound storage": {"uri": "s3://shared-logs/alpha"},
        "the hub's own keys": {"uri": "s3://anything/else"},
        "storage of the other": {"uri": "storage:../alpha"},
    }


def test_boards_over_foreign_sources_are_refused(two: Two) -> None:
    """When created and when probed; no response contains a key."""
    for way, source in places(two).items():
        assert two.refused(source), way
        probe = two.request("POST", "tensorboards/probe", two.of_beta(sources=[source]))
        looked = probe.json()["sources"][0] if probe.is_success else {"reason": "refused", "runs": 0}

        assert looked["reason"] != "", way
        assert looked["runs"] == 0, way
        assert SECRET not in probe.text, way


def test_running_boards_cannot_switch_to_foreign_sources(two: Two) -> None:
    """By changing or adding sources; the board shows what it did before."""
    for way, source in places(two).items():
        two.request("PATCH", f"tensorboards/{two.own}", {"sources": [source]})
        two.hub.reconcile()
        assert two.shown() == [str(two.beta)], way
        two.request("PATCH", f"tensorboards/{two.own}", {"sources": [{"uri": str(two.beta)}]})
        two.request("POST", f"tensorboards/{two.own}/sources", source)
        two.hub.reconcile()
        assert two.shown() == [str(two.beta)], way
        two.request("PATCH", f"tensorboards/{two.own}", {"sources": [{"uri": str(two.beta)}]})
        two.hub.reconcile()


def test_datasets_cannot_refer_to_foreign_resources(two: Two) -> None:
    """Folders, credentials or datasets, on creation or by later changes."""
    wrong = [
        {"kind": "path", "uri": str(two.alpha)},
        {"kind": "nfs", "uri": f"file://{two.alpha}/run"},
        {"kind": "pvc", "uri": str(two.given)},
        {"kind": "s3", "uri": "s3://alpha-logs/x", "credential": "alpha-key"},
        {"kind": "s3", "uri": "s3://elsewhere/x", "credential": "alpha-key"},
        {"kind": "reference", "uri": two.dataset},
        {"kind": "reference", "uri": "bucket"},
    ]
    for body in wrong:
        assert two.request("POST", "datasets", two.of_beta(**body)).status_code in (404, 422), body
    own = two.must("POST", "datasets", "mallory", two.of_beta(kind="s3", uri="s3://mine/x"))["id"]
    for change in ({"credential": "alpha-key"}, {"uri": "s3://alpha-logs/x", "credential": "alpha-key"}):
        assert two.request("PATCH", f"datasets/{own}", change).status_code == 422
    folder = two.must("POST", "datasets", "mallory", two.of_beta(kind="path", uri=str(two.beta)))["id"]
    assert two.request("PATCH", f"datasets/{folder}", {"uri": str(two.alpha)}).status_code == 422
    moved = two.must("PATCH", f"datasets/{own}", "mallory", {"uri": "s3://alpha-logs/x"})
    assert two.refused({"dataset": moved["id"]})


def test_storages_cannot_refer_to_foreign_resources(two: Two) -> None:
    """Although a project owner decides what `storage:` means."""
    for storage in (str(two.alpha), str(two.given), "s3://alpha-logs/x", "s3://shared-logs/alpha", "/"):
        two.must("PATCH", "projects/beta", "mallory", {"storage": storage})
        assert two.refused({"uri": "storage:run"}), storage


def test_members_of_two_projects_cannot_carry_data_across(two: Two, personas: Personas) -> None:
    """All members of `beta` see its boards, so access to `alpha` is not enough."""
    with two.hub.database.write() as session:
        projects.set_member(session, personas.admin, "alpha", "mallory", Role.EDITOR, two.hub.now)

    for way in ("folder", "dataset by id", "dataset by name", "bucket of a credential", "bound storage"):
        assert two.refused(places(two)[way]), way
    assert two.request("POST", "datasets", two.of_beta(kind="reference", uri=two.dataset)).status_code == 404


def test_only_administrators_bind(two: Two) -> None:
    """Owners cannot add or remove bindings of any project."""
    mine = two.must("GET", "projects/beta/bindings", "admin", None)["items"]
    theirs = two.must("GET", "projects/alpha/bindings", "admin", None)["items"]
    for body in (
        {"kind": "root", "value": str(two.alpha)},
        {"kind": "storage", "value": "s3://alpha-logs", "credential": "alpha-key"},
        {"kind": "credential", "value": "alpha-key"},
        {"kind": "dataset", "value": two.dataset},
    ):
        assert two.request("POST", "projects/beta/bindings", body).status_code == 403
        assert two.request("POST", "projects/alpha/bindings", body).status_code == 404
    for item in theirs:
        assert two.request("DELETE", f"projects/alpha/bindings/{item['id']}").status_code == 404
        assert two.request("DELETE", f"projects/beta/bindings/{item['id']}").status_code == 403
    assert two.must("GET", "projects/beta/bindings", "admin", None)["items"] == mine
    assert two.must("GET", "projects/alpha/bindings", "admin", None)["items"] == theirs


@pytest.mark.databases("sqlite", "postgres")
def test_lists_omit_foreign_resources(two: Two) -> None:
    """Folders, credentials, datasets, boards, members and bindings, with any filter."""
    questions = [
        "roots", "roots?project=beta", "credentials", "credentials?project=beta", "datasets", "tensorboards",
        "projects", f"tensorboards?source={two.alpha}", "tensorboards?owner=ann", "me", "projects/beta/bindings",
        "datasets?project=beta",
    ]  # fmt: skip
    for question in questions:
        answer = two.request("GET", question)
        assert answer.status_code == 200, question
        for word in ("alpha", str(two.given), "shared-logs"):
            assert word not in answer.text.replace(f"source={two.alpha}", ""), (question, word)
    hidden = [
        "roots?project=alpha", "credentials?project=alpha", "datasets?project=alpha", "projects/alpha",
        "projects/alpha/bindings", "projects/alpha/secrets", "projects/alpha/members", "tensorboards?project=alpha",
        f"datasets/{two.dataset}",
        f"datasets/{two.dataset}/used-by", f"tensorboards/{two.board}", f"tensorboards/{two.board}/logs",
        f"tensorboards/{two.board}/shares", f"tensorboards/{two.board}/sharedurl",
    ]  # fmt: skip
    assert [two.request("GET", path).status_code for path in hidden] == [404] * len(hidden)
    assert two.request("POST", f"tensorboards/{two.board}/shares", {"expires_secs": 60}).status_code == 404
    assert two.hub.request("GET", f"/tb/{two.board}/", "mallory").status_code == 404


def test_errors_do_not_reveal_foreign_resources(two: Two) -> None:
    """The same text for existing and missing folders, credentials and datasets."""
    there = two.request("POST", "datasets", two.of_beta(kind="s3", uri="s3://a/b", credential="alpha-key"))
    not_there = two.request("POST", "datasets", two.of_beta(kind="s3", uri="s3://a/b", credential="never-was"))
    assert there.json()["error"]["message"].replace("alpha-key", "never-was") == not_there.json()["error"]["message"]

    folder = two.request("POST", "datasets", two.of_beta(kind="path", uri=str(two.alpha)))
    none = two.request("POST", "datasets", two.of_beta(kind="path", uri=f"{two.alpha}-none"))
    assert folder.json()["error"]["message"] == none.json()["error"]["message"].replace("-none", "")

    dataset = two.request("POST", "tensorboards", two.of_beta(sources=[{"dataset": two.dataset}])).json()["error"]
    never = f"{two.dataset[:-1]}{'0' if two.dataset[-1] != '0' else '1'}"
    gone = two.request("POST", "tensorboards", two.of_beta(sources=[{"dataset": never}])).json()["error"]
    assert dataset["message"].replace(two.dataset, never) == gone["message"]


def test_accounts_without_a_project_create_nothing(two: Two, personas: Personas) -> None:
    """Not even a project, unless permitted."""
    personas.set_permissions()
    personas.add_account("nobody")
    made = [
        two.request("POST", path, body, "nobody").status_code
        for path, body in (
            ("projects", {"name": "mine"}),
            ("tensorboards", {"sources": [{"uri": str(two.alpha)}]}),
            ("datasets", {"kind": "path", "uri": str(two.alpha)}),
            ("datasets", {"kind": "path", "uri": str(two.alpha), "project": "alpha"}),
        )
    ]
    seen = [two.request("GET", path, None, "nobody").status_code for path in ("roots", "credentials")]

    assert (made, seen) == ([403, 403, 404, 404], [403, 403])
    assert two.request("GET", "datasets", None, "nobody").json() == {"items": []}
    assert two.request("GET", "projects", None, "nobody").json() == {"items": []}


@pytest.mark.databases("sqlite", "postgres")
def test_project_tokens_stay_in_their_project(two: Two, personas: Personas) -> None:
    """Even if the account is in both."""
    with two.hub.database.write() as session:
        projects.set_member(session, personas.admin, "alpha", "mallory", Role.EDITOR, two.hub.now)
    wanted = {"name": "beta", "scopes": ["read", "write", "admin"], "project": "beta"}
    secret = two.must("POST", "tokens", "mallory", wanted)["secret"]
    headers = {"Authorization": f"Bearer {secret}"}

    for path in (f"datasets/{two.dataset}", "projects/alpha/bindings", "roots?project=alpha"):
        assert two.hub.request("GET", f"{API}/{path}", headers=headers).status_code == 404
    assert str(two.alpha) not in two.hub.request("GET", f"{API}/roots", headers=headers).text
    assert two.hub.request("GET", f"{API}/datasets", headers=headers).json() == {"items": []}
