"""Who may log in with OIDC, roles from groups, and hubs without password login."""

import pathlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub.db.engine import Database
from lightboard.hub.recovery import recovery_link
from lightboard.hub.resources.login_rules import parse_group_role
from support.fake_identity_provider import FakeIdentityProvider
from support.hub_client import PASSWORD, HubClient
from support.personas import Personas
from support.provider_login import ProviderLogin

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db


@pytest.fixture
def provider() -> Iterator[FakeIdentityProvider]:
    """The provider."""
    with FakeIdentityProvider() as there:
        yield there


class Site:
    """Makes hubs that know it."""

    def __init__(
        self, database: Database, personas: Personas, folder: pathlib.Path, provider: FakeIdentityProvider
    ) -> None:
        self.database, self.personas, self.folder, self.outside = database, personas, folder, provider

    @contextmanager
    def hub(self, **wanted: Any) -> Iterator[HubClient]:
        """One with these settings."""
        issuer = {"oidc_issuer": self.outside.issuer, "oidc_client_id": "hub"}
        with HubClient(self.database, self.personas, self.folder, **issuer, **wanted) as asked:
            yield asked


@pytest.fixture
def site(database: Database, personas: Personas, tmp_path: pathlib.Path, provider: FakeIdentityProvider) -> Site:
    """With people and a project."""
    return Site(database, personas, tmp_path, provider)


@pytest.mark.parametrize(
    ("email", "verified", "status"),
    [
        ("ada@x.org", True, 303),
        ("ada@X.ORG", True, 303),
        ("ada@x.org", False, 403),
        ("ada@x.org", "true", 403),
        ("ada@x.org", None, 403),
        ("ada@evil-x.org", True, 403),
        ("ada@x.org@evil.org", True, 403),
        ("ada@sub.x.org", True, 403),
        ("", True, 403),
    ],
)
def test_logins_can_be_limited_to_email_domains(site: Site, email: str, verified: Any, status: int) -> None:
    """Only verified emails count."""
    with site.hub(oidc_allowed_domains=("x.org",)) as hub:
        assert ProviderLogin(hub, site.outside, email=email, email_verified=verified).back().status_code == status


@pytest.mark.parametrize(
    ("groups", "status"), [(["staff", "other"], 303), ("staff", 303), (["other"], 403), ([], 403), ({"staff": 1}, 403)]
)
def test_logins_can_be_limited_to_groups(site: Site, groups: Any, status: int) -> None:
    """The claim may be a list or a string."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        assert ProviderLogin(hub, site.outside, groups=groups).back().status_code == status


def test_rules_apply_to_existing_accounts(site: Site) -> None:
    """The page gives the reason."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        first = ProviderLogin(hub, site.outside, groups=["staff"]).back()
        shown = ProviderLogin(hub, site.outside, groups=["other"]).shown()

        assert (first.status_code, "reason=not_allowed" in shown) == (303, True)


