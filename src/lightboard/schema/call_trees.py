"""The calls of a capture as a tree, opened from above or from below. Times are microseconds."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import ResponseModel
from lightboard.schema.profiles import CaptureQuery, Category, LongestSlice

CallColumn = Literal["name", "count", "total_us", "self_us", "mean_us"]

CallPath = Annotated[str, Field(max_length=2000, pattern=r"^(\d{1,9}(,\d{1,9})*)?$")]
"""A node of a call tree, by the keys of the nodes from the first one on, apart by commas. Empty for all of it."""


class CallTreeQuery(CaptureQuery):
    """The nodes below that with this `path`, to a `depth`: at most `limit`, those with most time first.

    `down` is what runs inside of calls, thread by thread; `up` is what calls are inside of, by name, where self time
    counts. Nodes shorter than `least_share` of that node, or of all time, are left out. If `search` has words, there
    are only nodes whose name has all of them, with those that are around them and inside of them. With `sort`, the
    `limit` are the first ones in that order.
    """

    direction: Literal["down", "up"] = "down"
    path: CallPath = ""
    depth: Annotated[int, Field(ge=1, le=200)] = 1
    limit: Annotated[int, Field(ge=1, le=100_000)] = 200
    sort: CallColumn | None = None
    descending: bool = True
    least_share: Annotated[float, Field(ge=0, le=1)] = 0
    search: Annotated[str, Field(max_length=500)] = ""


class CallTreeNode(ResponseModel):
    """Calls with the same calls around them. `parent` is an index of nodes, null for those below the given path.

    `total_us` is self time and that of what runs inside; where a function calls itself, `up` counts its time once.
    `children` is how many nodes are inside (down), or around (up). Threads and scopes are no calls themselves.
    """

    parent: int | None
    path: CallPath
    name: str
    type: Literal["thread", "scope", "slice"]
    category: Category
    count: int
    total_us: float
    self_us: float
    children: int
    longest: LongestSlice | None
    is_found: bool


class CallTreeResponse(ResponseModel):
    """Nodes, parents before their children, and how many were `left_out`. `whole_us` is the time of all threads.

    `around` are the nodes of the path that was asked for, from the outermost; none if it is not there.
    `calls_left_out` are calls without a node, since the tree has too many; what is around them has their time.
    """

    whole_us: float
    left_out: int
    calls_left_out: int
    around: list[CallTreeNode]
    nodes: list[CallTreeNode]
