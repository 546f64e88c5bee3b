"""Getting in and out: what the hub offers, the first account, login by password, logout."""

import secrets

from sqlalchemy.orm import Session
from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard import __version__
from lightboard.asgi.params import need_json
from lightboard.errors import Conflict, PermissionDenied, Unauthenticated
from lightboard.hub.api.accounts import me_of
from lightboard.hub.api.asking import Asked, Asking, answered, done
from lightboard.hub.api.cookies import drop_login, set_login
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import COOKIE, LOGIN_SECS, Identity
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.tickets import digest_of, same
from lightboard.hub.db import accounts, audit, projects, sessions, settings
from lightboard.hub.resources.accounts import Account
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
        password=True,
        oidc=asked.hub.settings.oidc_issuer,
    )
    return answered(told)


@routes.post("/api/v1/setup", right=OPEN, answer=Me)
def set_up(asked: Asked, body: SetUp) -> Response:
    """Make the first account, with the key of the one-time link, and log in."""
    need_json(asked.request)
    hub = asked.hub
    hub.attempts.check(asked.address, "setup")
    hashed = hub.passwords.hashed(body.password, name=body.name)
    with asked.write() as session:
        if accounts.count(session):
            raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
        if not same(digest_of(body.key), settings.get(session, SETUP_KEY)):
            hub.attempts.failed(asked.address, "setup")
            raise PermissionDenied("that is not the key of the link", hint="the hub prints the link when it starts")
        made = first_account(
            session, Account(id="", name=body.name, display_name=body.display_name, password_hash=hashed), asked.at
        )
        settings.remove(session, SETUP_KEY)
        identity, secret = begin_login(session, asked, made)
        told = me_of(session, identity)
    return logged_in(asked.request, hub, told, secret)


@routes.post("/api/v1/login", right=OPEN, answer=Me)
def log_in(asked: Asked, body: Login) -> Response:
    """Log in by name (or email) and password; the answer sets the cookie."""
    need_json(asked.request)
    hub, address = asked.hub, asked.address
    hub.attempts.check(address, body.name)
    with asked.read() as session:
        account = accounts.by_login(session, body.name)
    kept = account.password_hash if account and not account.disabled else ""
    if not hub.passwords.right(body.password, kept) or account is None:
        hub.attempts.failed(address, body.name)
        hub.metrics.logins_failed.inc()
        raise Unauthenticated(
            "no such name with such a password", hint="mind the case; ask an administrator if it is lost"
        )
    hub.attempts.succeeded(address, body.name)
    with asked.write() as session:
        identity, secret = begin_login(session, asked, account)
        told = me_of(session, identity)
    return logged_in(asked.request, hub, told, secret)


@routes.post("/api/v1/logout", right="own.read", status=204)
def log_out(asked: Asked) -> Response:
    """End this login."""
    if asked.identity is not None and asked.identity.csrf:
        with asked.write() as session:
            sessions.remove(session, asked.identity.digest)
            audit.add(session, asked.who, "logout", kind="account", target=asked.who.account, at=asked.at)
    asked.hub.forget()
    answer = done()
    drop_login(answer, asked.request, asked.hub)
    return answer


def first_account(session: Session, new: Account, at: float) -> Account:
    """The first account, and with it the first project, which is called `default`."""
    made = accounts.first(session, new, at)
    projects.create(session, accounts.principal(made), Project(id="", name="default", display_name="Default"), at)
    return made


def begin_login(session: Session, asked: Asking, account: Account) -> tuple[Identity, str]:
    """A new login, with a new secret: one that was there before, whoever set it, is worth nothing afterwards."""
    if old := asked.request.cookies.get(COOKIE):
        sessions.remove(session, digest_of(old))
        asked.hub.forget()
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
    who = accounts.principal(account, label="session")
    audit.add(session, who, "login", kind="account", target=account.id, at=asked.at)
    return Identity(who=who, digest=login.digest, csrf=login.csrf), secret


def logged_in(request: HTTPConnection, hub: Hub, told: Me, secret: str) -> Response:
    """The answer that brings the cookie."""
    answer = answered(told)
    set_login(answer, request, hub, secret)
    return answer
