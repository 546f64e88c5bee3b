"""The native core under the sanitizers, with damaged and random input. `make fuzz` does the same for longer."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECS = "20"
"""For each target."""


@pytest.mark.fuzz
@pytest.mark.timeout(900)  # it compiles the core first
def test_no_input_breaks_the_core() -> None:
    """No crash, no undefined behaviour, no leak."""
    done = subprocess.run(["sh", ROOT / "scripts/fuzz.sh", SECS], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
