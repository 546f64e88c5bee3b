"""Annotations as plain values, and edits of them. Does no I/O.

Empty fields (an empty text, false, no tags) are removed, and so are entries without fields. The entry of a run
stays when the run disappears, since the run may come back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lightboard.annotations.fields import MAX_VIEWS, RUN_FIELDS, RUN_NAME, VIEW_FIELDS, VIEW_NAME, Field
from lightboard.errors import BadRequest

Entry = Mapping[str, Any]
Entries = Mapping[str, Entry]


@dataclass(frozen=True, kw_only=True)
class Annotations:
    """Entries by name of run or view, and slots by name of run; `revision` counts the edits by users. Immutable."""

    revision: int = 0
    runs: Entries = field(default_factory=dict)
    views: Entries = field(default_factory=dict)
    slots: Mapping[str, int] = field(default_factory=dict)


def apply_edit(annotations: Annotations, edit: Mapping[str, Any], now: float) -> Annotations:
    """`annotations` after an edit with the fields of `schema.annotations.AnnotationsEdit`; `now` is in Unix seconds.

    Fields that the edit leaves out are not changed. None removes a field or an entry. If the edit changes nothing,
    `annotations` itself is returned.

    Raises:
        BadRequest: a name or value is invalid; the message says which, and what is valid.
    """
    runs = merge_entries("runs", annotations.runs, edit.get("runs") or {}, RUN_NAME, RUN_FIELDS)
    view_edit = add_save_times(edit.get("views") or {}, now)
    views = merge_entries("views", annotations.views, view_edit, VIEW_NAME, VIEW_FIELDS)
    check_views(views)
    if runs == annotations.runs and views == annotations.views:
        return annotations
    return replace(annotations, revision=annotations.revision + 1, runs=runs, views=views)


def merge_entries(
    kind: str, entries: Entries, edit: Mapping[str, Entry | None], name_field: Field, fields: Mapping[str, Field]
) -> Entries:
    """`entries` with the fields of `edit` merged in. Raises BadRequest."""
    result = dict(entries)
    for name, changes in edit.items():
        check_value(name_field, name, f"a name in {kind}")
        entry = {**result.get(name, {}), **(changes or {})} if changes is not None else {}
        for key, value in (changes or {}).items():
            if value is not None:
                check_value(fields[key], value, f"{kind}.{shorten(name)}.{key}")
        entry = {key: value for key, value in entry.items() if not is_empty(value)}
        if entry:
            result[name] = entry
        else:
            result.pop(name, None)
    return result


def is_empty(value: object) -> bool:
    """Whether a value means the same as an absent field. 0 does not: it is a colour."""
    return value is None or value is False or value in ("", [])


def check_value(definition: Field, value: object, what: str) -> None:
    """Raise BadRequest if a value is invalid."""
    if not definition.is_valid(value):
        raise BadRequest(
            f"{what} must be {definition.description}", hint="docs/overlay.md lists all fields and their limits"
        )


def add_save_times(edit: Mapping[str, Entry | None], now: float) -> Mapping[str, Entry | None]:
    """The edit with `saved` set to now for views that have no time."""
    return {
        name: {"saved": now, **changes} if changes and changes.get("address") else changes
        for name, changes in edit.items()
    }


def check_views(views: Entries) -> None:
    """Raise BadRequest if there are too many views, or one has no address."""
    if len(views) > MAX_VIEWS:
        raise BadRequest(f"more than {MAX_VIEWS:,} saved views", hint="remove some first")
    for name, view in views.items():
        if "address" not in view:
            raise BadRequest(f"the view {shorten(name)} has no address", hint="to remove a view, set it to null")


def add_slots(annotations: Annotations, slots: Mapping[str, int]) -> Annotations:
    """`annotations` with the slots of new runs. Slots of known runs stay.

    Two boards over one logdir may assign the same slot to different runs; then the later one gets the next free slot.
    """
    if all(name in annotations.slots for name in slots):
        return annotations
    result = dict(annotations.slots)
    used = set(result.values())
    free = max((*used, *slots.values())) + 1
    for name, slot in slots.items():
        if name not in result:
            if slot in used:
                slot, free = free, free + 1
            result[name] = slot
            used.add(slot)
    return replace(annotations, slots=result)


def shorten(name: str) -> str:
    """A name short enough for a message."""
    return repr(name if len(name) <= 60 else name[:59] + "…")
