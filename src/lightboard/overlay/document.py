"""The form of the overlay's file: from text to content and back. Does no I/O."""

import json
from collections.abc import Mapping
from typing import Any

from lightboard.overlay.content import Content, Entries
from lightboard.overlay.fields import RUN_FIELDS, RUN_NAME, VIEW_FIELDS, VIEW_NAME, Field

VERSION = 1


class NewerVersion(Exception):
    """The file is of a version that came after this program."""


def written(content: Content, logdir: str) -> bytes:
    """The file's text: JSON that people can read, in a stable order."""
    document = {
        "version": VERSION,
        "logdir": logdir,
        "revision": content.revision,
        "runs": content.runs,
        "views": content.views,
        "slots": content.slots,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def parse(text: bytes) -> tuple[Content, str]:
    """What is good in a file, and the first thing that is not; "" if all is.

    Raises:
        NewerVersion: nothing about it can be said.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        return Content(), f"no JSON in line {error.lineno}"
    except (ValueError, RecursionError):
        return Content(), "no JSON"
    if not isinstance(document, dict):
        return Content(), "no JSON object"
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NewerVersion(f"it was written by a newer Lightboard (version {version} of its form)")
    faults: list[str] = [] if version == VERSION else ["no version"]
    revision = document.get("revision", 0)
    if not is_count(revision):
        faults.append("revision")
    content = Content(
        revision=revision if is_count(revision) else 0,
        runs=good_entries("runs", document.get("runs", {}), RUN_NAME, RUN_FIELDS, faults),
        views={
            name: view
            for name, view in good_entries("views", document.get("views", {}), VIEW_NAME, VIEW_FIELDS, faults).items()
            if "address" in view
        },
        slots=good_slots(document.get("slots", {}), faults),
    )
    return content, faults[0] if faults else ""


def good_entries(
    kind: str, given: object, name_field: Field, fields: Mapping[str, Field], faults: list[str]
) -> Entries:
    """The entries and fields that fit; the others are named in `faults`."""
    found: dict[str, dict[str, Any]] = {}
    for name, entry in members(kind, given, faults):
        if not name_field.fits(name) or not isinstance(entry, dict):
            faults.append(f"{kind}.{name}"[:200])
            continue
        good = {key: value for key, value in entry.items() if key in fields and fields[key].fits(value)}
        faults += [f"{kind}.{name}.{key}"[:200] for key in entry if key not in good]
        if good:
            found[name] = good
    return found


def good_slots(given: object, faults: list[str]) -> dict[str, int]:
    """Name to slot, each slot once."""
    found: dict[str, int] = {}
    taken: set[int] = set()
    for name, slot in members("slots", given, faults):
        if not is_count(slot) or slot in taken:
            faults.append(f"slots.{name}"[:200])
            continue
        found[name] = slot
        taken.add(slot)
    return found


def members(kind: str, given: object, faults: list[str]) -> list[tuple[str, Any]]:
    """Names and values of a JSON object."""
    if isinstance(given, dict):
        return list(given.items())
    faults.append(kind)
    return []


def is_count(value: object) -> bool:
    """A whole number from 0 up."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
