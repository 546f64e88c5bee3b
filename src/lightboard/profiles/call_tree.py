"""The call paths of a capture: which slices ran inside which, on each thread, added up by name.

The first level are threads and streams, whose times are not added to each other. Below are slices by the slice around
them, whatever they are but steps, which need not nest with the functions around them. Where a slice has another scope
than the one around it (name scopes of TensorFlow, `op_name` of JAX), the scope is in between.

A slice is in the innermost one that contains all of it: clocks of profilers make a slice begin a little before the one
that it follows is over. Self time is that in which no slice runs that began later on the thread, and labels have none
(`nesting.label_test`). Self times add up to the time in which a thread is busy; those in a node to its total time, but
for labels and slices that overlap.
"""

from collections.abc import Generator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.devices import device_of_tracks, host_label
from lightboard.profiles.nesting import label_test, self_times
from lightboard.profiles.operators import slice_scopes, split_name
from lightboard.profiles.time_line import TimeLine

MAX_NODES = 100_000
"""Nodes of a tree. The time of calls beyond them is self time of the calls around them."""

AT_ONCE = 1 << 18
"""Slices that are added at once."""

NodeType = Literal["thread", "scope", "slice"]

ROOT, NOWHERE = 0, -1

Ints = NDArray[np.int64]


class NodeKey(NamedTuple):
    """What a node is called, among the children of another one."""

    name: str
    type: NodeType
    category: Category


class Times(NamedTuple):
    """The time of slices together."""

    total_ns: int
    self_ns: int


class LongestSlice(NamedTuple):
    """The longest slice of a node, of the host with this index."""

    host: int
    slice: int
    duration_ns: int


class TrackPaths:
    """For the slices of a track in the order of rows: their ends and nodes, and the places of those around them."""

    def __init__(self, size: int) -> None:
        self.end_ns = np.empty(size, np.int64)
        self.node = np.empty(size, np.int32)
        self.around = np.empty(size, np.int32)

    def innermost(self, around: Ints, ends: Ints) -> Ints:
        """The innermost slice from `around` outwards that contains what ends then, `NOWHERE` if none does."""
        while True:
            sticks_out = np.flatnonzero((around != NOWHERE) & (self.end_ns[around] < ends))
            if not len(sticks_out):
                return around
            around[sticks_out] = self.around[around[sticks_out]]


