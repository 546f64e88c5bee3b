"""Login at an external provider with OpenID Connect: authorization code flow with PKCE, state and nonce.

See OpenID Connect Core 1.0 section 3.1, Discovery 1.0 section 4 and RFC 7636. The provider decides who somebody is, but
not what they may do: a new account is in no project. Accounts are identified by issuer and subject only. An equal email
address does not link accounts, because some providers let users claim any address.

If a login fails, browsers are redirected to the login page with `?error=oidc&reason=` and a word from `reason_of`.
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
from starlette.responses import Response

from lightboard.config import HubSettings
from lightboard.errors import Conflict, LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.access import HUB
from lightboard.hub.api.pages import wants_page
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.request_context import ContextDep, RequestContext
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.services import AuthDep, SettingsDep
from lightboard.hub.api.sessions import begin_login, create_first_account
from lightboard.hub.api.signed_tokens import constant_time_equals
from lightboard.hub.api.urls import is_https, local_path
from lightboard.hub.db import accounts, projects
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.login_rules import LoginNotAllowed, LoginRules, parse_group_role
from lightboard.hub.resources.names import check_name, name_from, numbered

PURPOSE = "oidc"
COOKIE = "lightboard_oidc"
LOGIN_TIMEOUT_SECS = 600.0
"""How long a user may take at the provider."""
CACHE_SECS = 3_600.0
"""How long the configuration and the keys of the provider are cached."""
TIMEOUT_SECS = 10.0
LEEWAY_SECS = 60
"""How far the clock of the provider may differ."""
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Asymmetric signatures only, so that nobody but the provider can sign."""
CALLBACK_PATH = "/api/v1/oidc/callback"

routes = Routes("oidc")


class UnknownLogin(Unauthenticated):
    """The login was started in another browser, not started at all, or has timed out."""


class LoginRefused(Unauthenticated):
    """The provider has refused the login."""


class NoFirstAccount(Conflict):
    """The first account of the hub has not been created yet."""


LOGIN_ERRORS = (Unauthenticated, PermissionDenied, NoFirstAccount)


