"""Packages of an environment, from its files."""

import pathlib
import sys

from lightboard.hub.packages import Package, count_packages, packages_of, python_version


def install(folder: pathlib.Path, name: str, version: str, *, as_folder: str = "") -> None:
    """What pip writes about a package."""
    info = folder / (as_folder or f"{name}-{version}.dist-info")
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def test_packages_have_names_and_versions(tmp_path: pathlib.Path) -> None:
    """By name, wherever they are. What an interrupted pip has left is none."""
    library = tmp_path / "lib" / "python3.11" / "site-packages"
    install(library, "torch", "2.9.0+cpu")
    install(library, "Jinja2", "3.1.6", as_folder="jinja2-3.1.6.dist-info")
    install(library, "ruamel.yaml", "0.18", as_folder="ruamel_yaml-0.18.dist-info")
    install(tmp_path / "lib" / "python3" / "dist-packages", "six", "1.17.0")
    (library / "broken-1.dist-info").mkdir()

    assert packages_of(str(tmp_path)) == (
        Package("Jinja2", "3.1.6"),
        Package("ruamel.yaml", "0.18"),
        Package("six", "1.17.0"),
        Package("torch", "2.9.0+cpu"),
    )


def test_an_environment_without_packages_has_none(tmp_path: pathlib.Path) -> None:
    """Nor has a folder that is no environment."""
    assert (packages_of(str(tmp_path)), count_packages(str(tmp_path))) == ((), 0)


def test_the_packages_of_this_environment_are_counted() -> None:
    """As many as are listed."""
    found = packages_of(sys.prefix)

    assert "pytest" in [package.name for package in found]
    assert count_packages(sys.prefix) == len(found)


def test_the_python_version_is_that_of_the_configuration(tmp_path: pathlib.Path) -> None:
    """As the standard library, and as other tools write it."""
    told = []
    for text in ("home = /usr/bin\nversion = 3.11.7\n", "version_info = 3.12.1.final.0\n", "home = /usr/bin\n"):
        (tmp_path / "pyvenv.cfg").write_text(text)
        told.append(python_version(str(tmp_path)))

    assert told == ["3.11.7", "3.12.1", ""]
    assert python_version(str(tmp_path / "none")) == ""
