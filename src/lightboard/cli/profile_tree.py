"""`lightboard profile tree LOGDIR`: which calls of a capture run inside of which, and for how long."""

from typing import Any

from lightboard.cancellation import finish
from lightboard.cli.output import say
from lightboard.cli.profile_texts import clipped, time_text
from lightboard.cli.tables import TABLE, Columns, Format, show_list
from lightboard.profiles.call_paths import CallView, Direction, depth_first
from lightboard.profiles.call_tree import call_tree
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.time_line import TimeLine
from lightboard.query.profile_fields import call_fields
from lightboard.query.profiles import begin_ns

LEAST_SHARE = 0.005
"""What takes less of all time is left out."""

MAX_DEPTH, MAX_ROWS = 200, 5000

NO_CALLS = "no calls"

CALLS: Columns = [
    ("CALL", lambda each: f"{'  ' * each[0]}{clipped(each[1]['name'])}"),
    ("CATEGORY", lambda each: each[1]["category"]),
    ("COUNT", lambda each: str(each[1]["count"])),
    ("TOTAL", lambda each: time_text(each[1]["total_us"])),
    ("SELF", lambda each: time_text(each[1]["self_us"])),
]


def show_tree(hosts: list[HostCapture], direction: Direction, output: Format) -> None:
    """Print the tree, as it is opened from above or from below."""
    tree, begin = finish(call_tree([(host, TimeLine(host)) for host in hosts])), begin_ns(hosts)
    found = CallView(tree, direction).rows((), depth=MAX_DEPTH, limit=MAX_ROWS, least_share=LEAST_SHARE)
    rows: list[Any] = [call_fields(row, hosts, begin) for row in found.rows]
    if output is TABLE:
        rows = [(depth, call_fields(row, hosts, begin)) for depth, row in depth_first(found.rows)]
    show_list(rows, CALLS, output, NO_CALLS)
    if found.left_out:
        say(f"note: {found.left_out:,} calls of less than {LEAST_SHARE:.1%} of all time are left out")
    if tree.left_out:
        say(f"note: {tree.left_out:,} calls are beyond the limit of the tree, and count as self time of those around")
