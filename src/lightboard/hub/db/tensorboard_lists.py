"""Lists of TensorBoards: visibility and filters."""

import re
from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, func, or_, select, true
from sqlalchemy.orm import Session

from lightboard.errors import Invalid
from lightboard.hub.access import RIGHTS, SEEN_BY, Principal, kinds_of, missing_permissions
from lightboard.hub.db.access_checks import denied
from lightboard.hub.db.tables import MemberRow, TensorboardRow
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tensorboards import MAX_LABELS, MAX_TAGS, Access, Origin, Status
from lightboard.schema.tensorboards import TensorboardRequest

ORDERS = {
    "created": TensorboardRow.created_at,
    "name": TensorboardRow.sort_name,
    "active": func.coalesce(TensorboardRow.last_active_at, 0.0),
}

WORD = re.compile(r'\s*"((?:[^"]|"")+)"\s*(?:,|$)|([^,]*)(?:,|$)')


def visible(principal: Principal) -> ColumnElement[bool]:
    """The condition that the principal may see a board, as `tensorboards.get` in the table of rights."""
    where: list[ColumnElement[bool]] = [TensorboardRow.project == principal.project] if principal.project else []
    if not principal.administrator:
        member = select(MemberRow.project).where(MemberRow.account == principal.account)
        visible_kinds = [
            and_(
                or_(*(has_access(*kind) for kind in kinds_of(visibility))),
                TensorboardRow.project.in_(member.where(MemberRow.role.in_(roles))),
            )
            for visibility, roles in SEEN_BY.items()
            if roles
        ]
        where += [TensorboardRow.project.in_(member), or_(TensorboardRow.owner == principal.account, *visible_kinds)]
    return and_(true(), *where)


def has_access(access: Access, project_chosen: bool) -> ColumnElement[bool]:
    """The condition that a board has this access and `project_chosen`."""
    return and_(TensorboardRow.access == access, TensorboardRow.project_chosen.is_(project_chosen))


def page(
    session: Session, principal: Principal, query: TensorboardRequest, project: str, owner: str
) -> tuple[list[TensorboardRow], int]:
    """A page of boards and their total number. `project` and `owner` are ids, "" for any. Unknown values match nothing.

    Raises PermissionDenied for a token that may not read.
    """
    if Scope.READ not in principal.scopes or missing_permissions(principal, RIGHTS["tensorboards.list"].needs):
        raise denied(principal, "tensorboards.list")
    where = [visible(principal), *conditions(query)]
    where += [TensorboardRow.project == project] if project else []
    where += [TensorboardRow.owner == owner] if owner else []
    total = session.scalar(select(func.count()).select_from(TensorboardRow).where(*where)) or 0
    column = ORDERS[query.sort.removeprefix("-")]
    backwards = query.sort.startswith("-")
    rows = session.scalars(
        select(TensorboardRow)
        .where(*where)
        .order_by(*((key.desc() if backwards else key) for key in (column, TensorboardRow.id)))
        .offset((query.page - 1) * query.page_size)
        .limit(query.page_size)
    )
    return list(rows.all()), total


def conditions(query: TensorboardRequest) -> Iterable[ColumnElement[bool]]:
    """The conditions of the filters."""
    table = TensorboardRow
    if query.status:
        known = {status.value: status for status in Status}
        yield table.status.in_([known[word] for word in words(query.status) if word in known])
    else:
        yield table.status != Status.DELETED
    if query.reason:
        yield table.reason.in_(words(query.reason))
    if query.origin:
        yield table.origin.in_([origin for origin in Origin if origin.value in words(query.origin)])
    if query.origin_id:
        yield table.origin_id == query.origin_id
    if query.source:
        yield table.sources_sought.contains(query.source.casefold(), autoescape=True)
    for label in check_count(MAX_LABELS, words(query.label), "labels"):
        # `key` alone matches any value. The separators prevent partial matches.
        mark = f"\x1flabel {label}\x1f" if "=" in label else f"\x1flabel {label}="
        yield table.marks.contains(mark, autoescape=True)
    for tag in check_count(MAX_TAGS, words(query.tag), "tags"):
        yield table.marks.contains(f"\x1ftag {tag}\x1f", autoescape=True)
    if query.search:
        yield table.sought.contains(query.search.casefold(), autoescape=True)
    if query.created_after is not None:
        yield table.created_at >= query.created_after
    if query.created_before is not None:
        yield table.created_at < query.created_before


def words(text: str) -> list[str]:
    """The words between commas, each once. As in CSV, one in double quotes may have commas, and quotes as `""`."""
    quoted_or_not = ((match[1].replace('""', '"') if match[1] else match[2].strip()) for match in WORD.finditer(text))
    return list(dict.fromkeys(word for word in quoted_or_not if word))


def check_count(most: int, found: list[str], what: str) -> list[str]:
    """`found`. Raises Invalid for more than a board can have, because databases limit the number of conditions."""
    if len(found) > most:
        raise Invalid(f"{len(found)} {what}", hint=f"a TensorBoard has {most} at most")
    return found
