"""Promises about TensorBoards in the database."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from acts import found, happen, running, settled
from cast import AT, Cast, folder, wanted

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.access import HUB, RIGHTS, Principal, Reach
from lightboard.hub.db import audit, changes, datasets, projects, tensorboards
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Access, Origin, Status, Tensorboard, Transition
from lightboard.schema.audit import AuditQuestion
from lightboard.schema.tensorboards import TensorboardQuestion

# Made


def test_a_board_is_kept_as_it_was_made(cast: Cast) -> None:
    """What comes back is what was asked for, and what the hub adds."""
    made = cast.board(display_name="Первый запуск", labels={"team": "cv"}, tags=("a",), origin=Origin.SDK)
    with cast.database.read() as session:
        kept = tensorboards.get(session, cast.editor, made.id)

    assert kept == made
    assert made == replace(
        wanted(cast.vision),
        id=made.id,
        name="tensorboard",
        display_name="Первый запуск",
        owner=cast.editor.account,
        sources=(replace(folder(), id=made.sources[0].id),),
        source_key=made.source_key,
        labels={"team": "cv"},
        tags=("a",),
        origin=Origin.SDK,
        created_at=AT,
        updated_at=AT,
        status_since=AT,
    )


def test_a_board_nobody_named_is_called_as_its_folder(cast: Cast) -> None:
    """The list says what it shows."""
    made = cast.board(sources=(folder("/logs/mnist-42"),))

    assert (made.name, made.display_name) == ("mnist-42", "mnist-42")


def test_made_up_names_are_counted_on(cast: Cast) -> None:
    """Two of the same display name are told apart."""
    assert [cast.board(display_name="Same").name for _ in range(3)] == ["same", "same-2", "same-3"]


def test_a_name_that_was_given_is_taken_once(cast: Cast) -> None:
    """Among those of the project that live."""
    cast.board(name="mnist")
    with pytest.raises(Conflict, match="TensorBoard mnist in this project"):
        cast.board(name="mnist")


def test_the_name_of_a_deleted_one_is_free(cast: Cast) -> None:
    """Somebody who begins anew may call it the same."""
    old = happen(cast, cast.editor, cast.board(name="mnist"), lifecycle.DeleteRequested())
    settled(cast, old, lifecycle.BoardEnded())

    assert cast.board(name="mnist").name == "mnist"


def test_without_a_project_it_is_the_first_one_joined(cast: Cast) -> None:
    """Programs need not know of projects."""
    with cast.database.write() as session:
        made = tensorboards.create(session, cast.editor, wanted(""), AT)

    assert made.project == cast.vision


def test_who_is_in_no_project_is_told_so(cast: Cast) -> None:
    """They see nothing until somebody adds them."""
    with pytest.raises(NotFound, match="in no project yet"), cast.database.write() as session:
        tensorboards.create(session, cast.stranger, wanted(""), AT)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sources": ()}, "1 to 64 sources"),
        ({"sources": tuple(folder(f"/logs/{n}") for n in range(65))}, "1 to 64 sources"),
        ({"sources": (folder("/a", alias="x"), folder("/b", alias="x"))}, "same alias"),
        ({"tags": tuple("abcdefghijklmnopq")}, "17 tags"),
        ({"name": "No Name"}, "cannot be a name"),
    ],
)
def test_what_breaks_a_rule_is_not_made(cast: Cast, fields: dict[str, Any], message: str) -> None:
    """The error says which."""
    with pytest.raises(Invalid, match=message):
        cast.board(**fields)


def test_a_board_over_a_dataset_knows_it_by_its_id(cast: Cast) -> None:
    """Whatever the dataset is called later."""
    with cast.database.write() as session:
        asked = Dataset(id="", name="imagenet", project=cast.vision, owner="", kind=DatasetKind.PATH, uri="/data/in")
        dataset = datasets.create(session, cast.editor, asked, AT)
    made = cast.board(sources=(Source(id="", kind=SourceKind.DATASET, ref="imagenet", path="runs"),))

    assert [(source.ref, source.text) for source in made.sources] == [(dataset.id, f"dataset:{dataset.id}/runs")]


def test_nobody_looks_into_a_dataset_of_others_by_a_board(cast: Cast) -> None:
    """A board shows the data, so its maker must see the dataset."""
    with cast.database.write() as session:
        asked = Dataset(id="", name="secret", project=cast.vision, owner="", kind=DatasetKind.PATH, uri="/data/in")
        dataset = datasets.create(session, cast.editor, asked, AT)
        projects.create(session, cast.stranger, Project(id="", name="elsewhere"), AT)
    for ref in ("secret", dataset.id):
        source = Source(id="", kind=SourceKind.DATASET, ref=ref)
        with pytest.raises(NotFound, match="no dataset"), cast.database.write() as session:
            tensorboards.create(session, cast.stranger, wanted("elsewhere", sources=(source,)), AT)


# Rights


def outcome(cast: Cast, who: Principal, board: Tensorboard, right: str) -> str:
    """What asking for a board with a right comes to."""
    with cast.database.read() as session:
        try:
            tensorboards.get(session, who, board.id, right)
        except NotFound:
            return "not there"
        except PermissionDenied:
            return "denied"
        return "allowed"


def expected(right: str, role: Role, *, mine: bool, hidden: bool) -> str:
    """The same as the table says it."""
    if hidden and not mine and role in (Role.EDITOR, Role.VIEWER):
        return "not there"
    reach = RIGHTS[right].reach(role)
    return "allowed" if reach is Reach.ANY or (reach is Reach.OWN and mine) else "denied"


@pytest.mark.parametrize("access", list(Access))
def test_the_table_of_rights_is_what_holds(cast: Cast, access: Access) -> None:
    """Every right, for every role, over one's own and another's board."""
    roles = {"owner": Role.OWNER, "leader": Role.ADMIN, "editor": Role.EDITOR, "viewer": Role.VIEWER}
    own = {name: cast.board(cast.people[name], access=access) for name in ("owner", "leader", "editor")}
    colleague = cast.join("colleague")
    with cast.database.write() as session:
        projects.set_member(session, cast.admin, cast.vision, "colleague", Role.EDITOR, AT)
    foreign = cast.board(colleague, access=access)
    said, table = {}, {}
    for right in (right for right in RIGHTS if right.startswith("tensorboards.")):
        for name, role in roles.items():
            said[right, name] = outcome(cast, cast.people[name], foreign, right)
            table[right, name] = expected(right, role, mine=False, hidden=access is Access.PRIVATE)
        for name, board in own.items():
            said[right, name, "own"] = outcome(cast, cast.people[name], board, right)
            table[right, name, "own"] = expected(right, roles[name], mine=True, hidden=access is Access.PRIVATE)
        for name, word in (("admin", "allowed"), ("stranger", "not there")):
            said[right, name], table[right, name] = outcome(cast, cast.people[name], foreign, right), word

    assert said == table


def test_a_private_board_is_not_for_owners_its_maker_did_not_choose(cast: Cast) -> None:
    """Whoever puts somebody into a project sees nothing of what that person makes without a thought of it."""
    unnamed, named = cast.board(project="").id, cast.board(project="vision").id
    by_token = cast.board(replace(cast.editor, project=cast.vision), project="").id
    with cast.database.read() as session:
        boards = {id: tensorboards.get(session, cast.editor, id) for id in (unnamed, named, by_token)}
        listed = {
            name: {board.id for board in tensorboards.find(session, cast.people[name], TensorboardQuestion())[0]}
            for name in ("owner", "leader", "viewer", "editor", "admin")
        }

    assert {board.project for board in boards.values()} == {cast.vision}
    for name, seen in {"owner": {named, by_token}, "leader": {named, by_token}, "viewer": set()}.items():
        got = {id: outcome(cast, cast.people[name], board, "tensorboards.get") for id, board in boards.items()}
        assert (name, got) == (name, {id: "allowed" if id in seen else "not there" for id in boards})
        assert listed[name] == seen
    assert listed["editor"] == listed["admin"] == {unnamed, named, by_token}

    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, unnamed, {"access": Access.PROJECT}, AT)
    assert [outcome(cast, cast.people[name], boards[unnamed], "tensorboards.get") for name in ("owner", "viewer")] == [
        "allowed", "allowed",
    ]  # fmt: skip


def test_a_token_narrows_its_account(cast: Cast) -> None:
    """What lies outside its project is not there; what its scope lacks is denied, though seen."""
    with cast.database.write() as session:
        other = projects.create(session, cast.editor, Project(id="", name="other"), AT).id
        mine = tensorboards.create(session, cast.editor, wanted(other), AT)
    board = cast.board()
    token = replace(cast.editor, scopes=frozenset({Scope.READ}), project=cast.vision)

    assert {
        "other project": outcome(cast, token, mine, "tensorboards.get"),
        "looks": outcome(cast, token, board, "tensorboards.get"),
        "stops": outcome(cast, token, board, "tensorboards.stop"),
        "lists": found(cast, token),
    } == {"other project": "not there", "looks": "allowed", "stops": "denied", "lists": [board.name]}


def test_rights_are_told_with_a_board(cast: Cast) -> None:
    """So that pages offer only what is allowed."""
    board = cast.board(access=Access.PROJECT)
    with cast.database.read() as session:
        rights = tensorboards.rights_of(session, cast.viewer, board)

    assert rights == ["tensorboards.list", "tensorboards.get", "tensorboards.open"]


def test_only_who_answers_for_it_opens_a_board_to_all(cast: Cast) -> None:
    """Its owner and the project's administrators; another editor may not."""
    board = cast.board(access=Access.PROJECT)
    colleague = cast.join("colleague")
    with cast.database.write() as session:
        projects.set_member(session, cast.admin, cast.vision, "colleague", Role.EDITOR, AT)
    with pytest.raises(PermissionDenied, match="opens without login"), cast.database.write() as session:
        tensorboards.change(session, colleague, board.id, {"http_auth": False}, AT)
    with cast.database.write() as session:
        assert tensorboards.change(session, cast.leader, board.id, {"http_auth": False}, AT).http_auth is False


