"""Accounts: one's own, and all of them for administrators."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from lightboard.errors import Invalid, PermissionDenied
from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Permission, Principal, allowed, allowed_on_hub
from lightboard.hub.api.asking import Asked, Asking, Made, answered, leave_out_none
from lightboard.hub.api.identity import Identity
from lightboard.hub.api.login_throttle import DEVICE
from lightboard.hub.api.passwords import check_password
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
def me(asked: Asked) -> Response:
    """Who is logged in, and what they may do."""
    assert asked.identity is not None
    with asked.read() as session:
        return answered(me_of(session, asked.identity, asked.at))


@routes.patch("/api/v1/me", right="own.update", answer=Me)
async def change_me(asked: Asked, body: ChangeMe) -> Response:
    """Change one's own account; a new password ends all other logins."""
    changes = leave_out_none(body)
    changes.pop("old_password", None)
    if password := changes.pop("password", None):
        changes["password_hash"] = await new_password(asked, password, body.old_password or "")
    return await run_in_threadpool(keep_me, asked, changes)


def keep_me(asked: Asking, changes: dict[str, Any]) -> Response:
    """One's own account with other fields; the login that asks goes on."""
    assert asked.identity is not None
    with asked.write() as session:
        if "password_hash" in changes:
            kept = sessions.by_digest(session, asked.identity.digest, asked.at) if asked.identity.csrf else None
        accounts.change(session, asked.who, asked.who.account, changes, asked.at, asked.wanted_version())
        if "password_hash" in changes and kept:
            sessions.create(session, kept[0])
        told = me_of(session, asked.identity, asked.at)
    return answered(told, version=told.account.version)


async def new_password(asked: Asking, password: str, old: str) -> str:
    """The hash of a new password. Raises PermissionDenied where the old one is not right.

    Each takes from the budget that a device of the account has for guesses, right or wrong: both take time to hash.
    """
    account = await run_in_threadpool(own_account, asked)
    check_password(password, account.name)
    asked.hub.login_throttle.spend((DEVICE, f"{account.id} password"))
    passwords = asked.hub.passwords
    if account.password_hash and not await passwords.right(old, account.password_hash, client=asked.client):
        raise PermissionDenied("the old password is another one", hint="who has lost it asks an administrator")
    return await passwords.hashed(password, name=account.name, client=asked.client)


def own_account(asked: Asking) -> Account:
    """The asker's."""
    with asked.read() as session:
        return accounts.get(session, asked.who, asked.who.account)


@routes.get("/api/v1/accounts", right="accounts.manage", answer=Accounts)
def find(asked: Asked, search: Annotated[str, Query(max_length=1000)] = "") -> Response:
    """All accounts."""
    with asked.read() as session:
        found = accounts.find(session, asked.who, search)
        return answered(Accounts(items=[answer_of(session, each) for each in found]))


@routes.post("/api/v1/accounts", right="accounts.manage", answer=AccountAnswer, status=201)
async def create(asked: Asked, body: CreateAccount) -> Response:
    """Make an account. It sees nothing until somebody adds it to a project."""
    if body.kind == "service" and body.password:
        raise Invalid("a service has no password", hint="make a token for it")
    hashed = await hash_given(asked, body.password, body.name)
    fields = body.model_dump(exclude={"password", "kind"})
    new = Account(id="", kind=AccountKind(body.kind), password_hash=hashed, **fields)

    def act(session: Session) -> Made:
        made = accounts.create(session, asked.who, new, asked.at)
        return Made(
            answer_of(session, made), 201, version=made.version, location=asked.url(f"/api/v1/accounts/{made.id}")
        )

    return await run_in_threadpool(asked.once, body, act)


async def hash_given(asked: Asking, password: str | None, name: str = "") -> str:
    """The hash of a password that an administrator gives to somebody; "" for none."""
    return await asked.hub.passwords.hashed(password, name=name, client=asked.client) if password else ""


@routes.patch("/api/v1/accounts/{id}", right="accounts.manage", answer=AccountAnswer)
async def change(asked: Asked, id: str, body: ChangeAccount) -> Response:
    """Change an account: rights, limit, password, or whether it may log in at all."""
    changes = leave_out_none(body)
    if "own_limit" in changes:
        limit = changes.pop("own_limit")
        changes["limit"] = None if limit == THE_HUBS else limit
    if password := changes.pop("password", None):
        changes["password_hash"] = await hash_given(asked, password)
    return await run_in_threadpool(keep_account, asked, id, changes)


def keep_account(asked: Asking, id: str, changes: dict[str, Any]) -> Response:
    """An account with other fields."""
    wanted = {Permission(name): allowed for name, allowed in changes.pop("permissions", {}).items()}
    with asked.write() as session:
        account = accounts.change(session, asked.who, id, changes, asked.at, asked.wanted_version())
        if wanted:
            accounts.set_permissions(session, asked.who, account.id, wanted, asked.at)
        told = answer_of(session, account)
    return answered(told, version=account.version)


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
