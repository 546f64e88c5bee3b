"""What a start does not import."""

import subprocess
import sys

STORY = """
import sys
import lightboard.board.app, lightboard.board.serve, lightboard.board.start
print(*sorted({"pydantic", "numpy", "httpx", "platformdirs"} & sys.modules.keys()))
"""


def test_slow_modules_are_imported_lazily() -> None:
    """API models and optional packages."""
    done = subprocess.run([sys.executable, "-c", STORY], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"


FIRST_PAGE = """
import sys
import lightboard.board.api
print(*sorted({"numpy", "httpx", "platformdirs"} & sys.modules.keys()))
"""


def test_numpy_is_not_imported_for_scalars() -> None:
    """What a board of scalars is asked needs none of it: only data of other kinds does."""
    done = subprocess.run([sys.executable, "-c", FIRST_PAGE], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"
