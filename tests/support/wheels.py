"""Wheels of this project, and what is made of one for all processes of a test run."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "build_backend", "docs", "native", "src", "web")
NEVER = ("node_modules", "__pycache__")
BUILT = ("*.so", "static", "docs_static")


CORE = pathlib.Path("src/lightboard/_native/_core.abi3.so")
AS_IT_IS = ("-C", "wheel.cmake=false", "-C", "wheel.platlib=true")
"""Compile nothing, but name the wheel as one with a core is named."""
PACKAGES = pathlib.Path("web/node_modules")
LOCK = ".package-lock.json"
OWN_OF_A_FOLDER = shutil.ignore_patterns(LOCK, ".cache", ".vite*")
"""What npm and Vite write there without making a new file."""


def copy_sources(folder: pathlib.Path, *, built: bool = False) -> pathlib.Path:
    """Copy the sources as a clean clone has them; if `built`, with the core and the pages that set-up has built."""
    folder.mkdir(parents=True)
    excluded = shutil.ignore_patterns(*NEVER, *(() if built else BUILT))
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=excluded)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def link_packages(clone: pathlib.Path) -> None:
    """Give a clone the packages of the pages that set-up has installed, whose own `npm install` then downloads nothing.

    That still looks whether they are those of the lock file.
    """
    if (ROOT / PACKAGES).is_dir():
        shutil.copytree(
            ROOT / PACKAGES, clone / PACKAGES, symlinks=True, ignore=OWN_OF_A_FOLDER, copy_function=link_or_copy
        )
        shutil.copy(ROOT / PACKAGES / LOCK, clone / PACKAGES)


def link_or_copy(source: str, target: str) -> None:
    """Another name of a file, or a copy on another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def build_wheel(clone: pathlib.Path, *options: str, **env: str) -> pathlib.Path:
    """What `pip wheel` makes of it."""
    folder = clone / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), *options, str(clone)]
    subprocess.run(command, check=True, env={**os.environ, **env})
    (wheel,) = folder.glob("*.whl")
    return wheel


def pack_wheel(folder: pathlib.Path) -> pathlib.Path:
    """A wheel with the core and the pages that set-up has built. Compiles a core only if there is none."""
    clone = copy_sources(folder, built=True)
    return build_wheel(clone, *(AS_IT_IS if (clone / CORE).exists() else ()), LIGHTBOARD_SKIP_PAGES="1")


def make_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[pathlib.Path], None]) -> pathlib.Path:
    """A folder of the test run: whichever process asks first fills it, the others wait for that."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    done = folder.with_name(f"{name}.done")
    with folder.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            fill(folder)
            done.touch()
    return folder
