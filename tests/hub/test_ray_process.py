"""Jobs of a real hub on a real Ray cluster of two nodes, of which everything is killed in turn."""

import contextlib
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.hub.runners.replica_folder import ReplicaFolder
from support.hub_cli import fetch_json
from support.hub_process import HubProcess, wait_for
from support.ray_cluster import RayTestCluster

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="supervisors need /proc"),
]

WRITE = """
import os, pathlib, socket, sys, time
from lightboard.testing.event_files import scalar_record, write_events
rank, folder = int(os.environ["RANK"]), pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"])
where = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
if rank == 0:
    with socket.create_server(("", where[1])) as server:
        said = server.accept()[0].recv(100).decode()
    write_events(folder / "events.out.tfevents.1", [scalar_record("loss", 0, 0.5)])
else:
    while True:
        try:
            with socket.create_connection(where) as connection:
                connection.sendall(b"from rank 1")
            break
        except OSError:
            time.sleep(0.1)
    said = "sent"
print(rank, said, os.environ["LIGHTBOARD_JOB_ATTEMPT"], flush=True)
"""
WAIT = ["sh", "-c", "echo begun; exec sleep 1000"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayTestCluster]:
    """Two nodes with one CPU each."""
    with RayTestCluster(workers=1, cpus=1) as cluster:
        yield cluster


@contextlib.contextmanager
def hub_of(folder: pathlib.Path, cluster: RayTestCluster) -> Iterator[HubProcess]:
    """A hub of one account whose jobs run on the cluster. Its token is in the file `token`."""
    (folder / "token").write_text(cluster.token)
    words = ("--ray-url", cluster.url, "--ray-token-file", str(folder / "token"))
    with HubProcess(folder / "home", *words) as hub:
        yield hub


def submit(hub: HubProcess, command: list[str], **fields: Any) -> str:
    """The id of a new job."""
    id: str = hub.json("POST", "/api/v1/jobs", {"command": command, **fields})["id"]
    return id


def texts(hub: HubProcess, id: str, rank: int = 0) -> list[str]:
    """What a replica has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs?rank={rank}")["lines"]]


def test_replicas_find_each_other_over_nodes(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """And what they log is on the TensorBoard of the job. Ray gets to know the job, but none of its variables."""
    with hub_of(tmp_path, cluster) as hub:
        ready = hub.request("GET", "/readyz").text.splitlines()[-1]
        id = submit(hub, [sys.executable, "-c", WRITE], replicas=2, environment={"SECRET": "hush-hush"})
        wait_for(lambda: texts(hub, id, 1), bool, "rank 1 to have said something")
        job = hub.wait_for_job(id, "Succeeded")
        logs = [texts(hub, id, rank) for rank in range(2)]
        with Session(hub.url, hub.token) as session:
            runs = fetch_json(hub, TrainingJob(id, session).tensorboard(), "api/v1/runs")["runs"]

    assert ready == "jobs: on a Ray cluster, not isolated, limited by watching"
    assert (job["runner"], logs) == ("ray", [["0 from rank 1 1"], ["1 sent 1"]])
    assert [run["name"] for run in runs] == ["attempt-1/rank-0"]
    known = cluster.read("/api/jobs/")
    assert (id in known, "hush-hush" in known) == (True, False)


def test_a_notebook_is_refused(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """The hub could not reach its server."""
    with hub_of(tmp_path, cluster) as hub:
        response = hub.request("POST", "/api/v1/notebooks", {})

    assert (response.status_code, response.json()["error"]["message"]) == (
        422, "notebooks cannot run on a Ray cluster: the hub reaches no server there"
    )  # fmt: skip


def test_a_hub_and_a_cluster_that_are_killed(tmp_path: pathlib.Path) -> None:
    """Each end is told with its log. A hub that is killed loses nothing."""
    with RayTestCluster(workers=1, cpus=1) as cluster, hub_of(tmp_path, cluster) as hub:
        check_ends(hub, cluster, tmp_path / "token")


def check_ends(hub: HubProcess, cluster: RayTestCluster, token: pathlib.Path) -> None:
    """Kills the hub, a node and the head, and takes the token away between."""
    first = submit(hub, WAIT, replicas=2)
    hub.wait_for_job(first, "Running")
    hub.kill()
    hub.restart()
    assert hub.json("GET", f"/api/v1/jobs/{first}")["status"] == "Running"

    cluster.kill_node(1)
    lost = hub.wait_for_job(first, "Failed")
    assert (lost["reason"], texts(hub, first), texts(hub, first, 1)) == ("NodeLost", ["begun"], ["begun"])

    second = submit(hub, WAIT)
    hub.wait_for_job(second, "Running")
    token.write_text("wrong")
    third = submit(hub, WAIT)
    refused = hub.wait_for_job(third, "Failed")
    assert (refused["reason"], refused["message"].partition(";")[0]) == (
        "RunnerUnauthorized", "the Ray cluster refuses the hub's token"
    )  # fmt: skip
    assert hub.json("GET", f"/api/v1/jobs/{second}")["status"] == "Running"

    cluster.kill_node(0)
    lost = wait_for(lambda: hub.json("GET", f"/api/v1/jobs/{second}"), lambda job: job["status"] == "Failed", "its end")
    assert (lost["reason"], texts(hub, second)) == ("NodeLost", ["begun"])
    assert ReplicaFolder(hub.home / "hub" / "runner" / second / "1" / "0").supervisor() is None


def test_a_hub_with_a_wrong_token_does_not_start(tmp_path: pathlib.Path, cluster: RayTestCluster) -> None:
    """With one error, which does not show the token."""
    with pytest.raises(RuntimeError) as caught:
        HubProcess(tmp_path / "home", "--ray-url", cluster.url, env={"LIGHTBOARD_RAY_TOKEN": "wrong-and-secret"})

    assert f"--ray-url {cluster.url}: the Ray cluster refuses the hub's token" in str(caught.value)
    assert "wrong-and-secret" not in str(caught.value)