# By name


def test_a_board_is_found_by_its_name(cast: Cast) -> None:
    """In a project, or among all that the asker sees."""
    board = cast.board(name="mnist")
    with cast.database.read() as session:
        assert [
            tensorboards.get(session, cast.editor, "mnist", project=project).id
            for project in ("", "vision", cast.vision)
        ] == [board.id] * 3


def test_a_name_of_several_projects_wants_the_project(cast: Cast) -> None:
    """One's own comes first; between two of one's own it is not guessed."""
    with cast.database.write() as session:
        other = projects.create(session, cast.editor, Project(id="", name="other"), AT).id
        tensorboards.create(session, cast.editor, wanted(other, name="mnist"), AT)
    theirs = cast.board(cast.owner, name="mnist", access=Access.PROJECT)
    with cast.database.read() as session:
        assert tensorboards.get(session, cast.editor, "mnist").project == other
        assert tensorboards.get(session, cast.editor, "mnist", project="vision") == theirs
        with pytest.raises(Invalid, match="several projects"):
            tensorboards.get(session, cast.admin, "mnist")


def test_a_foreign_private_name_is_not_there(cast: Cast) -> None:
    """By its name as little as by its id."""
    cast.board(cast.owner, name="secret")
    with pytest.raises(NotFound), cast.database.read() as session:
        tensorboards.get(session, cast.editor, "secret")


