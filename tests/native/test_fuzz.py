"""The native core under the sanitizers, with damaged and random input."""

import fcntl
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.fuzz
@pytest.mark.timeout(900)  # it compiles the core first
def test_no_input_breaks_the_core() -> None:
    """No crash, no undefined behaviour, no leak. The inputs are the same each time, on any machine."""
    assert fuzz("5000x") == "nothing found"


@pytest.mark.fuzz
@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_input_breaks_the_core_in_a_minute() -> None:
    """With as many inputs as there is time for."""
    assert fuzz("60") == "nothing found"


def fuzz(limit: str) -> str:
    """What is found in seconds, or with a number of inputs, for each target. Others wait, since objects are kept."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "fuzz.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["sh", ROOT / "scripts/fuzz.sh", limit], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else "nothing found"
