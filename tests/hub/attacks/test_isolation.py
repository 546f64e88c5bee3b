"""One list of attacks, tried from everywhere that jobs run code; and what each strength of isolation keeps apart.

A job, a further command in it, a kernel of a notebook and a terminal of JupyterLab try all of `isolation_attacks`.
"""

import os
import pathlib
import sys
from collections.abc import Iterator

import pytest
import zmq

from lightboard.hub.runners.sandbox import PROGRAM
from support import isolation_attacks
from support.attacked_hub import (
    WAYS,
    AttackedHub,
    Outcomes,
    attacked_hub,
    tcp_listeners,
    unix_listeners,
)
from support.control_groups import working_control_groups
from support.isolation_attacks import ATTACKS, REACHED, REFUSED
from support.job_users import passable_folder, working_job_users
from support.sandboxes import working_sandbox

pytestmark = [
    pytest.mark.databases("sqlite"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc"),
]
NEVER_OPEN = {"hub_without_a_token", "rights_of_its_token", "board_worker"}
"""What asks for a secret, whatever the isolation is."""
NOT_KEPT_APART = {"port_of_another_job", "abstract_socket_of_another_job"}
"""What the sandbox shares."""
ONLY_ROOT = {"devices", "memory_of_others", "mounts", "new_device"}
"""What only a hub that runs as root could do itself."""
OF_THE_MACHINE = {"root_of_another_project", "files_of_the_machine", "command_lines_of_others"}
"""What every user of a machine can do."""
OF_ITS_ACCOUNT = {
    "folders_of_another_job", "storage_of_another_project", "secrets_anywhere", "storage_of_its_project",
    "environments_of_others", "signals", "memory_of_others", "socket_of_a_notebook",
}  # fmt: skip
"""What a job reaches of others that run as the same user."""
ONLY_OWNER = {"programs", "own_program"}
"""What could be done by the one who has installed the hub."""


@pytest.fixture(scope="module")
def isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttackedHub]:
    """One hub for all, to which nothing happens."""
    folder = tmp_path_factory.mktemp("isolated")
    working_sandbox(folder / "sandbox")
    with attacked_hub(folder, "--job-isolation", "kernel", searches_all=True) as attacked:
        yield attacked
        assert attacked.hub.json("GET", f"/api/v1/jobs/{attacked.victim}")["status"] == "Running"


@pytest.fixture(scope="module")
def outcomes(isolated: AttackedHub) -> dict[str, Outcomes]:
    """By way."""
    return isolated.outcomes_by_way()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_isolated_job_reaches_nothing_but_what_the_threat_model_says(
    outcomes: dict[str, Outcomes], attack: str, way: str
) -> None:
    """However its code is started."""
    found = outcomes[way][attack]

    assert found.result == (REACHED if attack in NOT_KEPT_APART else REFUSED), found.got


def test_everything_of_the_hub_listens_behind_a_secret_or_where_jobs_see_nothing(
    isolated: AttackedHub, outcomes: dict[str, Outcomes]
) -> None:
    """Two ports, of the hub and its worker, and sockets in folders that others do not see; no abstract one.

    Without the hub's settings, a kernel would have five ports more. The one that it has is for the output of processes
    that it forks, and their messages begin with bytes that nobody else knows.
    """
    assert outcomes
    ours, replicas = isolated.own_processes(), isolated.replica_processes()
    own_ports = {port for pid in ours for port in tcp_listeners(pid)}
    ports = {port for pid in replicas for port in tcp_listeners(pid)} - {isolated.targets.port}
    names = {name for pid in (*ours, *replicas) for name in unix_listeners(pid)}
    with zmq.Context() as context, context.socket(zmq.PUSH) as stranger:
        stranger.connect(f"tcp://127.0.0.1:{ports.pop()}")
        stranger.send_multipart([b"not the secret", b"output"])
        isolated.wait_for_log_of_notebook("Bad pipe message")

    assert own_ports == {isolated.hub.port, int(isolated.worker.rpartition(":")[2])}
    assert ports == set()
    assert {name for pid in ours for name in unix_listeners(pid)} == {"exec.sock"}
    assert [name for name in names if name.startswith("@")] == [f"@{isolated.targets.abstract}"]