class Provider:
    """An OpenID provider with its cached configuration and keys. Methods may be called from any thread."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self._lock = threading.Lock()
        self._configuration: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None

    def configuration(self) -> dict[str, Any]:
        """The provider's configuration document. Raises Unauthenticated if it cannot be fetched or is invalid."""
        with self._lock:
            if self._configuration is None or time.monotonic() - self._configuration[0] > CACHE_SECS:
                document = fetch_json("GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
                if document.get("issuer") != self.issuer:
                    raise Unauthenticated("the login provider has another issuer", hint=CHECK_SETTINGS)
                if missing := REQUIRED_FIELDS - document.keys():
                    raise Unauthenticated(f"the login provider has no {min(missing)}", hint=CHECK_SETTINGS)
                self._configuration = time.monotonic(), document
            return self._configuration[1]

    def keys(self, *, fresh: bool = False) -> KeySet:
        """The keys that the provider signs with."""
        url = str(self.configuration()["jwks_uri"])
        with self._lock:
            if fresh or self._keys is None or time.monotonic() - self._keys[0] > CACHE_SECS:
                keys = KeySet.import_key_set(fetch_json("GET", url))  # type: ignore[arg-type]
                self._keys = time.monotonic(), keys
            return self._keys[1]


REQUIRED_FIELDS = {"authorization_endpoint", "token_endpoint", "jwks_uri"}
CHECK_SETTINGS = "an administrator of the hub should check --oidc-issuer"
_PROVIDERS: dict[str, Provider] = {}


def provider_of(settings: HubSettings) -> Provider:
    """The configured provider. Raises NotFound if there is none."""
    issuer = settings.oidc_issuer
    if not issuer:
        raise NotFound("this hub has no external login", hint="log in with name and password")
    return _PROVIDERS.setdefault(issuer, Provider(issuer))


@routes.get("/api/v1/oidc/start", right=OPEN)
def start(context: ContextDep, settings: SettingsDep, auth: AuthDep, next: str = "/") -> Response:
    """Start a login at the provider; it returns to `next`."""
    provider, next = provider_of(settings), local_path(next, settings.path_prefix)
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": settings.oidc_client_id,
        "redirect_uri": context.url(CALLBACK_PATH),
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    try:
        url = str(provider.configuration()["authorization_endpoint"])
    except LOGIN_ERRORS as error:
        return failed_login_response(context, error, next)
    response = uncached_redirect(f"{url}{'&' if '?' in url else '?'}{urlencode(query)}")
    login = {"state": state, "nonce": nonce, "verifier": verifier, "next": next}
    ticket = auth.token_signer.issue(PURPOSE, login, context.at + LOGIN_TIMEOUT_SECS)
    response.set_cookie(
        COOKIE,
        ticket,
        max_age=int(LOGIN_TIMEOUT_SECS),
        path=f"{settings.path_prefix}/api/v1/oidc",
        secure=is_https(settings, context.request),
        httponly=True,
        samesite="lax",
    )
    return response


@routes.get(CALLBACK_PATH, right=OPEN)
def callback(
    context: ContextDep, settings: SettingsDep, auth: AuthDep, code: str = "", state: str = "", error: str = ""
) -> Response:
    """Complete a login at the provider."""
    provider = provider_of(settings)
    login = auth.token_signer.read(PURPOSE, context.request.cookies.get(COOKIE, ""))
    try:
        if login is None or not constant_time_equals(state, str(login["state"])):
            raise UnknownLogin("this login was not started here or has timed out", hint="log in again")
        if error or not code:
            raise LoginRefused("the login provider refused the login", hint="log in again")
        claims = fetch_claims(context, settings, provider, code, login)
        rules = rules_of(settings)
        rules.check(claims)
        with context.write() as session:
            account = find_or_create_account(session, provider, rules, claims, context.at)
            account = apply_groups(session, account, rules, claims, context.at)
            _, secret = begin_login(session, context, account)
    except LOGIN_ERRORS as fault:
        return failed_login_response(context, fault, str(login["next"]) if login else "/")
    response = uncached_redirect(context.url(str(login["next"])), 303)
    auth.cookies.set_login(response, context.request, secret)
    response.delete_cookie(COOKIE, path=f"{settings.path_prefix}/api/v1/oidc")
    return response


def failed_login_response(context: RequestContext, error: LightboardError, next: str) -> Response:
    """Redirects a browser to the login page, which continues to `next`. For programs, the error is raised."""
    if not wants_page(context.request):
        raise error
    query = urlencode({"error": "oidc", "reason": reason_of(error), "next": next})
    return uncached_redirect(context.url(f"/login?{query}"), 303)


def reason_of(error: LightboardError) -> str:
    """Why a login failed, as one word for the login page."""
    match error:
        case UnknownLogin():
            return "not_begun"
        case LoginRefused():
            return "refused"
        case LoginNotAllowed():
            return "not_allowed"
        case PermissionDenied():
            return "disabled"
        case NoFirstAccount():
            return "no_account"
        case _:
            return "provider"


def fetch_claims(
    context: RequestContext, settings: HubSettings, provider: Provider, code: str, login: dict[str, Any]
) -> dict[str, Any]:
    """Exchanges the code for verified claims. Raises Unauthenticated if they are not valid."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": context.url(CALLBACK_PATH),
        "code_verifier": login["verifier"],
        "client_id": settings.oidc_client_id,
    }
    secret = (settings.oidc_client_id, settings.oidc_client_secret) if settings.oidc_client_secret else None
    tokens = fetch_json("POST", str(provider.configuration()["token_endpoint"]), data=form, auth=secret)
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_SECS,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": settings.oidc_client_id},
        exp={"essential": True},
        sub={"essential": True},
        nonce={"essential": True, "value": login["nonce"]},
    )
    try:
        claims = decode_token(str(tokens.get("id_token", "")), provider)
        registry.validate(claims)
    except (JoseError, ValueError) as error:
        raise Unauthenticated("the login provider sent an invalid token", hint="log in again") from error
    missing = rules_of(settings).claims - claims.keys()
    return {**fetch_userinfo(provider, tokens, str(claims["sub"]), missing), **claims}


def fetch_userinfo(provider: Provider, tokens: dict[str, Any], subject: str, missing: set[str]) -> dict[str, Any]:
    """Claims that the ID token lacks, from the userinfo endpoint (OpenID Connect Core 1.0, 5.3)."""
    url = provider.configuration().get("userinfo_endpoint")
    if not missing or not url:
        return {}

    def authorize(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {tokens.get('access_token', '')}"
        return request

    claims = fetch_json("GET", str(url), auth=authorize)
    if claims.get("sub") != subject:
        raise Unauthenticated("the login provider sent claims of another user", hint="log in again")
    return {name: claims[name] for name in missing & claims.keys()}


def rules_of(settings: HubSettings) -> LoginRules:
    """Who may log in, and the roles of their groups."""
    return LoginRules(
        domains=settings.oidc_allowed_domains,
        groups=settings.oidc_allowed_groups,
        claim=settings.oidc_groups_claim,
        group_roles=tuple(map(parse_group_role, settings.oidc_group_roles)),
    )


def apply_groups(session: Session, account: Account, rules: LoginRules, claims: dict[str, Any], at: float) -> Account:
    """Gives the account the roles of its groups, but never demotes the last administrator or owner."""
    administrator = rules.administrator(claims)
    if administrator is not None and administrator != account.administrator:
        with contextlib.suppress(Conflict):
            account = accounts.change(session, HUB, account.id, {"administrator": administrator}, at)
    memberships = projects.memberships(session, accounts.principal_of(session, account))
    current = {project.name: role for project, role in memberships}
    for project, role in rules.roles(claims).items():
        if role != current.get(project) and projects.row_of(session, project) is not None:
            with contextlib.suppress(Conflict):
                if role is None:
                    projects.remove_member(session, HUB, project, account.id, at)
                else:
                    projects.set_member(session, HUB, project, account.id, role, at)
    return account


def decode_token(token: str, provider: Provider) -> dict[str, Any]:
    """The claims of a signed token. If no known key fits, the keys are fetched again, as they may have changed."""
    try:
        return jwt.decode(token, provider.keys(), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError):
        return jwt.decode(token, provider.keys(fresh=True), algorithms=ALGORITHMS).claims


def find_or_create_account(
    session: Session, provider: Provider, rules: LoginRules, claims: dict[str, Any], at: float
) -> Account:
    """The account of the user that the claims are about; a new one for a new user.

    Raises PermissionDenied if it is disabled, and NoFirstAccount if the hub has no account and the user is no
    administrator.
    """
    subject = f"{provider.issuer}|{claims['sub']}"
    account = accounts.by_subject(session, subject)
    if account is not None:
        if account.disabled:
            raise PermissionDenied(f"the account {account.name} is disabled", hint="ask an administrator of the hub")
        return account
    is_first = not accounts.count(session)
    if is_first and not rules.administrator(claims):
        raise NoFirstAccount("the hub has no account yet", hint="create the first with the link that the hub prints")
    name = str(claims.get("preferred_username") or str(claims.get("email", "")).partition("@")[0])
    new = Account(
        id="",
        name=free_name(session, name),
        display_name=str(claims.get("name", ""))[:200],
        email=str(claims.get("email", ""))[:320],
        subject=subject,
    )
    return create_first_account(session, new, at) if is_first else accounts.create(session, HUB, new, at)


def free_name(session: Session, text: str) -> str:
    """A free account name close to `text`."""
    name = name_from(text, "person")
    taken = {account.name for account in accounts.find(session, HUB, name)}
    return check_name(numbered(name, taken))


def fetch_json(method: str, url: str, **options: Any) -> dict[str, Any]:
    """A JSON object from the provider. Raises Unauthenticated if it does not respond with one."""
    try:
        response = httpx.request(method, url, timeout=TIMEOUT_SECS, headers={"Accept": "application/json"}, **options)
        body = response.raise_for_status().json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise Unauthenticated("the login provider does not respond as expected", hint="try again later") from error
    if not isinstance(body, dict):
        raise Unauthenticated("the login provider does not respond as expected", hint=CHECK_SETTINGS)
    return body