def test_groups_may_come_from_userinfo(site: Site) -> None:
    """If its subject matches."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        site.outside.userinfo = {"sub": "42", "groups": ["staff"]}
        come_in = ProviderLogin(hub, site.outside).back().status_code
        site.outside.userinfo = {"sub": "43", "groups": ["staff"]}

        assert (come_in, ProviderLogin(hub, site.outside).back().status_code) == (303, 401)


ROLES = ("painters=vision:editor", "leads=vision:admin", "root=administrator")


def roles(way: ProviderLogin) -> tuple[list[tuple[str, str]], bool]:
    """What somebody is after a login, and where."""
    assert way.back().status_code == 303
    me = way.session.request("GET", "/api/v1/me").json()
    return [(each["name"], each["role"]) for each in me["memberships"]], me["account"]["administrator"]


@pytest.mark.databases("sqlite", "postgres")
def test_groups_map_to_roles(site: Site) -> None:
    """The highest one wins, updated at each login; roles without a rule stay."""
    with site.hub(oidc_group_roles=ROLES) as hub:
        told = [
            roles(ProviderLogin(hub, site.outside, groups=groups))
            for groups in (["painters"], ["painters", "leads", "root"], ["painters"], [])
        ]
        hub.request("PUT", "/api/v1/projects/default/members", "admin", {"account": "ada-l", "role": "viewer"})
        after = roles(ProviderLogin(hub, site.outside, groups=["painters"]))

    assert told == [([("vision", "editor")], False), ([("vision", "admin")], True), ([("vision", "editor")], False),
                    ([], False)]  # fmt: skip
    assert sorted(after[0]) == [("default", "viewer"), ("vision", "editor")]


def test_groups_cannot_remove_the_last_owner(site: Site) -> None:
    """A project keeps one whatever a provider says."""
    with site.hub(oidc_group_roles=("owners=vision:owner",)) as hub:
        roles(ProviderLogin(hub, site.outside, groups=["owners"]))
        hub.request("PUT", "/api/v1/projects/vision/members", "admin", {"account": "owner", "role": "viewer"})

        assert roles(ProviderLogin(hub, site.outside, groups=[])) == ([("vision", "owner")], False)


def test_without_rules_groups_grant_nothing(site: Site) -> None:
    """A provider that tells groups changes nothing by that."""
    with site.hub() as hub:
        assert roles(ProviderLogin(hub, site.outside, groups=["root", "leads"])) == ([], False)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(("groups", "status"), [(["root"], 303), (["leads"], 409)])
def test_an_administrator_group_may_create_the_first_account(
    database: Database, tmp_path: pathlib.Path, provider: FakeIdentityProvider, groups: list[str], status: int
) -> None:
    """Other accounts have to wait for it."""
    site = Site(database, Personas(database), tmp_path, provider)
    with site.hub(oidc_group_roles=ROLES, password_login=False) as hub:
        way = ProviderLogin(hub, provider, groups=groups)

        assert way.back().status_code == status
        assert hub.request("GET", "/api/v1/entry").json()["setup"] is (status == 409)


@pytest.mark.parametrize("text", ["vision:editor", "a=b", "a=vision:king", "=vision:editor", "a=:editor", ""])
def test_invalid_group_rules_are_refused(text: str) -> None:
    """At the start."""
    with pytest.raises(UsageError, match="is not valid"):
        parse_group_role(text)


def test_password_login_can_be_disabled(site: Site) -> None:
    """Right and wrong passwords get the same response; tokens keep working."""
    with site.hub(password_login=False) as hub:
        hub.set_password("editor")
        statuses = [hub.open_session().log_in("editor", password).status_code for password in (PASSWORD, "wrong")]

        assert (statuses, hub.request("GET", "/api/v1/entry").json()["password"]) == ([403, 403], False)
        assert hub.request("GET", "/api/v1/me", "editor").status_code == 200


@pytest.mark.databases("sqlite", "postgres")
def test_a_recovery_link_opens_an_administrator_session(site: Site, database_url: str) -> None:
    """Once, within 15 minutes."""
    with site.hub(password_login=False) as hub:
        hub.request("PATCH", "/api/v1/accounts/editor", "admin", {"disabled": True})
        settings = HubSettings(home=str(site.folder), database=database_url, port=8080)
        hub.now = 2_000.0
        link = recovery_link(settings, "editor")
        browser, late = hub.open_session(), hub.open_session()
        followed = browser.request("GET", link)
        again = late.request("GET", link)
        me = browser.request("GET", "/api/v1/me").json()["account"]

        assert (followed.status_code, again.status_code) == (303, 404)
        assert (me["name"], me["administrator"], me["disabled"]) == ("editor", True, False)
        assert link.rpartition("=")[2] not in hub.log_text

        link = recovery_link(settings, "editor")
        hub.now = 2.0**33
        assert (late.request("GET", link).status_code, late.request("GET", "/api/v1/recover").status_code) == (404, 404)


def test_recovery_of_an_unknown_account_is_refused(site: Site, database_url: str, tmp_path: pathlib.Path) -> None:
    """And does not create a database."""
    with pytest.raises(UsageError, match="no such account"):
        recovery_link(HubSettings(home=str(tmp_path), database=database_url), "nobody")
    with pytest.raises(UsageError, match="there is no hub"):
        recovery_link(HubSettings(home=str(tmp_path / "nothing")), "admin")
    assert not (tmp_path / "nothing").exists()
