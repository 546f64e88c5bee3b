"""The tests of isolation once more, with a hub that does not run as root: its jobs have its own user id.

Where tests run as an ordinary user, they are shown by the files themselves.
"""

import pathlib
import sys

import pytest

from support.attacked_hub import WAYS
from support.isolation_attacks import ATTACKS
from support.ordinary_user import failures, outcomes, run_tests_as_ordinary_user
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")
CHEAP = (
    "unprivileged_user or kernel_isolates or outside_of_the_sandbox or keys_of_the_hub or runs_as_its_owner or limited"
)


def test_a_job_of_an_ordinary_user_is_isolated(tmp_path: pathlib.Path) -> None:
    """By a sandbox with a user namespace, in place of another user."""
    working_sandbox(tmp_path / "sandbox")
    found = outcomes(tmp_path, run_tests_as_ordinary_user, "tests/hub/runners/test_sandbox.py", "-k", CHEAP)

    assert found == dict.fromkeys(found, "passed")
    assert len(found) == 6


@pytest.mark.long
@pytest.mark.parametrize("file", ["hub/attacks/test_job_isolation.py", "hub/runners/test_sandbox.py"])
def test_a_job_of_an_ordinary_user_has_what_jobs_have(tmp_path: pathlib.Path, file: str) -> None:
    """Its own folders and processes alone."""
    working_sandbox(tmp_path / "sandbox")
    found = outcomes(tmp_path, run_tests_as_ordinary_user, f"tests/{file}")

    assert failures(found) == {}
    assert len([name for name, outcome in found.items() if outcome == "passed"]) > 10


@pytest.mark.long
def test_a_hub_of_an_ordinary_user_keeps_apart_what_the_threat_model_says(tmp_path: pathlib.Path) -> None:
    """Every row of the table, in every way that code is run."""
    working_sandbox(tmp_path / "sandbox")
    found = outcomes(tmp_path, run_tests_as_ordinary_user, "tests/hub/attacks/test_isolation.py")
    test = "test_an_isolated_job_reaches_nothing_but_what_the_threat_model_says"

    assert failures(found) == {}
    assert [found[f"{test}[{attack}-{way}]"] for attack in ATTACKS for way in WAYS] == ["passed"] * len(ATTACKS) * 4