# Lists


def test_a_list_holds_what_may_be_seen(cast: Cast) -> None:
    """Own ones and those of the project; all for who administers it; nothing for strangers."""
    cast.board(cast.owner, name="private")
    cast.board(cast.owner, name="shared", access=Access.PROJECT)
    cast.board(cast.editor, name="own")
    names = {name: sorted(found(cast, who)) for name, who in cast.people.items()}

    everything = ["own", "private", "shared"]
    assert names == {
        "admin": everything,
        "owner": everything,
        "leader": everything,
        "editor": ["own", "shared"],
        "viewer": ["shared"],
        "stranger": [],
    }


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ({}, ["three", "two", "one"]),
        ({"sort": "created"}, ["one", "two", "three"]),
        ({"sort": "name"}, ["one", "three", "two"]),
        ({"sort": "-active"}, ["two", "three", "one"]),
        ({"page": 2, "page_size": 2}, ["one"]),
        ({"owner": "me"}, ["two", "one"]),
        ({"owner": "owner"}, ["three"]),
        ({"owner": "nobody"}, []),
        ({"status": "Running"}, ["two"]),
        ({"status": "Running,Pending"}, ["three", "two", "one"]),
        ({"status": "Nonsense"}, []),
        ({"reason": "Ready"}, ["two"]),
        ({"origin": "sdk,cli"}, ["one"]),
        ({"origin": "sdk", "origin_id": "job-1"}, ["one"]),
        ({"source": "CIFAR"}, ["two"]),
        ({"label": "team"}, ["two", "one"]),
        ({"label": "team=cv"}, ["one"]),
        ({"label": "team=c"}, []),
        ({"label": "team,size=l"}, ["two"]),
        ({"tag": "fast"}, ["three"]),
        ({"tag": "fas"}, []),
        ({"search": "ПЕРВЫЙ"}, ["one"]),
        ({"search": "100%"}, ["three"]),
        ({"search": "%"}, ["three"]),
        ({"search": "_"}, []),
        ({"created_after": AT + 1, "created_before": AT + 2}, ["two"]),
        ({"project": "vision"}, ["three", "two", "one"]),
        ({"project": "default"}, []),
    ],
)
def test_questions_of_the_list(cast: Cast, question: dict[str, Any], names: list[str]) -> None:
    """Each filter and order finds what it says."""
    cast.board(name="one", display_name="a Первый", origin=Origin.SDK, origin_id="job-1", labels={"team": "cv"})
    second = cast.board(
        name="two", display_name="C", at=AT + 1, sources=(folder("/logs/cifar"),), labels={"team": "nlp", "size": "l"}
    )  # fmt: skip
    cast.board(cast.owner, name="three", display_name="B 100%", at=AT + 2, tags=("fast",), access=Access.PROJECT)
    running(cast, second, at=AT + 5)
    who = cast.admin if question.get("project") == "default" else cast.editor

    assert found(cast, who, **question) == names


