"""From rows to the frozen records of `resources`, and back, by the names of their fields."""

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from lightboard.errors import Conflict

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    RecordT = TypeVar("RecordT", bound=DataclassInstance)
else:
    RecordT = TypeVar("RecordT")


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The names of a record's fields."""
    return tuple(field.name for field in dataclasses.fields(kind))


def record(kind: type[RecordT], row: Any) -> RecordT:
    """The record that a row holds."""
    return kind(**{name: getattr(row, name) for name in field_names(kind)})


def values(kept: "DataclassInstance") -> dict[str, Any]:
    """The fields of a record, for a new row."""
    return {name: getattr(kept, name) for name in field_names(type(kept))}


def fill(row: Any, kept: "DataclassInstance") -> None:
    """Puts a record into its row; what is the same is not written."""
    for name, value in values(kept).items():
        if getattr(row, name) != value:
            setattr(row, name, value)


def check_version(what: str, have: int, wanted: int | None) -> None:
    """Raises Conflict where the caller looked at another version than the present one."""
    if wanted is not None and wanted != have:
        raise Conflict(f"{what} has changed since you looked", hint=f"look again: it is at version {have} now")
