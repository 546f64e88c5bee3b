"""Login at an outside provider by OpenID Connect: code flow with PKCE, state and nonce.

OpenID Connect Core 1.0 section 3.1, Discovery 1.0 section 4, RFC 7636. The provider says who somebody is, never what
they may do: a new person gets an account that is in no project. Accounts are known by issuer and subject alone; an
equal email joins nothing, since providers let people claim any.

A browser whose login fails is sent to the page of the login, `?error=oidc&reason=` one of the words of `reason_of`.
"""

import base64
import contextlib
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

from lightboard.config import HubSettings
from lightboard.errors import Conflict, LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.access import HUB
from lightboard.hub.api.cookies import set_login
from lightboard.hub.api.own_paths import own_path
from lightboard.hub.api.pages import wants_page
from lightboard.hub.api.request_context import ContextDep, RequestContext
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.sessions import begin_login, first_account
from lightboard.hub.api.signed_tokens import constant_time_equals
from lightboard.hub.db import accounts, projects
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.outside_roles import NotAllowed, Rules, parse_grant

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


class NotBegunHere(Unauthenticated):
    """Another browser has begun this login, or nobody, or it was too long ago."""


class TurnedAway(Unauthenticated):
    """The provider has let nobody in."""


class NoAccountYet(Conflict):
    """The first account is made by the link that the hub prints."""


FAULTS = (Unauthenticated, PermissionDenied, NoAccountYet)


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
                if missing := NEEDED - told.keys():
                    raise Unauthenticated(f"the provider of logins has no {min(missing)}", hint=SETTINGS)
                self._about = time.monotonic(), told
            return self._about[1]

    def keys(self, *, fresh: bool = False) -> KeySet:
        """The keys it signs with."""
        url = str(self.about()["jwks_uri"])
        with self._lock:
            if fresh or self._keys is None or time.monotonic() - self._keys[0] > KNOWN_SECS:
                self._keys = time.monotonic(), KeySet.import_key_set(ask("GET", url))  # type: ignore[arg-type]
            return self._keys[1]


NEEDED = {"authorization_endpoint", "token_endpoint", "jwks_uri"}
SETTINGS = "an administrator of the hub looks at --oidc-issuer"
_PROVIDERS: dict[str, Provider] = {}


def provider_of(context: RequestContext) -> Provider:
    """The one of the settings. Raises NotFound where there is none."""
    issuer = context.hub.settings.oidc_issuer
    if not issuer:
        raise NotFound("this hub knows no outside login", hint="log in by name and password")
    return _PROVIDERS.setdefault(issuer, Provider(issuer))


@routes.get("/api/v1/oidc/start", right=OPEN)
def start(context: ContextDep, next: str = "/") -> Response:
    """Go to the provider, and come back to `next`."""
    provider, next = provider_of(context), own_path(next, context.hub.settings.path_prefix)
    try:
        return on_the_way(context, provider, next)
    except FAULTS as error:
        return failed(context, error, next)


