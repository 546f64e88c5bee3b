"""A worker for boards starts when somebody opens the console."""

import pytest

from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")  # nothing here is SQL


@pytest.mark.parametrize(("path", "started"), [("/", True), ("/tensorboards/x", True), ("/api/v1/me", False)])
def test_only_the_console_starts_a_worker_in_advance(hub: HubClient, path: str, started: bool) -> None:
    """Programs that run jobs need none."""
    hub.request("GET", path)
    hub.hub.runtime.pool.close(wait=True)

    assert hub.launcher.warmed is started
