"""Login at a provider outside, by OpenID Connect."""

import pathlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cast import Cast
from hub_harness import BASE, Browser, HubHarness
from joserfc.jwk import ECKey
from outside import Outside

from lightboard.hub.db.engine import Database

PAGE = "text/html,application/xhtml+xml"
"""What a browser accepts that shows a page."""


@pytest.fixture
def outside() -> Iterator[Outside]:
    """The provider."""
    with Outside() as there:
        yield there


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path, outside: Outside) -> Iterator[HubHarness]:
    """A hub that knows it."""
    wanted = {"oidc_issuer": outside.issuer, "oidc_client_id": "hub", "oidc_client_secret": "between us"}
    with HubHarness(database, cast, tmp_path, **wanted) as asked:
        yield asked


class Way:
    """From the hub to the provider and back; `changes` are to what the provider signs."""

    def __init__(self, hub: HubHarness, outside: Outside, next: str = "/", **changes: Any) -> None:
        self.browser: Browser = hub.browser()
        self.away = self.browser.run("GET", f"/api/v1/oidc/start?next={next}")
        self.asked = {name: each[0] for name, each in parse_qs(urlsplit(self.away.headers["location"]).query).items()}
        now = 2**31  # the library looks at the real clock
        claims = {"iss": outside.issuer, "aud": "hub", "sub": "42", "exp": now, "nonce": self.asked["nonce"]}
        outside.claims = {**claims, "preferred_username": "Ada L.", "name": "Ada", "email": "ada@x.org", **changes}

    def back(self, state: str = "", said: str = "code=abc", accept: str = "*/*") -> httpx.Response:
        """With a code, unless the provider has said something else."""
        path = f"/api/v1/oidc/callback?{said}&state={state or self.asked['state']}"
        return self.browser.run("GET", path, headers={"Accept": accept})

    def shown(self, state: str = "", said: str = "code=abc") -> str:
        """Where a page is sent."""
        return self.back(state, said, accept=PAGE).headers["location"]


def test_somebody_new_gets_an_account_that_sees_nothing(hub: HubHarness, outside: Outside) -> None:
    """Named as the provider names them, and sent on to where they wanted to go."""
    way = Way(hub, outside, next="/tensorboards/tb-1")

    answer = way.back()

    me = way.browser.run("GET", "/api/v1/me").json()
    assert (answer.status_code, answer.headers["location"]) == (303, f"{BASE}/tensorboards/tb-1")
    assert (me["account"]["name"], me["account"]["email"], me["memberships"]) == ("ada-l", "ada@x.org", [])


def test_the_provider_is_asked_as_the_standard_says(hub: HubHarness, outside: Outside) -> None:
    """Code flow with PKCE, state and nonce; the code is exchanged with the verifier."""
    way = Way(hub, outside)
    way.back()

    assert (way.asked["response_type"], way.asked["client_id"], way.asked["code_challenge_method"]) == (
        "code",
        "hub",
        "S256",
    )
    assert way.asked["redirect_uri"] == f"{BASE}/api/v1/oidc/callback"
    assert (outside.asked[0]["code"], len(outside.asked[0]["code_verifier"][0])) == (["abc"], 43)


def test_who_was_here_before_is_known_again(hub: HubHarness, outside: Outside) -> None:
    """By issuer and subject, whatever they are called now."""
    names = []
    for called in ("Ada L.", "Countess"):
        way = Way(hub, outside, preferred_username=called)
        way.back()
        names.append(way.browser.run("GET", "/api/v1/me").json()["account"]["name"])

    assert names == ["ada-l", "ada-l"]


def test_an_equal_name_or_email_is_somebody_else(hub: HubHarness, outside: Outside) -> None:
    """Nobody gets into an account by calling themselves so."""
    way = Way(hub, outside, preferred_username="editor", email="editor@x.org")
    way.back()

    assert way.browser.run("GET", "/api/v1/me").json()["account"]["name"] == "editor-2"


@pytest.mark.parametrize(
    "changes",
    [{"iss": "https://evil.example"}, {"aud": "another"}, {"exp": 1}, {"nonce": "another"}, {"sub": None}],
    ids=lambda each: next(iter(each)),
)
def test_a_word_that_is_not_for_us_lets_nobody_in(hub: HubHarness, outside: Outside, changes: dict[str, Any]) -> None:
    """Another issuer, audience, time, or login."""
    way = Way(hub, outside, **changes)

    assert (way.back().status_code, way.browser.run("GET", "/api/v1/me").status_code) == (401, 401)


