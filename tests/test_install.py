"""What `pip install .` gives, with and without a compiler or Node."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import pytest

from support.wheels import ROOT, build_wheel, copy_sources

pytestmark = [pytest.mark.interpreters, pytest.mark.timeout(1200)]  # packages may have to be fetched


@pytest.fixture
def clone(tmp_path: pathlib.Path) -> pathlib.Path:
    """The sources as a clean clone has them: no compiled core, no pages."""
    return copy_sources(tmp_path / "clone")


@pytest.fixture(scope="module")
def installed(wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The wheel of a clean clone, built with a compiler and Node and unpacked."""
    return unpack(wheel, tmp_path_factory.mktemp("installed"))


def unpack(wheel: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The folder to import from."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the unpacked package, far from the sources; -S keeps an editable install out of the way."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), sysconfig.get_path("purelib")])}
    command = [sys.executable, "-P", "-S", "-m", "lightboard", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=installed, check=False)


def test_a_clean_clone_installs_with_core_and_pages(installed: pathlib.Path) -> None:
    """With a compiler and Node the wheel carries the compiled core and the built pages."""
    assert (installed / "lightboard/_native/_core.abi3.so").exists()
    assert (installed / "lightboard/board/static/index.html").exists()
    assert (installed / "lightboard/hub/docs_static/index.html").exists()
    said = run(installed, "--version")
    assert (said.returncode, said.stderr) == (0, "")


def test_one_wheel_is_for_every_python(wheel: pathlib.Path) -> None:
    """From 3.11 on; `test_interpreters.py` installs one of that name."""
    assert "-cp311-abi3-" in wheel.name


@pytest.mark.parametrize("site", ["board", "hub"])
def test_the_wheel_has_the_notice_of_every_bundled_package(installed: pathlib.Path, site: str) -> None:
    """What the pages bundle, fonts included, stands in licenses.txt with version, licence and text."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    shipped = {path.rpartition("node_modules/")[2] for path, about in lock.items() if path and not about.get("dev")}
    locked = {
        (path.rpartition("node_modules/")[2], about["version"], f"({about['license']})")
        for path, about in lock.items()
        if "license" in about and path
    }
    wanted = set(json.loads((ROOT / "web/package.json").read_text())["dependencies"])
    wanted -= {"radix-ui"}  # a list of other packages' names: those are bundled, this one is not
    wanted = (
        wanted - {"@dagrejs/dagre"} | {"vue", "minisearch"}
        if site == "hub"
        else wanted - {"vitepress", "@xterm/xterm", "@xterm/addon-fit"}
    )  # the hub has the documentation and terminals, the board graphs
    builders = {"vite", "rolldown"}  # the build writes some lines of theirs into the pages

    notices = (
        (installed / "lightboard" / site / "static" / "licenses.txt").read_text().split(f"\n\n{'-' * 100}\n\n")[1:]
    )

    texts = {}
    for one in notices:
        heading, _, text = one.partition("\n\n")
        name, version, licence = heading.split(maxsplit=2)
        assert (name, version, licence) in locked
        texts[name] = text
    assert wanted | builders <= set(texts) <= shipped | builders
    assert any(name.startswith("@radix-ui/") for name in texts)
    assert [name for name, text in texts.items() if not text.strip()] == []


def test_without_compiler_and_node_it_installs_and_says_so(clone: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Without either, the install works; `--version` names what is missing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "env", "uname", "tar", "git"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)

    installed = unpack(build_wheel(clone, PATH=str(tools), CC="false", CXX="false"), tmp_path / "installed")

    said = run(installed, "--version").stderr
    assert not list((installed / "lightboard/_native").glob("_core*.so"))
    assert "the compiled core is missing" in said
    assert "the web pages are not built" in said
