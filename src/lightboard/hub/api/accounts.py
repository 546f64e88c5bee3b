"""The user's own account, and all accounts for administrators."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from lightboard.errors import Invalid, PermissionDenied
from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Permission, Principal, allowed, allowed_on_hub
from lightboard.hub.api.identity import Identity
from lightboard.hub.api.login_throttle import DEVICE
from lightboard.hub.api.passwords import check_password
from lightboard.hub.api.request_context import (
    ContextDep,
    RequestContext,
    StorableResponse,
    json_response,
    non_null_fields,
)
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Auth, AuthDep
from lightboard.hub.db import accounts, invitations, permissions, projects, sessions, tensorboards
from lightboard.hub.resources.accounts import Account, AccountKind
from lightboard.schema.accounts import (
    AccountResponse,
    Accounts,
    ChangeAccount,
    ChangeMe,
    CreateAccount,
    Me,
    Membership,
)

HUB_DEFAULT = -1
"""Value of `own_limit` in a change that removes the account's own limit."""

routes = Routes("accounts")


@routes.get("/api/v1/me", right="own.read", response=Me)
def me(context: ContextDep) -> Response:
    """The authenticated account and its rights"""
    assert context.identity is not None
    with context.read() as session:
        return json_response(me_of(session, context.identity, context.at))


@routes.patch("/api/v1/me", right="own.update", response=Me)
async def change_me(context: ContextDep, auth: AuthDep, body: ChangeMe) -> Response:
    """Change the own account; a new password ends all other logins."""
    changes = non_null_fields(body)
    changes.pop("old_password", None)
    if password := changes.pop("password", None):
        changes["password_hash"] = await hash_new_password(context, auth, password, body.old_password or "")
    return await run_in_threadpool(store_me, context, changes)


def store_me(context: RequestContext, changes: dict[str, Any]) -> Response:
    """Stores changes of the own account. The login that sent the request continues."""
    assert context.identity is not None
    with context.write() as session:
        if "password_hash" in changes:
            login = sessions.by_digest(session, context.identity.digest, context.at) if context.identity.csrf else None
        accounts.change(
            session, context.principal, context.principal.account, changes, context.at, context.if_match_version()
        )
        if "password_hash" in changes and login:
            sessions.create(session, login[0], context.max_logins)
        result = me_of(session, context.identity, context.at)
    return json_response(result, version=result.account.version)


async def hash_new_password(context: RequestContext, auth: Auth, password: str, old: str) -> str:
    """The hash of a new password. Raises PermissionDenied if the old one is wrong.

    Each attempt is charged, right or wrong, because hashing takes time.
    """
    account = await run_in_threadpool(own_account, context)
    check_password(password, account.name)
    auth.login_throttle.spend((DEVICE, f"{account.id} password"))
    if account.password_hash and not await auth.passwords.verify(old, account.password_hash, client=context.client):
        raise PermissionDenied("the old password is wrong", hint="if you have lost it, ask an administrator")
    return await auth.passwords.hash(password, name=account.name, client=context.client)


def own_account(context: RequestContext) -> Account:
    """The account of the principal."""
    with context.read() as session:
        return accounts.get(session, context.principal, context.principal.account)


@routes.get("/api/v1/accounts", right="accounts.manage", response=Accounts)
def find(context: ContextDep, search: Annotated[str, Query(max_length=1000)] = "") -> Response:
    """List all accounts."""
    with context.read() as session:
        found = accounts.find(session, context.principal, search)
        return json_response(Accounts(items=[to_response(session, each) for each in found]))


@routes.post("/api/v1/accounts", right="accounts.manage", response=AccountResponse, status=201)
async def create(context: ContextDep, auth: AuthDep, body: CreateAccount) -> Response:
    """Create an account. It sees nothing until it is added to a project."""
    if body.kind == "service" and body.password:
        raise Invalid("a service has no password", hint="create a token for it")
    hashed = await hash_optional(context, auth, body.password, body.name)
    fields = body.model_dump(exclude={"password", "kind"})
    new = Account(id="", kind=AccountKind(body.kind), password_hash=hashed, **fields)

    def run(session: Session) -> StorableResponse:
        made = accounts.create(session, context.principal, new, context.at)
        return StorableResponse(
            to_response(session, made), 201, version=made.version, location=context.url(f"/api/v1/accounts/{made.id}")
        )

    return await run_in_threadpool(context.run_idempotent, body, run)


async def hash_optional(context: RequestContext, auth: Auth, password: str | None, name: str = "") -> str:
    """The hash of a password that an administrator sets, "" for none."""
    return await auth.passwords.hash(password, name=name, client=context.client) if password else ""


@routes.patch("/api/v1/accounts/{id}", right="accounts.manage", response=AccountResponse)
async def change(context: ContextDep, auth: AuthDep, id: str, body: ChangeAccount) -> Response:
    """Change an account: rights, limit, password, or whether it may log in."""
    changes = non_null_fields(body)
    if "own_limit" in changes:
        limit = changes.pop("own_limit")
        changes["limit"] = None if limit == HUB_DEFAULT else limit
    if password := changes.pop("password", None):
        changes["password_hash"] = await hash_optional(context, auth, password)
    return await run_in_threadpool(store_account, context, id, changes)


def store_account(context: RequestContext, id: str, changes: dict[str, Any]) -> Response:
    """Stores changes of an account."""
    wanted = {Permission(name): allowed for name, allowed in changes.pop("permissions", {}).items()}
    with context.write() as session:
        account = accounts.change(session, context.principal, id, changes, context.at, context.if_match_version())
        if wanted:
            accounts.set_permissions(session, context.principal, account.id, wanted, context.at)
        result = to_response(session, account)
    return json_response(result, version=account.version)


def me_of(session: Session, identity: Identity, at: float) -> Me:
    """The response about the authenticated account."""
    principal = identity.principal
    account = accounts.get(session, principal, principal.account)
    return Me(
        account=to_response(session, account),
        memberships=[
            Membership(
                project=project.id,
                name=project.name,
                display_name=project.display_name,
                role=role.value,
                rights=[right for right in RIGHTS if allowed(principal, right, role=role, project=project.id)],
            )
            for project, role in projects.memberships(session, principal)
        ],
        in_use=tensorboards.count_in_use(session, account.id),
        csrf=identity.csrf,
        hub_rights=hub_rights(principal),
        invitations=count_invitations(session, principal, at),
    )


def count_invitations(session: Session, principal: Principal, at: float) -> int:
    """The number of open invitations; 0 if the principal may not see them."""
    return len(invitations.received(session, principal, at)) if allowed_on_hub(principal, "own.read") else 0


def hub_rights(principal: Principal) -> list[str]:
    """The rights of the principal that belong to no project."""
    return [right for right in HUB_RIGHTS if allowed_on_hub(principal, right)]


def to_response(session: Session, account: Account) -> AccountResponse:
    """An account without its password hash."""
    fields: dict[str, Any] = {
        name: getattr(account, name)
        for name in ("id", "name", "display_name", "email", "administrator", "disabled", "language", "created_at")
    }
    return AccountResponse(
        **fields,
        kind=account.kind.value,
        permissions=sorted(each.value for each in permissions.of_account(session, account.id, account.administrator)),
        own_permissions={each.value: has for each, has in permissions.own(session, account.id).items()},
        limit=accounts.limit_of(session, account),
        own_limit=account.limit,
        version=account.version,
    )
