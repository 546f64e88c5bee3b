"""Jobs of a real hub on a real Ray cluster of two nodes, of which everything is killed in turn."""

import contextlib
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.hub.runners.ray import NO_COMMANDS, NO_SERVERS, NO_VOLUMES
from lightboard.hub.runners.replica_folder import ReplicaFolder
from support.framework_environment import framework_environment
from support.hub_cli import fetch_json
from support.hub_process import HubProcess, wait_for
from support.ports import free_ports
from support.ray_cluster import TIMEOUT_SECS, RayTestCluster

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
TRAIN = """
import os, sys, time
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.tensorboard import SummaryWriter
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(torch.nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.linspace(rank, rank + 1, 8).unsqueeze(1)  # each has its own part of y = 2x
writer = SummaryWriter(os.environ["PAI_OUTPUT_TENSORBOARD"]) if rank == 0 else None
for step in range(20):
    while step == 10 and not os.path.exists(sys.argv[1]):
        time.sleep(0.1)
    loss = ((model(inputs) - 2 * inputs) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    dist.all_reduce(total := loss.detach().clone())
    if writer:
        writer.add_scalar("loss", total.item(), step)
        writer.flush()
print(dist.get_world_size(), [each.item() for each in model.parameters()], flush=True)
dist.destroy_process_group()
"""
CHECKPOINT = """
exec 2> /dev/null  # a shell tells that what it waited for was terminated
trap 'echo saved > $PAI_OUTPUT_MODEL/step-$RANK; exit 1' TERM
if [ -e $PAI_OUTPUT_MODEL/step-$RANK ]; then echo resumed; exit 0; fi
echo begun; while :; do sleep 0.05; done
"""
ASK = """
import json, os, urllib.request
request = urllib.request.Request(
    os.environ["LIGHTBOARD_JOB_URL"] + "/api/v1/jobs/" + os.environ["LIGHTBOARD_JOB_ID"],
    headers={"Authorization": "Bearer " + os.environ["LIGHTBOARD_JOB_TOKEN"]},
)
print(json.load(urllib.request.urlopen(request, timeout=60))["id"], flush=True)
"""
WAIT = ["sh", "-c", "echo begun; exec sleep 1000"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayTestCluster]:
    """Two nodes with one CPU each."""
    with RayTestCluster(workers=1, cpus=1) as cluster:
        yield cluster


@contextlib.contextmanager
def hub_of(folder: pathlib.Path, cluster: RayTestCluster, *flags: str) -> Iterator[HubProcess]:
    """A hub of one account whose jobs run on the cluster. Its token is in the file `token`."""
    (folder / "token").write_text(cluster.token)
    words = ("--ray-url", cluster.url, "--ray-token-file", str(folder / "token"))
    with HubProcess(folder / "home", *words, *flags) as hub:
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
        wait_for(lambda: texts(hub, id, 1), bool, "rank 1 to have said something", TIMEOUT_SECS)
        job = wait_for_job(hub, id, "Succeeded")
        logs = [texts(hub, id, rank) for rank in range(2)]
        with Session(hub.url, hub.token) as session:
            runs = fetch_json(hub, TrainingJob(id, session).tensorboard(), "api/v1/runs")["runs"]

    assert ready == "jobs: on a Ray cluster, not isolated, limited by watching"
    assert (job["runner"], logs) == ("ray", [["0 from rank 1 1"], ["1 sent 1"]])
    assert [run["name"] for run in runs] == ["attempt-1/rank-0"]
    known = cluster.read("/api/jobs/")
    assert (id in known, "hush-hush" in known) == (True, False)


def wait_for_job(hub: HubProcess, id: str, status: str) -> dict[str, Any]:
    """A job once it has a status. Ray takes a while to start its workers."""
    return hub.wait_for_job(id, status, timeout_secs=TIMEOUT_SECS)


