"""PEP 517 backend: builds the web pages where Node is present, then hands over to scikit-build-core.

It never fails an install: without Node the package installs without pages and the server says what to run; without a
C++ compiler scikit-build-core's own override builds the pure wheel.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from scikit_build_core.build import (  # noqa: F401  the hooks that need nothing of ours
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from scikit_build_core.build import build_sdist as _build_sdist
from scikit_build_core.build import build_wheel as _build_wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Not `npm ci`: it refuses the lock file where a registry lacks somebody else's platform among the optional packages.
INSTALL = ["install", "--no-save", "--ignore-scripts"]
BUILT = ("board/static", "hub/static", "hub/docs_static")
INDEXES = [ROOT / "src" / "lightboard" / folder / "index.html" for folder in BUILT]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the pages, then the wheel."""
    build_pages()
    return _build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Build the pages, then the sdist, which carries them."""
    build_pages()
    return _build_sdist(sdist_directory, config_settings)


def build_pages():
    """Run npm unless the pages are there already (an sdist carries them) or nobody wants them."""
    if all(index.exists() for index in INDEXES) or not (ROOT / "web" / "package.json").exists():
        return
    npm = shutil.which("npm")
    if npm is None or os.environ.get("LIGHTBOARD_SKIP_PAGES"):
        print("lightboard: npm not found, installing without the web pages", file=sys.stderr)
        return
    for command in (INSTALL, ["run", "build"]):
        done = subprocess.run([npm, *command], cwd=ROOT / "web", check=False)
        if done.returncode:
            print(f"lightboard: npm {' '.join(command)} failed, installing without the web pages", file=sys.stderr)
            return
