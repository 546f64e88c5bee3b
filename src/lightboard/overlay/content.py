"""What an overlay holds, as plain values, and what an edit makes of it. Does no I/O.

A field that says nothing (an empty text, false, no tags) is the same as one that is not there, and an entry without
fields is no entry. A run that is gone keeps its entry: it may come back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lightboard.errors import BadRequest
from lightboard.overlay.fields import MOST_VIEWS, RUN_FIELDS, RUN_NAME, VIEW_FIELDS, VIEW_NAME, Field

Entry = Mapping[str, Any]
Entries = Mapping[str, Entry]


@dataclass(frozen=True, kw_only=True)
class Content:
    """Entries by name of run or view, slots by name of run; `revision` counts the edits that people made.

    Treated as unchangeable: an edit makes new mappings.
    """

    revision: int = 0
    runs: Entries = field(default_factory=dict)
    views: Entries = field(default_factory=dict)
    slots: Mapping[str, int] = field(default_factory=dict)


def edited(content: Content, edit: Mapping[str, Any], now: float) -> Content:
    """`content` after an edit of the shape of `schema.overlay.OverlayEdit`; `now` in seconds since the epoch.

    A field that the edit does not name stays, null removes it; null for an entry removes the entry. An edit that
    changes nothing gives `content` itself.

    Raises:
        BadRequest: a name or value does not fit; the message says which and what would.
    """
    runs = merged("runs", content.runs, edit.get("runs") or {}, RUN_NAME, RUN_FIELDS)
    views = merged("views", content.views, stamped(edit.get("views") or {}, now), VIEW_NAME, VIEW_FIELDS)
    check_views(views)
    if runs == content.runs and views == content.views:
        return content
    return replace(content, revision=content.revision + 1, runs=runs, views=views)


def merged(
    kind: str, entries: Entries, edit: Mapping[str, Entry | None], name_field: Field, fields: Mapping[str, Field]
) -> Entries:
    """`entries` with the fields of `edit` put over them. Raises BadRequest."""
    result = dict(entries)
    for name, changes in edit.items():
        need(name_field, name, f"a name in {kind}")
        entry = {**result.get(name, {}), **(changes or {})} if changes is not None else {}
        for key, value in (changes or {}).items():
            if value is not None:
                need(fields[key], value, f"{kind}.{shown(name)}.{key}")
        entry = {key: value for key, value in entry.items() if tells(value)}
        if entry:
            result[name] = entry
        else:
            result.pop(name, None)
    return result


def tells(value: object) -> bool:
    """Does a value say anything? Slot 0 is a colour; false, nothing and what is empty are not."""
    return value is not None and value is not False and value not in ("", [])


def need(wanted: Field, value: object, what: str) -> None:
    """Raises BadRequest if a value does not fit."""
    if not wanted.fits(value):
        raise BadRequest(f"{what} must be {wanted.wanted}", hint="docs/overlay.md names every field and its limits")


def stamped(edit: Mapping[str, Entry | None], now: float) -> Mapping[str, Entry | None]:
    """Views that were given an address but no time are of now."""
    return {
        name: {"saved": now, **changes} if changes and changes.get("address") else changes
        for name, changes in edit.items()
    }


def check_views(views: Entries) -> None:
    """Raises BadRequest if there are too many, or one leads nowhere."""
    if len(views) > MOST_VIEWS:
        raise BadRequest(f"more than {MOST_VIEWS:,} saved views", hint="remove some first")
    for name, view in views.items():
        if "address" not in view:
            raise BadRequest(f"the view {shown(name)} has no address", hint="null in place of the view removes it")


def with_slots(content: Content, slots: Mapping[str, int]) -> Content:
    """`content` with the slots of runs it did not know yet; what it knows stays.

    Two boards over one logdir may each have given a number; the later one to say so gets the next free one.
    """
    if all(name in content.slots for name in slots):
        return content
    kept = dict(content.slots)
    taken = set(kept.values())
    free = max((*taken, *slots.values())) + 1
    for name, slot in slots.items():
        if name not in kept:
            if slot in taken:
                slot, free = free, free + 1
            kept[name] = slot
            taken.add(slot)
    return replace(content, slots=kept)


def shown(name: str) -> str:
    """A name short enough for a message."""
    return repr(name if len(name) <= 60 else name[:59] + "…")