class CallTree:
    """Nodes by their index, parents before their children. The first one is the root, which is nothing itself."""

    def __init__(self, max_nodes: int = MAX_NODES) -> None:
        self.max_nodes = self.limit = max_nodes
        self.keys: list[NodeKey] = []
        """What nodes are called: each once."""
        self.key: list[int] = [-1]
        self.parent: list[int] = [-1]
        self.scope: list[str] = [""]
        """The scope in which each node is."""
        self.count: list[int] = [0]
        self.total_ns: list[int] = [0]
        self.self_ns: list[int] = [0]
        self.longest: list[LongestSlice | None] = [None]
        self.children: list[list[int]] = [[]]
        self.left_out = 0
        """Slices without a node of their own."""
        self._keys: dict[NodeKey, int] = {}
        self._nodes: dict[tuple[int, int], int] = {}

    def child(self, parent: int, key: NodeKey, scope: str) -> int:
        """A child of a node, which is new if it has none of that name. The parent itself if there are too many."""
        place = parent, self._key(key)
        found = self._nodes.get(place)
        if found is not None:
            return found
        if len(self.key) >= self.limit:
            return parent
        found = self._nodes[place] = len(self.key)
        self.key.append(place[1])
        self.parent.append(parent)
        self.scope.append(scope)
        for column in (self.count, self.total_ns, self.self_ns):
            column.append(0)
        self.longest.append(None)
        self.children.append([])
        self.children[parent].append(found)
        return found

    def share(self, threads: int) -> None:
        """Give the next one of so many threads its part of the nodes that are left."""
        used = len(self.key)
        self.limit = used + max(2, (self.max_nodes - used) // threads) if used < self.max_nodes else used

    def in_scope(self, parent: int, scope: str) -> int:
        """The node of a scope below a node, which may be in a part of that scope."""
        around = self.scope[parent]
        if not scope or scope == around:
            return parent
        inside = scope.removeprefix(f"{around}/") if around else scope
        at = "" if inside == scope else around
        for part in inside.split("/"):
            at = f"{at}/{part}" if at else part
            parent = self.child(parent, NodeKey(part, "scope", "annotation"), at)
        return parent

    def _key(self, key: NodeKey) -> int:
        found = self._keys.get(key)
        if found is None:
            found = self._keys[key] = len(self.keys)
            self.keys.append(key)
        return found

    def add(self, around: int, inside: int, key: NodeKey, count: int, times: Times, longest: LongestSlice) -> int:
        """Add slices below a node, `inside`, that is or is in the node `around` them. `NOWHERE` if that is too many.

        Of these, what is around keeps the time.
        """
        node = self.child(inside, key, self.scope[inside])
        if node == inside:
            self.left_out += count
            self.self_ns[around] += times.total_ns
            return NOWHERE
        self.count[node] += count
        self.total_ns[node] += times.total_ns
        self.self_ns[node] += times.self_ns
        before = self.longest[node]
        if before is None or before.duration_ns < longest.duration_ns:
            self.longest[node] = longest
        return node

    def add_up(self) -> None:
        """Give scopes and threads the times and counts of what is in them."""
        for node in range(len(self.key) - 1, ROOT, -1):
            if self.keys[self.key[node]].type == "slice":
                self.self_ns[node] = min(self.self_ns[node], self.total_ns[node])
                continue
            inside = self.children[node]
            self.count[node] = sum(self.count[each] for each in inside)
            self.total_ns[node] = self.self_ns[node] + sum(self.total_ns[each] for each in inside)
            found = [each for each in (self.longest[at] for at in inside) if each]
            self.longest[node] = max(found, key=lambda each: each.duration_ns, default=None)
        self.total_ns[ROOT] = sum(self.total_ns[each] for each in self.children[ROOT])


def call_tree(lines: list[tuple[HostCapture, TimeLine]], max_nodes: int = MAX_NODES) -> Generator[None, None, CallTree]:
    """The tree of these hosts. Yields between parts of the work."""
    tree = CallTree(max_nodes)
    threads = sum(len(line.track_rows) for _, line in lines)
    for host, (capture, line) in enumerate(lines):
        yield None
        builder = HostPaths(tree, host, capture, line, is_named=len(lines) > 1)
        for track in line.track_rows:
            yield None
            tree.share(threads)
            threads -= 1
            yield from builder.add_track(track)
    tree.add_up()
    return tree


class HostPaths:
    """Adds the slices of a host to a tree, row by row."""

    def __init__(self, tree: CallTree, host: int, capture: HostCapture, line: TimeLine, *, is_named: bool) -> None:
        self.tree, self.host, self.capture, self.line = tree, host, capture, line
        self._prefix = f"{host_label(capture.host, capture.rank)} · " if is_named else ""
        self._devices = device_of_tracks(capture)
        self._steps = {marker.slice for marker in capture.steps}
        self._scopes, names = slice_scopes(capture) if len(capture.scope) else (None, [""])
        self._scope_names = list(names)
        index = {name: at for at, name in enumerate(self._scope_names)}
        self._own = np.zeros(len(capture.names), np.int64)
        for at, name in enumerate(capture.names):
            scope = split_name(name)[1]
            if scope and scope not in index:
                index[scope] = len(self._scope_names)
                self._scope_names.append(scope)
            self._own[at] = index.get(scope, 0)

    def add_track(self, track: int) -> Generator[None]:
        """Add the slices of a track. Yields between parts."""
        order = self.line.slice_rows.order
        rows = self.line.track_rows[track]
        rows = [row for row in rows if int(order[row.begin]) not in self._steps]  # rows of steps have nothing else
        if not rows:
            return
        thread = self.tree.child(ROOT, NodeKey(self._label(track), "thread", "host"), "")
        thread = NOWHERE if thread == ROOT else thread
        paths, first, above = TrackPaths(rows[-1].end - rows[0].begin), rows[0].begin, np.empty(0, np.int64)
        yield None
        members = order[first : rows[-1].end].astype(np.int64)
        selves = self_times(self.capture.slices, members)
        selves[label_test(self.capture)(members)] = 0
        for number, row in enumerate(rows):
            starts = np.empty(row.end - row.begin, np.int64)
            for begin in range(row.begin, row.end, AT_ONCE):
                yield None
                part = slice(begin - first, min(begin + AT_ONCE, row.end) - first)
                chosen = members[part]
                part_starts = self.capture.slices.start_ns[chosen]
                times = self.capture.slices.duration_ns[chosen]
                starts[begin - row.begin :][: len(chosen)] = part_starts
                paths.end_ns[part] = part_starts + times
                around = np.full(len(chosen), NOWHERE, np.int64)
                if number:
                    place = rows[number - 1].begin - first - 1
                    around = place + np.searchsorted(above, part_starts, "right")
                    around = paths.innermost(around, paths.end_ns[part])
                paths.around[part] = around
                parents = np.where(around == NOWHERE, thread, paths.node[around])
                paths.node[part] = self._add_slices(chosen, parents.astype(np.int64), times, selves[part])
            above = starts

    def _label(self, track: int) -> str:
        name = self.capture.tracks[track].name or self.capture.tracks[track].id
        return f"{self._prefix}{self._devices[track]} · {name}" if self._devices[track] else f"{self._prefix}{name}"

    def _add_slices(self, chosen: Ints, parents: Ints, times: Ints, selves: Ints) -> Ints:
        """Add slices below these nodes; the node of each, `NOWHERE` where it has none or the one around it has none."""
        result = np.full(len(chosen), NOWHERE, np.int64)
        placed = np.flatnonzero(parents != NOWHERE)
        self.tree.left_out += len(chosen) - len(placed)
        chosen, parents, times, selves = (column[placed] for column in (chosen, parents, times, selves))
        slices, names = self.capture.slices, self.capture.names
        name, category = slices.name[chosen].astype(np.int64), slices.category[chosen].astype(np.int64)
        scope = self._own[name] if self._scopes is None else self._scopes[chosen].astype(np.int64)
        keys = (parents * len(self._scope_names) + scope) * len(names) + name
        _, first, group = np.unique(keys * len(CATEGORIES) + category, return_index=True, return_inverse=True)
        group = group.reshape(-1)
        counts, totals = np.bincount(group, minlength=len(first)), np.zeros(len(first), np.int64)
        np.add.at(totals, group, times)
        own = np.zeros(len(first), np.int64)
        np.add.at(own, group, selves)
        by_time = np.lexsort((-times, group))
        longest = by_time[np.searchsorted(group[by_time], np.arange(len(first)))]
        nodes = np.empty(len(first), np.int64)
        for at in np.argsort(-totals, kind="stable").tolist():  # if there are too many, the longest have nodes
            place = int(first[at])
            key = NodeKey(split_name(names[int(name[place])])[0], "slice", CATEGORIES[int(category[place])])
            example = LongestSlice(self.host, int(chosen[longest[at]]), int(times[longest[at]]))
            inside = self.tree.in_scope(int(parents[place]), self._scope_names[int(scope[place])])
            nodes[at] = self.tree.add(
                int(parents[place]), inside, key, int(counts[at]), Times(int(totals[at]), int(own[at])), example
            )
        result[placed] = nodes[group]
        return result
