"""Who may come in from an outside login, what groups are here, and the ways in where passwords are switched off."""

import pathlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from cast import Cast
from hub_harness import PASSWORD, HubHarness
from outside import Outside
from test_outside_login import Way

from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub.db.engine import Database
from lightboard.hub.recovery import recovery_link
from lightboard.hub.resources.outside_roles import parse_grant


@pytest.fixture
def outside() -> Iterator[Outside]:
    """The provider."""
    with Outside() as there:
        yield there


class Site:
    """Makes hubs that know it."""

    def __init__(self, database: Database, cast: Cast, folder: pathlib.Path, outside: Outside) -> None:
        self.database, self.cast, self.folder, self.outside = database, cast, folder, outside

    @contextmanager
    def hub(self, **wanted: Any) -> Iterator[HubHarness]:
        """One with these settings."""
        issuer = {"oidc_issuer": self.outside.issuer, "oidc_client_id": "hub"}
        with HubHarness(self.database, self.cast, self.folder, **issuer, **wanted) as asked:
            yield asked


@pytest.fixture
def site(database: Database, cast: Cast, tmp_path: pathlib.Path, outside: Outside) -> Site:
    """With people and a project."""
    return Site(database, cast, tmp_path, outside)


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
def test_only_verified_emails_of_a_domain_come_in(site: Site, email: str, verified: Any, status: int) -> None:
    """Whatever is said without that, anybody can say."""
    with site.hub(oidc_allowed_domains=("x.org",)) as hub:
        assert Way(hub, site.outside, email=email, email_verified=verified).back().status_code == status


@pytest.mark.parametrize(
    ("groups", "status"), [(["staff", "other"], 303), ("staff", 303), (["other"], 403), ([], 403), ({"staff": 1}, 403)]
)
def test_only_members_of_a_group_come_in(site: Site, groups: Any, status: int) -> None:
    """A list, or one as a text."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        assert Way(hub, site.outside, groups=groups).back().status_code == status


def test_who_may_not_come_in_any_more_does_not(site: Site) -> None:
    """Although there is an account, and the page says why."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        first = Way(hub, site.outside, groups=["staff"]).back()
        shown = Way(hub, site.outside, groups=["other"]).shown()

        assert (first.status_code, "reason=not_allowed" in shown) == (303, True)


def test_groups_may_be_told_at_the_userinfo_address(site: Site) -> None:
    """By who is the same there."""
    with site.hub(oidc_allowed_groups=("staff",)) as hub:
        site.outside.userinfo = {"sub": "42", "groups": ["staff"]}
        come_in = Way(hub, site.outside).back().status_code
        site.outside.userinfo = {"sub": "43", "groups": ["staff"]}

        assert (come_in, Way(hub, site.outside).back().status_code) == (303, 401)


ROLES = ("painters=vision:editor", "leads=vision:admin", "root=administrator")


def roles(way: Way) -> tuple[list[tuple[str, str]], bool]:
    """What somebody is after a login, and where."""
    assert way.back().status_code == 303
    me = way.browser.run("GET", "/api/v1/me").json()
    return [(each["name"], each["role"]) for each in me["memberships"]], me["account"]["administrator"]


def test_groups_are_roles_here(site: Site) -> None:
    """The highest, as of the last login; what groups say nothing of stays."""
    with site.hub(oidc_group_roles=ROLES) as hub:
        told = [
            roles(Way(hub, site.outside, groups=groups))
            for groups in (["painters"], ["painters", "leads", "root"], ["painters"], [])
        ]
        hub.ask("PUT", "/api/v1/projects/default/members", "admin", {"account": "ada-l", "role": "viewer"})
        after = roles(Way(hub, site.outside, groups=["painters"]))

    assert told == [([("vision", "editor")], False), ([("vision", "admin")], True), ([("vision", "editor")], False),
                    ([], False)]  # fmt: skip
    assert sorted(after[0]) == [("default", "viewer"), ("vision", "editor")]


def test_the_last_owner_stays(site: Site) -> None:
    """A project keeps one whatever a provider says."""
    with site.hub(oidc_group_roles=("owners=vision:owner",)) as hub:
        roles(Way(hub, site.outside, groups=["owners"]))
        hub.ask("PUT", "/api/v1/projects/vision/members", "admin", {"account": "owner", "role": "viewer"})

        assert roles(Way(hub, site.outside, groups=[])) == ([("vision", "owner")], False)


def test_without_rules_nobody_is_made_anything(site: Site) -> None:
    """A provider that tells groups changes nothing by that."""
    with site.hub() as hub:
        assert roles(Way(hub, site.outside, groups=["root", "leads"])) == ([], False)


@pytest.mark.parametrize(("groups", "status"), [(["root"], 303), (["leads"], 409)])
def test_the_first_account_may_be_an_administrator_from_outside(
    database: Database, tmp_path: pathlib.Path, outside: Outside, groups: list[str], status: int
) -> None:
    """If its group says so; others wait for the first."""
    site = Site(database, Cast(database), tmp_path, outside)
    with site.hub(oidc_group_roles=ROLES, password_login=False) as hub:
        way = Way(hub, outside, groups=groups)

        assert way.back().status_code == status
        assert hub.ask("GET", "/api/v1/entry").json()["setup"] is (status == 409)


@pytest.mark.parametrize("text", ["vision:editor", "a=b", "a=vision:king", "=vision:editor", "a=:editor", ""])
def test_what_is_no_role_of_a_group_is_refused(text: str) -> None:
    """Before anything is served."""
    with pytest.raises(UsageError, match="makes no sense"):
        parse_grant(text)


def test_nobody_logs_in_by_password_where_that_is_off(site: Site) -> None:
    """Neither with a right one nor a wrong one; tokens go on."""
    with site.hub(password_login=False) as hub:
        hub.give_password("editor")
        statuses = [hub.browser().log_in("editor", password).status_code for password in (PASSWORD, "wrong")]

        assert (statuses, hub.ask("GET", "/api/v1/entry").json()["password"]) == ([403, 403], False)
        assert hub.ask("GET", "/api/v1/me", "editor").status_code == 200


def test_who_has_the_machine_gets_in_again(site: Site, database_url: str) -> None:
    """Once, within a quarter of an hour, as the administrator that the account then is."""
    with site.hub(password_login=False) as hub:
        hub.ask("PATCH", "/api/v1/accounts/editor", "admin", {"disabled": True})
        settings = HubSettings(home=str(site.folder), database=database_url, port=8080)
        hub.now = 2_000.0
        link = recovery_link(settings, "editor")
        browser, late = hub.browser(), hub.browser()
        followed = browser.run("GET", link)
        again = late.run("GET", link)
        me = browser.run("GET", "/api/v1/me").json()["account"]

        assert (followed.status_code, again.status_code) == (303, 404)
        assert (me["name"], me["administrator"], me["disabled"]) == ("editor", True, False)
        assert link.rpartition("=")[2] not in hub.said

        link = recovery_link(settings, "editor")
        hub.now = 2.0**33
        assert (late.run("GET", link).status_code, late.run("GET", "/api/v1/recover").status_code) == (404, 404)


def test_a_recovery_of_nobody_is_refused(site: Site, database_url: str, tmp_path: pathlib.Path) -> None:
    """And no database comes into being by it."""
    with pytest.raises(UsageError, match="no such account"):
        recovery_link(HubSettings(home=str(tmp_path), database=database_url), "nobody")
    with pytest.raises(UsageError, match="there is no hub"):
        recovery_link(HubSettings(home=str(tmp_path / "nothing")), "admin")
    assert not (tmp_path / "nothing").exists()
