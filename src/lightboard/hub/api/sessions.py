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
from lightboard.hub.api.asking import Asked, Asking, answered, done
from lightboard.hub.api.cookies import device_of, drop_login, set_device, set_login
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import COOKIE, LOGIN_SECS, Identity
from lightboard.hub.api.login_throttle import ACCOUNT, ADDRESS, DEVICE, SPELLING, Charge
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.tickets import digest_of, same
from lightboard.hub.db import accounts, audit, projects, sessions, settings
from lightboard.hub.resources.accounts import Account, login_name
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sessions import LoginSession
from lightboard.schema.accounts import Entry, Login, Me, SetUp

SETUP_KEY = "setup.key"
"""Setting: digest of the key in the one-time link of the first start."""

routes = Routes("sessions")


@routes.get("/api/v1/entry", right=OPEN, answer=Entry)
def entry(asked: Asked) -> Response:
    """How to get in."""
    with asked.read() as session:
        setup = accounts.count(session) == 0
    told = Entry(
        version=__version__,
        title=asked.hub.settings.title,
        setup=setup,
        password=asked.hub.settings.password_login,
        oidc=asked.hub.settings.oidc_issuer,
    )
    return answered(told)


@routes.post("/api/v1/setup", right=OPEN, answer=Me)
async def set_up(asked: Asked, body: SetUp) -> Response:
    """Make the first account, with the key of the one-time link, and log in."""
    need_json(asked.request)
    hub, charge = asked.hub, (ADDRESS, asked.client)
    hub.login_throttle.spend(charge)
    await run_in_threadpool(check_setup, asked, body.key)
    hub.login_throttle.refund(charge)
    hashed = await hub.passwords.hashed(body.password, name=body.name, client=asked.client)
    new = Account(id="", name=body.name, display_name=body.display_name, password_hash=hashed)
    return await run_in_threadpool(begin_hub, asked, body.key, new)


def check_setup(asked: Asking, key: str) -> None:
    """Raises unless the hub waits for its first account and this is the key of the link."""
    with asked.read() as session:
        check_setup_key(session, key)


def check_setup_key(session: Session, key: str) -> None:
    """The same, in a transaction."""
    if accounts.count(session):
        raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
    if not same(digest_of(key), settings.get(session, SETUP_KEY)):
        raise PermissionDenied("that is not the key of the link", hint="the hub prints the link when it starts")


def begin_hub(asked: Asking, key: str, new: Account) -> Response:
    """The first account, logged in."""
    with asked.write() as session:
        check_setup_key(session, key)
        made = first_account(session, new, asked.at)
        settings.remove(session, SETUP_KEY)
        identity, secret = begin_login(session, asked, made)
        told = me_of(session, identity, asked.at)
    return logged_in(asked.request, asked.hub, told, secret)


@routes.post("/api/v1/login", right=OPEN, answer=Me)
async def log_in(asked: Asked, body: Login) -> Response:
    """Log in by name (or email) and password; the answer sets the cookie."""
    need_json(asked.request)
    hub = asked.hub
    check_password_login(hub)
    device = device_of(asked.request, hub)
    charges = spend(hub, *([(DEVICE, f"{device.account} {device.device}")] if device else stranger(asked, body.name)))
    account = await run_in_threadpool(account_meant, asked, body.name)
    familiar = bool(device and account and device.account == account.id)
    if device and not familiar:
        charges += spend(hub, *stranger(asked, body.name))
    # Spent by way of another spelling: judged without a look, so that no answer says that the two are one account.
    looks = familiar or (account is not None and hub.login_throttle.try_spend((ACCOUNT, account.id)))
    kept = account.password_hash if account and looks and not account.disabled else ""
    if not await hub.passwords.right(body.password, kept, client=asked.client) or account is None:
        hub.metrics.logins_failed.inc()
        raise Unauthenticated("no such name with such a password", hint=LOST)
    hub.login_throttle.refund(*charges, *(() if familiar else ((ACCOUNT, account.id),)))
    return await run_in_threadpool(enter, asked, account)


def check_password_login(hub: Hub) -> None:
    """Raises PermissionDenied where nobody logs in by password."""
    if not hub.settings.password_login:
        raise PermissionDenied("this hub has no login by password", hint="use the login of your organisation")


LOST = "mind the case; ask an administrator if it is lost; after many wrong ones wait some minutes"


def account_meant(asked: Asking, name: str) -> Account | None:
    """Whom somebody means who logs in."""
    with asked.read() as session:
        return accounts.by_login(session, name)


def stranger(asked: Asking, name: str) -> list[Charge]:
    """What an attempt costs in a browser that is not known: the same whether or not there is such an account."""
    return [(ADDRESS, asked.client), (SPELLING, digest_of(login_name(name)))]


def spend(hub: Hub, *charges: Charge) -> list[Charge]:
    """Counts an attempt before anything is looked at. Raises TooMany."""
    hub.login_throttle.spend(*charges)
    return list(charges)


def enter(asked: Asking, account: Account) -> Response:
    """A login of the account begins."""
    with asked.write() as session:
        identity, secret = begin_login(session, asked, account)
        told = me_of(session, identity, asked.at)
    return logged_in(asked.request, asked.hub, told, secret)


@routes.post("/api/v1/logout", right="own.read", status=204)
def log_out(asked: Asked) -> Response:
    """End this login."""
    if asked.identity is not None and asked.identity.csrf:
        with asked.write() as session:
            sessions.remove(session, asked.identity.digest, asked.at)
            audit.add(session, asked.who, "logout", kind="account", target=asked.who.account, at=asked.at)
    answer = done()
    drop_login(answer, asked.request, asked.hub)
    return answer


def first_account(session: Session, new: Account, at: float) -> Account:
    """The first account, and with it the first project, which is called `default`."""
    made = accounts.first(session, new, at)
    projects.create(
        session, accounts.principal(session, made), Project(id="", name="default", display_name="Default"), at
    )
    return made


def begin_login(session: Session, asked: Asking, account: Account) -> tuple[Identity, str]:
    """A new login, with a new secret: one that was there before, whoever set it, is worth nothing afterwards."""
    if old := asked.request.cookies.get(COOKIE):
        sessions.remove(session, digest_of(old), asked.at)
    secret = secrets.token_urlsafe(32)
    login = LoginSession(
        digest=digest_of(secret),
        account=account.id,
        csrf=secrets.token_urlsafe(24),
        created_at=asked.at,
        expires_at=asked.at + LOGIN_SECS,
        last_seen_at=asked.at,
        address=asked.address,
    )
    sessions.create(session, login)
    who = accounts.principal(session, account, label="session")
    audit.add(session, who, "login", kind="account", target=account.id, at=asked.at)
    return Identity(who=who, digest=login.digest, csrf=login.csrf), secret


def logged_in(request: HTTPConnection, hub: Hub, told: Me, secret: str) -> Response:
    """The answer that brings the cookie."""
    answer = answered(told)
    set_login(answer, request, hub, secret)
    set_device(answer, request, hub, told.account.id)
    return answer
