"""Tokens, sessions, share links, stored responses, settings and the audit in the database."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.db import (
    accounts,
    audit,
    changes,
    idempotency,
    projects,
    retention,
    sessions,
    settings,
    shares,
    tensorboards,
    tokens,
)
from lightboard.hub.db.engine import Session
from lightboard.hub.db.idempotency import StoredResponse
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sessions import LoginSession
from lightboard.hub.resources.tensorboards import Access, Tensorboard
from lightboard.hub.resources.tokens import Token
from lightboard.schema.audit import AuditRequest
from support.personas import START_TIME, Personas, new_tensorboard

WANTED = Token(id="", account="", name="ci", digest="digest", shown="lb_abc", scopes=frozenset({Scope.READ}))


@pytest.fixture
def session(personas: Personas) -> Iterator[Session]:
    """One transaction around the whole test."""
    with personas.database.write("192.0.2.1") as opened:
        yield opened


# Tokens


def test_a_token_identifies_its_account(session: Session, personas: Personas) -> None:
    """By its digest, until it expires."""
    made = tokens.create(session, personas.editor, replace(WANTED, expires_at=START_TIME + 60), START_TIME)
    known = tokens.by_digest(session, "digest", START_TIME + 59)

    assert known is not None
    assert (known[0], known[1].name) == (made, "editor")
    assert (tokens.by_digest(session, "digest", START_TIME + 60), tokens.by_digest(session, "other", START_TIME)) == (
        None,
        None,
    )


def test_tokens_of_disabled_accounts_are_invalid(session: Session, personas: Personas) -> None:
    """Immediately."""
    tokens.create(session, personas.editor, WANTED, START_TIME)
    accounts.change(session, personas.admin, "editor", {"disabled": True}, START_TIME)

    assert tokens.by_digest(session, "digest", START_TIME) is None


def test_a_token_cannot_exceed_its_creator(session: Session, personas: Personas) -> None:
    """Creating a token grants no further rights."""
    who = replace(personas.editor, scopes=frozenset({Scope.READ, Scope.ADMIN}))
    with pytest.raises(PermissionDenied):
        tokens.create(session, who, replace(WANTED, scopes=frozenset({Scope.WRITE})), START_TIME)


@pytest.mark.parametrize("narrowed", [{"project": "prj-1"}, {"scopes": frozenset({Scope.READ, Scope.WRITE})}])
def test_a_narrow_token_cannot_create_tokens(session: Session, personas: Personas, narrowed: dict[str, object]) -> None:
    """A project token, or one without the scope."""
    with pytest.raises(PermissionDenied, match=r"own\.update"):
        tokens.create(session, replace(personas.editor, **narrowed), WANTED, START_TIME)


def test_a_token_for_a_foreign_project_is_refused(session: Session, personas: Personas) -> None:
    """The project does not exist for the requester."""
    with pytest.raises(NotFound):
        tokens.create(session, personas.stranger, replace(WANTED, project="vision"), START_TIME)


def test_tokens_of_others_are_not_found(session: Session, personas: Personas) -> None:
    """Only administrators revoke them."""
    made = tokens.create(session, personas.editor, WANTED, START_TIME)
    assert tokens.find(session, personas.owner) == []
    with pytest.raises(NotFound):
        tokens.remove(session, personas.owner, made.id, START_TIME)
    tokens.remove(session, personas.admin, made.id, START_TIME)
    assert tokens.by_digest(session, "digest", START_TIME) is None


def test_the_audit_of_a_token_holds_no_digest(session: Session, personas: Personas) -> None:
    """Only its name, scopes and project."""
    tokens.create(session, personas.editor, WANTED, START_TIME)
    lines, _ = audit.find(session, personas.admin, AuditRequest(action="token.create"))

    assert [line.details for line in lines] == [{"name": "ci", "scopes": ["read"], "project": ""}]


# Logins

MOST = 2


def login(personas: Personas, digest: str) -> LoginSession:
    """For a minute."""
    return LoginSession(
        digest=digest,
        account=personas.editor.account,
        csrf="c",
        created_at=START_TIME,
        expires_at=START_TIME + 60,
        last_seen_at=START_TIME,
    )


def test_a_session_lasts_until_it_expires(session: Session, personas: Personas) -> None:
    """Using it extends it."""
    sessions.create(session, login(personas, "d"), MOST)
    sessions.touch(session, {"d": (START_TIME + 30, START_TIME + 90)})
    known = sessions.by_digest(session, "d", START_TIME + 89)

    assert known is not None
    assert (known[0].last_seen_at, known[1].name) == (START_TIME + 30, "editor")
    assert sessions.by_digest(session, "d", START_TIME + 90) is None


def test_logging_out_ends_one_session(session: Session, personas: Personas) -> None:
    """Other sessions continue."""
    for digest in ("here", "there"):
        sessions.create(session, login(personas, digest), MOST)
    for _ in range(2):
        sessions.remove(session, "there", START_TIME)

    assert [sessions.by_digest(session, digest, START_TIME) is not None for digest in ("here", "there")] == [
        True,
        False,
    ]


def test_one_login_too_many_ends_the_one_unused_for_longest(session: Session, personas: Personas) -> None:
    """Of the same account, and open responses of that account are checked again."""
    sessions.create(session, replace(login(personas, "other"), account=personas.viewer.account), MOST)
    for digest in ("in use", "unused"):
        sessions.create(session, login(personas, digest), MOST)
    sessions.touch(session, {"in use": (START_TIME + 30, START_TIME + 90)})
    before = changes.write(session)

    sessions.create(session, replace(login(personas, "new"), created_at=START_TIME + 31), MOST)

    digests = ("other", "in use", "unused", "new")
    assert [digest for digest in digests if sessions.by_digest(session, digest, START_TIME)] == [
        "other",
        "in use",
        "new",
    ]
    assert [changes.touches_access(commit) for commit in (before, changes.write(session))] == [False, True]


def test_a_lower_limit_ends_all_logins_beyond_it(session: Session, personas: Personas) -> None:
    """Which a hub had that was started with a higher one."""
    for number in range(5):
        sessions.create(session, replace(login(personas, str(number)), last_seen_at=START_TIME + number), most=5)

    sessions.create(session, replace(login(personas, "new"), last_seen_at=START_TIME + 5), MOST)

    assert [digest for digest in "01234" if sessions.by_digest(session, digest, START_TIME)] == ["4"]


# Links


def test_a_share_link_opens_its_board_until_it_expires(session: Session, personas: Personas) -> None:
    """Or is revoked."""
    board = tensorboards.create(session, personas.editor, board_of(personas), START_TIME)
    first = shares.create(session, personas.editor, board.id, 60, START_TIME)
    second = shares.create(session, personas.editor, board.id, 60, START_TIME)
    shares.revoke(session, personas.editor, board.id, second.id, START_TIME + 1)
    opened = [shares.find_shared_board(session, share.id, START_TIME + 59) for share in (first, second)]

    assert [found and found.id for found in opened] == [board.id, None]
    assert shares.find_shared_board(session, first.id, START_TIME + 60) is None
    assert {share.id for share in shares.find(session, personas.editor, board.id, START_TIME + 59)} == {
        first.id,
        second.id,
    }
    assert shares.find(session, personas.editor, board.id, START_TIME + 60) == []


def board_of(personas: Personas, access: Access = Access.PROJECT) -> Tensorboard:
    """What is asked for."""
    return new_tensorboard(personas.vision, access=access)


@pytest.mark.parametrize("secs", [0, -1, 604_801])
def test_a_share_link_lasts_seven_days_at_most(session: Session, personas: Personas, secs: float) -> None:
    """As in PAI."""
    board = tensorboards.create(session, personas.editor, board_of(personas), START_TIME)
    with pytest.raises(Invalid):
        shares.create(session, personas.editor, board.id, secs, START_TIME)


def test_a_share_link_ends_with_its_board_or_creator(session: Session, personas: Personas) -> None:
    """Deleted board, or disabled account."""
    board = tensorboards.create(session, personas.editor, board_of(personas), START_TIME)
    given = shares.create(session, personas.owner, board.id, 60, START_TIME)
    own = shares.create(session, personas.editor, board.id, 60, START_TIME)
    accounts.change(session, personas.admin, "editor", {"disabled": True}, START_TIME)
    assert [shares.find_shared_board(session, share.id, START_TIME) is not None for share in (given, own)] == [
        True,
        False,
    ]

    tensorboards.apply_event(
        session, personas.owner, board.id, "tensorboards.delete", lifecycle.DeleteRequested(), START_TIME
    )
    assert shares.find_shared_board(session, given.id, START_TIME) is None


def test_a_share_link_ends_when_its_creator_leaves(session: Session, personas: Personas) -> None:
    """Only accounts that see a board can share it."""
    board = tensorboards.create(session, personas.editor, board_of(personas), START_TIME)
    share = shares.create(session, personas.editor, board.id, 60, START_TIME)
    projects.remove_member(session, personas.owner, "vision", "editor", START_TIME)

    assert shares.find_shared_board(session, share.id, START_TIME) is None


def test_sharing_boards_of_others_needs_the_admin_role(session: Session, personas: Personas) -> None:
    """Editors share their own boards."""
    board = tensorboards.create(session, personas.owner, board_of(personas), START_TIME)
    with pytest.raises(PermissionDenied, match=r"tensorboards\.share"):
        shares.create(session, personas.editor, board.id, 60, START_TIME)


def test_a_share_link_is_revoked_through_its_board(session: Session, personas: Personas) -> None:
    """It is not found through another one."""
    own, theirs = (
        tensorboards.create(session, who, board_of(personas), START_TIME) for who in (personas.editor, personas.owner)
    )
    share = shares.create(session, personas.owner, theirs.id, 60, START_TIME)
    with pytest.raises(NotFound):
        shares.revoke(session, personas.editor, own.id, share.id, START_TIME)


# Answers


def test_a_repeated_request_gets_the_stored_response(session: Session, personas: Personas) -> None:
    """For a day; keys belong to accounts."""
    answer = StoredResponse(status=201, body='{"id": "tb-1"}', headers={"Location": "/x"})
    assert idempotency.load(session, personas.editor, "key", "question", START_TIME) is None
    idempotency.store(session, personas.editor, "key", "question", answer, START_TIME)

    assert idempotency.load(session, personas.editor, "key", "question", START_TIME + 86_399) == answer
    assert idempotency.load(session, personas.editor, "key", "question", START_TIME + 86_400) is None
    assert idempotency.load(session, personas.owner, "key", "question", START_TIME) is None


def test_a_key_with_another_request_is_a_conflict(session: Session, personas: Personas) -> None:
    """It was not meant to be the same."""
    idempotency.store(session, personas.editor, "key", "question", StoredResponse(status=201, body=""), START_TIME)
    with pytest.raises(Conflict, match="used for another request"):
        idempotency.load(session, personas.editor, "key", "another", START_TIME)


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_idempotency_keys_have_a_length_limit(session: Session, personas: Personas, key: str) -> None:
    """They may not be empty either."""
    with pytest.raises(Invalid):
        idempotency.load(session, personas.editor, key, "question", START_TIME)


# Settings, audit, age


def test_a_setting_is_created_once(session: Session) -> None:
    """And can be set, read and removed."""
    assert [settings.take(session, "key", make) for make in (lambda: "first", lambda: "second")] == ["first", "first"]
    settings.put(session, "key", "third")
    assert settings.get(session, "key") == "third"
    settings.remove(session, "key")
    assert settings.get(session, "key", "none") == "none"


def test_the_audit_needs_the_admin_role(session: Session, personas: Personas) -> None:
    """Project owners and admins see their project's; administrators see everything."""
    for who in (personas.editor, personas.viewer, personas.stranger):
        with pytest.raises(PermissionDenied, match=r"audit\.list"):
            audit.find(session, who, AuditRequest(project=personas.vision))
    with pytest.raises(PermissionDenied, match=r"hub\.read"):
        audit.find(session, personas.owner, AuditRequest())

    ours, _ = audit.find(session, personas.leader, AuditRequest(project=personas.vision))
    everything, total = audit.find(session, personas.admin, AuditRequest(page_size=2))
    assert {line.project for line in ours} == {personas.vision}
    assert (len(everything), total > len(ours), everything[0].id > everything[1].id) == (2, True, True)


def test_expired_rows_are_deleted(session: Session, personas: Personas) -> None:
    """Sessions and responses at once, tokens after a month."""
    sessions.create(session, login(personas, "d"), MOST)
    idempotency.store(session, personas.editor, "key", "question", StoredResponse(status=201, body=""), START_TIME)
    tokens.create(session, personas.editor, replace(WANTED, expires_at=START_TIME), START_TIME)
    days = []
    for day in (1, 31):
        retention.delete_expired(session, START_TIME + day * 86_400)
        days.append(len(tokens.find(session, personas.editor)))

    assert days == [1, 0]
    assert idempotency.load(session, personas.editor, "key", "another question", START_TIME) is None
