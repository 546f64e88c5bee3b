"""Call trees from above and from below, held to a slow computation that looks at each microsecond."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles.call_paths import CallColumn, CallRow, CallView, Direction
from lightboard.profiles.call_tree import MAX_NODES, CallTree
from support.profiles import PROFILES, read_path, read_trace, slice_event, trace, tree_of, xplane_of

SLICES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 40), st.sampled_from("ab"), st.integers(1, 2)), max_size=25
)

CALLS = [
    slice_event("ProfilerStep#1", 5, 90, cat="user_annotation"),
    slice_event("train", 0, 100, cat="python_function"),
    slice_event("mul", 10, 30),
    slice_event("sum", 15, 10),
    slice_event("mul", 50, 20),
    slice_event("mul", 55, 5),
]
"""A step that is not nested with the function around it, and an operator that calls itself."""


def shown(
    tree: CallTree, direction: Direction = "down", search: str = "", **asked: Any
) -> list[tuple[str, int, int, int]]:
    """The paths of rows by names, with count, time and self time in microseconds."""
    options = {"depth": 100, "limit": 1000, "least_share": 0, **asked}
    rows = CallView(tree, direction, search).rows((), **options).rows
    return [(path_text(rows, row), row.count, row.total_ns // 1000, row.self_ns // 1000) for row in rows]


def path_text(rows: list[CallRow], row: CallRow) -> str:
    """The names from the first row to this one."""
    return row.key.name if row.parent is None else f"{path_text(rows, rows[row.parent])} > {row.key.name}"


def test_calls_are_added_up_by_the_calls_around_them() -> None:
    """Steps are left out: they would count everything twice."""
    assert shown(tree_of(read_trace(trace(*CALLS)))) == [
        ("2", 1, 100, 0),
        ("2 > train", 1, 100, 50),
        ("2 > train > mul", 2, 50, 35),
        ("2 > train > mul > sum", 1, 10, 10),
        ("2 > train > mul > mul", 1, 5, 5),
    ]


def test_from_below_calls_are_added_up_by_name_and_recursion_counts_once() -> None:
    rows = shown(tree_of(read_trace(trace(*CALLS))), "up", depth=2)

    assert rows == [
        ("train", 1, 100, 50),
        ("train > 2", 1, 100, 50),
        ("mul", 3, 50, 40),
        ("mul > train", 2, 50, 35),
        ("sum", 1, 10, 10),
        ("sum > mul", 1, 10, 10),
        ("mul > mul", 1, 5, 5),
    ]


def test_what_is_looked_for_is_shown_with_what_is_around_and_inside() -> None:
    tree = tree_of(read_trace(trace(*CALLS)))

    assert [path for path, *_ in shown(tree, search="SUM")] == [
        "2",
        "2 > train",
        "2 > train > mul",
        "2 > train > mul > sum",
    ]
    assert [path for path, *_ in shown(tree, "up", "su", depth=1)] == ["sum"]


def test_short_and_too_many_nodes_are_left_out_and_counted() -> None:
    tree = tree_of(read_trace(trace(*CALLS)))
    view = CallView(tree, "down")

    assert view.rows((), depth=100, limit=1000, least_share=0.06).left_out == 1
    assert view.rows((), depth=100, limit=2, least_share=0).left_out == 1
    (thread,) = view.rows((), depth=1, limit=10, least_share=0).rows
    (train,) = view.rows(thread.path, depth=1, limit=10, least_share=0).rows
    assert (train.key.name, train.children, train.path[:-1]) == ("train", 1, thread.path)
    assert view.rows((99,), depth=1, limit=10, least_share=0).rows == []


def test_siblings_are_in_the_order_of_a_column() -> None:
    events = [*(slice_event("few", at, 20) for at in (0, 30)), *(slice_event("Many", at, 5) for at in (60, 70, 80))]
    tree = tree_of(read_trace(trace(*events, slice_event("one", 100, 30))))
    (thread,) = CallView(tree, "down").rows((), depth=1, limit=1, least_share=0).rows

    def names(sort: CallColumn, *, descending: bool = True, limit: int = 9) -> str:
        view = CallView(tree, "down")
        order = {"sort": sort, "descending": descending, "limit": limit}
        return " ".join(row.key.name for row in view.rows(thread.path, depth=1, least_share=0, **order).rows)

    assert names("count") == "Many few one"
    assert names("count", descending=False) == "one few Many"
    assert names("total_us") == "few one Many"
    assert names("mean_us") == "one few Many"
    assert names("name", descending=False) == "few Many one"
    assert names("count", limit=1) == "Many"


def test_a_node_is_answered_with_those_around_it_and_shares_are_of_it() -> None:
    tree = tree_of(read_trace(trace(*CALLS)))
    view = CallView(tree, "down")
    rows = view.rows((), depth=3, limit=9, least_share=0).rows
    found = view.rows(rows[2].path, depth=1, limit=9, least_share=0.15)

    assert [row.key.name for row in found.around] == ["2", "train", "mul"]
    assert ([row.key.name for row in found.rows], found.left_out) == (["sum"], 1)


def test_calls_beyond_the_limit_are_time_of_those_around_them() -> None:
    tree = tree_of(read_trace(trace(*CALLS)), max_nodes=4)

    assert shown(tree) == [("2", 1, 100, 0), ("2 > train", 1, 100, 50), ("2 > train > mul", 2, 50, 50)]
    assert tree.left_out == 2


def test_threads_share_the_nodes_and_the_longest_calls_have_them() -> None:
    names = [("short", 1), ("long", 9), ("middle", 5)]
    events = [slice_event(name, 10 * at, length, tid=tid) for tid in (1, 2) for at, (name, length) in enumerate(names)]
    tree = tree_of(read_trace(trace(*events)), max_nodes=5)

    assert shown(tree) == [("1", 1, 15, 6), ("2", 1, 15, 6), ("1 > long", 1, 9, 9), ("2 > long", 1, 9, 9)]


def test_a_slice_that_begins_before_the_one_that_it_follows_is_over_is_beside_it() -> None:
    """PyTorch writes such slices: the forward pass begins in `profiler.step()`, by its clock."""
    events = [slice_event("train", 0, 100), slice_event("step", 10, 10), slice_event("forward", 19, 50)]

    assert shown(tree_of(read_trace(trace(*events)))) == [
        ("2", 1, 100, 0),
        ("2 > train", 1, 100, 41),
        ("2 > train > forward", 1, 50, 50),
        ("2 > train > step", 1, 10, 9),
    ]


@given(SLICES, st.integers(2, 12), st.booleans())
def test_the_time_of_a_node_is_its_own_and_that_of_its_children(
    slices: list[tuple[int, int, str, int]], max_nodes: int, is_cut: bool
) -> None:
    """In trees that are cut as well. Self times add up to the time in which threads are busy, whatever overlaps."""
    slices = [(begin, length, f"{name}{length}", tid) for begin, length, name, tid in slices]
    capture = read_trace(trace(*(slice_event(name, begin, length, tid=tid) for begin, length, name, tid in slices)))
    tree = tree_of(capture, max_nodes=max_nodes if is_cut else MAX_NODES)
    nests = all(are_nested(one, other) for one in slices for other in slices)

    for node in range(1, len(tree.key)):
        inside = sum(tree.total_ns[child] for child in tree.children[node])
        assert 0 <= tree.self_ns[node] <= tree.total_ns[node]
        assert not nests or tree.total_ns[node] == tree.self_ns[node] + inside
    calls = [node for node in range(1, len(tree.key)) if tree.keys[tree.key[node]].type == "slice"]
    assert sum(tree.count[node] for node in calls) + tree.left_out == len(slices)
    if not is_cut:
        assert sum(tree.self_ns[node] for node in calls) == busy_us(slices) * 1000


def are_nested(one: tuple[int, int, str, int], other: tuple[int, int, str, int]) -> bool:
    """Whether one slice contains the other, or both are beside each other."""
    (begin, end), (other_begin, other_end) = ((each[0], each[0] + each[1]) for each in (one, other))
    if one[3] != other[3] or end <= other_begin or other_end <= begin:
        return True
    return (begin <= other_begin and other_end <= end) or (other_begin <= begin and end <= other_end)


def busy_us(slices: list[tuple[int, int, str, int]]) -> int:
    """How long threads are busy, all together."""
    return len({(tid, at) for begin, length, _, tid in slices for at in range(begin, begin + length)})


def test_operators_of_jax_are_in_their_scopes() -> None:
    paths = {path for path, *_ in shown(tree_of(read_path(xplane_of("jax"))), depth=100, limit=5000)}

    assert any("jit(step) > " in path and path.endswith(" > dot.1") for path in paths)


def test_a_tree_has_each_slice_of_a_real_capture_but_steps() -> None:
    for path in [*sorted(PROFILES.glob("torch*/*.json.gz")), xplane_of("tensorflow"), xplane_of("keras")]:
        capture = read_path(path)
        tree = tree_of(capture)
        names = Counter[str]()
        for node in range(1, len(tree.key)):
            key = tree.keys[tree.key[node]]
            names[key.type] += tree.count[node]
        assert (path.name, names["slice"]) == (
            path.name,
            len(capture.slices) - len({each.slice for each in capture.steps}),
        )
