"""The user's own folder, where Lightboard keeps what they add to runs: the only importer of platformdirs."""

import os

VARIABLE = "LIGHTBOARD_HOME"


def own_folder() -> str:
    """LIGHTBOARD_HOME, else the system's folder for data of this user; "" where the user has none."""
    given = os.environ.get(VARIABLE, "")
    if given:
        return os.path.abspath(os.path.expanduser(given))
    from platformdirs import user_data_dir  # a hundredth of the start; who names a folder need not wait for it

    try:
        folder = user_data_dir("lightboard", appauthor=False)
    except RuntimeError:  # a user without a home, as in some containers
        return ""
    return folder if os.path.isabs(folder) else ""


def create_private(folder: str) -> None:
    """Creates a directory and those above it that are not there, each for this user alone. Raises OSError."""
    above = os.path.dirname(folder)
    if not os.path.lexists(above):
        create_private(above)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
