"""TensorBoards: creating, finding, changing them and applying events. Leases on them are in `leases`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.access import Permission, Principal, Visibility, lacking, visibility_of
from lightboard.hub.db import accounts, audit, changes, datasets, permissions, projects
from lightboard.hub.db.accounts import check_fields
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.rights import check, check_seen, may, rights_over, role_of
from lightboard.hub.db.tables import AccountRow, TensorboardRow, TransitionRow
from lightboard.hub.db.tensorboard_lists import page, visible
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.sources import Source, SourceKind, source_key
from lightboard.hub.resources.tensorboards import (
    COUNTED,
    MOST_TAGS,
    PREFIX,
    RESTING,
    Access,
    Origin,
    Status,
    Tensorboard,
    Transition,
)
from lightboard.schema.tensorboards import TensorboardQuestion

KIND = changes.TENSORBOARD
SOURCE_PREFIX = "src"
MOST_SOURCES = 64
CHANGEABLE = frozenset(
    {
        "display_name",
        "sources",
        "access",
        "http_auth",
        "life_span_secs",
        "idle_timeout_secs",
        "reload_secs",
        "labels",
        "tags",
    }
)
TOLD = ("display_name", "sources", "reload_secs")
"""What the launcher is told, so that it must be told again."""
LIVE = TensorboardRow.status != Status.DELETED


def create(session: Session, who: Principal, new: Tensorboard, at: float) -> Tensorboard:
    """A new board of the asker, Pending. Right `tensorboards.create`.

    Of `new` count what a person may say; `project` is an id, a name, or "" for the asker's own. A `name` of "" is made
    of the display name. Raises TensorboardLimitExceeded, Conflict for a name that is taken, Invalid for what breaks a
    rule.
    """
    project = projects.get(session, who, new.project).id if new.project else projects.default(session, who).id
    check(session, who, "tensorboards.create", project)
    check_limit(session, who, who.account)
    sources = known_sources(session, who, project, new.sources, at)
    check_tags(new.tags)
    lock(session, f"names of tensorboards {project}")
    display_name = new.display_name or new.name or title(sources)
    made = Tensorboard(
        id=new_id(PREFIX, at),
        name=checked_name(session, project, new.name, display_name),
        display_name=display_name,
        project=project,
        project_chosen=bool(new.project or who.project),
        owner=who.account,
        sources=sources,
        source_key=source_key(sources, project),
        origin=new.origin,
        origin_id=new.origin_id,
        access=new.access,
        http_auth=new.http_auth,
        life_span_secs=new.life_span_secs,
        idle_timeout_secs=new.idle_timeout_secs,
        reload_secs=new.reload_secs,
        labels=new.labels,
        tags=new.tags,
        created_at=at,
        updated_at=at,
        status_since=at,
        executor=new.executor,
    )
    check_permitted(session, who, made, frozenset(), at)
    row = TensorboardRow(**values(made), leased_to="", leased_until=0.0, **derived(session, made))
    session.add(row)
    session.flush()
    record_transition(session, who, made)
    details = {"name": made.name, "sources": [source.text for source in made.sources]}
    audit.add(session, who, "tensorboard.create", kind=KIND, target=made.id, project=project, at=at, details=details)
    session.flush()
    return made


def get(
    session: Session, who: Principal, id_or_name: str, right: str = "tensorboards.get", project: str = ""
) -> Tensorboard:
    """The board with this id, or the live one of this name in `project` (id or name; "" is any that the asker sees).

    Raises NotFound for what the asker may not see, PermissionDenied for what is seen but not allowed, Invalid for a
    name that several projects have. One that is Deleted is found by its id.
    """
    return record(Tensorboard, row_for(session, who, id_or_name, right, project))


def row_for(session: Session, who: Principal, id_or_name: str, right: str, project: str) -> TensorboardRow:
    """The row that `get` returns as a board."""
    # Before the board is looked for: a project that the asker does not see is refused with or without one.
    home = projects.get(session, who, project).id if project else ""
    known = is_id(id_or_name, PREFIX)
    row = session.get(TensorboardRow, id_or_name) if known else named(session, who, id_or_name, home)
    if row is None or (home and home != row.project):
        raise NotFound(f"there is no TensorBoard {id_or_name}")
    what = f"TensorBoard {id_or_name}"
    check_seen(session, who, "tensorboards.get", right, what, row.project, row.owner, visibility(row))
    return row


def named(session: Session, who: Principal, name: str, project: str) -> TensorboardRow | None:
    """The live board of this name that the asker may see; one's own come before those of others. `project` is an id."""
    query = select(TensorboardRow).where(TensorboardRow.name == name, LIVE, visible(who))
    if project:
        query = query.where(TensorboardRow.project == project)
    rows = session.scalars(query.limit(100)).all()
    chosen = [row for row in rows if row.owner == who.account] or rows
    if len(chosen) > 1:
        raise Invalid(f"several projects have a TensorBoard {name}", hint="name the project, or give the id")
    return chosen[0] if chosen else None


