"""Accounts: one's own, and all of them for administrators."""

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
from lightboard.hub.db import accounts, invitations, permissions, projects, sessions, tensorboards
from lightboard.hub.resources.accounts import Account, AccountKind
from lightboard.schema.accounts import (
    AccountAnswer,
    Accounts,
    ChangeAccount,
    ChangeMe,
    CreateAccount,
    Me,
    Membership,
)

THE_HUBS = -1
"""As `own_limit` of a change: the account has no number of its own."""

routes = Routes("accounts")


@routes.get("/api/v1/me", right="own.read", answer=Me)
def me(context: ContextDep) -> Response:
    """Who is logged in, and what they may do."""
    assert context.identity is not None
    with context.read() as session:
        return json_response(me_of(session, context.identity, context.at))


@routes.patch("/api/v1/me", right="own.update", answer=Me)
async def change_me(context: ContextDep, body: ChangeMe) -> Response:
    """Change one's own account; a new password ends all other logins."""
    changes = non_null_fields(body)
    changes.pop("old_password", None)
    if password := changes.pop("password", None):
        changes["password_hash"] = await new_password(context, password, body.old_password or "")
    return await run_in_threadpool(keep_me, context, changes)


def keep_me(context: RequestContext, changes: dict[str, Any]) -> Response:
    """One's own account with other fields; the login that asks goes on."""
    assert context.identity is not None
    with context.write() as session:
        if "password_hash" in changes:
            kept = sessions.by_digest(session, context.identity.digest, context.at) if context.identity.csrf else None
        accounts.change(session, context.who, context.who.account, changes, context.at, context.if_match_version())
        if "password_hash" in changes and kept:
            sessions.create(session, kept[0])
        told = me_of(session, context.identity, context.at)
    return json_response(told, version=told.account.version)


async def new_password(context: RequestContext, password: str, old: str) -> str:
    """The hash of a new password. Raises PermissionDenied where the old one is not right.

    Each takes from the budget that a device of the account has for guesses, right or wrong: both take time to hash.
    """
    account = await run_in_threadpool(own_account, context)
    check_password(password, account.name)
    context.hub.login_throttle.spend((DEVICE, f"{account.id} password"))
    passwords = context.hub.passwords
    if account.password_hash and not await passwords.right(old, account.password_hash, client=context.client):
        raise PermissionDenied("the old password is another one", hint="who has lost it asks an administrator")
    return await passwords.hashed(password, name=account.name, client=context.client)


def own_account(context: RequestContext) -> Account:
    """The asker's."""
    with context.read() as session:
        return accounts.get(session, context.who, context.who.account)


@routes.get("/api/v1/accounts", right="accounts.manage", answer=Accounts)
def find(context: ContextDep, search: Annotated[str, Query(max_length=1000)] = "") -> Response:
    """All accounts."""
    with context.read() as session:
        found = accounts.find(session, context.who, search)
        return json_response(Accounts(items=[answer_of(session, each) for each in found]))


@routes.post("/api/v1/accounts", right="accounts.manage", answer=AccountAnswer, status=201)
async def create(context: ContextDep, body: CreateAccount) -> Response:
    """Make an account. It sees nothing until somebody adds it to a project."""
    if body.kind == "service" and body.password:
        raise Invalid("a service has no password", hint="make a token for it")
    hashed = await hash_given(context, body.password, body.name)
    fields = body.model_dump(exclude={"password", "kind"})
    new = Account(id="", kind=AccountKind(body.kind), password_hash=hashed, **fields)

    def act(session: Session) -> StorableResponse:
        made = accounts.create(session, context.who, new, context.at)
        return StorableResponse(
            answer_of(session, made), 201, version=made.version, location=context.url(f"/api/v1/accounts/{made.id}")
        )

    return await run_in_threadpool(context.run_idempotent, body, act)


async def hash_given(context: RequestContext, password: str | None, name: str = "") -> str:
    """The hash of a password that an administrator gives to somebody; "" for none."""
    return await context.hub.passwords.hashed(password, name=name, client=context.client) if password else ""


@routes.patch("/api/v1/accounts/{id}", right="accounts.manage", answer=AccountAnswer)
async def change(context: ContextDep, id: str, body: ChangeAccount) -> Response:
    """Change an account: rights, limit, password, or whether it may log in at all."""
    changes = non_null_fields(body)
    if "own_limit" in changes:
        limit = changes.pop("own_limit")
        changes["limit"] = None if limit == THE_HUBS else limit
    if password := changes.pop("password", None):
        changes["password_hash"] = await hash_given(context, password)
    return await run_in_threadpool(keep_account, context, id, changes)


def keep_account(context: RequestContext, id: str, changes: dict[str, Any]) -> Response:
    """An account with other fields."""
    wanted = {Permission(name): allowed for name, allowed in changes.pop("permissions", {}).items()}
    with context.write() as session:
        account = accounts.change(session, context.who, id, changes, context.at, context.if_match_version())
        if wanted:
            accounts.set_permissions(session, context.who, account.id, wanted, context.at)
        told = answer_of(session, account)
    return json_response(told, version=account.version)


def me_of(session: Session, identity: Identity, at: float) -> Me:
    """The answer about oneself."""
    who = identity.who
    account = accounts.get(session, who, who.account)
    return Me(
        account=answer_of(session, account),
        memberships=[
            Membership(
                project=project.id,
                name=project.name,
                display_name=project.display_name,
                role=role.value,
                rights=[right for right in RIGHTS if allowed(who, right, role=role, project=project.id)],
            )
            for project, role in projects.memberships(session, who)
        ],
        in_use=tensorboards.count_in_use(session, account.id),
        csrf=identity.csrf,
        hub_rights=hub_rights(who),
        invitations=count_invitations(session, who, at),
    )


def count_invitations(session: Session, who: Principal, at: float) -> int:
    """How many invitations wait for an answer; none for who may not see them."""
    return len(invitations.received(session, who, at)) if allowed_on_hub(who, "own.read") else 0


def hub_rights(who: Principal) -> list[str]:
    """The rights that are of no project."""
    return [right for right in HUB_RIGHTS if allowed_on_hub(who, right)]


def answer_of(session: Session, account: Account) -> AccountAnswer:
    """An account as it travels; nothing of its password does."""
    shown: dict[str, Any] = {
        name: getattr(account, name)
        for name in ("id", "name", "display_name", "email", "administrator", "disabled", "language", "created_at")
    }
    return AccountAnswer(
        **shown,
        kind=account.kind.value,
        permissions=sorted(each.value for each in permissions.of_account(session, account.id, account.administrator)),
        own_permissions={each.value: has for each, has in permissions.own(session, account.id).items()},
        limit=accounts.limit_of(session, account),
        own_limit=account.limit,
        version=account.version,
    )
