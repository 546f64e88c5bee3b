"""The threat model is linked, short, and names existing files."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from lightboard.config import DEFAULT_JOB_USERS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text()


def test_it_is_linked_from_readme_and_hub_page() -> None:
    """README and the page of the hub."""
    assert "](docs/threat-model.md)" in (ROOT / "README.md").read_text()
    assert "](threat-model.md)" in (ROOT / "docs" / "hub.md").read_text()


def test_it_is_one_page() -> None:
    """Nobody reads a second. A table is looked up."""
    assert len([line for line in PAGE.splitlines() if not line.startswith("|")]) <= 100


def test_named_paths_exist() -> None:
    """Tests, sources, deployments."""
    named = re.findall(r"`((?:tests|src|deploy)/[\w./-]+)`", PAGE)

    assert len(named) >= 5
    assert [path for path in named if not (ROOT / path).exists()] == []


CONNECT = """
import os, socket, sys
os.setuid(int(sys.argv[1]))
for address in sys.argv[2:]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:  # needs a route, and sends nothing
        try:
            client.connect((address, 80))
            print(address)
        except OSError as error:
            print(error.strerror)
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.getuid() != 0 or not shutil.which("ip"),
    reason="only root makes rules, and only by iproute2",
)
def test_its_commands_keep_jobs_from_the_metadata_address() -> None:
    """Jobs alone. In a network of this test, which has routes to these addresses."""
    commands = re.findall(r"^ +(ip rule .*)$", PAGE, re.MULTILINE)
    addresses = [command.split()[4] for command in commands]
    routes = [f"ip route add {address} dev lo" for address in addresses]
    asked = [f'"$0" -c "$1" {user} {" ".join(addresses)}' for user in (DEFAULT_JOB_USERS[0], DEFAULT_JOB_USERS[-1], 0)]
    script = "\n".join(["set -e", "ip link set lo up", *routes, *commands, *asked])
    done = subprocess.run(
        ["unshare", "--net", "sh", "-c", script, sys.executable, CONNECT], capture_output=True, text=True
    )
    if "unshare failed" in done.stderr:
        pytest.skip("no network of its own here")

    assert done.stdout.splitlines() == ["Permission denied"] * 4 + ["169.254.169.254", "100.100.100.200"], done.stderr
