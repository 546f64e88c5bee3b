"""The tests of system users of jobs once more, as in a plain container, in which bubblewrap does not work.

Where all users of the machine can reach Python, they are shown by the files themselves, with more privileges.
"""

import pathlib
import sys

import pytest

from support.container import run_tests_in_container
from support.isolation_attacks import ATTACKS
from support.ordinary_user import failures, outcomes

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")


def test_accounts_have_users_of_their_own_in_a_container(tmp_path: pathlib.Path) -> None:
    """With all that jobs have: further commands, ports, limits, ends."""
    found = outcomes(tmp_path, run_tests_in_container, "tests/hub/test_job_users_process.py")

    assert found == dict.fromkeys(found, "passed")
    assert len(found) == 9


@pytest.mark.long
def test_users_keep_apart_what_the_threat_model_says_in_a_container(tmp_path: pathlib.Path) -> None:
    """Every row of the table, in every way that code is run, and from another job of the same account."""
    words = ("tests/hub/attacks/test_isolation.py", "-k", "user_of_its_account or more_of_others")
    found = outcomes(tmp_path, run_tests_in_container, *words)

    assert failures(found) == {}
    assert [outcome for outcome in found.values() if outcome == "passed"] == ["passed"] * len(ATTACKS) * 5
