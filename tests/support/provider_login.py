"""A login through an identity provider, as a browser does it."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from support.fake_identity_provider import FakeIdentityProvider
from support.hub_client import BrowserSession, HubClient

ACCEPT_HTML = "text/html,application/xhtml+xml"
"""What a browser accepts that shows a page."""


class ProviderLogin:
    """From the hub to the provider and back; `changes` are to what the provider signs."""

    def __init__(self, hub: HubClient, provider: FakeIdentityProvider, next: str = "/", **changes: Any) -> None:
        self.session: BrowserSession = hub.open_session()
        self.away = self.session.request("GET", f"/api/v1/oidc/start?next={next}")
        self.asked = {name: each[0] for name, each in parse_qs(urlsplit(self.away.headers["location"]).query).items()}
        now = 2**31  # the library looks at the real clock
        claims = {"iss": provider.issuer, "aud": "hub", "sub": "42", "exp": now, "nonce": self.asked["nonce"]}
        provider.claims = {**claims, "preferred_username": "Ada L.", "name": "Ada", "email": "ada@x.org", **changes}

    def back(self, state: str = "", said: str = "code=abc", accept: str = "*/*") -> httpx.Response:
        """With a code, unless the provider has said something else."""
        path = f"/api/v1/oidc/callback?{said}&state={state or self.asked['state']}"
        return self.session.request("GET", path, headers={"Accept": accept})

    def shown(self, state: str = "", said: str = "code=abc") -> str:
        """Where a page is sent."""
        return self.back(state, said, accept=ACCEPT_HTML).headers["location"]
