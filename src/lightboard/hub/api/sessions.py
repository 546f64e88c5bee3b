"""Getting in and out: what the hub offers, the first account, login by password, logout."""

import secrets

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard import __version__
from lightboard.asgi.params import need_json
from lightboard.errors import Conflict, PermissionDenied, Unauthenticated
from lightboard.hub.api.accounts import me_of
from lightboard.hub.api.cookies import device_of, drop_login, set_device, set_login
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import COOKIE, LOGIN_SECS, Identity
from lightboard.hub.api.login_throttle import ACCOUNT, ADDRESS, DEVICE, SPELLING, Charge
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response, no_content
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.signed_tokens import constant_time_equals, digest_of
from lightboard.hub.db import accounts, audit, projects, sessions, settings
from lightboard.hub.resources.accounts import Account, login_name
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sessions import LoginSession
from lightboard.schema.accounts import Entry, Login, Me, SetUp

SETUP_KEY = "setup.key"
"""Setting: digest of the key in the one-time link of the first start."""

routes = Routes("sessions")


@routes.get("/api/v1/entry", right=OPEN, answer=Entry)
def entry(context: ContextDep) -> Response:
    """How to get in."""
    with context.read() as session:
        setup = accounts.count(session) == 0
    told = Entry(
        version=__version__,
        title=context.hub.settings.title,
        setup=setup,
        password=context.hub.settings.password_login,
        oidc=context.hub.settings.oidc_issuer,
    )
    return json_response(told)


@routes.post("/api/v1/setup", right=OPEN, answer=Me)
async def set_up(context: ContextDep, body: SetUp) -> Response:
    """Make the first account, with the key of the one-time link, and log in."""
    need_json(context.request)
    hub, charge = context.hub, (ADDRESS, context.client)
    hub.login_throttle.spend(charge)
    await run_in_threadpool(check_setup, context, body.key)
    hub.login_throttle.refund(charge)
    hashed = await hub.passwords.hashed(body.password, name=body.name, client=context.client)
    new = Account(id="", name=body.name, display_name=body.display_name, password_hash=hashed)
    return await run_in_threadpool(begin_hub, context, body.key, new)


def check_setup(context: RequestContext, key: str) -> None:
    """Raises unless the hub waits for its first account and this is the key of the link."""
    with context.read() as session:
        check_setup_key(session, key)


def check_setup_key(session: Session, key: str) -> None:
    """The same, in a transaction."""
    if accounts.count(session):
        raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
    if not constant_time_equals(digest_of(key), settings.get(session, SETUP_KEY)):
        raise PermissionDenied("that is not the key of the link", hint="the hub prints the link when it starts")


def begin_hub(context: RequestContext, key: str, new: Account) -> Response:
    """The first account, logged in."""
    with context.write() as session:
        check_setup_key(session, key)
        made = first_account(session, new, context.at)
        settings.remove(session, SETUP_KEY)
        identity, secret = begin_login(session, context, made)
        told = me_of(session, identity, context.at)
    return logged_in(context.request, context.hub, told, secret)


@routes.post("/api/v1/login", right=OPEN, answer=Me)
async def log_in(context: ContextDep, body: Login) -> Response:
    """Log in by name (or email) and password; the answer sets the cookie."""
    need_json(context.request)
    hub = context.hub
    check_password_login(hub)
    device = device_of(context.request, hub)
    charges = spend(hub, *([(DEVICE, f"{device.account} {device.device}")] if device else stranger(context, body.name)))
    account = await run_in_threadpool(account_meant, context, body.name)
    familiar = bool(device and account and device.account == account.id)
    if device and not familiar:
        charges += spend(hub, *stranger(context, body.name))
    # Spent by way of another spelling: judged without a look, so that no answer says that the two are one account.
    looks = familiar or (account is not None and hub.login_throttle.try_spend((ACCOUNT, account.id)))
    kept = account.password_hash if account and looks and not account.disabled else ""
    if not await hub.passwords.right(body.password, kept, client=context.client) or account is None:
        hub.metrics.logins_failed.inc()
        raise Unauthenticated("no such name with such a password", hint=LOST)
    hub.login_throttle.refund(*charges, *(() if familiar else ((ACCOUNT, account.id),)))
    return await run_in_threadpool(enter, context, account)


def check_password_login(hub: Hub) -> None:
    """Raises PermissionDenied where nobody logs in by password."""
    if not hub.settings.password_login:
        raise PermissionDenied("this hub has no login by password", hint="use the login of your organisation")


LOST = "mind the case; ask an administrator if it is lost; after many wrong ones wait some minutes"


def account_meant(context: RequestContext, name: str) -> Account | None:
    """Whom somebody means who logs in."""
    with context.read() as session:
        return accounts.by_login(session, name)


def stranger(context: RequestContext, name: str) -> list[Charge]:
    """What an attempt costs in a browser that is not known: the same whether or not there is such an account."""
    return [(ADDRESS, context.client), (SPELLING, digest_of(login_name(name)))]


def spend(hub: Hub, *charges: Charge) -> list[Charge]:
    """Counts an attempt before anything is looked at. Raises TooMany."""
    hub.login_throttle.spend(*charges)
    return list(charges)


def enter(context: RequestContext, account: Account) -> Response:
    """A login of the account begins."""
    with context.write() as session:
        identity, secret = begin_login(session, context, account)
        told = me_of(session, identity, context.at)
    return logged_in(context.request, context.hub, told, secret)


@routes.post("/api/v1/logout", right="own.read", status=204)
def log_out(context: ContextDep) -> Response:
    """End this login."""
    if context.identity is not None and context.identity.csrf:
        with context.write() as session:
            sessions.remove(session, context.identity.digest, context.at)
            audit.add(session, context.who, "logout", kind="account", target=context.who.account, at=context.at)
    answer = no_content()
    drop_login(answer, context.request, context.hub)
    return answer


def first_account(session: Session, new: Account, at: float) -> Account:
    """The first account, and with it the first project, which is called `default`."""
    made = accounts.first(session, new, at)
    projects.create(
        session, accounts.principal(session, made), Project(id="", name="default", display_name="Default"), at
    )
    return made


def begin_login(session: Session, context: RequestContext, account: Account) -> tuple[Identity, str]:
    """A new login, with a new secret: one that was there before, whoever set it, is worth nothing afterwards."""
    if old := context.request.cookies.get(COOKIE):
        sessions.remove(session, digest_of(old), context.at)
    secret = secrets.token_urlsafe(32)
    login = LoginSession(
        digest=digest_of(secret),
        account=account.id,
        csrf=secrets.token_urlsafe(24),
        created_at=context.at,
        expires_at=context.at + LOGIN_SECS,
        last_seen_at=context.at,
        address=context.address,
    )
    sessions.create(session, login)
    who = accounts.principal(session, account, label="session")
    audit.add(session, who, "login", kind="account", target=account.id, at=context.at)
    return Identity(who=who, digest=login.digest, csrf=login.csrf), secret


def logged_in(request: HTTPConnection, hub: Hub, told: Me, secret: str) -> Response:
    """The answer that brings the cookie."""
    answer = json_response(told)
    set_login(answer, request, hub, secret)
    set_device(answer, request, hub, told.account.id)
    return answer
