"""Login through an OpenID Connect provider."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from joserfc.jwk import ECKey

from lightboard.hub.db.engine import Database
from support.fake_identity_provider import FakeIdentityProvider
from support.hub_client import BASE, HubClient
from support.personas import Personas
from support.provider_login import ACCEPT_HTML, ProviderLogin

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db


@pytest.fixture
def provider() -> Iterator[FakeIdentityProvider]:
    """The provider."""
    with FakeIdentityProvider() as there:
        yield there


@pytest.fixture
def hub(
    database: Database, personas: Personas, tmp_path: pathlib.Path, provider: FakeIdentityProvider
) -> Iterator[HubClient]:
    """A hub that knows it."""
    wanted = {"oidc_issuer": provider.issuer, "oidc_client_id": "hub", "oidc_client_secret": "between us"}
    with HubClient(database, personas, tmp_path, **wanted) as asked:
        yield asked


@pytest.mark.databases("sqlite", "postgres")
def test_first_login_creates_an_account_without_projects(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """With the provider's names; then it redirects to the requested page."""
    way = ProviderLogin(hub, provider, next="/tensorboards/tb-1")

    answer = way.back()

    me = way.session.request("GET", "/api/v1/me").json()
    assert (answer.status_code, answer.headers["location"]) == (303, f"{BASE}/tensorboards/tb-1")
    assert (me["account"]["name"], me["account"]["email"], me["memberships"]) == ("ada-l", "ada@x.org", [])


