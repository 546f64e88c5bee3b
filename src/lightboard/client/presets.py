"""Presets of a hub, for programs and commands that were written for another place with other names."""

from collections.abc import Callable

from lightboard.client.session import Session


def preset_or_default(session: Session, name: str, say: Callable[[str], None]) -> str:
    """The preset if the hub has it; else "" for its default, if it has any. `say` is told which."""
    if not name:
        return ""
    names = [preset["name"] for preset in session.get("/api/v1/presets")["items"]]
    if name in names:
        return name
    if names:
        say(f"the hub has no preset {name}; the job gets its default, {names[0]}")
    else:
        say(f"the hub has no presets, so {name} has no effect")
    return ""
