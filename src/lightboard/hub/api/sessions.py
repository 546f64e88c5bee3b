"""Login and logout: the login options, the first account, and login by password."""

import secrets

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from lightboard import __version__
from lightboard.asgi.params import need_json
from lightboard.errors import Conflict, PermissionDenied, Unauthenticated
from lightboard.hub.api.accounts import me_of
from lightboard.hub.api.identity import COOKIE, LOGIN_SECS, Identity
from lightboard.hub.api.login_throttle import ACCOUNT, ADDRESS, DEVICE, SPELLING, Charge
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response, no_content
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.services import Auth, AuthDep, MonitoringDep, SettingsDep
from lightboard.hub.api.signed_tokens import constant_time_equals, digest_of
from lightboard.hub.db import accounts, audit, projects, sessions
from lightboard.hub.db import settings as stored_settings
from lightboard.hub.resources.accounts import Account, login_name
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sessions import LoginSession
from lightboard.schema.accounts import Entry, Login, Me, SetUp

SETUP_KEY = "setup.key"
"""Setting: digest of the key in the one-time link of the first start."""

routes = Routes("sessions")


@routes.get("/api/v1/entry", right=OPEN, response=Entry)
def entry(context: ContextDep, settings: SettingsDep) -> Response:
    """The ways to log in."""
    with context.read() as session:
        setup = accounts.count(session) == 0
    body = Entry(
        version=__version__,
        title=settings.title,
        setup=setup,
        password=settings.password_login,
        oidc=settings.oidc_issuer,
    )
    return json_response(body)


@routes.post("/api/v1/setup", right=OPEN, response=Me)
async def set_up(context: ContextDep, auth: AuthDep, body: SetUp) -> Response:
    """Create the first account with the key of the one-time link, and log in."""
    need_json(context.request)
    charge = (ADDRESS, context.client)
    auth.login_throttle.spend(charge)
    await run_in_threadpool(check_setup, context, body.key)
    auth.login_throttle.refund(charge)
    password_hash = await auth.passwords.hash(body.password, name=body.name, client=context.client)
    new = Account(id="", name=body.name, display_name=body.display_name, password_hash=password_hash)
    return await run_in_threadpool(create_and_log_in, context, auth, body.key, new)


def check_setup(context: RequestContext, key: str) -> None:
    """Raises unless the hub has no account yet and `key` is the key of the setup link."""
    with context.read() as session:
        check_setup_key(session, key)


def check_setup_key(session: Session, key: str) -> None:
    """Raises Conflict if the hub has an account, PermissionDenied if `key` is not the key of the setup link."""
    if accounts.count(session):
        raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
    if not constant_time_equals(digest_of(key), stored_settings.get(session, SETUP_KEY)):
        raise PermissionDenied("this is not the key of the setup link", hint="the hub prints the link when it starts")


def create_and_log_in(context: RequestContext, auth: Auth, key: str, new: Account) -> Response:
    """Creates the first account and logs it in."""
    with context.write() as session:
        check_setup_key(session, key)
        account = create_first_account(session, new, context.at)
        stored_settings.remove(session, SETUP_KEY)
        identity, secret = begin_login(session, context, account)
        me = me_of(session, identity, context.at)
    return login_response(context, auth, me, secret)


@routes.post("/api/v1/login", right=OPEN, response=Me)
async def log_in(
    context: ContextDep, settings: SettingsDep, auth: AuthDep, monitoring: MonitoringDep, body: Login
) -> Response:
    """Log in by name (or email) and password; the response sets the cookie."""
    need_json(context.request)
    if not settings.password_login:
        raise PermissionDenied("this hub has no login by password", hint="use the login of your organisation")
    device = auth.cookies.device_of(context.request)
    own = [(DEVICE, f"{device.account} {device.device}")] if device else charges_of_unknown_device(context, body.name)
    charges = spend(auth, own)
    account = await run_in_threadpool(find_account, context, body.name)
    is_familiar = bool(device and account and device.account == account.id)
    if device and not is_familiar:
        charges += spend(auth, charges_of_unknown_device(context, body.name))
    # If the budget was spent under another spelling, the password is rejected without a check. A different response
    # would reveal that both spellings are the same account.
    may_check = is_familiar or (account is not None and auth.login_throttle.try_spend((ACCOUNT, account.id)))
    password_hash = account.password_hash if account and may_check and not account.disabled else ""
    if not await auth.passwords.verify(body.password, password_hash, client=context.client) or account is None:
        monitoring.metrics.logins_failed.inc()
        raise Unauthenticated("wrong name or password", hint=LOGIN_HINT)
    auth.login_throttle.refund(*charges, *(() if is_familiar else ((ACCOUNT, account.id),)))
    return await run_in_threadpool(begin_session, context, auth, account)


LOGIN_HINT = "check upper and lower case; after many attempts wait a few minutes; an administrator can set a new one"


def find_account(context: RequestContext, name: str) -> Account | None:
    """The account with this name or email."""
    with context.read() as session:
        return accounts.by_login(session, name)


def charges_of_unknown_device(context: RequestContext, name: str) -> list[Charge]:
    """The charges for an attempt from an unknown browser. They do not depend on whether the account exists."""
    return [(ADDRESS, context.client), (SPELLING, digest_of(login_name(name)))]


def spend(auth: Auth, charges: list[Charge]) -> list[Charge]:
    """Counts an attempt before the password is checked. Raises TooMany."""
    auth.login_throttle.spend(*charges)
    return charges


def begin_session(context: RequestContext, auth: Auth, account: Account) -> Response:
    """Starts a login and returns its response."""
    with context.write() as session:
        identity, secret = begin_login(session, context, account)
        me = me_of(session, identity, context.at)
    return login_response(context, auth, me, secret)


@routes.post("/api/v1/logout", right="own.read", status=204)
def log_out(context: ContextDep, auth: AuthDep) -> Response:
    """End this login."""
    if context.identity is not None and context.identity.csrf:
        with context.write() as session:
            sessions.remove(session, context.identity.digest, context.at)
            audit.add(
                session, context.principal, "logout", kind="account", target=context.principal.account, at=context.at
            )
    response = no_content()
    auth.cookies.delete_login(response, context.request)
    return response


def create_first_account(session: Session, new: Account, at: float) -> Account:
    """Creates the first account, and the first project, which is called `default`."""
    account = accounts.create_first(session, new, at)
    principal = accounts.principal_of(session, account)
    projects.create(session, principal, Project(id="", name="default", display_name="Default"), at)
    return account


def begin_login(session: Session, context: RequestContext, account: Account) -> tuple[Identity, str]:
    """A new login and its secret. The login of the request's cookie ends, so that session fixation is not possible."""
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
    sessions.create(session, login, context.max_logins)
    principal = accounts.principal_of(session, account, label="session")
    audit.add(session, principal, "login", kind="account", target=account.id, at=context.at)
    return Identity(principal=principal, digest=login.digest, csrf=login.csrf), secret


def login_response(context: RequestContext, auth: Auth, me: Me, secret: str) -> Response:
    """The response that sets the cookies of a login."""
    response = json_response(me)
    auth.cookies.set_login(response, context.request, secret)
    auth.cookies.set_device(response, context.request, me.account.id)
    return response