def test_the_code_flow_uses_pkce_state_and_nonce(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """The code is exchanged with the verifier."""
    way = ProviderLogin(hub, provider)
    way.back()

    assert (way.asked["response_type"], way.asked["client_id"], way.asked["code_challenge_method"]) == (
        "code",
        "hub",
        "S256",
    )
    assert way.asked["redirect_uri"] == f"{BASE}/api/v1/oidc/callback"
    assert (provider.token_requests[0]["code"], len(provider.token_requests[0]["code_verifier"][0])) == (["abc"], 43)


@pytest.mark.databases("sqlite", "postgres")
def test_accounts_are_matched_by_issuer_and_subject(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """Names may change."""
    names = []
    for called in ("Ada L.", "Countess"):
        way = ProviderLogin(hub, provider, preferred_username=called)
        way.back()
        names.append(way.session.request("GET", "/api/v1/me").json()["account"]["name"])

    assert names == ["ada-l", "ada-l"]


@pytest.mark.databases("sqlite", "postgres")
def test_names_and_emails_do_not_match_accounts(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """Nobody takes over an account by claiming its name."""
    way = ProviderLogin(hub, provider, preferred_username="editor", email="editor@x.org")
    way.back()

    assert way.session.request("GET", "/api/v1/me").json()["account"]["name"] == "editor-2"


@pytest.mark.parametrize(
    "changes",
    [{"iss": "https://evil.example"}, {"aud": "another"}, {"exp": 1}, {"nonce": "another"}, {"sub": None}],
    ids=lambda each: next(iter(each)),
)
def test_tokens_with_wrong_claims_are_refused(
    hub: HubClient, provider: FakeIdentityProvider, changes: dict[str, Any]
) -> None:
    """Wrong issuer, audience, expiry or nonce."""
    way = ProviderLogin(hub, provider, **changes)

    assert (way.back().status_code, way.session.request("GET", "/api/v1/me").status_code) == (401, 401)


def test_tokens_with_a_wrong_signature_are_refused(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """Even if all claims are right."""
    way = ProviderLogin(hub, provider)
    way.back()
    forged = ProviderLogin(hub, provider, sub="43")
    published = provider.answer
    keys = published("/keys", b"")
    provider.answer = lambda path, body: keys if path == "/keys" else published(path, body)  # type: ignore[method-assign]
    provider.key = ECKey.generate_key("P-256", {"kid": "one"})

    assert forged.back().status_code == 401


def test_unknown_keys_are_fetched(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """Providers rotate their keys."""
    ProviderLogin(hub, provider).back()
    provider.key = ECKey.generate_key("P-256", {"kid": "one"})

    assert ProviderLogin(hub, provider).back().status_code == 303


def test_unexpected_callbacks_are_refused(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """Wrong state, missing cookie, or too late."""
    way = ProviderLogin(hub, provider)
    stranger = hub.open_session().request("GET", f"/api/v1/oidc/callback?code=abc&state={way.asked['state']}")
    other = way.back("another")
    hub.now += 601

    assert [stranger.status_code, other.status_code, way.back().status_code] == [401, 401, 401]


def test_disabled_accounts_cannot_log_in_with_oidc(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """403, and no session."""
    ProviderLogin(hub, provider).back()
    hub.request("PATCH", "/api/v1/accounts/ada-l", "admin", {"disabled": True})

    assert ProviderLogin(hub, provider).back().status_code == 403


def test_failed_logins_redirect_with_an_error(hub: HubClient, provider: FakeIdentityProvider) -> None:
    """With the requested page, if it is known."""
    way = ProviderLogin(hub, provider, next="/tensorboards/tb-1?tab=logs")
    stranger = hub.open_session().request(
        "GET", "/api/v1/oidc/callback?code=abc&state=x", headers={"Accept": ACCEPT_HTML}
    )
    told = [
        way.shown("forged"),
        way.shown(said="error=access_denied"),
        ProviderLogin(hub, provider, aud="another").shown(),
        stranger.headers["location"],
    ]
    ProviderLogin(hub, provider).back()
    hub.request("PATCH", "/api/v1/accounts/ada-l", "admin", {"disabled": True})
    told.append(ProviderLogin(hub, provider).shown())

    login = f"{BASE}/login?error=oidc&reason"
    assert told == [
        f"{login}=not_begun&next=%2Ftensorboards%2Ftb-1%3Ftab%3Dlogs",
        f"{login}=refused&next=%2Ftensorboards%2Ftb-1%3Ftab%3Dlogs",
        f"{login}=provider&next=%2F",
        f"{login}=not_begun&next=%2F",
        f"{login}=disabled&next=%2F",
    ]


def test_oidc_needs_a_first_account(database: Database, provider: FakeIdentityProvider, tmp_path: pathlib.Path) -> None:
    """The setup link creates it; the page says so."""
    wanted = {"oidc_issuer": provider.issuer, "oidc_client_id": "hub"}
    with HubClient(database, Personas(database), tmp_path, **wanted) as hub:
        assert ProviderLogin(hub, provider).shown() == f"{BASE}/login?error=oidc&reason=no_account&next=%2F"


@pytest.mark.parametrize("part", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_incomplete_provider_metadata_is_refused(hub: HubClient, provider: FakeIdentityProvider, part: str) -> None:
    """Before anybody is redirected there."""
    provider.leaves_out = part

    answer = hub.open_session().request("GET", "/api/v1/oidc/start")

    assert (answer.status_code, answer.json()["error"]["message"]) == (401, f"the login provider has no {part}")


def test_an_unreachable_provider_is_reported(database: Database, personas: Personas, tmp_path: pathlib.Path) -> None:
    """Browsers return to the login page, programs get an error."""
    with HubClient(database, personas, tmp_path, oidc_issuer="http://127.0.0.1:9", oidc_client_id="hub") as hub:
        page, program = (
            hub.open_session().request("GET", "/api/v1/oidc/start?next=/tokens", headers={"Accept": accept})
            for accept in (ACCEPT_HTML, "application/json")
        )

    assert (page.status_code, page.headers["location"]) == (
        303, f"{BASE}/login?error=oidc&reason=provider&next=%2Ftokens",
    )  # fmt: skip
    assert (program.status_code, program.json()["error"]["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("next", ["https://evil.example", "//evil.example", "/%5Cevil.example"])
def test_redirects_stay_on_this_site(hub: HubClient, provider: FakeIdentityProvider, next: str) -> None:
    """Others go to the front page."""
    assert ProviderLogin(hub, provider, next=next).back().headers["location"] == f"{BASE}/"
