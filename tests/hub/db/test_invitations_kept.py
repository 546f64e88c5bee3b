"""Promises about invitations to projects, and about what an owner learns by them."""

import pytest
from cast import AT, Cast

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, invitations, projects, retention
from lightboard.hub.resources.invitations import LASTS_SECS, LONGEST_SECS, Invitation
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from lightboard.schema.audit import AuditQuestion


def invite(cast: Cast, name: str = "stranger", role: Role = Role.EDITOR, who: Principal | None = None) -> Invitation:
    """An invitation to `vision`, by its owner unless it is said by whom."""
    with cast.database.write() as session:
        return invitations.invite(session, who or cast.owner, "vision", name, role, AT).invitation


def accept(cast: Cast, name: str, id: str, at: float = AT + 1) -> Project:
    """Somebody accepts."""
    with cast.database.write() as session:
        return invitations.accept(session, cast.people[name], id, at)


def received(cast: Cast, name: str, now: float = AT + 1) -> list[str]:
    """Ids of the invitations that somebody has."""
    with cast.database.read() as session:
        return [each.invitation.id for each in invitations.received(session, cast.people[name], now)]


def pending(cast: Cast, now: float = AT + 1) -> list[Invitation]:
    """What the owner sees."""
    with cast.database.read() as session:
        return [each.invitation for each in invitations.find(session, cast.owner, "vision", now)]


def roles(cast: Cast, name: str) -> list[tuple[str, Role]]:
    """Where somebody is what."""
    with cast.database.read() as session:
        return [(project.name, role) for project, role in projects.memberships(session, cast.people[name])]


def test_who_is_invited_is_in_the_project_once_they_accept(cast: Cast) -> None:
    """And not before."""
    made = invite(cast)
    before = roles(cast, "stranger")

    joined = accept(cast, "stranger", made.id)

    assert (before, joined.name, roles(cast, "stranger")) == ([], "vision", [("vision", Role.EDITOR)])
    assert (received(cast, "stranger"), pending(cast)) == ([], [])


@pytest.mark.parametrize("typed", ["stranger", " Stranger", "ＳＴＲＡＮＧＥＲ"])
def test_any_spelling_of_a_name_is_the_account(cast: Cast, typed: str) -> None:
    """As at the login."""
    assert received(cast, "stranger") == [] != [invite(cast, typed).id] == received(cast, "stranger")


def test_an_owner_adds_nobody_who_has_not_agreed(cast: Cast) -> None:
    """An administrator of the hub does."""
    for who in (cast.owner, cast.leader):
        with pytest.raises(NotFound), cast.database.write() as session:
            projects.set_member(session, who, "vision", "stranger", Role.VIEWER, AT)
    with cast.database.write() as session:
        projects.set_member(session, cast.admin, "vision", "stranger", Role.VIEWER, AT)

    assert roles(cast, "stranger") == [("vision", Role.VIEWER)]


def words(error: pytest.ExceptionInfo[NotFound], name: str) -> tuple[str, str]:
    """What is said, but for the name that was asked for."""
    return error.value.message.replace(name, "..."), error.value.hint


@pytest.mark.parametrize("who", ["owner", "leader"])
def test_changes_of_members_tell_nobody_which_accounts_exist(cast: Cast, who: str) -> None:
    """Who is no member is no member, whether or not there is such an account."""
    told = []
    for name in ("stranger", "nobody"):
        with pytest.raises(NotFound) as set_error, cast.database.write() as session:
            projects.set_member(session, cast.people[who], "vision", name, Role.VIEWER, AT)
        with pytest.raises(NotFound) as remove_error, cast.database.write() as session:
            projects.remove_member(session, cast.people[who], "vision", name, AT)
        told.append((words(set_error, name), words(remove_error, name)))

    assert told[0] == told[1]


def test_an_invitation_tells_nobody_which_accounts_exist(cast: Cast) -> None:
    """It is made and shown alike, whatever becomes of it: unknown, waiting, declined, disabled."""
    cast.join("disabled")
    made = [invite(cast, name) for name in ("stranger", "nobody", "disabled", "admin")]
    with cast.database.write() as session:
        invitations.decline(session, cast.stranger, made[0].id, AT + 1)
        accounts.change(session, cast.admin, "disabled", {"disabled": True}, AT)
    with cast.database.read() as session:
        shown = [
            (each.invitation.role, each.invitation.created_at, each.invitation.expires_at, each.inviter.name)
            for each in invitations.find(session, cast.owner, "vision", AT + 2)
        ]
        project = projects.get(session, cast.owner, "vision").id
        lines, _ = audit.find(session, cast.owner, AuditQuestion(project=project))

    assert shown == [(Role.EDITOR, AT, AT + LASTS_SECS, "owner")] * 4
    assert {line.actor for line in lines if "invit" in line.action} == {cast.owner.account}


