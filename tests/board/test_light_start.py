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


FIRST_PAGE = """
import sys
import lightboard.board.api
print(*sorted({"numpy", "httpx", "platformdirs"} & sys.modules.keys()))
"""


def test_numpy_is_not_loaded_for_the_first_page() -> None:
    """What a board of scalars is asked needs none of it: only data of other kinds does."""
    done = subprocess.run([sys.executable, "-c", FIRST_PAGE], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"
