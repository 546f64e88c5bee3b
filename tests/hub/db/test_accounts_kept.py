"""Promises about accounts in the database."""

from dataclasses import replace

import pytest
from cast import AT, Cast

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import HUB
from lightboard.hub.db import accounts, audit, sessions
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sessions import LoginSession
from lightboard.schema.audit import AuditQuestion


def test_the_first_account_is_an_administrator(database: Database) -> None:
    """Whoever sets the hub up may do everything."""
    with database.write() as session:
        made = accounts.first(session, Account(id="", name="ann", display_name="Ann"), AT)
    with database.read() as session:
        kept = accounts.get(session, accounts.principal(session, made), "ann")

    assert kept == Account(
        id=made.id, name="ann", display_name="Ann", administrator=True, created_at=AT, updated_at=AT, version=1
    )


def test_there_is_one_first_account(cast: Cast) -> None:
    """The hub is set up once."""
    with pytest.raises(Conflict, match="set up already"), cast.database.write() as session:
        accounts.first(session, Account(id="", name="second"), AT)


def test_only_administrators_make_accounts(cast: Cast) -> None:
    """The owner of a project is none."""
    with pytest.raises(PermissionDenied, match=r"accounts\.manage"), cast.database.write() as session:
        accounts.create(session, cast.owner, Account(id="", name="friend"), AT)


def test_a_name_is_given_once(cast: Cast) -> None:
    """Names are part of addresses."""
    with pytest.raises(Conflict, match="account editor already"), cast.database.write() as session:
        accounts.create(session, cast.admin, Account(id="", name="editor"), AT)


def test_what_looks_like_an_id_is_no_name(cast: Cast) -> None:
    """Wherever an id or a name can be given it is clear which it is."""
    with pytest.raises(Invalid, match="cannot be a name"), cast.database.write() as session:
        accounts.create(session, cast.admin, Account(id="", name=cast.editor.account), AT)


