"""The environment with the frameworks is the one that its file asks for."""

from importlib.metadata import distributions

from support.framework_environment import framework_environment
from support.wheels import ROOT

PIP = {"pip", "setuptools"}


def installed() -> dict[str, str]:
    """Versions by names as in the file."""
    (site,) = framework_environment().glob("lib/python*/site-packages")
    found = {each.metadata["Name"].lower().replace("_", "-"): each.version for each in distributions(path=[str(site)])}
    return {name: version for name, version in found.items() if name not in PIP}


def test_it_has_what_the_file_says_and_nothing_for_gpus() -> None:
    """Which would take several GB, and came with a wheel of torch that is not the one for CPUs."""
    lines = (ROOT / "tests" / "frameworks" / "requirements.txt").read_text().splitlines()
    wanted = dict(line.lower().replace("_", "-").split("==") for line in lines if not line.startswith("#"))

    assert {name: version.partition("+")[0] for name, version in installed().items()} == wanted
