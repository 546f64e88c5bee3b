"""TensorBoards: creating, finding, changing them and applying events. Leases on them are in `leases`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from lightboard.counts import counted
from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.access import RIGHTS, Permission, Principal, missing_permissions, visibility_of
from lightboard.hub.db import accounts, audit, changes, datasets, permissions, projects
from lightboard.hub.db.access_checks import Resource, check_access, check_right, has_right, rights_on, role_of
from lightboard.hub.db.accounts import check_fields
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.tables import AccountRow, TensorboardRow, TransitionRow
from lightboard.hub.db.tensorboard_lists import page, visible
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.life_spans import extended_span
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.sources import Source, SourceKind, source_key
from lightboard.hub.resources.tensorboards import (
    COUNTED,
    MAX_TAGS,
    PREFIX,
    RESTING,
    Access,
    Origin,
    Status,
    Tensorboard,
    Transition,
)
from lightboard.schema.life_spans import ExtendLifeSpan
from lightboard.schema.tensorboards import TensorboardRequest

KIND = changes.TENSORBOARD
SOURCE_PREFIX = "src"
MAX_SOURCES = 64
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
SPEC_FIELDS = ("display_name", "sources", "reload_secs")
"""Fields of the launcher's spec. If they change, the launcher is updated."""
LIVE = TensorboardRow.status != Status.DELETED
NAME_HINT = "give its id or its name in URLs, not its display name; the list has both"