def peek(session: Session, id: str) -> Tensorboard | None:
    """The board with this id, for the hub itself: no rights are checked."""
    row = session.get(TensorboardRow, id)
    return record(Tensorboard, row) if row else None


def peek_named(session: Session, name: str, owner: str) -> Tensorboard | None:
    """The live board of this name whose owner has this name, for the hub itself: no right is asked.

    Of several, in several projects, the oldest: a host name that leads somewhere goes on leading there.
    """
    query = select(TensorboardRow).join(AccountRow, AccountRow.id == TensorboardRow.owner)
    query = query.where(LIVE, TensorboardRow.name == name, AccountRow.name == owner)
    row = session.scalar(query.order_by(TensorboardRow.created_at, TensorboardRow.id).limit(1))
    return record(Tensorboard, row) if row else None


def find(session: Session, who: Principal, question: TensorboardQuestion) -> tuple[list[Tensorboard], int]:
    """A page of those the asker may see, and how many there are. Deleted ones only where that status is asked."""
    project = projects.get(session, who, question.project, "tensorboards.list").id if question.project else ""
    owner = owner_asked(session, who, question.owner)
    if owner is None:
        return [], 0
    rows, total = page(session, who, question, project, owner)
    return [record(Tensorboard, row) for row in rows], total


def owner_asked(session: Session, who: Principal, text: str) -> str | None:
    """The account id of an owner filter: "" for everybody, None if there is no such account."""
    if text in ("", "me"):
        return who.account if text else ""
    row = accounts.row_of(session, text)
    return row.id if row else None


def reusable(
    session: Session, who: Principal, project: str, origin: Origin, origin_id: str, source_key: str
) -> Tensorboard | None:
    """What get-or-create gives back: of the same origin if that has an id, else over the same places; or nothing.

    `project` is an id. Of several, one that is in use, then one's own, then the newest. In a transaction that writes,
    nobody else gets an answer until it ends, so that two who ask at once make one board.
    """
    lock(session, f"reuse {project} {origin} {origin_id or source_key}")
    query = select(TensorboardRow).where(
        TensorboardRow.project == project, TensorboardRow.status.not_in(lifecycle.GONE), visible(who)
    )
    if origin_id:
        query = query.where(TensorboardRow.origin == origin, TensorboardRow.origin_id == origin_id)
    else:
        query = query.where(TensorboardRow.source_key == source_key)
    rows = session.scalars(query.order_by(TensorboardRow.created_at.desc(), TensorboardRow.id.desc())).all()
    best = sorted(rows, key=lambda row: (row.status not in COUNTED, row.owner != who.account))
    return record(Tensorboard, best[0]) if best else None


def visibility(board: Tensorboard | TensorboardRow) -> Visibility:
    """Who can see the board besides its owner."""
    return visibility_of(board.access, board.project_chosen)


