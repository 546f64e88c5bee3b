"""Lists of TensorBoards: who sees which, and the filters of the list."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, func, or_, select, true
from sqlalchemy.orm import Session

from lightboard.errors import Invalid
from lightboard.hub.access import RIGHTS, SEEN_BY, Principal, kinds_of, lacking
from lightboard.hub.db.rights import denied
from lightboard.hub.db.tables import MemberRow, TensorboardRow
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tensorboards import MOST_LABELS, MOST_TAGS, Access, Origin, Status
from lightboard.schema.tensorboards import TensorboardQuestion

ORDERS = {
    "created": TensorboardRow.created_at,
    "name": TensorboardRow.sort_name,
    "active": func.coalesce(TensorboardRow.last_active_at, 0.0),
}


def visible(who: Principal) -> ColumnElement[bool]:
    """The boards that `who` may see: the row of `tensorboards.get` in the table of rights, as a condition."""
    where: list[ColumnElement[bool]] = [TensorboardRow.project == who.project] if who.project else []
    if not who.administrator:
        member = select(MemberRow.project).where(MemberRow.account == who.account)
        shown = [
            and_(
                or_(*(kind_is(*kind) for kind in kinds_of(visibility))),
                TensorboardRow.project.in_(member.where(MemberRow.role.in_(roles))),
            )
            for visibility, roles in SEEN_BY.items()
            if roles
        ]
        where += [TensorboardRow.project.in_(member), or_(TensorboardRow.owner == who.account, *shown)]
    return and_(true(), *where)


def kind_is(access: Access, project_chosen: bool) -> ColumnElement[bool]:
    """A board of this access, whose maker has named the project, or has not."""
    return and_(TensorboardRow.access == access, TensorboardRow.project_chosen.is_(project_chosen))


def page(
    session: Session, who: Principal, question: TensorboardQuestion, project: str, owner: str
) -> tuple[list[TensorboardRow], int]:
    """One page and the number of all. `project` and `owner` are ids, "" for any; words nobody knows find nothing.

    Raises PermissionDenied for a token that may not look.
    """
    if Scope.READ not in who.scopes or lacking(who, RIGHTS["tensorboards.list"].needs):
        raise denied(who, "tensorboards.list")
    where = [visible(who), *conditions(question)]
    where += [TensorboardRow.project == project] if project else []
    where += [TensorboardRow.owner == owner] if owner else []
    total = session.scalar(select(func.count()).select_from(TensorboardRow).where(*where)) or 0
    column = ORDERS[question.sort.removeprefix("-")]
    backwards = question.sort.startswith("-")
    rows = session.scalars(
        select(TensorboardRow)
        .where(*where)
        .order_by(*((key.desc() if backwards else key) for key in (column, TensorboardRow.id)))
        .offset((question.page - 1) * question.page_size)
        .limit(question.page_size)
    )
    return list(rows.all()), total


def conditions(question: TensorboardQuestion) -> Iterable[ColumnElement[bool]]:
    """What the question itself asks for."""
    table = TensorboardRow
    if question.status:
        known = {status.value: status for status in Status}
        yield table.status.in_([known[word] for word in words(question.status) if word in known])
    else:
        yield table.status != Status.DELETED
    if question.reason:
        yield table.reason.in_(words(question.reason))
    if question.origin:
        yield table.origin.in_([origin for origin in Origin if origin.value in words(question.origin)])
    if question.origin_id:
        yield table.origin_id == question.origin_id
    if question.source:
        yield table.sources_sought.contains(question.source.casefold(), autoescape=True)
    for label in at_most(MOST_LABELS, words(question.label), "labels"):
        # `key` alone is whatever its value; the separators keep a part of one from being found in another
        mark = f"\x1flabel {label}\x1f" if "=" in label else f"\x1flabel {label}="
        yield table.marks.contains(mark, autoescape=True)
    for tag in at_most(MOST_TAGS, words(question.tag), "tags"):
        yield table.marks.contains(f"\x1ftag {tag}\x1f", autoescape=True)
    if question.search:
        yield table.sought.contains(question.search.casefold(), autoescape=True)
    if question.created_after is not None:
        yield table.created_at >= question.created_after
    if question.created_before is not None:
        yield table.created_at < question.created_before


def words(text: str) -> list[str]:
    """Words that commas separate, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def at_most(most: int, found: list[str], what: str) -> list[str]:
    """`found`. Raises Invalid for more than a board can have: each is a condition, and databases take only so many."""
    if len(found) > most:
        raise Invalid(f"{len(found)} {what}", hint=f"a TensorBoard has {most} at most")
    return found
