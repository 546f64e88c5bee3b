"""Login at an outside provider by OpenID Connect: code flow with PKCE, state and nonce.

OpenID Connect Core 1.0 section 3.1, Discovery 1.0 section 4, RFC 7636. The provider says who somebody is, never what
they may do: a new person gets an account that is in no project. Accounts are known by issuer and subject alone; an
equal email joins nothing, since providers let people claim any.
"""

import base64
import hashlib
import secrets
import threading
import time
from typing import Any
from urllib.parse import urlencode

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.access import HUB
from lightboard.hub.api.asking import Asked, Asking
from lightboard.hub.api.cookies import set_login
from lightboard.hub.api.own_paths import own_path
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.sessions import begin_login
from lightboard.hub.api.tickets import same
from lightboard.hub.db import accounts
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.names import check_name, name_from, numbered

PURPOSE = "oidc"
COOKIE = "lightboard_oidc"
WAY_SECS = 600.0
"""So long may somebody take at the provider."""
KNOWN_SECS = 3_600.0
"""So long the provider's description and keys are believed."""
TIMEOUT_SECS = 10.0
LEEWAY_SECS = 60
"""By so much may the provider's clock differ."""
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Signatures by a key that only the provider has; a shared secret signs nothing here."""
BACK = "/api/v1/oidc/callback"

routes = Routes("oidc")


class Provider:
    """What is known of one provider. Safe to ask from any thread."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self._lock = threading.Lock()
        self._about: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None

    def about(self) -> dict[str, Any]:
        """Its description. Raises Unauthenticated where it does not answer, or speaks for somebody else."""
        with self._lock:
            if self._about is None or time.monotonic() - self._about[0] > KNOWN_SECS:
                told = ask("GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
                if told.get("issuer") != self.issuer:
                    raise Unauthenticated("the provider of logins calls itself something else", hint=SETTINGS)
                self._about = time.monotonic(), told
            return self._about[1]

    def keys(self, *, fresh: bool = False) -> KeySet:
        """The keys it signs with."""
        url = str(self.about().get("jwks_uri", ""))
        with self._lock:
            if fresh or self._keys is None or time.monotonic() - self._keys[0] > KNOWN_SECS:
                self._keys = time.monotonic(), KeySet.import_key_set(ask("GET", url))  # type: ignore[arg-type]
            return self._keys[1]


SETTINGS = "an administrator of the hub looks at --oidc-issuer"
_PROVIDERS: dict[str, Provider] = {}


def provider_of(asked: Asking) -> Provider:
    """The one of the settings. Raises NotFound where there is none."""
    issuer = asked.hub.settings.oidc_issuer
    if not issuer:
        raise NotFound("this hub knows no outside login", hint="log in by name and password")
    return _PROVIDERS.setdefault(issuer, Provider(issuer))


@routes.get("/api/v1/oidc/start", right=OPEN)
def start(asked: Asked, next: str = "/") -> Response:
    """Go to the provider, and come back to `next`."""
    provider = provider_of(asked)
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": asked.hub.settings.oidc_client_id,
        "redirect_uri": asked.url(BACK),
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    there = str(provider.about()["authorization_endpoint"])
    answer = RedirectResponse(f"{there}{'&' if '?' in there else '?'}{urlencode(query)}", 302, NOT_KEPT)
    holds = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "next": own_path(next, asked.hub.settings.path_prefix),
    }
    ticket = asked.hub.tickets.issue(PURPOSE, holds, asked.at + WAY_SECS)
    secure = asked.hub.https(asked.request)
    path = f"{asked.hub.settings.path_prefix}/api/v1/oidc"
    answer.set_cookie(COOKIE, ticket, max_age=int(WAY_SECS), path=path, secure=secure, httponly=True, samesite="lax")
    return answer


NOT_KEPT = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


