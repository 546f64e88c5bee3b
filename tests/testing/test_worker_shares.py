"""Which tests each worker begins with."""

from types import SimpleNamespace
from typing import Any

from xdist.scheduler import WorkStealingScheduling

from support.worker_shares import share_out


class Worker:
    """Keeps the numbers of the tests that it is sent."""

    def __init__(self, number: int) -> None:
        self.gateway = SimpleNamespace(id=f"gw{number}")
        self.numbers: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.numbers += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


def first_pieces(tests: list[str], workers: int) -> list[str]:
    """The tests that the scheduler of xdist sends to each worker at first."""
    options: Any = SimpleNamespace(getvalue={"tx": ["popen"] * workers, "px": None}.get, getoption=lambda _: None)
    scheduler: Any = WorkStealingScheduling(options)
    nodes = [Worker(number) for number in range(workers)]
    for node in nodes:
        scheduler.add_node(node)
        scheduler.add_node_collection(node, tests)
    scheduler.schedule()
    return ["".join(tests[number] for number in node.numbers) for node in nodes]


def group_of(test: str) -> str | None:
    """Long tests have capitals."""
    return test if test.isupper() else None


def is_quick(test: str) -> bool:
    """Quick tests are digits."""
    return test.isdigit()


def test_each_worker_begins_with_groups_of_long_tests() -> None:
    """Groups are dealt in turn, and stay together; all else keeps its order."""
    ordered = share_out(list("abAcBdBeCfCgDhij"), group_of, is_quick, 3)

    assert first_pieces(ordered, 3) == ["ADabc", "BBdef", "CCghij"]


def test_quick_tests_come_before_long_ones() -> None:
    """As many in each worker, wherever they stood."""
    ordered = share_out(list("aA1bB2cC3dD4e5f"), group_of, is_quick, 3)

    assert first_pieces(ordered, 3) == ["1ADab", "23Bcd", "45Cef"]


def test_fewer_groups_than_workers() -> None:
    """Then some workers begin with other tests."""
    assert first_pieces(share_out(list("abcdA"), group_of, is_quick, 3), 3) == ["A", "ab", "cd"]


def test_a_group_may_be_longer_than_a_share() -> None:
    """No test is lost or run twice."""
    assert share_out(list("AAAAab"), group_of, is_quick, 3) == list("AAAAab")


def test_one_process_runs_long_tests_first() -> None:
    """Without workers, there is one share."""
    assert share_out(list("aAbBA"), group_of, is_quick, 1) == list("AABab")
