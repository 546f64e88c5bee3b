"""What is installed in an environment, read from its files."""

import os
import pathlib
import sys
import venv

import pytest

from lightboard.hub.installed_packages import PythonEnvironment, count_packages, environment_folder, read_environment

SITE = "lib/python3.12/site-packages"


def write(folder: pathlib.Path, files: dict[str, str]) -> pathlib.Path:
    """A folder with these files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def metadata(name: str, version: str) -> str:
    """The metadata of a package, with a description that looks like more of it."""
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: about\n\nVersion: 9\n"


def test_packages_have_the_names_and_versions_of_their_metadata(tmp_path: pathlib.Path) -> None:
    """Sorted by name as names are compared, whatever installer wrote them."""
    environment = write(
        tmp_path,
        {
            "pyvenv.cfg": "home = /usr/bin\nversion = 3.12.3\n",
            f"{SITE}/torch-2.9.0.dist-info/METADATA": metadata("torch", "2.9.0+cu128"),
            f"{SITE}/PyYAML-6.0.dist-info/METADATA": metadata("PyYAML", "6.0"),
            f"{SITE}/old_one-1.0-py3.12.egg-info/PKG-INFO": metadata("old.one", "1.0"),
            f"{SITE}/single-0.1.egg-info": metadata("single", "0.1"),
            f"{SITE}/bare-3.2.dist-info/RECORD": "",
            f"{SITE}/torch/version.py": "",
        },
    )

    assert read_environment(environment) == PythonEnvironment(
        version="3.12.3",
        packages=(
            ("bare", "3.2"), ("old.one", "1.0"), ("PyYAML", "6.0"), ("single", "0.1"), ("torch", "2.9.0+cu128"),
        ),
    )  # fmt: skip


def test_a_virtual_environment_comes_before_what_it_is_based_on(tmp_path: pathlib.Path) -> None:
    """If it includes that, as `--system-site-packages` says."""
    base = write(
        tmp_path / "base",
        {
            "bin/python3": "",
            f"{SITE}/numpy-1.0.dist-info/METADATA": metadata("numpy", "1.0"),
            f"{SITE}/torch-2.0.dist-info/METADATA": metadata("Torch", "2.0"),
        },
    )
    settings = f"home = {base}/bin\ninclude-system-site-packages = true\nversion_info = 3.12.3.final.0\n"
    over = write(
        tmp_path / "over",
        {"pyvenv.cfg": settings, f"{SITE}/torch-2.9.dist-info/METADATA": metadata("torch", "2.9")},
    )

    assert read_environment(over) == PythonEnvironment(version="3.12.3", packages=(("numpy", "1.0"), ("torch", "2.9")))


@pytest.mark.parametrize("declared", [True, False])
def test_an_installation_tells_its_version_by_its_files(tmp_path: pathlib.Path, declared: bool) -> None:
    """Completely if it has the headers; Debian keeps packages in other folders."""
    files = {
        "bin/python3": "",
        "lib/python3.9/os.py": "",
        "lib/python3.12/os.py": "",
        "lib/python3/dist-packages/six-1.16.egg-info/PKG-INFO": metadata("six", "1.16"),
        "local/lib/python3.12/dist-packages/numpy-1.0.dist-info/METADATA": metadata("numpy", "1.0"),
    }
    header = {"include/python3.12/patchlevel.h": '#define PY_VERSION   "3.12.7"\n'}
    folder = environment_folder(str(write(tmp_path, files | (header if declared else {})) / "bin/python3"))

    assert folder is not None
    assert read_environment(folder) == PythonEnvironment(
        version="3.12.7" if declared else "3.12", packages=(("numpy", "1.0"), ("six", "1.16"))
    )


def test_what_is_no_metadata_is_left_out(tmp_path: pathlib.Path) -> None:
    """A pipe is not waited for, a broken name not stored."""
    environment = write(
        tmp_path,
        {
            "pyvenv.cfg": "version = 3.12.3\n",
            f"{SITE}/bad-1.0.dist-info/METADATA": "Name: b\x00d\nVersion: 1\n\n",
            f"{SITE}/.dist-info/METADATA": "",
        },
    )
    (environment / SITE / "pipe-1.0.dist-info").mkdir()
    os.mkfifo(environment / SITE / "pipe-1.0.dist-info" / "METADATA")

    assert read_environment(environment) == PythonEnvironment(version="3.12.3", packages=(("pipe", "1.0"),))


def test_a_real_environment_is_read(tmp_path: pathlib.Path) -> None:
    """As `venv` writes one."""
    venv.create(tmp_path / "own", with_pip=False, symlinks=True)
    folder = environment_folder(str(tmp_path / "own/bin/python"))

    assert folder == tmp_path / "own"
    assert read_environment(folder).version.startswith("3.")


def test_packages_are_counted(tmp_path: pathlib.Path) -> None:
    """As many as are listed, without those that an interrupted installation has left."""
    write(
        tmp_path,
        {f"{SITE}/torch-2.9.0.dist-info/METADATA": metadata("torch", "2.9"), f"{SITE}/~orch-2.dist-info/x": ""},
    )

    assert (count_packages(tmp_path), read_environment(tmp_path).packages) == (1, (("torch", "2.9"),))
    assert count_packages(pathlib.Path(sys.prefix)) == len(read_environment(pathlib.Path(sys.prefix)).packages)


def test_the_interpreter_of_pyenv_is_its_default_one(tmp_path: pathlib.Path) -> None:
    """Since its programs are scripts that look for one; that of the system is not known."""
    write(tmp_path, {"shims/python": "#!/bin/sh\n", "versions/3.12.7/lib/python3.12/os.py": "", "version": "3.12.7\n"})
    found = environment_folder(str(tmp_path / "shims/python"))
    write(tmp_path, {"version": "system\n"})

    assert found == tmp_path / "versions/3.12.7"
    assert environment_folder(str(tmp_path / "shims/python")) is None


def test_a_program_without_libraries_has_no_environment(tmp_path: pathlib.Path) -> None:
    """Such as a script that looks for an interpreter."""
    assert environment_folder(str(write(tmp_path, {"bin/python": "#!/bin/sh\n"}) / "bin/python")) is None