def apply_event(
    session: Session,
    who: Principal,
    id_or_name: str,
    right: str,
    event: lifecycle.Event,
    at: float,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """The board after `event`; itself where that changes nothing, as a stop of a stopped one.

    Raises Conflict for another version, TensorboardLimitExceeded where it is to start and its owner has no place left.
    """
    seen = row_for(session, who, id_or_name, right, project)
    starts = isinstance(event, lifecycle.StartRequested)
    if starts:  # the account before the board, as create does: two that lock both cannot wait for each other
        lock_account(session, seen.owner)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if starts and before.status in RESTING:
        check_limit(session, who, before.owner)
        check_owner_permitted(session, before.owner, needs_of(before, at) & {Permission.RUN_WITHOUT_END})
    after = lifecycle.apply(before, event, at)
    if after != before:
        store(session, row, after)
        record_transition(session, who, after, before.status)
        word = type(event).__name__.removesuffix("Requested").lower()
        audit.add(
            session, who, f"tensorboard.{word}", kind=KIND, target=after.id, project=after.project, at=at,
            details={"reason": after.reason},
        )  # fmt: skip
        session.flush()
    return after


def change(
    session: Session,
    who: Principal,
    id_or_name: str,
    wanted: Mapping[str, Any],
    at: float,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """Changes fields of CHANGEABLE, while it runs too. Right `tensorboards.update`.

    Only its owner, and who administers the project, may say that it opens without login. Raises Conflict for another
    version or a board that is being deleted, Invalid for what breaks a rule.
    """
    seen = row_for(session, who, id_or_name, "tensorboards.update", project)
    check_fields(wanted, CHANGEABLE)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if before.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {before.name} is deleted", hint="make a new one")
    after = replace(before, **wanted)
    if after.sources != before.sources:
        kept = {source.ref for source in before.sources}
        sources = known_sources(session, who, before.project, after.sources, at, kept)
        after = replace(after, sources=sources, source_key=source_key(sources, before.project))
    if after.http_auth != before.http_auth:
        check_may_open_to_all(session, who, before)
    check_permitted(session, who, after, needs_of(before, at), at)
    check_tags(after.tags)
    return changed(session, who, row, before, after, at, sorted(wanted))


def extend(
    session: Session,
    who: Principal,
    id_or_name: str,
    at: float,
    *,
    additional_secs: float | None = None,
    total_secs: float | None = None,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """More running time: `additional_secs` on top, or `total_secs` as the whole span (0: no end). Right
    `tensorboards.extend`. A board without an end keeps none when something is added.
    """
    seen = row_for(session, who, id_or_name, "tensorboards.extend", project)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if before.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {before.name} is deleted", hint="make a new one")
    span = before.life_span_secs if total_secs is None else total_secs
    if total_secs is None and span:
        span = max(span, before.running_secs(at)) + (additional_secs or 0.0)
    after = replace(before, life_span_secs=span)
    check_permitted(session, who, after, needs_of(before, at), at)
    return changed(session, who, row, before, after, at, ["life_span_secs"])


def changed(
    session: Session,
    who: Principal,
    row: TensorboardRow,
    before: Tensorboard,
    after: Tensorboard,
    at: float,
    fields: Iterable[str],
) -> Tensorboard:
    """Keeps what a person has changed, with its line in the audit, and one in its history for another life span."""
    if after == before:
        return before
    told = any(getattr(after, name) != getattr(before, name) for name in TOLD)
    after = replace(after, version=before.version + 1, spec_version=before.spec_version + told, updated_at=at)
    store(session, row, after)
    if span := lifecycle.span_change(before, after, at, who.account):
        add_to_history(session, after.id, span, before.status)
    narrowed = after.access is Access.PRIVATE and before.access is not Access.PRIVATE
    changes.note(session, changes.Change(KIND, after.id, narrowed), at)
    if (after.access, after.http_auth) != (before.access, before.http_auth):
        changes.note_access(session, after.id, at)
    words = {name: shown(getattr(after, name)) for name in fields}
    audit.add(
        session, who, "tensorboard.change", kind=KIND, target=after.id, project=after.project, at=at, details=words
    )  # fmt: skip
    session.flush()
    return after


def shown(value: Any) -> Any:
    """A field value in the form used in the audit."""
    if isinstance(value, tuple):
        return [part.text if isinstance(part, Source) else part for part in value]
    return value


def history(session: Session, who: Principal, id_or_name: str, project: str = "") -> list[Transition]:
    """How it came to stand as it does, oldest first. Right `tensorboards.get`."""
    board = get(session, who, id_or_name, project=project)
    rows = session.scalars(
        select(TransitionRow).where(TransitionRow.tensorboard == board.id).order_by(TransitionRow.id)
    )
    return [record(Transition, row) for row in rows]


def rights_of(session: Session, who: Principal, board: Tensorboard) -> list[str]:
    """What the asker may do with it, by the names of the table."""
    return rights_over(session, who, "tensorboards", board.project, board.owner, visibility(board))


def count_in_use(session: Session, account: str) -> int:
    """How many boards of an account count towards its limit."""
    counts = select(func.count()).where(TensorboardRow.owner == account, TensorboardRow.status.in_(COUNTED))
    return session.scalar(counts) or 0


def in_use(session: Session, account: str) -> list[Tensorboard]:
    """The boards of an account that count towards its limit, longest idle first."""
    idle_since = func.coalesce(TensorboardRow.last_active_at, TensorboardRow.created_at)
    rows = session.scalars(
        select(TensorboardRow)
        .where(TensorboardRow.owner == account, TensorboardRow.status.in_(COUNTED))
        .order_by(idle_since, TensorboardRow.id)
    )
    return [record(Tensorboard, row) for row in rows]


def live_in(session: Session, project: str) -> list[Tensorboard]:
    """The boards of the project with this id that are not deleted, for the hub itself: no right is asked."""
    rows = session.scalars(select(TensorboardRow).where(LIVE, TensorboardRow.project == project))
    return [record(Tensorboard, row) for row in rows]


def all_in_use(session: Session) -> list[Tensorboard]:
    """The boards of everybody that count towards a limit, for the hub itself: no right is asked."""
    rows = session.scalars(select(TensorboardRow).where(TensorboardRow.status.in_(COUNTED)).order_by(TensorboardRow.id))
    return [record(Tensorboard, row) for row in rows]


def touch(session: Session, seen: Mapping[str, float]) -> None:
    """When people were last at boards, by their ids; never set back."""
    for id, at in sorted(seen.items()):
        earlier = TensorboardRow.last_active_at.is_(None) | (TensorboardRow.last_active_at < at)
        session.execute(update(TensorboardRow).where(TensorboardRow.id == id, earlier).values(last_active_at=at))


@dataclass(frozen=True)
class BoardChange:
    """A changed board. `board` is None if the principal can no longer see it."""

    id: str
    board: Tensorboard | None


def changes_after(session: Session, who: Principal, cursor: int) -> tuple[list[BoardChange], int]:
    """The changes after a cursor to boards that the principal can see, and the next cursor.

    Each board is listed once, in its current state. `changes.latest` gives the first cursor.
    """
    found, cursor = changes.after(session, KIND, cursor)
    narrowed = {change.target for change in found if change.narrowed}
    rows = session.scalars(select(TensorboardRow).where(TensorboardRow.id.in_([change.target for change in found])))
    by_id = {row.id: row for row in rows}
    news = [change_of(session, who, by_id[change.target], narrowed) for change in found if change.target in by_id]
    return [item for item in news if item is not None], cursor


def change_of(session: Session, who: Principal, row: TensorboardRow, narrowed: set[str]) -> BoardChange | None:
    """The change as the principal may see it, None if the board was never visible to them."""
    if may(session, who, "tensorboards.get", row.project, row.owner, visibility(row)):
        gone = row.status is Status.DELETED
        return BoardChange(row.id, None if gone else record(Tensorboard, row))
    saw = row.id in narrowed and may(session, who, "tensorboards.get", row.project, row.owner)
    return BoardChange(row.id, None) if saw else None


# Rules


def lock_account(session: Session, id: str) -> AccountRow:
    """The row of an account that nobody else changes, and by which nobody else counts, until this transaction ends."""
    return session.get_one(AccountRow, id, with_for_update=True, populate_existing=True)


def check_limit(session: Session, who: Principal, owner: str) -> None:
    """Raises TensorboardLimitExceeded where one more would be too many.

    Locks the account, so that of many at once none slips by. The boards that fill the limit are named as far as the
    asker may see them.
    """
    account = record(Account, lock_account(session, owner))
    if account.disabled:
        raise Conflict(f"the account {account.name} is disabled", hint="an administrator can enable it")
    limit = accounts.limit_of(session, account)
    active = in_use(session, owner)
    if len(active) < limit:
        return
    members = [
        {name: asdict(board)[name] for name in ("id", "display_name", "created_at", "last_active_at")}
        for board in active
        if may(session, who, "tensorboards.get", board.project, board.owner, visibility(board))
    ]
    raise TensorboardLimitExceeded(
        f"{account.name} has {len(active)} TensorBoards in use, and {limit} is the limit",
        hint="stop or delete one, then try again",
        details={"limit": limit, "active": members, "remedies": ["stop", "delete"]},
    )


def known_sources(
    session: Session,
    who: Principal,
    project: str,
    sources: Sequence[Source],
    at: float,
    kept: Iterable[str] = (),
) -> tuple[Source, ...]:
    """The sources with ids, and datasets by theirs.

    Whoever opens the board sees a dataset's data, so it must be one that the project may use; those in `kept` (ids)
    were allowed before. `project` is an id. Raises Invalid without sources, with too many, or two with the same alias;
    NotFound for another dataset.
    """
    if not 0 < len(sources) <= MOST_SOURCES:
        raise Invalid("a TensorBoard has 1 to 64 sources", hint="give at least one place with logs")
    known = []
    for source in sources:
        ref = source.ref
        if source.kind is SourceKind.DATASET and ref not in kept:
            ref = datasets.usable(session, who, ref, project).id
        known.append(replace(source, id=source.id or new_id(SOURCE_PREFIX, at), ref=ref))
    aliases = [source.alias for source in known if source.alias]
    if len(set(aliases)) < len(aliases):
        raise Invalid(
            "two sources have the same alias", hint="an alias goes before the names of the runs of one source"
        )
    return tuple(known)


def check_tags(tags: Sequence[str]) -> None:
    """Raises Invalid for too many tags."""
    if len(tags) > MOST_TAGS:
        raise Invalid(f"{len(tags)} tags", hint=f"{MOST_TAGS} are the most")


def checked_name(session: Session, project: str, name: str, display_name: str) -> str:
    """A name that is free in the project. Raises Conflict, Invalid for one that was given."""
    taken = set(session.scalars(select(TensorboardRow.name).where(TensorboardRow.project == project, LIVE)))
    if not name:
        return numbered(name_from(display_name, "tensorboard"), taken)
    if check_name(name, "name of a TensorBoard") in taken:
        raise Conflict(f"there is a TensorBoard {name} in this project already", hint="choose another name, or none")
    return name


def title(sources: Sequence[Source]) -> str:
    """The default name of a board: the last path segment of its first source."""
    return sources[0].path.rstrip("/").rpartition("/")[2] or "TensorBoard"


def needs_of(board: Tensorboard, at: float) -> frozenset[Permission]:
    """The permissions that an account needs to own a board like this."""
    wished = {
        Permission.SHARE_PUBLICLY: board.access is Access.LINK,
        Permission.DISABLE_HTTP_AUTH: not board.http_auth,
        Permission.RUN_WITHOUT_END: board.is_endless(at),
    }
    return frozenset(permission for permission, needed in wished.items() if needed)


def check_permitted(
    session: Session, who: Principal, after: Tensorboard, had: frozenset[Permission], at: float
) -> None:
    """Raises PermissionDenied where who asks, or the owner, lacks what the board needs and did not need before."""
    needed = needs_of(after, at) - had
    if missing := lacking(who, needed):
        raise permissions.refusal(missing)
    if after.owner != who.account:
        check_owner_permitted(session, after.owner, needed)


def check_owner_permitted(session: Session, owner: str, needed: Iterable[Permission]) -> None:
    """Raises PermissionDenied where the owner of a board lacks something: what a board may be, its owner must be."""
    missing = [each for each in needed if not permissions.may_owner(session, owner, each)]
    if missing:
        name = accounts.names(session, {owner}).get(owner, owner)
        raise permissions.refusal(missing, f"{name}, who owns this TensorBoard,")


def check_may_open_to_all(session: Session, who: Principal, board: Tensorboard) -> None:
    """Raises PermissionDenied unless `who` owns the board, or administers the project or the hub."""
    leads = role_of(session, who, board.project) in (Role.OWNER, Role.ADMIN)
    if not (who.administrator or leads or board.owner == who.account):
        raise PermissionDenied(
            "only its owner and the project's administrators decide whether it opens without login",
            hint="ask one of them",
        )


# Rows


def locked(session: Session, id: str) -> tuple[TensorboardRow, Tensorboard]:
    """The row, locked until this transaction ends, and the current board."""
    row = session.get_one(TensorboardRow, id, with_for_update=True, populate_existing=True)
    return row, record(Tensorboard, row)


def store(session: Session, row: TensorboardRow, board: Tensorboard) -> None:
    """Writes the board and the derived columns that lists filter and sort by."""
    fill(row, board)
    for name, value in derived(session, board).items():
        if getattr(row, name) != value:
            setattr(row, name, value)


def record_transition(session: Session, who: Principal, board: Tensorboard, before: str = "") -> None:
    """Adds a history entry for the current status and notifies subscribers. `before` is the previous status."""
    add_to_history(session, board.id, lifecycle.transition_of(board, who.account), before)
    changes.note(session, changes.Change(KIND, board.id), board.updated_at)


def add_to_history(session: Session, id: str, step: Transition, before: str) -> None:
    """Adds a history entry, which is also written to the log. `before` is the previous status."""
    session.add(TransitionRow(tensorboard=id, **values(step)))
    changes.note_step(session, changes.Step(id, before, step))


def derived(session: Session, board: Tensorboard) -> dict[str, Any]:
    """The derived columns that lists filter and sort by."""
    texts = [source.text for source in board.sources]
    for source in board.sources:
        dataset = datasets.peek(session, source.ref) if source.ref else None
        if dataset is not None:
            texts.append(replace(source, ref=dataset.name).text)
    marks = [f"label {key}={value}" for key, value in board.labels.items()] + [f"tag {tag}" for tag in board.tags]
    sources = "\n".join(texts).casefold()
    return {
        "sought": "\n".join([board.display_name, board.name, *board.labels.values(), *board.tags]).casefold()
        + f"\n{sources}",
        "sources_sought": sources,
        "marks": "".join(f"\x1f{mark}\x1f" for mark in marks),
        "sort_name": board.display_name.casefold(),
        "loading": board.progress.loading,
    }
