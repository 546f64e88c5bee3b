"""A queue that shares service fairly between clients, however many items each has waiting.

Start-time fair queueing over a tree. An item belongs to a *flow*, a path such as (board, client, request): service is
shared between boards, then between the clients of a board, then between the requests of a client. The items of one
request keep their order. Idle clients do not accumulate credit. Costs are passed in; no clock is read.
"""

from collections import deque
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Flow = Sequence[Hashable]


class _Node(Generic[T]):
    """One step of a path. `used` is its virtual time in its parent, `now` that of its child served last."""

    __slots__ = ("children", "items", "now", "running", "used", "waiting")

    def __init__(self, used: float) -> None:
        self.used = used
        self.now = 0.0
        self.waiting = 0
        self.running = 0
        self.children: dict[Hashable, _Node[T]] = {}
        self.items: deque[T] = deque()


class FairQueue(Generic[T]):
    """Waiting items. A taken item costs `expected` until `charge` sets its real cost. Not thread-safe."""

    def __init__(self, expected: float) -> None:
        self._expected = expected
        self._root: _Node[T] = _Node(0.0)

    def __len__(self) -> int:
        return self._root.waiting

    def waiting(self, flow: Flow) -> int:
        """The number of waiting items below a flow or a prefix of its path."""
        node: _Node[T] | None = self._root
        for name in flow:
            node = node.children.get(name) if node else None
        return node.waiting if node else 0

    def put(self, flow: Flow, item: T) -> None:
        """Append an item to its flow."""
        node = self._root
        node.waiting += 1
        for name in flow:
            child = node.children.get(name)
            if child is None:
                child = node.children[name] = _Node(node.now)
            elif not child.waiting:
                child.used = max(child.used, node.now)
            child.waiting += 1
            node = child
        node.items.append(item)

    def take(self) -> T:
        """The next item. Its flow must be charged when it is done. Raises IndexError if there is none."""
        node = self._root
        node.waiting -= 1
        if node.waiting < 0:
            node.waiting = 0
            raise IndexError("the queue is empty")
        while node.children:
            child = min((candidate for candidate in node.children.values() if candidate.waiting), key=_used)
            node.now = child.used
            child.used += self._expected
            child.waiting -= 1
            child.running += 1
            node = child
        return node.items.popleft()

    def charge(self, flow: Flow, cost: float) -> None:
        """An item taken from this flow is done, and had this cost."""
        for node, child, name in self._path(flow):
            child.running -= 1
            child.used += cost - self._expected
            self._forget(node, child, name)

    def discard(self, flow: Flow, item: T) -> bool:
        """Remove an item from the queue. False if it is not there."""
        path = self._path(flow)
        if len(path) < len(flow) or item not in path[-1][1].items:
            return False
        path[-1][1].items.remove(item)
        self._root.waiting -= 1
        for node, child, name in path:
            child.waiting -= 1
            self._forget(node, child, name)
        return True

    def _path(self, flow: Flow) -> "list[tuple[_Node[T], _Node[T], Hashable]]":
        """Parent, child and name at each step, as far as the nodes exist."""
        steps, node = [], self._root
        for name in flow:
            child = node.children.get(name)
            if child is None:
                break
            steps.append((node, child, name))
            node = child
        return steps

    @staticmethod
    def _forget(node: "_Node[T]", child: "_Node[T]", name: Hashable) -> None:
        if not child.waiting and not child.running:
            del node.children[name]


def _used(node: "_Node[T]") -> float:
    return node.used
