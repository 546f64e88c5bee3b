"""Start-time fair queueing, with scripted costs: no threads, no clock."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.asgi.fair_queue import FairQueue

COST = 1.0


def drained(
    queue: FairQueue[str], flow_of: dict[str, Sequence[str]], costs: dict[str, float] | None = None
) -> list[str]:
    """Everything that waits, in the order in which it is taken; each is done before the next is taken."""
    order = []
    while queue:
        item = queue.take()
        order.append(item)
        queue.charge(flow_of[item], (costs or {}).get(item, COST))
    return order


def test_clients_take_turns() -> None:
    """A late client with little work does not wait for all work before it."""
    flows = {f"a{i}": ("board", "ann") for i in range(5)} | {"b0": ("board", "bob")}
    queue: FairQueue[str] = FairQueue(COST)
    for item, flow in flows.items():
        queue.put(flow, item)

    assert drained(queue, flows) == ["a0", "b0", "a1", "a2", "a3", "a4"]


def test_boards_share_before_clients() -> None:
    """A board with a hundred viewers gets no more than one with a single viewer."""
    flows = {f"a{i}": ("busy", f"viewer {i}") for i in range(4)} | {f"b{i}": ("quiet", "viewer") for i in range(3)}
    queue: FairQueue[str] = FairQueue(COST)
    for item, flow in flows.items():
        queue.put(flow, item)

    assert drained(queue, flows) == ["a0", "b0", "a1", "b1", "a2", "b2", "a3"]


def test_expensive_clients_wait_longer() -> None:
    """Shares depend on measured costs."""
    flows = {f"a{i}": ("ann",) for i in range(3)} | {f"b{i}": ("bob",) for i in range(6)}
    queue: FairQueue[str] = FairQueue(COST)
    for item, flow in flows.items():
        queue.put(flow, item)

    order = drained(queue, flows, {f"a{i}": 3.0 for i in range(3)})

    assert order == ["a0", "b0", "b1", "b2", "a1", "b3", "b4", "b5", "a2"]


def test_idle_clients_do_not_accumulate_credit() -> None:
    """Who was away while others worked does not go before them for as long."""
    queue: FairQueue[str] = FairQueue(COST)
    flows = {f"a{i}": ("ann",) for i in range(10)}
    for item, flow in flows.items():
        queue.put(flow, item)
    for _ in range(6):
        queue.charge(flows[queue.take()], COST)
    flows |= {f"b{i}": ("bob",) for i in range(3)}
    for i in range(3):
        queue.put(("bob",), f"b{i}")

    assert drained(queue, flows) == ["b0", "a6", "b1", "a7", "b2", "a8", "a9"]


def test_running_work_counts_before_it_ends() -> None:
    """Two threads do not serve the same client first."""
    queue: FairQueue[str] = FairQueue(COST)
    for item, flow in (("a0", "ann"), ("a1", "ann"), ("b0", "bob")):
        queue.put((flow,), item)

    assert [queue.take(), queue.take()] == ["a0", "b0"]


def test_discarded_work_is_not_taken() -> None:
    """Work that is not queued cannot be discarded."""
    queue: FairQueue[str] = FairQueue(COST)
    queue.put(("ann",), "a0")
    queue.put(("ann",), "a1")

    assert (queue.discard(("ann",), "a0"), queue.discard(("ann",), "a0"), queue.discard(("bob",), "x")) == (
        True,
        False,
        False,
    )
    assert (queue.take(), len(queue)) == ("a1", 0)


def test_taking_from_an_empty_queue_is_an_error() -> None:
    """The queue stays as it is."""
    queue: FairQueue[str] = FairQueue(COST)
    with pytest.raises(IndexError):
        queue.take()
    queue.put(("ann",), "a0")

    assert (len(queue), queue.take()) == (1, "a0")


MOVES = st.lists(
    st.tuples(st.sampled_from(["put", "take", "charge", "discard"]), st.integers(0, 3), st.integers(0, 2)), max_size=120
)


@given(MOVES)
def test_every_item_comes_out_once(moves: list[tuple[str, int, int]]) -> None:
    """For any operations, in order within a flow, without leftovers."""
    queue: FairQueue[tuple[tuple[int, int], int]] = FairQueue(COST)
    waiting: dict[tuple[int, int], list[int]] = {}
    running: list[tuple[int, int]] = []
    for number, (move, board, client) in enumerate(moves):
        flow = (board, client)
        if move == "put":
            queue.put(flow, (flow, number))
            waiting.setdefault(flow, []).append(number)
        elif move == "take" and any(waiting.values()):
            taken, item = queue.take()
            assert item == waiting[taken].pop(0)
            running.append(taken)
        elif move == "charge" and running:
            queue.charge(running.pop(), board + 0.5)
        elif move == "discard" and waiting.get(flow):
            assert queue.discard(flow, (flow, waiting[flow].pop()))
        assert len(queue) == sum(map(len, waiting.values()))
        assert queue.waiting(flow) == len(waiting.get(flow, []))
    while queue:
        taken, item = queue.take()
        assert item == waiting[taken].pop(0)
        running.append(taken)
    for flow in running:
        queue.charge(flow, 1.0)

    assert queue._root.children == {}


@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=6),
    st.lists(st.floats(0.1, 3.0), min_size=1, max_size=10),
)
def test_unfairness_is_bounded_by_two_items(threads_of: list[int], costs: list[float]) -> None:
    """While both have work: the guarantee of start-time fair queueing."""
    queue: FairQueue[int] = FairQueue(COST)
    clients = range(len(threads_of))
    for client in clients:
        for _ in range(200):
            queue.put((client,), client)
    served: Counter[int] = Counter()
    got: Counter[int] = Counter()
    for turn in range(100):
        client = queue.take()
        cost = costs[turn % len(costs)]
        queue.charge((client,), cost)
        served[client] += 1
        got.update({client: cost})  # type: ignore[dict-item]
        shares = [got[each] for each in clients]
        assert max(shares) - min(shares) <= 2 * max(costs) + 1e-9