def test_a_total_counts_all_pages(cast: Cast) -> None:
    """And nothing that may not be seen."""
    cast.board(cast.owner)
    for _ in range(3):
        cast.board()
    with cast.database.read() as session:
        boards, total = tensorboards.find(session, cast.editor, TensorboardQuestion(page_size=1))

    assert (len(boards), total) == (1, 3)


def test_deleted_ones_leave_lists(cast: Cast) -> None:
    """They can be asked for by their status, and looked up by id."""
    gone = settled(
        cast, happen(cast, cast.editor, cast.board(name="gone"), lifecycle.DeleteRequested()), lifecycle.BoardEnded()
    )

    assert (found(cast, cast.editor), found(cast, cast.editor, status="Deleted")) == ([], ["gone"])
    with cast.database.read() as session:
        assert tensorboards.get(session, cast.editor, gone.id).status is Status.DELETED


# Changed


def test_a_change_is_a_version(cast: Cast) -> None:
    """What was changed is there, counted, and the launcher is to be told where it matters to it."""
    board = cast.board()
    with cast.database.write() as session:
        after = tensorboards.change(
            session, cast.editor, board.id, {"display_name": "New", "labels": {"a": "b"}}, AT + 1, board.version
        )  # fmt: skip

    assert after == replace(
        board, display_name="New", labels={"a": "b"}, version=2, spec_version=2, updated_at=AT + 1
    )  # fmt: skip


def test_labels_are_nothing_to_the_launcher(cast: Cast) -> None:
    """A board that runs is not disturbed for them."""
    board = cast.board()
    with cast.database.write() as session:
        after = tensorboards.change(session, cast.editor, board.id, {"tags": ("x",)}, AT)

    assert (after.version, after.spec_version) == (2, 1)


def test_no_change_is_no_version(cast: Cast) -> None:
    """Saying what is so already disturbs nobody."""
    board = cast.board()
    with cast.database.write() as session:
        assert tensorboards.change(session, cast.editor, board.id, {"tags": ()}, AT + 1) == board


def test_other_sources_are_another_key(cast: Cast) -> None:
    """Get-or-create and notes go by the places."""
    board = cast.board()
    with cast.database.write() as session:
        after = tensorboards.change(session, cast.editor, board.id, {"sources": (folder("/other"),)}, AT)

    assert after.source_key == cast.board(sources=(folder("/other"),)).source_key != board.source_key


@pytest.mark.parametrize("act", ["change", "extend", "stop"])
def test_another_version_is_a_conflict(cast: Cast, act: str) -> None:
    """Who looked at an older state changes nothing."""
    board = cast.board()
    acts = {
        "change": partial(tensorboards.change, wanted={"tags": ("x",)}),
        "extend": partial(tensorboards.extend, total_secs=0.0),
        "stop": partial(tensorboards.apply_event, right="tensorboards.stop", event=lifecycle.StopRequested()),
    }
    with pytest.raises(Conflict, match="changed since"), cast.database.write() as session:
        acts[act](session, cast.editor, board.id, at=AT, version=9)