def test_secrets_are_in_no_answer_log_or_list(isolated: AttackedHub, outcomes: dict[str, Outcomes]) -> None:
    """Neither the keys of the hub and its tokens, nor the variables of a job, except for its owner."""
    assert outcomes
    secrets, texts = isolated.secrets(), isolated.everything_told()
    own = {"admin": secrets["victim"], "attacker": secrets["attacker"]}
    leaks = {
        (name, which)
        for name, text in texts.items()
        for which, secret in secrets.items()
        if secret in text and own.get(name.partition(" ")[0]) != secret
    }

    assert (len(secrets), len(set(secrets.values()))) == (10, 10)
    assert [name for name, text in texts.items() if own.get(name.partition(" ")[0], "-") in text] != []
    assert leaks == set()


@pytest.fixture(scope="module")
def folder_of_users() -> Iterator[pathlib.Path]:
    """Where all users can reach a hub."""
    with passable_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def with_users(folder_of_users: pathlib.Path) -> Iterator[AttackedHub]:
    """A hub whose sandbox does not work, although it is asked for, so that each account has a user of its own."""
    folder = folder_of_users
    ids = working_job_users(folder)
    broken = folder / "bin" / PROGRAM
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho bwrap: not here >&2\nexit 1\n")
    broken.chmod(0o755)
    path = f"{broken.parent}:{os.environ['PATH']}"
    with attacked_hub(folder, "--job-users", ids, searches_all=False, env={"PATH": path}) as attacked:
        told = attacked.hub.request("GET", "/readyz").text
        assert "isolated by system users (process)" in told, told
        yield attacked


@pytest.fixture(scope="module")
def outcomes_with_users(with_users: AttackedHub) -> dict[str, Outcomes]:
    """By way."""
    return with_users.outcomes_by_way()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_job_with_a_user_of_its_account_reaches_what_the_threat_model_says(
    outcomes_with_users: dict[str, Outcomes], attack: str, way: str
) -> None:
    """However its code is started."""
    found = outcomes_with_users[way][attack]

    assert found.result == (REACHED if attack in NOT_KEPT_APART | OF_THE_MACHINE else REFUSED), found.got


@pytest.fixture(scope="module")
def same_account(with_users: AttackedHub) -> Outcomes:
    """The outcomes of another job of the victim, in its project."""
    return with_users.outcomes_of_the_same_account()


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_job_reaches_more_of_others_with_its_user(same_account: Outcomes, attack: str) -> None:
    """So it is the user that keeps them apart."""
    found = same_account[attack]
    expected = NOT_KEPT_APART | OF_THE_MACHINE | OF_ITS_ACCOUNT

    assert found.result == (REACHED if attack in expected else REFUSED), found.got


@pytest.fixture(scope="module")
def unprotected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcomes]:
    """The outcomes of a job without isolation."""
    folder = tmp_path_factory.mktemp("unprotected")
    with attacked_hub(folder, "--job-isolation", "none", "--trust-jobs", searches_all=False) as attacked:
        yield attacked.outcomes_of_job(attacked.start_job())


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_job_without_isolation_reaches_what_asks_for_no_secret(unprotected: Outcomes, attack: str) -> None:
    """So each attack is one, and what the page says of such jobs is true."""
    found = unprotected[attack]
    owner = pathlib.Path(isolation_attacks.__file__).stat().st_uid
    if (os.getuid() and attack in ONLY_ROOT) or (os.getuid() not in (0, owner) and attack in ONLY_OWNER):
        pytest.skip("the user of the hub may not do that either")
    if attack == "control_group":
        working_control_groups()

    assert found.result == (REFUSED if attack in NEVER_OPEN else REACHED), found.got


@pytest.mark.parametrize("attack", sorted(NEVER_OPEN))
def test_what_asks_for_a_secret_is_reached_with_it(isolated: AttackedHub, attack: str) -> None:
    """By the same program."""
    found = isolated.outcomes_with_credentials()[attack]

    assert found.result == REACHED, found.got


def test_the_threat_model_lists_what_is_kept_apart() -> None:
    """The table of the page is that of these tests."""
    page = pathlib.Path(__file__).parents[3] / "docs" / "threat-model.md"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.read_text().splitlines()]
    told = {row[0]: tuple(row[1:]) for row in rows if len(row) == 4 and row[1] in (KEPT, OPEN)}

    assert told == {
        str(function.__doc__): (
            OPEN if name in NOT_KEPT_APART else KEPT,
            OPEN if name in NOT_KEPT_APART | OF_THE_MACHINE else FROM_OTHERS if name in OF_ITS_ACCOUNT else KEPT,
            KEPT if name in NEVER_OPEN else OPEN,
        )
        for name, function in ATTACKS.items()
    }


KEPT, FROM_OTHERS, OPEN = "kept apart", "kept apart from other accounts", "**open**"
