"""The environment with the frameworks is the one that its file asks for."""

import pathlib
from importlib.metadata import distributions

from support.framework_environment import framework_environment, older_environment
from support.wheels import ROOT

PIP = {"pip", "setuptools"}


def installed(environment: pathlib.Path) -> dict[str, str]:
    """Versions by names as in the file."""
    (site,) = environment.glob("lib/python*/site-packages")
    found = {each.metadata["Name"].lower().replace("_", "-"): each.version for each in distributions(path=[str(site)])}
    return {name: version for name, version in found.items() if name not in PIP}


def wanted(file: str) -> dict[str, str]:
    """What a file of requirements asks for."""
    lines = (ROOT / "tests" / "frameworks" / file).read_text().splitlines()
    return dict(line.lower().replace("_", "-").split("==") for line in lines if not line.startswith("#"))


def test_it_has_what_the_file_says_and_nothing_for_gpus() -> None:
    """Which would take several GB, and came with a wheel of torch that is not the one for CPUs."""
    found = installed(framework_environment())

    assert {name: version.partition("+")[0] for name, version in found.items()} == wanted("requirements.txt")


def test_the_older_one_has_transformers_4_alone() -> None:
    """And takes the rest from the other."""
    assert installed(older_environment()) == wanted("requirements-transformers4.txt")