def losses(hub: HubProcess, board: Any) -> list[float]:
    """What the TensorBoard of a job shows of its training."""
    path = "data/plugin/scalars/scalars?run=attempt-1/rank-0&tag=loss&format=json"
    if not fetch_json(hub, board, "api/v1/runs")["runs"]:
        return []
    return [value for _, _, value in fetch_json(hub, board, path)]


def test_pytorch_trains_on_two_nodes(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """Each replica has its part of the data, all have the same model, and rank 0 writes what its TensorBoard shows."""
    python, gate = framework_environment() / "bin" / "python", tmp_path / "gate"
    with hub_of(tmp_path, cluster) as hub:
        id = submit(hub, [str(python), "-c", TRAIN, str(gate)], replicas=2)
        with Session(hub.url, hub.token) as session:
            board = TrainingJob(id, session).tensorboard()
            shown = wait_for(lambda: losses(hub, board), lambda each: len(each) == 10, "ten losses", TIMEOUT_SECS)
            status = hub.json("GET", f"/api/v1/jobs/{id}")["status"]
            gate.touch()
            wait_for_job(hub, id, "Succeeded")
            complete = wait_for(lambda: losses(hub, board), lambda each: len(each) == 20, "twenty losses")
        models = [texts(hub, id, rank)[-1] for rank in range(2)]  # below what PyTorch has to say

    assert (status, complete[:10]) == ("Running", shown)
    assert complete[-1] < complete[0]
    assert models[0] == models[1]
    assert models[0].startswith("2 [")


def test_a_job_is_paused_and_resumed(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """It saves a checkpoint, gives its nodes back, and continues from it in another attempt."""
    with hub_of(tmp_path, cluster) as hub:
        id = submit(hub, ["sh", "-c", CHECKPOINT], replicas=2)
        wait_for(lambda: [texts(hub, id, rank) for rank in range(2)], all, "it to have begun", TIMEOUT_SECS)
        wait_for_job(hub, id, "Running")
        hub.json("PUT", f"/api/v1/jobs/{id}/pause")
        wait_for_job(hub, id, "Paused")
        other = submit(hub, ["echo", "between"], replicas=2)
        wait_for_job(hub, other, "Succeeded")
        hub.json("PUT", f"/api/v1/jobs/{id}/resume")
        job = wait_for_job(hub, id, "Succeeded")
        logs = [
            [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs?attempt={attempt}&rank={rank}")["lines"]]
            for attempt in (1, 2) for rank in (0, 1)
        ]  # fmt: skip

    assert (job["attempt"], job["retries"], logs) == (2, 0, [["begun"], ["begun"], ["resumed"], ["resumed"]])


def test_a_job_asks_the_hub_at_its_public_address(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """With the token that it has got."""
    (port,) = free_ports(1)
    flags = ("--port", str(port), "--public-url", f"http://127.0.0.1:{port}")
    with hub_of(tmp_path, cluster, *flags) as hub:
        id = submit(hub, [sys.executable, "-c", ASK])
        wait_for_job(hub, id, "Succeeded")

        assert texts(hub, id) == [id]


def test_what_a_cluster_cannot_do_is_told_before(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """Also when somebody tries."""
    with hub_of(tmp_path, cluster) as hub:
        capabilities = hub.json("GET", "/api/v1/queue")["capabilities"]
        answers = [
            hub.request("POST", "/api/v1/jobs", {"command": ["true"], **fields})
            for fields in (
                {"volumes": [{"source": "storage:data", "target": "/data"}]},
                {"http_port": 8000},
            )
        ]

    assert capabilities == {
        "place": "a Ray cluster",
        "isolation": "none",
        "isolation_problem": "they run on a Ray cluster, which does not isolate them",
        "limits": "watching",
        "commands": False,
        "commands_problem": NO_COMMANDS,
        "servers": False,
        "servers_problem": NO_SERVERS,
        "volumes": False,
        "volumes_problem": NO_VOLUMES,
    }
    assert [(answer.status_code, answer.json()["error"]["message"]) for answer in answers] == [
        (422, NO_VOLUMES), (422, NO_SERVERS)
    ]  # fmt: skip


def test_a_notebook_is_refused(cluster: RayTestCluster, tmp_path: pathlib.Path) -> None:
    """The hub could not reach its server."""
    with hub_of(tmp_path, cluster) as hub:
        response = hub.request("POST", "/api/v1/notebooks", {})

    assert (response.status_code, response.json()["error"]["message"]) == (
        422, "the hub reaches no server on a Ray cluster"
    )  # fmt: skip


def test_a_hub_and_a_cluster_that_are_killed(tmp_path: pathlib.Path) -> None:
    """Each end is told with its log. A hub that is killed loses nothing."""
    with RayTestCluster(workers=1, cpus=1) as cluster, hub_of(tmp_path, cluster) as hub:
        check_ends(hub, cluster, tmp_path / "token")


def check_ends(hub: HubProcess, cluster: RayTestCluster, token: pathlib.Path) -> None:
    """Kills the hub, a node and the head, and takes the token away between."""
    first = submit(hub, WAIT, replicas=2)
    wait_for_job(hub, first, "Running")
    hub.kill()
    hub.restart()
    assert hub.json("GET", f"/api/v1/jobs/{first}")["status"] == "Running"

    cluster.kill_node(1)
    lost = wait_for_job(hub, first, "Failed")
    assert (lost["reason"], texts(hub, first), texts(hub, first, 1)) == ("NodeLost", ["begun"], ["begun"])
    assert lost["message"].partition(":")[0] == "its node or its worker was lost"

    second = submit(hub, WAIT)
    wait_for_job(hub, second, "Running")
    valid = token.read_text()
    token.write_text("wrong")
    third = submit(hub, WAIT)
    refused = wait_for_job(hub, third, "Failed")
    assert (refused["reason"], refused["message"].partition(";")[0]) == (
        "RunnerUnauthorized", "the Ray cluster refuses the hub's token"
    )  # fmt: skip
    token.write_text(valid)
    assert hub.json("GET", f"/api/v1/jobs/{second}")["status"] == "Running"

    cluster.kill_node(0)
    lost = wait_for_job(hub, second, "Failed")
    assert (lost["reason"], texts(hub, second)) == ("ClusterLost", ["begun"])
    assert lost["message"].startswith("the worker that it belonged to has ended: the Ray cluster does not respond: ")
    assert ReplicaFolder(hub.home / "hub" / "runner" / second / "1" / "0").supervisor() is None


def test_a_hub_with_a_wrong_token_does_not_start(tmp_path: pathlib.Path, cluster: RayTestCluster) -> None:
    """With one error, which does not show the token."""
    with pytest.raises(RuntimeError) as caught:
        HubProcess(tmp_path / "home", "--ray-url", cluster.url, env={"LIGHTBOARD_RAY_TOKEN": "wrong-and-secret"})

    assert f"--ray-url {cluster.url}: the Ray cluster refuses the hub's token" in str(caught.value)
    assert "wrong-and-secret" not in str(caught.value)


def test_a_token_that_has_expired_is_refused(tmp_path: pathlib.Path) -> None:
    """Those of Ray end when the cluster is started with another one. The hub finds that in its file."""
    with RayTestCluster(cpus=1) as cluster, hub_of(tmp_path, cluster) as hub:
        before = wait_for_job(hub, submit(hub, ["true"]), "Succeeded")
        cluster.renew_token()
        refused = wait_for_job(hub, submit(hub, ["true"]), "Failed")
        (tmp_path / "token").write_text(cluster.token)
        after = wait_for_job(hub, submit(hub, ["echo", "again"]), "Succeeded")
        log = texts(hub, after["id"])

    assert (before["exit_code"], refused["reason"], log) == (0, "RunnerUnauthorized", ["again"])
    assert refused["message"].partition(";")[0] == "the Ray cluster refuses the hub's token"