def create(session: Session, principal: Principal, new: Tensorboard, at: float) -> Tensorboard:
    """Creates a board of the principal, Pending. Right `tensorboards.create`.

    Only fields of `new` that users may set are used. `project` is an id, a name, or "" for the default project. A
    `name` of "" is derived from the display name. Raises TensorboardLimitExceeded, Conflict if the name is taken,
    Invalid for invalid fields.
    """
    project = (
        projects.get(session, principal, new.project).id if new.project else projects.default(session, principal).id
    )
    check_right(session, principal, "tensorboards.create", Resource(project))
    check_limit(session, principal, principal.account)
    sources = known_sources(session, principal, project, new.sources, at)
    check_tags(new.tags)
    lock(session, f"names of tensorboards {project}")
    display_name = new.display_name or new.name or title(sources)
    made = Tensorboard(
        id=new_id(PREFIX, at),
        name=free_name(session, project, new.name, display_name),
        display_name=display_name,
        project=project,
        project_chosen=bool(new.project or principal.project),
        owner=principal.account,
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
    check_permitted(session, principal, made, frozenset(), at)
    row = TensorboardRow(**values(made), leased_to="", leased_until=0.0, **derived(session, made))
    session.add(row)
    session.flush()
    record_transition(session, principal, made)
    details = {"name": made.name, "sources": [source.text for source in made.sources]}
    audit.add(
        session, principal, "tensorboard.create", kind=KIND, target=made.id, project=project, at=at, details=details
    )
    session.flush()
    return made


def get(
    session: Session, principal: Principal, id_or_name: str, right: str = "tensorboards.get", project: str = ""
) -> Tensorboard:
    """The board with this id, or the live one of this name in `project` (id or name; "" is any that the principal
    sees).

    Raises NotFound if the principal may not see it, PermissionDenied without the `right`, Invalid if several projects
    have the name. Deleted boards are only found by id.
    """
    return record(Tensorboard, row_for(session, principal, id_or_name, right, project))


def row_for(session: Session, principal: Principal, id_or_name: str, right: str, project: str) -> TensorboardRow:
    """The row that `get` returns as a board."""
    # Check the project first, so that the error for a hidden project does not depend on the board.
    home = projects.get(session, principal, project).id if project else ""
    known = is_id(id_or_name, PREFIX)
    row = session.get(TensorboardRow, id_or_name) if known else find_by_name(session, principal, id_or_name, home)
    if row is None or (home and home != row.project):
        raise NotFound(f"there is no TensorBoard {id_or_name}", hint="" if known else NAME_HINT)
    what = f"TensorBoard {id_or_name}"
    check_access(session, principal, "tensorboards.get", right, what, resource_of(row))
    return row


def find_by_name(session: Session, principal: Principal, name: str, project: str) -> TensorboardRow | None:
    """The live board of this name that the principal sees; its own come first. `project` is an id."""
    query = select(TensorboardRow).where(TensorboardRow.name == name, LIVE, visible(principal))
    if project:
        query = query.where(TensorboardRow.project == project)
    rows = session.scalars(query.limit(100)).all()
    chosen = [row for row in rows if row.owner == principal.account] or rows
    if len(chosen) > 1:
        raise Invalid(f"several projects have a TensorBoard {name}", hint="name the project, or give the id")
    return chosen[0] if chosen else None


def get_unchecked(session: Session, id: str) -> Tensorboard | None:
    """The board with this id, for the hub itself: no rights are checked."""
    row = session.get(TensorboardRow, id)
    return record(Tensorboard, row) if row else None


def get_named_unchecked(session: Session, name: str, owner: str) -> Tensorboard | None:
    """The live board of this name and owner. For the hub itself: no rights are checked.

    If several projects have one, the oldest, so that a subdomain keeps its target.
    """
    query = select(TensorboardRow).join(AccountRow, AccountRow.id == TensorboardRow.owner)
    query = query.where(LIVE, TensorboardRow.name == name, AccountRow.name == owner)
    row = session.scalar(query.order_by(TensorboardRow.created_at, TensorboardRow.id).limit(1))
    return record(Tensorboard, row) if row else None


def find(session: Session, principal: Principal, query: TensorboardRequest) -> tuple[list[Tensorboard], int]:
    """A page of the visible boards and their total number. Deleted ones are included only if that status is set."""
    project = projects.get(session, principal, query.project, "tensorboards.list").id if query.project else ""
    owner = accounts.find_owner(session, principal, query.owner)
    if owner is None:
        return [], 0
    rows, total = page(session, principal, query, project, owner)
    return [record(Tensorboard, row) for row in rows], total


def visible_in(session: Session, principal: Principal, project: str, most: int) -> list[Tensorboard]:
    """The newest `most` TensorBoards of a project (an id) that the principal sees; none if it may not list any."""
    if missing_permissions(principal, RIGHTS["tensorboards.list"].needs) or Scope.READ not in principal.scopes:
        return []
    query = select(TensorboardRow).where(TensorboardRow.project == project, LIVE, visible(principal))
    query = query.order_by(TensorboardRow.created_at.desc()).limit(most)
    return [record(Tensorboard, row) for row in session.scalars(query)]


def reusable(
    session: Session, principal: Principal, project: str, origin: Origin, origin_id: str, source_key: str
) -> Tensorboard | None:
    """The board for get-or-create: of the same origin if that has an id, else with the same sources; or None.

    `project` is an id. A board in use is preferred, then the principal's own, then the newest. In a write transaction,
    concurrent callers wait, so that only one board is created.
    """
    lock(session, f"reuse {project} {origin} {origin_id or source_key}")
    if origin_id:
        found = of_origin(session, principal, project, origin, origin_id)
    else:
        found = best_first(
            session, principal, TensorboardRow.project == project, TensorboardRow.source_key == source_key
        )
    return found[0] if found else None


def of_origin(
    session: Session, principal: Principal, project: str, origin: Origin, origin_id: str
) -> list[Tensorboard]:
    """The visible boards of a job or notebook, the one for get-or-create first. `project` is an id."""
    same = TensorboardRow.origin == origin, TensorboardRow.origin_id == origin_id
    return best_first(session, principal, TensorboardRow.project == project, *same)


def by_origin(session: Session, principal: Principal, origin: Origin, ids: Collection[str]) -> dict[str, Tensorboard]:
    """The visible boards of several jobs or notebooks, by their ids: of each the first one of `of_origin`."""
    found = best_first(session, principal, TensorboardRow.origin == origin, TensorboardRow.origin_id.in_(ids))
    return {board.origin_id: board for board in reversed(found)}


def best_first(session: Session, principal: Principal, *where: ColumnElement[bool]) -> list[Tensorboard]:
    """The visible boards with these properties: those in use, then the principal's own, then the newest."""
    query = select(TensorboardRow).where(*where, TensorboardRow.status.not_in(lifecycle.GONE), visible(principal))
    rows = session.scalars(query.order_by(TensorboardRow.created_at.desc(), TensorboardRow.id.desc())).all()
    best = sorted(rows, key=lambda row: (row.status not in COUNTED, row.owner != principal.account))
    return [record(Tensorboard, row) for row in best]


def resource_of(board: Tensorboard | TensorboardRow) -> Resource:
    """The resource that rights on a board are checked on."""
    return Resource(board.project, board.owner, visibility_of(board.access, board.project_chosen))


def apply_event(
    session: Session,
    principal: Principal,
    id_or_name: str,
    right: str,
    event: lifecycle.Event,
    at: float,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """The board after `event`, or unchanged, as after a stop of a stopped one.

    Raises Conflict for another version, TensorboardLimitExceeded if it cannot start because of its owner's limit.
    """
    seen = row_for(session, principal, id_or_name, right, project)
    starts = isinstance(event, lifecycle.StartRequested)
    if starts:  # lock the account before the board, as `create` does, to avoid deadlocks
        lock_account(session, seen.owner)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if starts and before.status in RESTING:
        check_limit(session, principal, before.owner)
        check_owner_permitted(session, before.owner, needs_of(before, at) & {Permission.RUN_WITHOUT_END})
    after = lifecycle.apply(before, event, at)
    if after != before:
        store(session, row, after)
        record_transition(session, principal, after, before.status)
        action = type(event).__name__.removesuffix("Requested").lower()
        audit.add(
            session,
            principal,
            f"tensorboard.{action}",
            kind=KIND,
            target=after.id,
            project=after.project,
            at=at,
            details={"reason": after.reason},
        )
        session.flush()
    return after


def change(
    session: Session,
    principal: Principal,
    id_or_name: str,
    wanted: Mapping[str, Any],
    at: float,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """Changes fields of CHANGEABLE, also while it runs. Right `tensorboards.update`.

    Only the owner and administrators of the project may allow access without login. Raises Conflict for another version
    or a deleted board, Invalid for invalid fields.
    """
    seen = row_for(session, principal, id_or_name, "tensorboards.update", project)
    check_fields(wanted, CHANGEABLE)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if before.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {before.name} is deleted", hint="create a new one")
    after = replace(before, **wanted)
    if after.sources != before.sources:
        kept = {source.ref for source in before.sources}
        sources = known_sources(session, principal, before.project, after.sources, at, kept)
        after = replace(after, sources=sources, source_key=source_key(sources, before.project))
    if after.http_auth != before.http_auth:
        check_may_open_to_all(session, principal, before)
    check_permitted(session, principal, after, needs_of(before, at), at)
    check_tags(after.tags)
    return store_change(session, principal, row, before, after, at, sorted(wanted))


def extend(
    session: Session,
    principal: Principal,
    id_or_name: str,
    wanted: ExtendLifeSpan,
    at: float,
    version: int | None = None,
    project: str = "",
) -> Tensorboard:
    """Extends or sets the life span, as `extended_span`. Right `tensorboards.extend`."""
    seen = row_for(session, principal, id_or_name, "tensorboards.extend", project)
    row, before = locked(session, seen.id)
    check_version(f"the TensorBoard {before.name}", before.version, version)
    if before.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {before.name} is deleted", hint="create a new one")
    span = extended_span(before, at, **wanted.model_dump())
    after = replace(before, life_span_secs=span)
    check_permitted(session, principal, after, needs_of(before, at), at)
    return store_change(session, principal, row, before, after, at, ["life_span_secs"])


def store_change(
    session: Session,
    principal: Principal,
    row: TensorboardRow,
    before: Tensorboard,
    after: Tensorboard,
    at: float,
    fields: Iterable[str],
) -> Tensorboard:
    """Stores a change by a user, with an audit event, and a history entry if the life span has changed."""
    if after == before:
        return before
    changes_spec = any(getattr(after, name) != getattr(before, name) for name in SPEC_FIELDS)
    after = replace(after, version=before.version + 1, spec_version=before.spec_version + changes_spec, updated_at=at)
    store(session, row, after)
    if span := lifecycle.span_change(before, after, at, principal.account):
        add_to_history(session, after.id, span, before.status)
    narrowed = after.access is Access.PRIVATE and before.access is not Access.PRIVATE
    changes.note(session, changes.Change(KIND, after.id, narrowed), at)
    if (after.access, after.http_auth) != (before.access, before.http_auth):
        changes.note_access(session, after.id, at)
    words = {name: shown(getattr(after, name)) for name in fields}
    audit.add(
        session,
        principal,
        "tensorboard.change",
        kind=KIND,
        target=after.id,
        project=after.project,
        at=at,
        details=words,
    )
    session.flush()
    return after


def shown(value: Any) -> Any:
    """A field value in the form used in the audit."""
    if isinstance(value, tuple):
        return [part.text if isinstance(part, Source) else part for part in value]
    return value


def history(session: Session, principal: Principal, id_or_name: str, project: str = "") -> list[Transition]:
    """The history of a board, oldest first. Right `tensorboards.get`."""
    board = get(session, principal, id_or_name, project=project)
    rows = session.scalars(
        select(TransitionRow).where(TransitionRow.tensorboard == board.id).order_by(TransitionRow.id)
    )
    return [record(Transition, row) for row in rows]


def rights_of(session: Session, principal: Principal, board: Tensorboard) -> list[str]:
    """The rights of the principal on the board."""
    return rights_on(session, principal, "tensorboards", resource_of(board))


def count_in_use(session: Session, account: str) -> int:
    """The number of boards of an account that count towards its limit."""
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
    """The boards of the project with this id that are not deleted. For the hub itself: no rights are checked."""
    rows = session.scalars(select(TensorboardRow).where(LIVE, TensorboardRow.project == project))
    return [record(Tensorboard, row) for row in rows]


def all_in_use(session: Session) -> list[Tensorboard]:
    """All boards that count towards a limit. For the hub itself: no rights are checked."""
    rows = session.scalars(select(TensorboardRow).where(TensorboardRow.status.in_(COUNTED)).order_by(TensorboardRow.id))
    return [record(Tensorboard, row) for row in rows]


def touch(session: Session, seen: Mapping[str, float]) -> None:
    """Stores when boards were last used, by id. Earlier times are ignored."""
    for id, at in sorted(seen.items()):
        earlier = TensorboardRow.last_active_at.is_(None) | (TensorboardRow.last_active_at < at)
        session.execute(update(TensorboardRow).where(TensorboardRow.id == id, earlier).values(last_active_at=at))


# Rules


def lock_account(session: Session, id: str) -> AccountRow:
    """The row of an account, locked until this transaction ends. Counting boards towards its limit needs the lock."""
    return session.get_one(AccountRow, id, with_for_update=True, populate_existing=True)


def check_limit(session: Session, principal: Principal, owner: str) -> None:
    """Raises TensorboardLimitExceeded if the owner cannot have another board in use.

    Locks the account, so that concurrent starts cannot exceed the limit. The error lists the boards in use that the
    principal may see.
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
        if has_right(session, principal, "tensorboards.get", resource_of(board))
    ]
    raise TensorboardLimitExceeded(
        f"{account.name} has {counted(len(active), 'TensorBoard')} in use, and {limit} is the limit",
        hint="stop or delete one, then try again",
        details={"limit": limit, "active": members, "remedies": ["stop", "delete"]},
    )


def known_sources(
    session: Session,
    principal: Principal,
    project: str,
    sources: Sequence[Source],
    at: float,
    kept: Iterable[str] = (),
) -> tuple[Source, ...]:
    """The sources with ids, and with the ids of their datasets.

    Everybody who opens the board sees the data, so the project must be allowed to use the datasets; those in `kept`
    (ids) were checked before. `project` is an id. Raises Invalid for no or too many sources, or for two with the same
    alias; NotFound for other datasets.
    """
    if not 0 < len(sources) <= MAX_SOURCES:
        raise Invalid("a TensorBoard has 1 to 64 sources", hint="give at least one source")
    known = []
    for source in sources:
        ref = source.ref
        if source.kind is SourceKind.DATASET and ref not in kept:
            ref = datasets.usable(session, principal, ref, project).id
        known.append(replace(source, id=source.id or new_id(SOURCE_PREFIX, at), ref=ref))
    aliases = [source.alias for source in known if source.alias]
    if len(set(aliases)) < len(aliases):
        raise Invalid("two sources have the same alias", hint="an alias is the prefix of the run names of one source")
    return tuple(known)


def check_tags(tags: Sequence[str]) -> None:
    """Raises Invalid for too many tags."""
    if len(tags) > MAX_TAGS:
        raise Invalid(f"{len(tags)} tags are too many", hint=f"the maximum is {MAX_TAGS}")


def free_name(session: Session, project: str, name: str, display_name: str) -> str:
    """A free name in the project. Raises Conflict or Invalid for a given name."""
    taken = set(session.scalars(select(TensorboardRow.name).where(TensorboardRow.project == project, LIVE)))
    if not name:
        return numbered(name_from(display_name, "tensorboard"), taken)
    if check_name(name, "name of a TensorBoard") in taken:
        raise Conflict(f"there is a TensorBoard {name} in this project already", hint="choose another name, or omit it")
    return name


def title(sources: Sequence[Source]) -> str:
    """The default name of a board: the last path segment of its first source."""
    return sources[0].path.rstrip("/").rpartition("/")[2] or "TensorBoard"


def needs_of(board: Tensorboard, at: float) -> frozenset[Permission]:
    """The permissions that the owner of the board needs."""
    needed_by = {
        Permission.SHARE_PUBLICLY: board.access is Access.LINK,
        Permission.DISABLE_HTTP_AUTH: not board.http_auth,
        Permission.RUN_WITHOUT_END: board.is_endless(at),
    }
    return frozenset(permission for permission, needed in needed_by.items() if needed)


def check_permitted(
    session: Session, principal: Principal, after: Tensorboard, had: frozenset[Permission], at: float
) -> None:
    """Raises PermissionDenied if the principal or the owner lacks a permission that the board did not need before."""
    needed = needs_of(after, at) - had
    if missing := missing_permissions(principal, needed):
        raise permissions.refusal(missing)
    if after.owner != principal.account:
        check_owner_permitted(session, after.owner, needed)


def check_owner_permitted(session: Session, owner: str, needed: Iterable[Permission]) -> None:
    """Raises PermissionDenied if the owner of a board lacks a permission."""
    missing = [each for each in needed if not permissions.is_permitted(session, owner, each)]
    if missing:
        name = accounts.names(session, {owner}).get(owner, owner)
        raise permissions.refusal(missing, f"{name}, who owns this TensorBoard,")


def check_may_open_to_all(session: Session, principal: Principal, board: Tensorboard) -> None:
    """Raises PermissionDenied unless the principal owns the board, or administers the project or the hub."""
    leads = role_of(session, principal, board.project) in (Role.OWNER, Role.ADMIN)
    if not (principal.administrator or leads or board.owner == principal.account):
        raise PermissionDenied(
            "only the owner and administrators of the project can change whether it opens without login",
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


def record_transition(session: Session, principal: Principal, board: Tensorboard, before: str = "") -> None:
    """Adds a history entry for the current status and notifies subscribers. `before` is the previous status."""
    add_to_history(session, board.id, lifecycle.transition_of(board, principal.account), before)
    changes.note(session, changes.Change(KIND, board.id), board.updated_at)


def add_to_history(session: Session, id: str, step: Transition, before: str) -> None:
    """Adds a history entry, which is also written to the log. `before` is the previous status."""
    session.add(TransitionRow(tensorboard=id, **values(step)))
    changes.note_status_change(session, changes.StatusChange(id, before, step))


def derived(session: Session, board: Tensorboard) -> dict[str, Any]:
    """The derived columns that lists filter and sort by."""
    texts = [source.text for source in board.sources]
    for source in board.sources:
        dataset = datasets.get_unchecked(session, source.ref) if source.ref else None
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
