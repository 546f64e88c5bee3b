"""What the answers of a Jupyter server mean."""

from typing import Any

import pytest

from lightboard.hub.notebook_activity import NotebookActivity, activity_of

TEN, ELEVEN, NOON = ("2026-11-28T10:00:00.000000Z", "2026-11-28T11:00:00Z", "2026-11-28T12:00:00+00:00")
AT_TEN, AT_ELEVEN, AT_NOON = 1_795_860_000.0, 1_795_863_600.0, 1_795_867_200.0


def told(kernels: list[Any], terminals: list[Any]) -> NotebookActivity:
    """What these answers mean, of a server that was active at noon."""
    answers = {"api/kernels": kernels, "api/terminals": terminals, "api/status": {"last_activity": NOON}}
    return activity_of(answers.__getitem__)


def kernel(state: str, at: str) -> dict[str, str]:
    """A kernel as Jupyter tells of it."""
    return {"execution_state": state, "last_activity": at}


BUSY = kernel("busy", TEN)


@pytest.mark.parametrize(
    ("kernels", "terminals", "expected"),
    [
        ([], [], NotebookActivity(busy=False, used_at=0.0, active_at=AT_NOON)),
        ([kernel("idle", TEN)], [], NotebookActivity(busy=False, used_at=AT_TEN, active_at=AT_NOON)),
        ([kernel("idle", TEN), BUSY], [], NotebookActivity(busy=True, used_at=AT_TEN, active_at=AT_NOON)),
        (
            [kernel("starting", TEN)], [{"name": "1", "last_activity": ELEVEN}],
            NotebookActivity(busy=False, used_at=AT_ELEVEN, active_at=AT_NOON),
        ),
    ],
)  # fmt: skip
def test_kernels_and_terminals_count(kernels: list[Any], terminals: list[Any], expected: NotebookActivity) -> None:
    """The last use of any of them."""
    assert told(kernels, terminals) == expected


@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-28T10:00:00", None, 3])
def test_a_time_without_a_meaning_is_refused(time: Any) -> None:
    """The caller then knows nothing."""
    with pytest.raises((ValueError, TypeError)):
        told([kernel("idle", time)], [])
