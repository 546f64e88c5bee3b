"""Invitations to projects, and what an owner learns from them."""

import pytest

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, invitations, projects, retention
from lightboard.hub.resources.invitations import LASTS_SECS, LONGEST_SECS, Invitation
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from lightboard.schema.audit import AuditRequest
from support.personas import START_TIME, Personas


def invite(
    personas: Personas, name: str = "stranger", role: Role = Role.EDITOR, who: Principal | None = None
) -> Invitation:
    """An invitation to `vision`, by its owner unless it is said by whom."""
    with personas.database.write() as session:
        return invitations.invite(session, who or personas.owner, "vision", name, role, START_TIME).invitation


def accept(personas: Personas, name: str, id: str, at: float = START_TIME + 1) -> Project:
    """Somebody accepts."""
    with personas.database.write() as session:
        return invitations.accept(session, personas.people[name], id, at)


def received(personas: Personas, name: str, now: float = START_TIME + 1) -> list[str]:
    """Ids of the invitations that somebody has."""
    with personas.database.read() as session:
        return [each.invitation.id for each in invitations.received(session, personas.people[name], now)]


def pending(personas: Personas, now: float = START_TIME + 1) -> list[Invitation]:
    """What the owner sees."""
    with personas.database.read() as session:
        return [each.invitation for each in invitations.find(session, personas.owner, "vision", now)]


def roles(personas: Personas, name: str) -> list[tuple[str, Role]]:
    """Where somebody is what."""
    with personas.database.read() as session:
        return [(project.name, role) for project, role in projects.memberships(session, personas.people[name])]


def test_invited_accounts_join_when_they_accept(personas: Personas) -> None:
    """Not before."""
    made = invite(personas)
    before = roles(personas, "stranger")

    joined = accept(personas, "stranger", made.id)

    assert (before, joined.name, roles(personas, "stranger")) == ([], "vision", [("vision", Role.EDITOR)])
    assert (received(personas, "stranger"), pending(personas)) == ([], [])


@pytest.mark.parametrize("typed", ["stranger", " Stranger", "ＳＴＲＡＮＧＥＲ"])
def test_invitations_normalize_names(personas: Personas, typed: str) -> None:
    """As the login does."""
    assert received(personas, "stranger") == [] != [invite(personas, typed).id] == received(personas, "stranger")


def test_owners_cannot_add_members_directly(personas: Personas) -> None:
    """Administrators of the hub can."""
    for who in (personas.owner, personas.leader):
        with pytest.raises(NotFound), personas.database.write() as session:
            projects.set_member(session, who, "vision", "stranger", Role.VIEWER, START_TIME)
    with personas.database.write() as session:
        projects.set_member(session, personas.admin, "vision", "stranger", Role.VIEWER, START_TIME)

    assert roles(personas, "stranger") == [("vision", Role.VIEWER)]


def words(error: pytest.ExceptionInfo[NotFound], name: str) -> tuple[str, str]:
    """What is said, but for the name that was asked for."""
    return error.value.message.replace(name, "..."), error.value.hint


@pytest.mark.parametrize("who", ["owner", "leader"])
def test_changing_members_does_not_reveal_accounts(personas: Personas, who: str) -> None:
    """An account that is not a member looks like a missing one."""
    told = []
    for name in ("stranger", "nobody"):
        with pytest.raises(NotFound) as set_error, personas.database.write() as session:
            projects.set_member(session, personas.people[who], "vision", name, Role.VIEWER, START_TIME)
        with pytest.raises(NotFound) as remove_error, personas.database.write() as session:
            projects.remove_member(session, personas.people[who], "vision", name, START_TIME)
        told.append((words(set_error, name), words(remove_error, name)))

    assert told[0] == told[1]


def test_an_invitation_does_not_reveal_accounts(personas: Personas) -> None:
    """It looks the same for unknown, waiting, declined and disabled ones."""
    personas.add_account("disabled")
    made = [invite(personas, name) for name in ("stranger", "nobody", "disabled", "admin")]
    with personas.database.write() as session:
        invitations.decline(session, personas.stranger, made[0].id, START_TIME + 1)
        accounts.change(session, personas.admin, "disabled", {"disabled": True}, START_TIME)
    with personas.database.read() as session:
        shown = [
            (each.invitation.role, each.invitation.created_at, each.invitation.expires_at, each.inviter.name)
            for each in invitations.find(session, personas.owner, "vision", START_TIME + 2)
        ]
        project = projects.get(session, personas.owner, "vision").id
        lines, _ = audit.find(session, personas.owner, AuditRequest(project=project))

    assert shown == [(Role.EDITOR, START_TIME, START_TIME + LASTS_SECS, "owner")] * 4
    assert {line.actor for line in lines if "invit" in line.action} == {personas.owner.account}