def test_a_word_by_another_key_lets_nobody_in(hub: HubHarness, outside: Outside) -> None:
    """Though it says all the right things."""
    way = Way(hub, outside)
    way.back()
    forged = Way(hub, outside, sub="43")
    published = outside.answer
    keys = published("/keys", b"")
    outside.answer = lambda path, body: keys if path == "/keys" else published(path, body)  # type: ignore[method-assign]
    outside.key = ECKey.generate_key("P-256", {"kid": "one"})

    assert forged.back().status_code == 401


def test_a_key_that_is_new_is_asked_for(hub: HubHarness, outside: Outside) -> None:
    """Providers change their keys."""
    Way(hub, outside).back()
    outside.key = ECKey.generate_key("P-256", {"kid": "one"})

    assert Way(hub, outside).back().status_code == 303


def test_a_way_back_that_was_not_begun_here_leads_nowhere(hub: HubHarness, outside: Outside) -> None:
    """Another state, no cookie, or too late: nobody is logged in as somebody else."""
    way = Way(hub, outside)
    stranger = hub.browser().run("GET", f"/api/v1/oidc/callback?code=abc&state={way.asked['state']}")
    other = way.back("another")
    hub.now += 601

    assert [stranger.status_code, other.status_code, way.back().status_code] == [401, 401, 401]


def test_a_disabled_account_gets_nowhere_from_outside(hub: HubHarness, outside: Outside) -> None:
    """403, and no login."""
    Way(hub, outside).back()
    hub.ask("PATCH", "/api/v1/accounts/ada-l", "admin", {"disabled": True})

    assert Way(hub, outside).back().status_code == 403


def test_a_page_is_sent_back_to_the_login_and_told_why(hub: HubHarness, outside: Outside) -> None:
    """With the place where it wanted to go, as long as it is known here."""
    way = Way(hub, outside, next="/tensorboards/tb-1?tab=logs")
    stranger = hub.browser().run("GET", "/api/v1/oidc/callback?code=abc&state=x", headers={"Accept": PAGE})
    told = [
        way.shown("forged"),
        way.shown(said="error=access_denied"),
        Way(hub, outside, aud="another").shown(),
        stranger.headers["location"],
    ]
    Way(hub, outside).back()
    hub.ask("PATCH", "/api/v1/accounts/ada-l", "admin", {"disabled": True})
    told.append(Way(hub, outside).shown())

    login = f"{BASE}/login?error=oidc&reason"
    assert told == [
        f"{login}=not_begun&next=%2Ftensorboards%2Ftb-1%3Ftab%3Dlogs",
        f"{login}=refused&next=%2Ftensorboards%2Ftb-1%3Ftab%3Dlogs",
        f"{login}=provider&next=%2F",
        f"{login}=not_begun&next=%2F",
        f"{login}=disabled&next=%2F",
    ]


def test_before_the_first_account_nobody_comes_from_outside(
    database: Database, outside: Outside, tmp_path: pathlib.Path
) -> None:
    """The link makes it; the page says so."""
    wanted = {"oidc_issuer": outside.issuer, "oidc_client_id": "hub"}
    with HubHarness(database, Cast(database), tmp_path, **wanted) as hub:
        assert Way(hub, outside).shown() == f"{BASE}/login?error=oidc&reason=no_account&next=%2F"


@pytest.mark.parametrize("part", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_a_provider_that_does_not_say_where_is_none(hub: HubHarness, outside: Outside, part: str) -> None:
    """Said before anybody is sent there."""
    outside.leaves_out = part

    answer = hub.browser().run("GET", "/api/v1/oidc/start")

    assert (answer.status_code, answer.json()["error"]["message"]) == (401, f"the provider of logins has no {part}")


def test_a_provider_that_does_not_answer_sends_back_to_the_login(
    database: Database, cast: Cast, tmp_path: pathlib.Path
) -> None:
    """Already on the way there; a program is told what is wrong."""
    with HubHarness(database, cast, tmp_path, oidc_issuer="http://127.0.0.1:9", oidc_client_id="hub") as hub:
        page, program = (
            hub.browser().run("GET", "/api/v1/oidc/start?next=/tokens", headers={"Accept": accept})
            for accept in (PAGE, "application/json")
        )

    assert (page.status_code, page.headers["location"]) == (
        303, f"{BASE}/login?error=oidc&reason=provider&next=%2Ftokens",
    )  # fmt: skip
    assert (program.status_code, program.json()["error"]["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("next", ["https://evil.example", "//evil.example", "/%5Cevil.example"])
def test_a_login_leads_to_no_other_site(hub: HubHarness, outside: Outside, next: str) -> None:
    """But to the front page."""
    assert Way(hub, outside, next=next).back().headers["location"] == f"{BASE}/"
