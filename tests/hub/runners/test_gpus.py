"""The GPUs of replicas: devices and variables."""

from pathlib import Path

import pytest

from lightboard.hub.runners import gpus
from lightboard.hub.runners.gpus import CONTROL, device_files, gpu_variables


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for device files instead of /dev."""
    monkeypatch.setattr(gpus, "FOLDER", str(tmp_path))
    for name in ("nvidia0", "nvidia3", "nvidiactl"):
        (tmp_path / name).touch()
    return tmp_path


def test_a_replica_gets_the_devices_of_its_gpus_and_those_for_all(devices: Path) -> None:
    """Without GPUs none at all, so that it cannot use one either."""
    assert device_files((3,)) == [str(devices / name) for name in ("nvidia3", *CONTROL)]
    assert device_files(()) == []


def test_a_replica_that_may_use_all_gpus_gets_all_devices(devices: Path) -> None:
    """Those that there are."""
    assert device_files(None) == [str(devices / name) for name in ("nvidia0", "nvidia3", "nvidiactl")]


@pytest.mark.parametrize(
    ("gpu_ids", "only_own_devices", "visible", "nvidia"),
    [
        ((0, 3), False, "0,3", "0,3"),
        ((0, 3), True, "0,1", "0,3"),  # CUDA numbers those that it finds
        ((1, 3), True, "1,3", "1,3"),  # there is no such device: the machine has another driver, or this is a test
        ((), True, "", "none"),
        ((), False, "", "none"),
    ],
)
@pytest.mark.usefixtures("devices")
def test_variables_name_the_gpus(gpu_ids: tuple[int, ...], only_own_devices: bool, visible: str, nvidia: str) -> None:
    """As CUDA finds them."""
    assert gpu_variables(gpu_ids, only_own_devices=only_own_devices) == {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": visible, "NVIDIA_VISIBLE_DEVICES": nvidia,
    }  # fmt: skip


def test_a_replica_that_may_use_all_gpus_has_no_variables() -> None:
    """Those of the job itself apply."""
    assert gpu_variables(None, only_own_devices=True) == {}