def on_the_way(context: RequestContext, provider: Provider, next: str) -> Response:
    """The answer that sends somebody to the provider. Raises Unauthenticated where that does not answer."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": context.hub.settings.oidc_client_id,
        "redirect_uri": context.url(BACK),
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    there = str(provider.about()["authorization_endpoint"])
    answer = RedirectResponse(f"{there}{'&' if '?' in there else '?'}{urlencode(query)}", 302, NOT_KEPT)
    holds = {"state": state, "nonce": nonce, "verifier": verifier, "next": next}
    ticket = context.hub.token_signer.issue(PURPOSE, holds, context.at + WAY_SECS)
    secure = context.hub.https(context.request)
    path = f"{context.hub.settings.path_prefix}/api/v1/oidc"
    answer.set_cookie(COOKIE, ticket, max_age=int(WAY_SECS), path=path, secure=secure, httponly=True, samesite="lax")
    return answer


NOT_KEPT = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


@routes.get(BACK, right=OPEN)
def callback(context: ContextDep, code: str = "", state: str = "", error: str = "") -> Response:
    """Back from the provider: log in whom it names."""
    provider = provider_of(context)
    held = context.hub.token_signer.read(PURPOSE, context.request.cookies.get(COOKIE, ""))
    try:
        if held is None or not constant_time_equals(state, str(held["state"])):
            raise NotBegunHere("this login was not begun here, or too long ago", hint="begin again at the login")
        if error or not code:
            raise TurnedAway("the provider has let nobody in", hint="begin again at the login")
        return come_in(context, provider, code, held)
    except FAULTS as fault:
        return failed(context, fault, str(held["next"]) if held else "/")


def failed(context: RequestContext, error: LightboardError, next: str) -> Response:
    """A page goes back to the login, and from there to `next`. Raises the error for a program."""
    if not wants_page(context.request):
        raise error
    query = urlencode({"error": "oidc", "reason": reason_of(error), "next": next})
    return RedirectResponse(context.url(f"/login?{query}"), 303, NOT_KEPT)


def reason_of(error: LightboardError) -> str:
    """Why a login has failed, in a word for the page."""
    match error:
        case NotBegunHere():
            return "not_begun"
        case TurnedAway():
            return "refused"
        case NotAllowed():
            return "not_allowed"
        case PermissionDenied():
            return "disabled"
        case NoAccountYet():
            return "no_account"
        case _:
            return "provider"


def come_in(context: RequestContext, provider: Provider, code: str, held: dict[str, Any]) -> Response:
    """Logs in whom the provider names to who shows this code."""
    claims = claims_of(context, provider, code, held)
    rules = rules_of(context.hub.settings)
    rules.check(claims)
    with context.write() as session:
        account = account_of(session, context, provider, claims)
        account = take_roles(session, account, rules, claims, context.at)
        _, secret = begin_login(session, context, account)
    answer = RedirectResponse(context.url(str(held["next"])), 303, NOT_KEPT)
    set_login(answer, context.request, context.hub, secret)
    answer.delete_cookie(COOKIE, path=f"{context.hub.settings.path_prefix}/api/v1/oidc")
    return answer


def claims_of(context: RequestContext, provider: Provider, code: str, held: dict[str, Any]) -> dict[str, Any]:
    """What the provider says of who came with this code. Raises Unauthenticated where that cannot be believed."""
    wanted = context.hub.settings
    question = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": context.url(BACK),
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
    missing = rules_of(wanted).claims - claims.keys()
    return {**userinfo(provider, told, str(claims["sub"]), missing), **claims}


def userinfo(provider: Provider, told: dict[str, Any], subject: str, missing: set[str]) -> dict[str, Any]:
    """What the provider tells besides, where its token lacks something (OpenID Connect Core 1.0, 5.3)."""
    place = provider.about().get("userinfo_endpoint")
    if not missing or not place:
        return {}

    def bearer(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {told.get('access_token', '')}"
        return request

    more = ask("GET", str(place), auth=bearer)
    if more.get("sub") != subject:
        raise Unauthenticated("the provider's word cannot be believed", hint="begin again")
    return {name: more[name] for name in missing & more.keys()}


def rules_of(settings: HubSettings) -> Rules:
    """Who may come in, and what groups are here."""
    return Rules(
        domains=settings.oidc_allowed_domains,
        groups=settings.oidc_allowed_groups,
        claim=settings.oidc_groups_claim,
        grants=tuple(map(parse_grant, settings.oidc_group_roles)),
    )


def take_roles(session: Session, account: Account, rules: Rules, claims: dict[str, Any], at: float) -> Account:
    """The account as its groups say. The last administrator, and the last owner of a project, stay what they are."""
    administrator = rules.administrator(claims)
    if administrator is not None and administrator != account.administrator:
        with contextlib.suppress(Conflict):
            account = accounts.change(session, HUB, account.id, {"administrator": administrator}, at)
    now = {project.name: role for project, role in projects.memberships(session, accounts.principal(session, account))}
    for project, role in rules.roles(claims).items():
        if role != now.get(project) and projects.row_of(session, project) is not None:
            with contextlib.suppress(Conflict):
                if role is None:
                    projects.remove_member(session, HUB, project, account.id, at)
                else:
                    projects.set_member(session, HUB, project, account.id, role, at)
    return account


def decoded(token: str, provider: Provider) -> dict[str, Any]:
    """The claims of a token that the provider has signed; with keys asked anew where it has changed them."""
    try:
        return jwt.decode(token, provider.keys(), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError):
        return jwt.decode(token, provider.keys(fresh=True), algorithms=ALGORITHMS).claims


def account_of(session: Session, context: RequestContext, provider: Provider, claims: dict[str, Any]) -> Account:
    """The account of whom the claims name; a new one for who was never here.

    Raises PermissionDenied for one that is disabled, NoAccountYet before the first was made.
    """
    subject = f"{provider.issuer}|{claims['sub']}"
    known = accounts.by_subject(session, subject)
    if known is not None:
        if known.disabled:
            raise PermissionDenied(f"the account {known.name} is disabled", hint="ask an administrator of the hub")
        return known
    first = not accounts.count(session)
    if first and not rules_of(context.hub.settings).administrator(claims):
        raise NoAccountYet("the hub has no account yet", hint="the first is made by the link that the hub prints")
    text = str(claims.get("preferred_username") or str(claims.get("email", "")).partition("@")[0])
    new = Account(
        id="",
        name=free_name(session, text),
        display_name=str(claims.get("name", ""))[:200],
        email=str(claims.get("email", ""))[:320],
        subject=subject,
    )
    return first_account(session, new, context.at) if first else accounts.create(session, HUB, new, context.at)


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
        raise Unauthenticated("the provider of logins does not answer as it should", hint=SETTINGS)
    return told
