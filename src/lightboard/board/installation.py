"""Checks for optional components that were not built."""

from lightboard import _native
from lightboard.board.pages import BUILD_COMMAND, pages_built


def missing_components() -> list[str]:
    """One line for each missing component."""
    lines = []
    if _native.core is None:
        lines.append(f"note: reading with the slow Python decoder; the compiled core is missing: {_native.reason}")
    if not pages_built():
        lines.append(f"note: the web pages are not built; run `{BUILD_COMMAND}` in the folder of the sources")
    return lines