@routes.get(BACK, right=OPEN)
def callback(asked: Asked, code: str = "", state: str = "", error: str = "") -> Response:
    """Back from the provider: log in whom it names."""
    provider = provider_of(asked)
    held = asked.hub.tickets.read(PURPOSE, asked.request.cookies.get(COOKIE, ""))
    if held is None or not same(state, str(held["state"])):
        raise Unauthenticated("this login was not begun here, or too long ago", hint="begin again at the login")
    if error or not code:
        raise Unauthenticated("the provider has let nobody in", hint="begin again at the login")
    claims = claims_of(asked, provider, code, held)
    with asked.write() as session:
        account = account_of(session, asked, provider, claims)
        _, secret = begin_login(session, asked, account)
    answer = RedirectResponse(asked.url(str(held["next"])), 303, NOT_KEPT)
    set_login(answer, asked.request, asked.hub, secret)
    answer.delete_cookie(COOKIE, path=f"{asked.hub.settings.path_prefix}/api/v1/oidc")
    return answer


def claims_of(asked: Asking, provider: Provider, code: str, held: dict[str, Any]) -> dict[str, Any]:
    """What the provider says of who came with this code. Raises Unauthenticated where that cannot be believed."""
    wanted = asked.hub.settings
    question = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": asked.url(BACK),
        "code_verifier": held["verifier"],
        "client_id": wanted.oidc_client_id,
    }
    secret = (wanted.oidc_client_id, wanted.oidc_client_secret) if wanted.oidc_client_secret else None
    told = ask("POST", str(provider.about()["token_endpoint"]), data=question, auth=secret)
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_SECS,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": wanted.oidc_client_id},
        exp={"essential": True},
        sub={"essential": True},
        nonce={"essential": True, "value": held["nonce"]},
    )
    try:
        claims = decoded(str(told.get("id_token", "")), provider)
        registry.validate(claims)
    except (JoseError, ValueError) as problem:
        raise Unauthenticated("the provider's word cannot be believed", hint="begin again") from problem
    return dict(claims)


def decoded(token: str, provider: Provider) -> dict[str, Any]:
    """The claims of a token that the provider has signed; with keys asked anew where it has changed them."""
    try:
        return jwt.decode(token, provider.keys(), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError):
        return jwt.decode(token, provider.keys(fresh=True), algorithms=ALGORITHMS).claims


def account_of(session: Session, asked: Asking, provider: Provider, claims: dict[str, Any]) -> Account:
    """The account of whom the claims name; a new one for who was never here.

    Raises PermissionDenied for one that is disabled, Conflict before the first account was made.
    """
    subject = f"{provider.issuer}|{claims['sub']}"
    known = accounts.by_subject(session, subject)
    if known is not None:
        if known.disabled:
            raise PermissionDenied(f"the account {known.name} is disabled", hint="ask an administrator of the hub")
        return known
    if not accounts.count(session):
        raise Conflict("the hub has no account yet", hint="the first is made by the link that the hub prints")
    text = str(claims.get("preferred_username") or str(claims.get("email", "")).partition("@")[0])
    new = Account(
        id="",
        name=free_name(session, text),
        display_name=str(claims.get("name", ""))[:200],
        email=str(claims.get("email", ""))[:320],
        subject=subject,
    )
    return accounts.create(session, HUB, new, asked.at)


def free_name(session: Session, text: str) -> str:
    """The nearest name to what the provider calls somebody that nobody has yet."""
    wanted = name_from(text, "person")
    taken = {account.name for account in accounts.find(session, HUB, wanted)}
    return check_name(numbered(wanted, taken))


def ask(method: str, url: str, **more: Any) -> dict[str, Any]:
    """JSON of the provider. Raises Unauthenticated where there is none."""
    try:
        answer = httpx.request(method, url, timeout=TIMEOUT_SECS, headers={"Accept": "application/json"}, **more)
        told = answer.raise_for_status().json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise Unauthenticated("the provider of logins does not answer as it should", hint="try again later") from error
    if not isinstance(told, dict):
        raise Invalid("the provider of logins does not answer as it should")
    return told
