"""DCE's terms for jobs, notebooks and their TensorBoards."""

import pytest

from lightboard.errors import Invalid
from lightboard.hub import dce_format
from lightboard.hub.presets import parse_presets
from lightboard.schema.analysis import AnalysisConfig
from lightboard.schema.dce import KubeVolume
from lightboard.schema.dce_jobs import CreateDceJob, CreateDceNotebook, Resources
from lightboard.schema.jobs import CreateJob, JobVolume, NewVolume
from lightboard.schema.notebooks import CreateNotebook

PRESETS = parse_presets(["small=cpu:2,memory:4G", "gpu=cpu:4,memory:16G,gpu:1"])
DATA, LOGS = (KubeVolume(type="DATASET", name=name, mount_path=f"/mnt/{name}") for name in ("data", "data/logs"))


@pytest.mark.parametrize(
    ("config", "log_dir"),
    [
        (AnalysisConfig(enabled=True), ""),
        (AnalysisConfig(log_path="/elsewhere"), ""),
        (AnalysisConfig(enabled=True, kube_volumes=[DATA], log_path="/mnt/data/fit"), "dataset:data/fit"),
        (AnalysisConfig(enabled=True, kube_volumes=[DATA], log_path="/mnt/data/"), "dataset:data"),
        (AnalysisConfig(enabled=True, kube_volumes=[DATA], log_path="fit"), "dataset:data/fit"),
        (AnalysisConfig(enabled=True, kube_volumes=[DATA]), "dataset:data"),
        (AnalysisConfig(enabled=True, kube_volumes=[DATA, LOGS], log_path="/mnt/data/logs/a"), "dataset:data/logs/a"),
    ],
)
def test_the_log_path_is_in_the_volume_that_is_mounted_above_it(config: AnalysisConfig, log_dir: str) -> None:
    """Of several the deepest; without any, a job has a folder of its own."""
    assert dce_format.log_dir_of(config) == log_dir


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (AnalysisConfig(enabled=True, log_path="/logs"), "analysis.logPath: '/logs' is in no volume of the analysis"),
        (
            AnalysisConfig(enabled=True, kube_volumes=[DATA], log_path="/mnt/database"),
            "analysis.logPath: '/mnt/database' is in no volume of the analysis",
        ),
        (
            AnalysisConfig(enabled=True, kube_volumes=[KubeVolume(type="MODEL", name="bert/1")], log_path="x"),
            "kubeVolumes: MODEL 'bert/1' is no dataset",
        ),
    ],
)
def test_logs_are_in_datasets(config: AnalysisConfig, message: str) -> None:
    """Claims of a cluster mean nothing to a hub."""
    with pytest.raises(Invalid) as caught:
        dce_format.log_dir_of(config)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("limits", "share"),
    [
        ({}, {}),
        ({"cpu": "500m"}, {"preset": "small", "memory_bytes": None}),
        ({"cpu": "2", "memory": "512Mi"}, {"preset": "small", "memory_bytes": 512 << 20}),
        ({"memory": "8Gi"}, {"preset": "gpu", "memory_bytes": 8 << 30}),
        ({"nvidia.com/gpu": "1"}, {"preset": "gpu", "memory_bytes": None}),
    ],
)
def test_resources_are_those_of_the_first_preset_that_has_them(
    limits: dict[str, str], share: dict[str, str | int | None]
) -> None:
    """In the order of the hub's flags."""
    assert dce_format.share_of(Resources(limits=limits), PRESETS) == share


@pytest.mark.parametrize(
    ("limits", "presets", "message"),
    [
        ({"cpu": "64"}, PRESETS, "resources: no preset of this hub has as much"),
        ({"nvidia.com/gpu": "1"}, parse_presets([]), "resources: this hub has no GPUs to give"),
        ({"memory": "much"}, PRESETS, "resources.memory: 'much' is no quantity"),
    ],
)
def test_resources_that_no_preset_has_are_refused(limits: dict[str, str], presets: object, message: str) -> None:
    """Before anything waits for them."""
    with pytest.raises(Invalid) as caught:
        dce_format.share_of(Resources(limits=limits), presets)  # type: ignore[arg-type]
    assert caught.value.message == message


