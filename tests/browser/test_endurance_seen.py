"""A page left open while training goes on: a working day of refreshes neither fills its memory nor trips it up (check
44)."""

import pathlib
import urllib.request

import logs
import numpy as np
from cards import card
from playwright.sync_api import CDPSession
from served import Board, Serving
from visitor import Visitor

REFRESHES = 1_000
MOST_GROWTH_BYTES = 20e6


def append(run: pathlib.Path, step: int) -> None:
    """One more point of every tag of a run, as its trainer would write it."""
    wall = np.array([logs.START + step / 20])
    records = [logs.scalars(tag, [step], wall, np.array([0.3])) for tag in logs.SWEEP_TAGS]
    (path,) = run.glob("events.*")
    with path.open("ab") as file:
        file.write(b"".join(records))


def reload(board: Board) -> None:
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


def test_a_thousand_refreshes_leave_no_more_than_their_points(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """8 hours at 30 s: memory grows by less than 20 MB, nothing is left over in the page, the console stays empty."""
    logs.sweep(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board)
    drawn = card(page, "train/loss")
    held = int(drawn.get_attribute("data-held") or 0)
    session = page.context.new_cdp_session(page)
    before, elements = memory(session), page.locator("*").count()

    for refresh in range(1, REFRESHES + 1):
        append(tmp_path / "baseline", 10_000 + 10 * refresh)
        reload(board)
        page.wait_for_function(
            "([tag, held]) => [...document.querySelectorAll('[data-testid=card]')]"
            ".some((card) => card.dataset.tag === tag && Number(card.dataset.held) >= held)",
            arg=["train/loss", held + refresh],
            polling=10,
        )

    assert memory(session) - before < MOST_GROWTH_BYTES
    assert page.locator("*").count() < elements + 100
