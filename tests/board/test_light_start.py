"""What a start does not wait for."""

import subprocess
import sys

STORY = """
import sys
import lightboard.board.app, lightboard.board.serve, lightboard.board.start
print(*sorted({"pydantic", "numpy", "httpx", "platformdirs"} & sys.modules.keys()))
"""


def test_what_is_slow_to_load_is_not_loaded_at_start() -> None:
    """Models of the API and packages for single tasks come when they are first needed."""
    done = subprocess.run([sys.executable, "-c", STORY], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"
