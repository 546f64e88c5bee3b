"""scripts/setup_frameworks.sh: what it installs, in a tree of its own with indexes of its own."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

from support.python_packages import wheel_files
from support.wheels import ROOT

SCRIPT = "scripts/setup_frameworks.sh"
HINT = "hint: LIGHTBOARD_SKIP_FRAMEWORKS=1 leaves TensorFlow, PyTorch and Transformers out, and skips their tests"
FOR_GPUS = "Requires-Dist: nvidia-cublas\n"


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A tree whose frameworks are torch 1.0 and, beside it, transformers 4.0."""
    tree = tmp_path / "tree"
    programs = tree / "tests" / "frameworks" / "programs"
    programs.mkdir(parents=True)
    (tree / "scripts").mkdir()
    shutil.copy(ROOT / SCRIPT, tree / SCRIPT)
    (programs / "imports.py").write_text("import torch\n")
    (programs.parent / "requirements.txt").write_text("torch==1.0\n")
    (programs.parent / "requirements-transformers4.txt").write_text("transformers==4.0\n")
    return tree


def write_index(folder: pathlib.Path, version: str, metadata: str = "") -> str:
    """The address of an index that has one wheel of torch, and transformers 4.0."""
    write_page(folder, "torch", version, metadata)
    write_page(folder, "transformers", "4.0", "")
    return folder.as_uri()


def write_page(folder: pathlib.Path, package: str, version: str, metadata: str) -> None:
    """The page of a package in an index, with one wheel."""
    page = folder / package
    page.mkdir(parents=True)
    name = f"{package}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(page / name, "w") as wheel:
        for path, text in wheel_files(package, version, "").items():
            wheel.writestr(path, text + (metadata if path.endswith("METADATA") else ""))
    (page / "index.html").write_text(f'<a href="{name.replace("+", "%2B")}">{name}</a>')


def set_up(tree: pathlib.Path, **indexes: str) -> "subprocess.CompletedProcess[str]":
    """Run the script, with pip's configuration in `indexes` alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "LIGHTBOARD_"))}
    env = {**kept, "PIP_CONFIG_FILE": os.devnull, "PYTHON": sys.executable, **indexes}
    return subprocess.run(["sh", SCRIPT], cwd=tree, env=env, capture_output=True, text=True)


def installed(tree: pathlib.Path) -> list[str]:
    """The versions of torch and transformers in the environments that were made."""
    folders = tree.glob(".venv-*/lib/python*/site-packages/t*-*.dist-info")
    return sorted(path.name.removesuffix(".dist-info") for path in folders)


def test_the_wheel_for_cpus_is_taken_where_pip_finds_another(tree: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """From the index that has such wheels. The next set-up has nothing to do."""
    pip, cpus = write_index(tmp_path / "pip", "1.0", FOR_GPUS), write_index(tmp_path / "cpus", "1.0+cpu")
    first = set_up(tree, PIP_INDEX_URL=pip, LIGHTBOARD_TORCH_INDEX=cpus)
    again = set_up(tree, PIP_INDEX_URL=tmp_path.as_uri(), LIGHTBOARD_TORCH_INDEX=tmp_path.as_uri())

    assert (first.returncode, first.stderr, installed(tree)) == (0, "", ["torch-1.0+cpu", "transformers-4.0"])
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_no_other_index_is_asked_where_pip_finds_the_wheel_for_cpus(tree: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Which need not be reached there."""
    pip, others = write_index(tmp_path / "pip", "1.0"), write_index(tmp_path / "others", "1.0+other")
    done = set_up(tree, PIP_INDEX_URL=pip, LIGHTBOARD_TORCH_INDEX=others)

    assert (done.returncode, done.stderr, installed(tree)) == (0, "", ["torch-1.0", "transformers-4.0"])


def test_set_up_fails_where_there_are_only_wheels_for_gpus(tree: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """It does not leave the tests out by itself, and says how to."""
    pip = write_index(tmp_path / "pip", "1.0", FOR_GPUS)
    done = set_up(tree, PIP_INDEX_URL=pip, LIGHTBOARD_TORCH_INDEX=pip)

    assert (done.returncode, done.stderr.splitlines(), installed(tree)) == (
        1,
        [
            f"setup: the wheel of torch==1.0 that pip finds is for GPUs, also in {pip}; "
            "LIGHTBOARD_TORCH_INDEX=URL names another index",
            HINT,
        ],
        [],
    )


def test_the_frameworks_can_be_left_out(tree: pathlib.Path) -> None:
    """Then nothing is made."""
    done = set_up(tree, LIGHTBOARD_SKIP_FRAMEWORKS="1")

    assert (done.returncode, list(tree.glob(".venv-*"))) == (0, [])
