"""Accounts: one's own, and all of them for administrators."""

from typing import Any

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import Invalid, PermissionDenied
from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Principal, allowed, allowed_on_hub
from lightboard.hub.api.asking import Asked, Asking, Made, answered, leave_out_none
from lightboard.hub.api.identity import Identity
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, projects, sessions, tensorboards
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
        return answered(me_of(session, asked.identity))


@routes.patch("/api/v1/me", right="own.update", answer=Me)
def change_me(asked: Asked, body: ChangeMe) -> Response:
    """Change one's own account; a new password ends all other logins."""
    assert asked.identity is not None
    changes = leave_out_none(body)
    changes.pop("old_password", None)
    if password := changes.pop("password", None):
        changes["password_hash"] = new_password(asked, password, body.old_password or "")
    with asked.write() as session:
        if "password_hash" in changes:
            kept = sessions.by_digest(session, asked.identity.digest, asked.at) if asked.identity.csrf else None
        accounts.change(session, asked.who, asked.who.account, changes, asked.at, asked.wanted_version())
        if "password_hash" in changes and kept:
            session.flush()
            sessions.remove(session, kept[0].digest)
            sessions.create(session, kept[0])
        told = me_of(session, asked.identity)
    asked.hub.forget()
    return answered(told, version=told.account.version)


def new_password(asked: Asking, password: str, old: str) -> str:
    """The hash of a new password. Raises PermissionDenied where the old one is not right."""
    hub, name = asked.hub, f"old password of {asked.who.account}"
    with asked.read() as session:
        account = accounts.get(session, asked.who, asked.who.account)
    if account.password_hash:
        hub.attempts.check(asked.address, name)
        if not hub.passwords.right(old, account.password_hash):
            hub.attempts.failed(asked.address, name)
            raise PermissionDenied("the old password is another one", hint="who has lost it asks an administrator")
    return hub.passwords.hashed(password, name=account.name)


@routes.get("/api/v1/accounts", right="accounts.manage", answer=Accounts)
def find(asked: Asked, search: str = "") -> Response:
    """All accounts."""
    with asked.read() as session:
        found = accounts.find(session, asked.who, search)
        return answered(Accounts(items=[answer_of(session, each) for each in found]))


@routes.post("/api/v1/accounts", right="accounts.manage", answer=AccountAnswer, status=201)
def create(asked: Asked, body: CreateAccount) -> Response:
    """Make an account. It sees nothing until somebody adds it to a project."""
    if body.kind == "service" and body.password:
        raise Invalid("a service has no password", hint="make a token for it")
    hashed = asked.hub.passwords.hashed(body.password, name=body.name) if body.password else ""
    fields = body.model_dump(exclude={"password", "kind"})
    new = Account(id="", kind=AccountKind(body.kind), password_hash=hashed, **fields)

    def act(session: Session) -> Made:
        made = accounts.create(session, asked.who, new, asked.at)
        return Made(
            answer_of(session, made), 201, version=made.version, location=asked.url(f"/api/v1/accounts/{made.id}")
        )

    return asked.once(body, act)


@routes.patch("/api/v1/accounts/{id}", right="accounts.manage", answer=AccountAnswer)
def change(asked: Asked, id: str, body: ChangeAccount) -> Response:
    """Change an account: rights, limit, password, or whether it may log in at all."""
    changes = leave_out_none(body)
    if "own_limit" in changes:
        limit = changes.pop("own_limit")
        changes["limit"] = None if limit == THE_HUBS else limit
    if password := changes.pop("password", None):
        changes["password_hash"] = asked.hub.passwords.hashed(password)
    with asked.write() as session:
        account = accounts.change(session, asked.who, id, changes, asked.at, asked.wanted_version())
        told = answer_of(session, account)
    asked.hub.forget()
    return answered(told, version=account.version)


def me_of(session: Session, identity: Identity) -> Me:
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
    )


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
        limit=accounts.limit_of(session, account),
        own_limit=account.limit,
        version=account.version,
    )
