"""Promises about what lets somebody in, or is kept for them: tokens, logins, links, answers, settings, the audit."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from cast import AT, Cast, wanted

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.db import (
    accounts,
    audit,
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
from lightboard.schema.audit import AuditQuestion

WANTED = Token(id="", account="", name="ci", digest="digest", shown="lb_abc", scopes=frozenset({Scope.READ}))


@pytest.fixture
def session(cast: Cast) -> Iterator[Session]:
    """One transaction around the whole test."""
    with cast.database.write("192.0.2.1") as opened:
        yield opened


# Tokens


def test_a_token_is_its_accounts(session: Session, cast: Cast) -> None:
    """By its digest alone, until it expires."""
    made = tokens.create(session, cast.editor, replace(WANTED, expires_at=AT + 60), AT)
    known = tokens.by_digest(session, "digest", AT + 59)

    assert known is not None
    assert (known[0], known[1].name) == (made, "editor")
    assert (tokens.by_digest(session, "digest", AT + 60), tokens.by_digest(session, "other", AT)) == (None, None)


def test_a_token_of_a_disabled_account_is_none(session: Session, cast: Cast) -> None:
    """From the moment it is."""
    tokens.create(session, cast.editor, WANTED, AT)
    accounts.change(session, cast.admin, "editor", {"disabled": True}, AT)

    assert tokens.by_digest(session, "digest", AT) is None


def test_a_token_gives_no_more_than_what_made_it(session: Session, cast: Cast) -> None:
    """Nobody gets further by making another."""
    who = replace(cast.editor, scopes=frozenset({Scope.READ, Scope.ADMIN}))
    with pytest.raises(PermissionDenied):
        tokens.create(session, who, replace(WANTED, scopes=frozenset({Scope.WRITE})), AT)


@pytest.mark.parametrize("narrowed", [{"project": "prj-1"}, {"scopes": frozenset({Scope.READ, Scope.WRITE})}])
def test_a_narrow_token_makes_no_tokens(session: Session, cast: Cast, narrowed: dict[str, object]) -> None:
    """One of a project, or without the scope for it."""
    with pytest.raises(PermissionDenied, match=r"own\.update"):
        tokens.create(session, replace(cast.editor, **narrowed), WANTED, AT)


def test_a_token_for_a_foreign_project_is_not_made(session: Session, cast: Cast) -> None:
    """It is not there for who asks."""
    with pytest.raises(NotFound):
        tokens.create(session, cast.stranger, replace(WANTED, project="vision"), AT)


def test_tokens_of_others_are_not_there(session: Session, cast: Cast) -> None:
    """Only an administrator ends them."""
    made = tokens.create(session, cast.editor, WANTED, AT)
    assert tokens.find(session, cast.owner) == []
    with pytest.raises(NotFound):
        tokens.remove(session, cast.owner, made.id, AT)
    tokens.remove(session, cast.admin, made.id, AT)
    assert tokens.by_digest(session, "digest", AT) is None


def test_the_audit_of_a_token_holds_no_digest(session: Session, cast: Cast) -> None:
    """Its name, scopes and project."""
    tokens.create(session, cast.editor, WANTED, AT)
    lines, _ = audit.find(session, cast.admin, AuditQuestion(action="token.create"))

    assert [line.details for line in lines] == [{"name": "ci", "scopes": ["read"], "project": ""}]


# Logins


def login(cast: Cast, digest: str) -> LoginSession:
    """For a minute."""
    return LoginSession(
        digest=digest, account=cast.editor.account, csrf="c", created_at=AT, expires_at=AT + 60, last_seen_at=AT
    )  # fmt: skip


def test_a_login_lasts_until_its_end(session: Session, cast: Cast) -> None:
    """Which is moved while it is used."""
    sessions.create(session, login(cast, "d"))
    sessions.touch(session, {"d": (AT + 30, AT + 90)})
    known = sessions.by_digest(session, "d", AT + 89)

    assert known is not None
    assert (known[0].last_seen_at, known[1].name) == (AT + 30, "editor")
    assert sessions.by_digest(session, "d", AT + 90) is None


def test_logging_out_here_alone(session: Session, cast: Cast) -> None:
    """What is elsewhere stays."""
    for digest in ("here", "there"):
        sessions.create(session, login(cast, digest))
    for _ in range(2):
        sessions.remove(session, "there", AT)

    assert [sessions.by_digest(session, digest, AT) is not None for digest in ("here", "there")] == [True, False]


# Links


def test_a_link_opens_its_board_until_it_ends(session: Session, cast: Cast) -> None:
    """Or is revoked."""
    board = tensorboards.create(session, cast.editor, board_of(cast), AT)
    first = shares.create(session, cast.editor, board.id, 60, AT)
    second = shares.create(session, cast.editor, board.id, 60, AT)
    shares.revoke(session, cast.editor, board.id, second.id, AT + 1)
    opened = [shares.opened(session, share.id, AT + 59) for share in (first, second)]

    assert [found and found.id for found in opened] == [board.id, None]
    assert shares.opened(session, first.id, AT + 60) is None
    assert {share.id for share in shares.find(session, cast.editor, board.id, AT + 59)} == {first.id, second.id}
    assert shares.find(session, cast.editor, board.id, AT + 60) == []


def board_of(cast: Cast, access: Access = Access.PROJECT) -> Tensorboard:
    """What is asked for."""
    return wanted(cast.vision, access=access)


@pytest.mark.parametrize("secs", [0, -1, 604_801])
def test_a_link_lasts_seven_days_at_most(session: Session, cast: Cast, secs: float) -> None:
    """As PAI allows."""
    board = tensorboards.create(session, cast.editor, board_of(cast), AT)
    with pytest.raises(Invalid):
        shares.create(session, cast.editor, board.id, secs, AT)


def test_a_link_ends_with_its_board_or_its_giver(session: Session, cast: Cast) -> None:
    """Deleted, or disabled."""
    board = tensorboards.create(session, cast.editor, board_of(cast), AT)
    given = shares.create(session, cast.owner, board.id, 60, AT)
    own = shares.create(session, cast.editor, board.id, 60, AT)
    accounts.change(session, cast.admin, "editor", {"disabled": True}, AT)
    assert [shares.opened(session, share.id, AT) is not None for share in (given, own)] == [True, False]

    tensorboards.apply_event(session, cast.owner, board.id, "tensorboards.delete", lifecycle.DeleteRequested(), AT)
    assert shares.opened(session, given.id, AT) is None


def test_a_link_ends_when_its_giver_leaves_the_project(session: Session, cast: Cast) -> None:
    """Who may not see a board any more shows it to nobody."""
    board = tensorboards.create(session, cast.editor, board_of(cast), AT)
    share = shares.create(session, cast.editor, board.id, 60, AT)
    projects.remove_member(session, cast.owner, "vision", "editor", AT)

    assert shares.opened(session, share.id, AT) is None


def test_a_link_to_anothers_board_is_for_who_leads(session: Session, cast: Cast) -> None:
    """An editor shares what is their own."""
    board = tensorboards.create(session, cast.owner, board_of(cast), AT)
    with pytest.raises(PermissionDenied, match=r"tensorboards\.share"):
        shares.create(session, cast.editor, board.id, 60, AT)


def test_a_link_is_revoked_at_its_own_board(session: Session, cast: Cast) -> None:
    """By another board's it is not there."""
    own, theirs = (tensorboards.create(session, who, board_of(cast), AT) for who in (cast.editor, cast.owner))
    share = shares.create(session, cast.owner, theirs.id, 60, AT)
    with pytest.raises(NotFound):
        shares.revoke(session, cast.editor, own.id, share.id, AT)


