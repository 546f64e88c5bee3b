"""Converts rows to the frozen records of `resources` and back, by field names."""

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
    """The record of a row."""
    return kind(**{name: getattr(row, name) for name in field_names(kind)})


def values(value: "DataclassInstance") -> dict[str, Any]:
    """The fields of a record, for a new row."""
    return {name: getattr(value, name) for name in field_names(type(value))}


def fill(row: Any, value: "DataclassInstance") -> None:
    """Writes a record to its row. Unchanged fields are not written."""
    for name, new in values(value).items():
        if getattr(row, name) != new:
            setattr(row, name, new)


def check_version(what: str, current: int, expected: int | None) -> None:
    """Raises Conflict if the version that the caller expects is not the current one."""
    if expected is not None and expected != current:
        raise Conflict(f"{what} has changed in the meantime", hint=f"reload it: the current version is {current} now")
