"""Accounts in the database."""

from dataclasses import replace

import pytest

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import HUB
from lightboard.hub.db import accounts, audit, sessions
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sessions import LoginSession
from lightboard.schema.audit import AuditRequest
from support.personas import START_TIME, Personas


def test_the_first_account_is_an_administrator(database: Database) -> None:
    """Whoever sets up the hub may do everything."""
    with database.write() as session:
        made = accounts.create_first(session, Account(id="", name="ann", display_name="Ann"), START_TIME)
    with database.read() as session:
        kept = accounts.get(session, accounts.principal_of(session, made), "ann")

    assert kept == Account(
        id=made.id,
        name="ann",
        display_name="Ann",
        administrator=True,
        created_at=START_TIME,
        updated_at=START_TIME,
        version=1,
    )


def test_the_first_account_is_created_once(personas: Personas) -> None:
    """A hub is set up only once."""
    with pytest.raises(Conflict, match="set up already"), personas.database.write() as session:
        accounts.create_first(session, Account(id="", name="second"), START_TIME)


def test_only_administrators_create_accounts(personas: Personas) -> None:
    """Project owners may not."""
    with pytest.raises(PermissionDenied, match=r"accounts\.manage"), personas.database.write() as session:
        accounts.create(session, personas.owner, Account(id="", name="friend"), START_TIME)


def test_account_names_are_unique(personas: Personas) -> None:
    """Names are part of URLs."""
    with pytest.raises(Conflict, match="account editor already"), personas.database.write() as session:
        accounts.create(session, personas.admin, Account(id="", name="editor"), START_TIME)


def test_a_name_cannot_look_like_an_id(personas: Personas) -> None:
    """Where either is accepted, it is clear which one is meant."""
    with pytest.raises(Invalid, match="cannot be a name"), personas.database.write() as session:
        accounts.create(session, personas.admin, Account(id="", name=personas.editor.account), START_TIME)


def test_other_accounts_are_not_visible(personas: Personas) -> None:
    """Only administrators see accounts of others; the error is that of a missing one."""
    with personas.database.read() as session:
        seen = {
            name: sees(lambda name=name: accounts.get(session, personas.people[name], "editor"))
            for name in personas.people
        }

    assert seen == {
        "admin": True, "owner": False, "leader": False, "editor": True, "viewer": False, "stranger": False,
    }  # fmt: skip


def sees(ask: object) -> bool:
    """Whether it is found."""
    try:
        ask()  # type: ignore[operator]
    except NotFound:
        return False
    return True


def test_accounts_edit_their_own_profile(personas: Personas) -> None:
    """Name, email and language."""
    with personas.database.write() as session:
        before = accounts.get(session, personas.viewer, "viewer")
        after = accounts.change(
            session, personas.viewer, "viewer", {"display_name": "Вера", "language": "ru"}, START_TIME + 1, 1
        )

    assert after == replace(before, display_name="Вера", language="ru", updated_at=START_TIME + 1, version=2)


@pytest.mark.parametrize("field", ["administrator", "disabled", "limit", "subject"])
def test_accounts_cannot_promote_themselves(personas: Personas, field: str) -> None:
    """Fields set by administrators are refused."""
    with pytest.raises(PermissionDenied), personas.database.write() as session:
        accounts.change(session, personas.editor, "editor", {field: True}, START_TIME)


def test_changing_an_account_needs_the_admin_scope(personas: Personas) -> None:
    """Tokens for boards cannot change passwords."""
    who = replace(personas.editor, scopes=frozenset({Scope.READ, Scope.WRITE}))
    with pytest.raises(PermissionDenied, match=r"own\.update"), personas.database.write() as session:
        accounts.change(session, who, "editor", {"password_hash": "x"}, START_TIME)


def test_the_last_administrator_cannot_be_removed(personas: Personas) -> None:
    """A hub without one could not be managed."""
    with pytest.raises(Conflict, match="last administrator"), personas.database.write() as session:
        accounts.change(session, personas.admin, "admin", {"disabled": True}, START_TIME)