def test_who_declines_hears_no_more(cast: Cast) -> None:
    """Until they are invited anew."""
    made = invite(cast)
    with cast.database.write() as session:
        invitations.decline(session, cast.stranger, made.id, AT + 1)
    with pytest.raises(NotFound):
        accept(cast, "stranger", made.id)
    after = received(cast, "stranger")

    assert (after, [invite(cast).id], received(cast, "stranger")) == ([], [made.id], [made.id])


@pytest.mark.parametrize("name", ["viewer", "editor", "owner"])
def test_members_are_not_invited(cast: Cast, name: str) -> None:
    """Whoever invites sees them."""
    with pytest.raises(Conflict, match="already"):
        invite(cast, name)


@pytest.mark.parametrize("name", ["no", "Not a name", "-", "x" * 41, "tb-" + "0" * 26, "grace@example.org"])
def test_what_is_no_name_is_not_invited(cast: Cast, name: str) -> None:
    """Emails are not: people may say of themselves what they like there."""
    with pytest.raises(Invalid):
        invite(cast, name)


def test_only_owners_invite_owners(cast: Cast) -> None:
    """Who administers the project invites all others; editors and viewers nobody."""
    with pytest.raises(PermissionDenied, match="only an owner"):
        invite(cast, role=Role.OWNER, who=cast.leader)
    for name in ("editor", "viewer"):
        with pytest.raises(PermissionDenied, match=r"members\.invite"):
            invite(cast, who=cast.people[name])
    with pytest.raises(NotFound, match="project"):
        invite(cast, who=cast.stranger)

    assert [invite(cast, role=role, who=cast.leader).role for role in (Role.ADMIN, Role.VIEWER)]


def test_an_invitation_is_for_one(cast: Cast) -> None:
    """For others it is not there."""
    made = invite(cast)
    cast.join("other")

    with pytest.raises(NotFound):
        accept(cast, "other", made.id)
    with pytest.raises(NotFound), cast.database.write() as session:
        invitations.decline(session, cast.people["other"], made.id, AT)


def test_an_invitation_ends_with_its_time(cast: Cast) -> None:
    """For both sides, and is forgotten then."""
    made = invite(cast)
    late = AT + LASTS_SECS

    with pytest.raises(NotFound):
        accept(cast, "stranger", made.id, late)
    assert (received(cast, "stranger", late), pending(cast, late)) == ([], [])
    with cast.database.write() as session:
        retention.retire(session, late)
    assert pending(cast) == []


@pytest.mark.parametrize("secs", [0.0, -1.0, LONGEST_SECS + 1.0])
def test_an_invitation_lasts_no_longer_than_it_may(cast: Cast, secs: float) -> None:
    """Ninety days."""
    with pytest.raises(Invalid, match="seconds"), cast.database.write() as session:
        invitations.invite(session, cast.owner, "vision", "stranger", Role.VIEWER, AT, secs)


def test_a_withdrawn_invitation_is_gone(cast: Cast) -> None:
    """And cannot be withdrawn through another project."""
    made = invite(cast)
    with cast.database.write() as session:
        projects.create(session, cast.viewer, Project(id="", name="elsewhere"), AT)
    with pytest.raises(NotFound), cast.database.write() as session:
        invitations.withdraw(session, cast.viewer, "elsewhere", made.id, AT)
    with cast.database.write() as session:
        invitations.withdraw(session, cast.leader, "vision", made.id, AT)

    with pytest.raises(NotFound):
        accept(cast, "stranger", made.id)


def test_an_invitation_ends_with_the_right_of_who_sent_it(cast: Cast) -> None:
    """As when they left, or are disabled, or may only do less than they promised."""
    made = invite(cast, who=cast.leader)
    for changes in (Role.EDITOR, Role.VIEWER):
        with cast.database.write() as session:
            projects.set_member(session, cast.owner, "vision", "leader", changes, AT)
        with pytest.raises(NotFound):
            accept(cast, "stranger", made.id)
    with cast.database.write() as session:
        projects.set_member(session, cast.owner, "vision", "leader", Role.OWNER, AT)
    promised = invite(cast, role=Role.OWNER, who=cast.leader)
    with cast.database.write() as session:
        projects.set_member(session, cast.owner, "vision", "leader", Role.ADMIN, AT)

    with pytest.raises(NotFound):
        accept(cast, "stranger", promised.id)


def test_an_invitation_ends_with_its_project(cast: Cast) -> None:
    """Which cannot be joined any more."""
    made = invite(cast)
    with cast.database.write() as session:
        projects.remove(session, cast.owner, "vision", AT)

    assert received(cast, "stranger") == []
    with pytest.raises(NotFound):
        accept(cast, "stranger", made.id)


def test_who_was_added_meanwhile_keeps_that_role(cast: Cast) -> None:
    """And has no invitation left."""
    invite(cast, role=Role.OWNER)
    with cast.database.write() as session:
        projects.set_member(session, cast.admin, "vision", "stranger", Role.VIEWER, AT)

    assert (received(cast, "stranger"), roles(cast, "stranger")) == ([], [("vision", Role.VIEWER)])
