"""`lightboard profile ops LOGDIR --by-shape`: operators by the shapes of their inputs."""

from collections.abc import Iterable

from lightboard.cancellation import finish
from lightboard.cli.output import say
from lightboard.cli.profile_texts import clipped, time_text
from lightboard.cli.tables import Columns, Format, show_list
from lightboard.profiles.advice_texts import CHANGES, TEXTS
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.shape_operators import shapes_text
from lightboard.query.capture_files import ProfileFile
from lightboard.query.profile_fields import shape_operator_fields
from lightboard.query.profiles import capture_shape_operators, have_shapes

SHAPES_WIDTH = 90
"""What columns other than the name, and other than the shapes, take at most."""

NO_OPERATORS = "no operators"

NO_SHAPES = "the capture has no shapes of inputs"

HOW_TO_RECORD = f"{TEXTS['no_shapes']} {CHANGES['no_shapes']}"

OPERATORS: Columns = [
    ("NAME", lambda row: clipped(row["name"], SHAPES_WIDTH)),
    ("CATEGORY", lambda row: row["category"]),
    ("COUNT", lambda row: str(row["count"])),
    ("TOTAL", lambda row: time_text(row["total_us"])),
    ("SELF", lambda row: time_text(row["self_us"])),
    ("P95", lambda row: time_text(row["p95_us"])),
    ("SHAPES", lambda row: clipped(shapes_text(row["shapes"]), SHAPES_WIDTH)),
]


def show_shapes(pairs: Iterable[tuple[ProfileFile, HostCapture]], output: Format) -> None:
    """Print the table, and how to record shapes if there are none. Raises Unshowable."""
    found = list(pairs)
    rows = finish(capture_shape_operators(found))
    show_list(map(shape_operator_fields, rows), OPERATORS, output, NO_OPERATORS)
    if rows and all(row.shapes is None for row in rows):
        say(f"note: {NO_SHAPES if have_shapes(found) else HOW_TO_RECORD}")
