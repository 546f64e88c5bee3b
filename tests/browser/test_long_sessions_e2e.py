"""Memory of a page that stays open for a day (check 44)."""

import pathlib
import urllib.request

import numpy as np
import pytest
from playwright.sync_api import CDPSession

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card
from support.page_driver import PageDriver
from support.settled_pages import settle

MAX_GROWTH_BYTES = 20e3
"""For each refresh: 20 MB for a thousand."""
WARM_UP = 50
"""Refreshes after which the browser has compiled what they need."""


def append(run: pathlib.Path, step: int) -> None:
    """One more point of every tag of a run, as its trainer would write it."""
    wall = np.array([scalar_logs.START + step / 20])
    records = [scalar_logs.scalars(tag, [step], wall, np.array([0.3])) for tag in scalar_logs.SWEEP_TAGS]
    (path,) = run.glob("events.*")
    with path.open("ab") as file:
        file.write(b"".join(records))


def reload(board: BoardProcess) -> None:
    """Have the board look at its files at once."""
    request = urllib.request.Request(
        f"{board.url}api/v1/reload", method="POST", data=b"", headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        answer.read()


def memory(session: CDPSession) -> float:
    """Bytes in use once what nobody needs is collected: objects, and the columns of points beside them."""
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return float(usage["usedSize"]) + float(usage.get("backingStorageSize", 0))


@pytest.mark.parametrize("refreshes", [100, pytest.param(1_000, marks=pytest.mark.long)])
def test_a_thousand_refreshes_do_not_leak(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path, refreshes: int
) -> None:
    """At most 20 KB growth for each, no leftovers, an empty console; a hundred of them tell as well.

    A leak grows in each half; the browser keeps what it compiles once.
    """
    scalar_logs.sweep(tmp_path)
    board = start_board(tmp_path, "--reload_task", "blocking")
    page = driver.open(board, reused=False)
    drawn = find_card(page, "train/loss")
    held = int(drawn.get_attribute("data-held") or 0)
    session = page.context.new_cdp_session(page)
    half = refreshes // 2
    used: list[float] = []
    elements: list[int] = []

    for refresh in range(1, WARM_UP + refreshes + 1):
        append(tmp_path / "baseline", 10_000 + 10 * refresh)
        reload(board)
        page.wait_for_function(
            "([tag, held]) => [...document.querySelectorAll('[data-testid=card]')]"
            ".some((card) => card.dataset.tag === tag && Number(card.dataset.held) >= held)",
            arg=["train/loss", held + refresh],
            polling=10,
        )
        if refresh in (WARM_UP, WARM_UP + half, WARM_UP + refreshes):
            settle(page)
            used.append(memory(session))
            elements.append(page.locator("*").count())

    assert min(used[1] - used[0], used[2] - used[1]) < MAX_GROWTH_BYTES * half
    assert elements[2] < elements[0] + refreshes / 10
