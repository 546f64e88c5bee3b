"""Serializes annotations to the JSON of their file, and parses it. Does no I/O."""

import json
from collections.abc import Mapping
from typing import Any

from lightboard.annotations.annotations import Annotations, Entries
from lightboard.annotations.fields import RUN_FIELDS, RUN_NAME, VIEW_FIELDS, VIEW_NAME, Field

VERSION = 1


class NewerVersion(Exception):
    """The file has a newer format than this version can read."""


def serialize(annotations: Annotations, logdir: str) -> bytes:
    """The content of the file: indented JSON in a stable order."""
    document = {
        "version": VERSION,
        "logdir": logdir,
        "revision": annotations.revision,
        "runs": annotations.runs,
        "views": annotations.views,
        "slots": annotations.slots,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def parse(text: bytes) -> tuple[Annotations, str]:
    """The valid part of a file, and the name of the first invalid thing, "" if there is none.

    Raises:
        NewerVersion: the file has a newer format.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        return Annotations(), f"no JSON in line {error.lineno}"
    except (ValueError, RecursionError):
        return Annotations(), "no JSON"
    if not isinstance(document, dict):
        return Annotations(), "no JSON object"
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NewerVersion(f"it was written by a newer Lightboard (format version {version})")
    problems: list[str] = [] if version == VERSION else ["no version"]
    revision = document.get("revision", 0)
    if not is_count(revision):
        problems.append("revision")
    runs = valid_entries("runs", document.get("runs", {}), RUN_NAME, RUN_FIELDS, problems)
    views = valid_entries("views", document.get("views", {}), VIEW_NAME, VIEW_FIELDS, problems)
    annotations = Annotations(
        revision=revision if is_count(revision) else 0,
        runs=runs,
        views={name: view for name, view in views.items() if "address" in view},
        slots=valid_slots(document.get("slots", {}), problems),
    )
    return annotations, problems[0] if problems else ""


def valid_entries(
    kind: str, value: object, name_field: Field, fields: Mapping[str, Field], problems: list[str]
) -> Entries:
    """The valid entries and fields. Names of invalid ones are appended to `problems`."""
    result: dict[str, dict[str, Any]] = {}
    for name, entry in items_of(kind, value, problems):
        if not name_field.is_valid(name) or not isinstance(entry, dict):
            problems.append(f"{kind}.{name}"[:200])
            continue
        valid = {key: value for key, value in entry.items() if key in fields and fields[key].is_valid(value)}
        problems += [f"{kind}.{name}.{key}"[:200] for key in entry if key not in valid]
        if valid:
            result[name] = valid
    return result


def valid_slots(value: object, problems: list[str]) -> dict[str, int]:
    """Slots by name. Repeated slots are invalid."""
    result: dict[str, int] = {}
    used: set[int] = set()
    for name, slot in items_of("slots", value, problems):
        if not is_count(slot) or slot in used:
            problems.append(f"slots.{name}"[:200])
            continue
        result[name] = slot
        used.add(slot)
    return result


def items_of(kind: str, value: object, problems: list[str]) -> list[tuple[str, Any]]:
    """The items of a JSON object; [] for any other value."""
    if isinstance(value, dict):
        return list(value.items())
    problems.append(kind)
    return []


def is_count(value: object) -> bool:
    """Whether a value is an integer from 0 up."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