# Answers


def test_the_same_question_gets_the_same_answer(session: Session, cast: Cast) -> None:
    """For a day; each account has keys of its own."""
    answer = StoredResponse(status=201, body='{"id": "tb-1"}', headers={"Location": "/x"})
    assert idempotency.load(session, cast.editor, "key", "question", AT) is None
    idempotency.store(session, cast.editor, "key", "question", answer, AT)

    assert idempotency.load(session, cast.editor, "key", "question", AT + 86_399) == answer
    assert idempotency.load(session, cast.editor, "key", "question", AT + 86_400) is None
    assert idempotency.load(session, cast.owner, "key", "question", AT) is None


def test_another_question_with_the_same_key_is_a_conflict(session: Session, cast: Cast) -> None:
    """It was not meant to be the same."""
    idempotency.store(session, cast.editor, "key", "question", StoredResponse(status=201, body=""), AT)
    with pytest.raises(Conflict, match="used for another request"):
        idempotency.load(session, cast.editor, "key", "another", AT)


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_has_a_length(session: Session, cast: Cast, key: str) -> None:
    """Neither nothing nor everything."""
    with pytest.raises(Invalid):
        idempotency.load(session, cast.editor, key, "question", AT)


# Settings, audit, age


def test_a_setting_is_made_once(session: Session) -> None:
    """And can be set, read and removed."""
    assert [settings.take(session, "key", make) for make in (lambda: "first", lambda: "second")] == ["first", "first"]
    settings.put(session, "key", "third")
    assert settings.get(session, "key") == "third"
    settings.remove(session, "key")
    assert settings.get(session, "key", "none") == "none"


def test_the_audit_is_for_who_leads(session: Session, cast: Cast) -> None:
    """Of a project its owners and administrators; of everything those of the hub."""
    for who in (cast.editor, cast.viewer, cast.stranger):
        with pytest.raises(PermissionDenied, match=r"audit\.list"):
            audit.find(session, who, AuditQuestion(project=cast.vision))
    with pytest.raises(PermissionDenied, match=r"hub\.read"):
        audit.find(session, cast.owner, AuditQuestion())

    ours, _ = audit.find(session, cast.leader, AuditQuestion(project=cast.vision))
    everything, total = audit.find(session, cast.admin, AuditQuestion(page_size=2))
    assert {line.project for line in ours} == {cast.vision}
    assert (len(everything), total > len(ours), everything[0].id > everything[1].id) == (2, True, True)


def test_what_has_expired_is_forgotten_in_time(session: Session, cast: Cast) -> None:
    """Logins and answers at once, tokens after a month."""
    sessions.create(session, login(cast, "d"))
    idempotency.store(session, cast.editor, "key", "question", StoredResponse(status=201, body=""), AT)
    tokens.create(session, cast.editor, replace(WANTED, expires_at=AT), AT)
    days = []
    for day in (1, 31):
        retention.retire(session, AT + day * 86_400)
        days.append(len(tokens.find(session, cast.editor)))

    assert days == [1, 0]
    assert idempotency.load(session, cast.editor, "key", "another question", AT) is None
