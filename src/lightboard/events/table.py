"""Pure-Python stand-in for the table parser of the core. It declines every table, so that callers use NumPy."""

from lightboard.events.protocol import Bytes


def parse_table(text: Bytes, columns: int) -> bytes | None:  # noqa: ARG001  # named by the core
    """None: NumPy is quicker than anything that could be written here."""
    if columns < 1:
        raise ValueError("a line has at least one number")
    return None