def test_others_accounts_are_not_seen(cast: Cast) -> None:
    """To all but administrators and oneself an account is not there, as one that never was."""
    with cast.database.read() as session:
        seen = {
            name: sees(lambda name=name: accounts.get(session, cast.people[name], "editor")) for name in cast.people
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


def test_people_change_themselves(cast: Cast) -> None:
    """Name, email and language are one's own."""
    with cast.database.write() as session:
        before = accounts.get(session, cast.viewer, "viewer")
        after = accounts.change(session, cast.viewer, "viewer", {"display_name": "Вера", "language": "ru"}, AT + 1, 1)

    assert after == replace(before, display_name="Вера", language="ru", updated_at=AT + 1, version=2)


@pytest.mark.parametrize("field", ["administrator", "disabled", "limit", "subject"])
def test_nobody_raises_themselves(cast: Cast, field: str) -> None:
    """What an administrator decides cannot be decided by oneself."""
    with pytest.raises(PermissionDenied), cast.database.write() as session:
        accounts.change(session, cast.editor, "editor", {field: True}, AT)


def test_a_token_without_the_scope_changes_no_account(cast: Cast) -> None:
    """A token for reading and writing boards is not one for passwords."""
    who = replace(cast.editor, scopes=frozenset({Scope.READ, Scope.WRITE}))
    with pytest.raises(PermissionDenied, match=r"own\.update"), cast.database.write() as session:
        accounts.change(session, who, "editor", {"password_hash": "x"}, AT)


def test_the_last_administrator_stays(cast: Cast) -> None:
    """A hub that nobody can administer would be lost."""
    with pytest.raises(Conflict, match="last administrator"), cast.database.write() as session:
        accounts.change(session, cast.admin, "admin", {"disabled": True}, AT)


def test_an_administrator_goes_once_there_is_another(cast: Cast) -> None:
    """With two, one can go."""
    cast.join("deputy", administrator=True)
    with cast.database.write() as session:
        assert accounts.change(session, cast.admin, "admin", {"administrator": False}, AT).administrator is False


def test_another_version_is_a_conflict(cast: Cast) -> None:
    """Who looked at an older state changes nothing."""
    with pytest.raises(Conflict, match="changed since"), cast.database.write() as session:
        accounts.change(session, cast.admin, "editor", {"email": "e@example.org"}, AT, 7)


@pytest.mark.parametrize("changes", [{"password_hash": "new"}, {"disabled": True}])
def test_a_new_password_or_being_disabled_ends_logins(cast: Cast, changes: dict[str, object]) -> None:
    """Whoever knew the old one is out."""
    login = LoginSession(
        digest="d", account=cast.editor.account, csrf="c", created_at=AT, expires_at=AT + 60, last_seen_at=AT
    )
    with cast.database.write() as session:
        sessions.create(session, login)
        accounts.change(session, cast.admin, "editor", changes, AT)
    with cast.database.read() as session:
        assert sessions.by_digest(session, "d", AT) is None


def test_a_change_of_password_leaves_no_hash_in_the_audit(cast: Cast) -> None:
    """What is secret is not told, only that it changed."""
    with cast.database.write() as session:
        accounts.change(session, cast.admin, "editor", {"password_hash": "$argon2id$secret"}, AT)
    with cast.database.read() as session:
        lines, _ = audit.find(session, cast.admin, AuditQuestion(action="account.change"))

    assert [line.details for line in lines] == [{"password_hash": "changed"}]


def test_login_by_name_or_email(cast: Cast) -> None:
    """Both lead to the account, in any case of letters."""
    cast.join("mila", email="Mila@Example.org")
    with cast.database.read() as session:
        found = [accounts.by_login(session, text) for text in ("mila", "MILA", "mila@example.org", "nobody", "")]

    assert [account and account.name for account in found] == ["mila", "mila", "mila", None, None]


def test_an_email_of_two_is_nobodys(cast: Cast) -> None:
    """It is not guessed who was meant."""
    cast.join("one-of-two", email="both@example.org")
    cast.join("two-of-two", email="both@example.org")
    with cast.database.read() as session:
        assert accounts.by_login(session, "both@example.org") is None


def test_an_email_that_is_anothers_name_logs_nobody_else_in(cast: Cast) -> None:
    """Who writes another's name into the field for the email does not get their logins."""
    cast.join("mallory", email="editor")
    with cast.database.read() as session:
        found = accounts.by_login(session, "editor")

    assert found is not None
    assert found.id == cast.editor.account


def test_the_hub_itself_makes_accounts(cast: Cast) -> None:
    """As for who comes from an outside login; it is found by who they are there."""
    with cast.database.write() as session:
        made = accounts.create(session, HUB, Account(id="", name="sub", subject="https://id.example|42"), AT)
    with cast.database.read() as session:
        assert accounts.by_subject(session, "https://id.example|42") == made


def test_two_cannot_be_the_same_outside(cast: Cast) -> None:
    """A subject belongs to one account."""
    cast.join("first-sub", subject="https://id.example|42")
    with pytest.raises(Conflict), cast.database.write() as session:
        accounts.create(session, HUB, Account(id="", name="second-sub", subject="https://id.example|42"), AT)


def test_text_that_no_database_keeps_is_refused(cast: Cast) -> None:
    """NUL and lone surrogates get an answer, not a failure."""
    for text in ("a\0b", "\ud800"):
        with pytest.raises(Invalid, match="cannot be kept"), cast.database.write() as session:
            accounts.change(session, cast.editor, "editor", {"display_name": text}, AT)


def test_search_takes_no_patterns(cast: Cast) -> None:
    """What stands for anything elsewhere stands for itself here."""
    cast.join("percy", display_name="100%")
    with cast.database.read() as session:
        assert [account.name for account in accounts.find(session, cast.admin, "0%")] == ["percy"]
        assert accounts.find(session, cast.admin, "_dit_r") == []