@pytest.mark.parametrize("field", ["owner", "status", "id", "executor_ref"])
def test_what_is_not_a_persons_to_change(cast: Cast, field: str) -> None:
    """The hub's own fields are refused by name."""
    board = cast.board()
    with pytest.raises(Invalid, match=f"{field} cannot be changed"), cast.database.write() as session:
        tensorboards.change(session, cast.editor, board.id, {field: "x"}, AT)


@pytest.mark.parametrize(
    ("asked", "span"),
    [
        ({"additional_secs": 600.0}, 1_600.0),
        ({"total_secs": 50.0}, 50.0),
        ({"total_secs": 0.0}, 0.0),
    ],
)
def test_more_time(cast: Cast, asked: dict[str, float], span: float) -> None:
    """On top of what there is, or as a whole."""
    board = cast.board(life_span_secs=1_000.0)
    with cast.database.write() as session:
        assert tensorboards.extend(session, cast.editor, board.id, AT, **asked).life_span_secs == span


def test_more_time_for_what_has_no_end(cast: Cast) -> None:
    """It stays without one."""
    board = cast.board(life_span_secs=0.0)
    with cast.database.write() as session:
        assert tensorboards.extend(session, cast.editor, board.id, AT, additional_secs=60.0) == board


def test_more_time_counts_from_now_where_the_span_is_over(cast: Cast) -> None:
    """An extension that came just in time is not eaten up by what was overrun."""
    board = running(cast, cast.board(life_span_secs=10.0))
    with cast.database.write() as session:
        after = tensorboards.extend(session, cast.editor, board.id, AT + 100, additional_secs=60.0)

    assert after.expires_at(AT + 100) == AT + 160


# History


def test_history_says_who_did_what(cast: Cast) -> None:
    """Each step with its time, reason and actor; the hub itself is nobody."""
    board = running(cast, cast.board(), at=AT + 1)
    happen(cast, cast.owner, board, lifecycle.StopRequested(), AT + 2)
    with cast.database.read() as session:
        steps = tensorboards.history(session, cast.editor, board.id)

    assert steps == [
        Transition(at=AT, status=Status.PENDING, reason="Creating", actor=cast.editor.account),
        Transition(at=AT + 1, status=Status.CREATING, reason="ProcessStarting"),
        Transition(at=AT + 1, status=Status.RUNNING, reason="Ready"),
        Transition(at=AT + 2, status=Status.STOPPING, reason="UserRequested", actor=cast.owner.account),
    ]


def spans(cast: Cast, board: Tensorboard) -> list[Transition]:
    """The lines of history about life spans."""
    with cast.database.read() as session:
        steps = tensorboards.history(session, cast.editor, board.id)
    return [step for step in steps if step.life_span_secs is not None]


def test_an_extension_is_in_the_history(cast: Cast) -> None:
    """Who, when, and until when it runs now; the status is what it was."""
    board = running(cast, cast.board(life_span_secs=1_000.0), at=AT + 1)
    with cast.database.write() as session:
        after = tensorboards.extend(session, cast.owner, board.id, AT + 11, additional_secs=500.0)

    assert after.expires_at(AT + 11) == AT + 1_501
    assert spans(cast, board) == [
        Transition(
            at=AT + 11,
            status=Status.RUNNING,
            reason="Extended",
            actor=cast.owner.account,
            life_span_secs=1_500.0,
            expires_at=AT + 1_501,
        )
    ]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [(10.0, 20.0, "Extended"), (20.0, 10.0, "Shortened"), (10.0, 0.0, "Extended"), (0.0, 10.0, "Shortened")],
)
def test_another_life_span_is_in_the_history(cast: Cast, before: float, after: float, reason: str) -> None:
    """However it was changed; of a board that does not run nobody knows when it will end."""
    board = cast.board(life_span_secs=before)
    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, board.id, {"life_span_secs": after}, AT + 5)

    assert spans(cast, board) == [
        Transition(
            at=AT + 5, status=Status.PENDING, reason=reason, actor=cast.editor.account, life_span_secs=after
        )
    ]  # fmt: skip


