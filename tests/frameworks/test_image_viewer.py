"""C-T5: the TensorBoard of an image, for those who ask for it in place of the hub's viewer."""

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for
from support.ports import free_ports

pytestmark = pytest.mark.frameworks


def test_c_t5_the_tensorboard_of_an_image_runs_behind_the_login(hub: HubProcess, session: Session, cli: HubCli) -> None:
    """With the logs of its volume, at no address but that of the hub; it is a job like any other."""
    logs = hub.home / "hub/storage/default/image/results/first"
    logs.mkdir(parents=True)
    port = str(free_ports(1)[0])
    words = ("--image-viewer", "--name", "viewer", "--http", port, "-v", "storage:image/results://project/results:ro")

    cli("run", "--detach", *words, "frameworks", "tensorboard --host=0.0.0.0 --logdir=//project/results")

    job = TrainingJob.get("viewer", session)
    try:
        look = lambda: hub.json("GET", f"/api/v1/jobs/{job.id}/http")  # noqa: E731
        wait_for(look, lambda told: told["listens"], "TensorBoard")
        link = job.http_url.removeprefix(hub.url)
        page, stranger = hub.request("GET", link), hub.request("GET", link, token="")
        environment = hub.json("GET", f"{link}data/environment")
        again = cli("generate-run-command", "viewer")
    finally:
        job.delete()

    assert (page.status_code, 'content="./"' in page.text, stranger.status_code) == (200, True, 401)
    assert (environment["data_location"], "--image-viewer" in again) == ("//project/results", True)
