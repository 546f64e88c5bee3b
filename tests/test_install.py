"""What `pip install .` gives, with and without a compiler or Node."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "build_backend", "native", "src", "web")
LEFT_OUT = shutil.ignore_patterns("node_modules", "__pycache__", "*.so", "static")


@pytest.fixture
def clone(tmp_path: pathlib.Path) -> pathlib.Path:
    """The sources as a clean clone has them: no compiled core, no pages."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def build(clone: pathlib.Path, **env: str) -> pathlib.Path:
    """Build a wheel and unpack it; return the folder to import from."""
    wheels = clone / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(clone)]
    subprocess.run(command, check=True, env={**os.environ, **env})
    (wheel,) = wheels.glob("*.whl")
    installed = clone / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    return installed


def run(installed: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the unpacked package, far from the sources; -S keeps an editable install out of the way."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), sysconfig.get_path("purelib")])}
    command = [sys.executable, "-P", "-S", "-m", "lightboard", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=installed, check=False)


def test_a_clean_clone_installs_with_core_and_pages(clone: pathlib.Path) -> None:
    """With a compiler and Node the wheel carries the compiled core and the built pages."""
    installed = build(clone)

    assert (installed / "lightboard/_native/_core.abi3.so").exists()
    assert (installed / "lightboard/board/static/index.html").exists()
    assert "native core: yes" in run(installed, "--version").stdout


def test_without_compiler_and_node_it_installs_and_says_so(clone: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Without either, the install works; `--version` names what is missing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "env", "uname", "tar", "git"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)

    installed = build(clone, PATH=str(tools), CC="false", CXX="false")

    said = run(installed, "--version").stdout
    assert not list((installed / "lightboard/_native").glob("_core*.so"))
    assert "native core: no" in said
    assert "pages: not built" in said