def test_other_changes_are_not_in_the_history(cast: Cast) -> None:
    """Neither a new name, nor the same life span once more."""
    board = cast.board(life_span_secs=10.0)
    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, board.id, {"display_name": "x", "life_span_secs": 10.0}, AT + 5)

    assert spans(cast, board) == []


def test_what_changes_nothing_leaves_no_trace(cast: Cast) -> None:
    """A stop of what is stopping is no line of history, and no version."""
    stopping = happen(cast, cast.editor, cast.board(), lifecycle.StopRequested())

    assert happen(cast, cast.editor, stopping, lifecycle.StopRequested(), AT + 5) == stopping
    with cast.database.read() as session:
        assert len(tensorboards.history(session, cast.editor, stopping.id)) == 2


def test_the_audit_names_account_token_and_address(cast: Cast) -> None:
    """Who, by which token, from where."""
    board = cast.board()
    who = replace(cast.editor, label="ci token")
    with cast.database.write("192.0.2.7") as session:
        tensorboards.apply_event(session, who, board.id, "tensorboards.delete", lifecycle.DeleteRequested(), AT + 1)
    with cast.database.read() as session:
        lines, total = audit.find(session, cast.owner, AuditQuestion(project=cast.vision, target=board.id))

    assert total == 2
    assert (lines[0].action, lines[0].actor, lines[0].via, lines[0].address, lines[0].at) == (
        "tensorboard.delete", cast.editor.account, "ci token", "192.0.2.7", AT + 1,
    )  # fmt: skip


def test_a_failed_transaction_leaves_nothing(cast: Cast) -> None:
    """Neither the board, nor its history, nor the audit, nor word to who watches."""
    told: list[int] = []
    cast.database.listeners.append(lambda _commit: told.append(1))
    with cast.database.read() as session:
        before = changes.latest(session)

    def fail_late() -> None:
        with cast.database.write() as session:
            tensorboards.create(session, cast.editor, wanted(cast.vision), AT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_late()
    with cast.database.read() as session:
        assert (tensorboards.find(session, HUB, TensorboardQuestion()), changes.latest(session), told) == (
            ([], 0),
            before,
            [],
        )


# Get-or-create


def reusable(cast: Cast, who: Principal, board: Tensorboard, origin_id: str = "") -> str | None:
    """The name of what is given back."""
    with cast.database.write() as session:
        kept = tensorboards.reusable(session, who, cast.vision, Origin.SDK, origin_id, board.source_key)
    return kept and kept.name


def test_the_same_places_give_the_same_board(cast: Cast) -> None:
    """A board in use before one at rest, one's own before another's, the newest first."""
    stopped = settled(cast, cast.board(name="stopped"), lifecycle.StopRequested(), lifecycle.BoardEnded())
    assert reusable(cast, cast.editor, stopped) == "stopped"

    theirs = cast.board(cast.owner, name="theirs", access=Access.PROJECT)
    assert reusable(cast, cast.editor, theirs) == "theirs"

    cast.board(name="mine")
    assert reusable(cast, cast.editor, theirs) == "mine"


def test_the_same_job_gives_the_same_board(cast: Cast) -> None:
    """Whatever it logs to."""
    board = cast.board(name="of-job", origin=Origin.SDK, origin_id="job-1", sources=(folder("/elsewhere"),))
    other = cast.board(name="other")

    assert (reusable(cast, cast.editor, other, "job-1"), reusable(cast, cast.editor, board, "job-2")) == (
        "of-job",
        None,
    )


def test_a_foreign_private_board_is_not_given_back(cast: Cast) -> None:
    """The same places are no way to somebody's own board."""
    board = cast.board(cast.owner)

    assert reusable(cast, cast.editor, board) is None


def test_a_deleted_board_is_not_given_back(cast: Cast) -> None:
    """It is as good as gone from the moment it was asked."""
    board = happen(cast, cast.editor, cast.board(), lifecycle.DeleteRequested())

    assert reusable(cast, cast.editor, board) is None


def test_activity_is_never_set_back(cast: Cast) -> None:
    """Replicas tell it late, and in any order."""
    board = cast.board()
    for at in (AT + 5, AT + 3):
        with cast.database.write() as session:
            tensorboards.touch(session, {board.id: at, "tb-unknown": at})
    with cast.database.read() as session:
        kept = tensorboards.get(session, cast.editor, board.id)

    assert (kept.last_active_at, kept.version) == (AT + 5, 1)