def test_one_of_two_administrators_can_be_removed(personas: Personas) -> None:
    """With two, one can go."""
    personas.add_account("deputy", administrator=True)
    with personas.database.write() as session:
        assert (
            accounts.change(session, personas.admin, "admin", {"administrator": False}, START_TIME).administrator
            is False
        )


def test_an_outdated_account_version_is_a_conflict(personas: Personas) -> None:
    """Updates based on an older state change nothing."""
    with pytest.raises(Conflict, match="changed in the meantime"), personas.database.write() as session:
        accounts.change(session, personas.admin, "editor", {"email": "e@example.org"}, START_TIME, 7)


@pytest.mark.parametrize("changes", [{"password_hash": "new"}, {"disabled": True}])
def test_a_new_password_or_disabling_ends_sessions(personas: Personas, changes: dict[str, object]) -> None:
    """Whoever knew the old password is logged out."""
    login = LoginSession(
        digest="d",
        account=personas.editor.account,
        csrf="c",
        created_at=START_TIME,
        expires_at=START_TIME + 60,
        last_seen_at=START_TIME,
    )
    with personas.database.write() as session:
        sessions.create(session, login, most=1)
        accounts.change(session, personas.admin, "editor", changes, START_TIME)
    with personas.database.read() as session:
        assert sessions.by_digest(session, "d", START_TIME) is None


def test_the_audit_holds_no_password_hash(personas: Personas) -> None:
    """It records only that the password changed."""
    with personas.database.write() as session:
        accounts.change(session, personas.admin, "editor", {"password_hash": "$argon2id$secret"}, START_TIME)
    with personas.database.read() as session:
        lines, _ = audit.find(session, personas.admin, AuditRequest(action="account.change"))

    assert [line.details for line in lines] == [{"password_hash": "changed"}]


def test_login_by_name_or_email(personas: Personas) -> None:
    """Both find the account, case-insensitively."""
    personas.add_account("mila", email="Mila@Example.org")
    with personas.database.read() as session:
        found = [accounts.by_login(session, text) for text in ("mila", "MILA", "mila@example.org", "nobody", "")]

    assert [account and account.name for account in found] == ["mila", "mila", "mila", None, None]


def test_an_ambiguous_email_finds_no_account(personas: Personas) -> None:
    """The hub does not guess who is meant."""
    personas.add_account("one-of-two", email="both@example.org")
    personas.add_account("two-of-two", email="both@example.org")
    with personas.database.read() as session:
        assert accounts.by_login(session, "both@example.org") is None


def test_an_email_equal_to_another_name_does_not_match(personas: Personas) -> None:
    """Entering someone's name as an email does not capture their logins."""
    personas.add_account("mallory", email="editor")
    with personas.database.read() as session:
        found = accounts.by_login(session, "editor")

    assert found is not None
    assert found.id == personas.editor.account


def test_the_hub_creates_accounts_for_external_logins(personas: Personas) -> None:
    """They are found by issuer and subject."""
    with personas.database.write() as session:
        made = accounts.create(session, HUB, Account(id="", name="sub", subject="https://id.example|42"), START_TIME)
    with personas.database.read() as session:
        assert accounts.by_subject(session, "https://id.example|42") == made


def test_an_external_subject_belongs_to_one_account(personas: Personas) -> None:
    """A subject belongs to one account."""
    personas.add_account("first-sub", subject="https://id.example|42")
    with pytest.raises(Conflict), personas.database.write() as session:
        accounts.create(session, HUB, Account(id="", name="second-sub", subject="https://id.example|42"), START_TIME)


def test_text_that_databases_cannot_store_is_refused(personas: Personas) -> None:
    """NUL and lone surrogates are validation errors."""
    for text in ("a\0b", "\ud800"):
        with pytest.raises(Invalid, match="cannot be stored"), personas.database.write() as session:
            accounts.change(session, personas.editor, "editor", {"display_name": text}, START_TIME)


def test_search_has_no_wildcards(personas: Personas) -> None:
    """`%` and `_` match themselves."""
    personas.add_account("percy", display_name="100%")
    with personas.database.read() as session:
        assert [account.name for account in accounts.find(session, personas.admin, "0%")] == ["percy"]
        assert accounts.find(session, personas.admin, "_dit_r") == []
