"""Finds the user's folders: for data, where annotations are stored, and for caches. Only this module imports
platformdirs.
"""

import os

VARIABLE = "LIGHTBOARD_HOME"


def own_folder() -> str:
    """LIGHTBOARD_HOME, or the system's data folder of this user; "" if there is none."""
    given = os.environ.get(VARIABLE, "")
    if given:
        return os.path.abspath(os.path.expanduser(given))
    from platformdirs import user_data_dir  # slow to import

    try:
        folder = user_data_dir("lightboard", appauthor=False)
    except RuntimeError:  # a user without a home directory, as in some containers
        return ""
    return folder if os.path.isabs(folder) else ""


def cache_folder() -> str:
    """`cache` in LIGHTBOARD_HOME, or the system's cache folder of this user; "" if there is none."""
    if os.environ.get(VARIABLE):
        return os.path.join(own_folder(), "cache")
    from platformdirs import user_cache_dir  # slow to import

    try:
        folder = user_cache_dir("lightboard", appauthor=False)
    except RuntimeError:
        return ""
    return folder if os.path.isabs(folder) else ""


def create_private(folder: str) -> None:
    """Create a directory and its missing parents, accessible only by this user. Raises OSError."""
    above = os.path.dirname(folder)
    if not os.path.lexists(above):
        create_private(above)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