def test_a_declined_invitation_disappears(personas: Personas) -> None:
    """Until the next one."""
    made = invite(personas)
    with personas.database.write() as session:
        invitations.decline(session, personas.stranger, made.id, START_TIME + 1)
    with pytest.raises(NotFound):
        accept(personas, "stranger", made.id)
    after = received(personas, "stranger")

    assert (after, [invite(personas).id], received(personas, "stranger")) == ([], [made.id], [made.id])


@pytest.mark.parametrize("name", ["viewer", "editor", "owner"])
def test_members_cannot_be_invited(personas: Personas, name: str) -> None:
    """The inviter can see them anyway."""
    with pytest.raises(Conflict, match="already"):
        invite(personas, name)


@pytest.mark.parametrize("name", ["no", "Not a name", "-", "x" * 41, "tb-" + "0" * 26, "grace@example.org"])
def test_invalid_names_are_not_invited(personas: Personas, name: str) -> None:
    """Emails are not accepted: anyone can claim any."""
    with pytest.raises(Invalid):
        invite(personas, name)


def test_only_owners_invite_owners(personas: Personas) -> None:
    """Admins invite all other roles; editors and viewers none."""
    with pytest.raises(PermissionDenied, match="only owners"):
        invite(personas, role=Role.OWNER, who=personas.leader)
    for name in ("editor", "viewer"):
        with pytest.raises(PermissionDenied, match=r"members\.invite"):
            invite(personas, who=personas.people[name])
    with pytest.raises(NotFound, match="project"):
        invite(personas, who=personas.stranger)

    assert [invite(personas, role=role, who=personas.leader).role for role in (Role.ADMIN, Role.VIEWER)]


def test_an_invitation_is_visible_to_its_recipient_only(personas: Personas) -> None:
    """For others it does not exist."""
    made = invite(personas)
    personas.add_account("other")

    with pytest.raises(NotFound):
        accept(personas, "other", made.id)
    with pytest.raises(NotFound), personas.database.write() as session:
        invitations.decline(session, personas.people["other"], made.id, START_TIME)


def test_an_invitation_expires(personas: Personas) -> None:
    """For both sides; it is then deleted."""
    made = invite(personas)
    late = START_TIME + LASTS_SECS

    with pytest.raises(NotFound):
        accept(personas, "stranger", made.id, late)
    assert (received(personas, "stranger", late), pending(personas, late)) == ([], [])
    with personas.database.write() as session:
        retention.delete_expired(session, late)
    assert pending(personas) == []


@pytest.mark.parametrize("secs", [0.0, -1.0, LONGEST_SECS + 1.0])
def test_an_invitation_lasts_90_days_at_most(personas: Personas, secs: float) -> None:
    """Ninety days."""
    with pytest.raises(Invalid, match="seconds"), personas.database.write() as session:
        invitations.invite(session, personas.owner, "vision", "stranger", Role.VIEWER, START_TIME, secs)


def test_a_withdrawn_invitation_is_gone(personas: Personas) -> None:
    """It cannot be withdrawn through another project."""
    made = invite(personas)
    with personas.database.write() as session:
        projects.create(session, personas.viewer, Project(id="", name="elsewhere"), START_TIME)
    with pytest.raises(NotFound), personas.database.write() as session:
        invitations.withdraw(session, personas.viewer, "elsewhere", made.id, START_TIME)
    with personas.database.write() as session:
        invitations.withdraw(session, personas.leader, "vision", made.id, START_TIME)

    with pytest.raises(NotFound):
        accept(personas, "stranger", made.id)


def test_an_invitation_ends_with_the_inviters_right(personas: Personas) -> None:
    """When they leave, are disabled, or can no longer grant that role."""
    made = invite(personas, who=personas.leader)
    for changes in (Role.EDITOR, Role.VIEWER):
        with personas.database.write() as session:
            projects.set_member(session, personas.owner, "vision", "leader", changes, START_TIME)
        with pytest.raises(NotFound):
            accept(personas, "stranger", made.id)
    with personas.database.write() as session:
        projects.set_member(session, personas.owner, "vision", "leader", Role.OWNER, START_TIME)
    promised = invite(personas, role=Role.OWNER, who=personas.leader)
    with personas.database.write() as session:
        projects.set_member(session, personas.owner, "vision", "leader", Role.ADMIN, START_TIME)

    with pytest.raises(NotFound):
        accept(personas, "stranger", promised.id)


def test_an_invitation_ends_with_its_project(personas: Personas) -> None:
    """A deleted project cannot be joined."""
    made = invite(personas)
    with personas.database.write() as session:
        projects.remove(session, personas.owner, "vision", START_TIME)

    assert received(personas, "stranger") == []
    with pytest.raises(NotFound):
        accept(personas, "stranger", made.id)


def test_accounts_added_meanwhile_keep_their_role(personas: Personas) -> None:
    """The invitation is dropped."""
    invite(personas, role=Role.OWNER)
    with personas.database.write() as session:
        projects.set_member(session, personas.admin, "vision", "stranger", Role.VIEWER, START_TIME)

    assert (received(personas, "stranger"), roles(personas, "stranger")) == ([], [("vision", Role.VIEWER)])