def test_a_job_is_asked_for_in_dces_terms() -> None:
    """Volumes with a path are volumes, others inputs, roles replicas, classes priorities."""
    body = CreateDceJob.model_validate(
        {
            "name": "fit",
            "description": "Fit a curve",
            "type": "PYTORCH",
            "baseConfig": {
                "command": ["python"],
                "args": ["train.py"],
                "image": "torch",
                "labels": {"team": "vision"},
                "podConfig": {
                    "kubeEnvs": [{"name": "SEED", "value": "7"}],
                    "kubeVolumes": [
                        {"type": "DATASET", "name": "mnist"},
                        {"type": "DATASET", "name": "data", "mountPath": "/data", "readOnly": True},
                        {"type": "DATASET", "name": "out", "mountPath": "/out", "dataDirection": "OUTPUT"},
                    ],
                    "priorityClass": "baize-high-priority",
                },
            },
            "roleConfig": {"master": {"replicas": 1}, "worker": {"replicas": 2}},
            "trainingConfig": {"maxRetries": 2, "maxTrainingDuration": "3600"},
            "analysis": {"enabled": True},
        }
    )

    assert dce_format.job_request(body, "vision", PRESETS) == CreateJob(
        command=["python", "train.py"],
        project="vision",
        name="fit",
        display_name="Fit a curve",
        environment={"SEED": "7"},
        image="torch",
        inputs={"mnist": "dataset:mnist"},
        volumes=[
            NewVolume(source="dataset:data", target="/data", read_only=True),
            NewVolume(source="dataset:out", target="/out", read_only=False),
        ],
        replicas=3,
        priority=7,
        max_retries=2,
        max_run_secs=3600,
        labels={"team": "vision", "baize.io/type": "PYTORCH"},
        tensorboard=True,
    )


def test_a_notebook_is_asked_for_in_dces_terms() -> None:
    """Its labels are those of its metadata; datasets with a path are volumes."""
    body = CreateDceNotebook.model_validate(
        {
            "name": "lab",
            "priorityClass": "baize-low-priority",
            "config": {
                "imageConfig": {"input": {"name": "torch"}},
                "kubeEnvs": [{"name": "SEED", "value": "7"}],
                "kubeVolumes": [
                    {"type": "DATASET", "name": "data"},
                    {"type": "DATASET", "name": "out", "mountPath": "/out", "dataDirection": "OUTPUT"},
                ],
                "kubeMetadata": {"labels": {"team": "vision"}},
                "resources": {"limits": {"cpu": "1"}},
            },
        }
    )

    assert dce_format.notebook_request(body, "vision", PRESETS) == CreateNotebook(
        project="vision",
        name="lab",
        environment={"SEED": "7"},
        inputs={"data": "dataset:data"},
        volumes=[NewVolume(source="dataset:out", target="/out", read_only=False)],
        image="torch",
        preset="small",
        priority=3,
        labels={"team": "vision"},
    )


def test_datasets_of_a_job_are_told_as_volumes() -> None:
    """With their path if they have one; folders that are no datasets have no name in DCE's terms."""
    mounted = JobVolume(source="dataset:out", target="/out", read_only=False, enforcement="kernel")
    told = dce_format.kube_volumes_of(["dataset:data", "storage:runs"], [mounted])

    assert told == [
        KubeVolume(type="DATASET", name="data", read_only=True, data_direction="INPUT"),
        KubeVolume(type="DATASET", name="out", mount_path="/out", data_direction="OUTPUT"),
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"baseConfig": {}}, "baseConfig.command: the job has no command"),
        (
            {"baseConfig": {"command": ["true"]}, "roleConfig": {"a": {"replicas": 60}, "b": {"replicas": 60}}},
            "replicas: Input should be less than or equal to 64",
        ),
    ],
)
def test_what_the_hub_does_not_take_is_named(fields: dict[str, object], message: str) -> None:
    """Also if DCE would take it."""
    with pytest.raises(Invalid) as caught:
        dce_format.job_request(CreateDceJob.model_validate({"name": "fit", **fields}), "vision", PRESETS)
    assert caught.value.message == message
