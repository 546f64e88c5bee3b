"""Sandboxes of this machine."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from lightboard.hub.runners.sandbox import Sandbox, find_sandbox


def working_sandbox(folder: Path, readable: Sequence[str] = ()) -> Sandbox:
    """A sandbox. Skips the test if the machine allows none, which containers often do not."""
    sandbox, problem = find_sandbox(folder, readable)
    if sandbox is None:
        pytest.skip(f"no sandbox here: {problem}")
    return sandbox
