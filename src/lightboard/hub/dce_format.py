"""Jobs, notebooks and their TensorBoards in DCE's terms. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError

from lightboard.errors import Invalid
from lightboard.hub.presets import Presets
from lightboard.hub.resources.jobs import Job, JobKind, JobStatus, JobTransition
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.schema.analysis import AnalysisConfig
from lightboard.schema.dce import KubeVolume
from lightboard.schema.dce_jobs import (
    CreateDceJob,
    CreateDceNotebook,
    DceEvent,
    ImageConfig,
    InputImage,
    JobBaseConfig,
    JobRole,
    KubeEnv,
    KubeMetadata,
    NotebookConfig,
    PodConfig,
    PriorityClass,
    Resources,
    TrainingConfig,
)
from lightboard.schema.jobs import CreateJob, JobVolume
from lightboard.schema.notebooks import CreateNotebook
from lightboard.schema.project_secrets import SecretReference

PRIORITIES: dict[PriorityClass, int] = {
    "": 5,
    "baize-low-priority": 3,
    "baize-medium-priority": 5,
    "baize-high-priority": 7,
}
TYPE = "baize.io/type"
"""The label with the type of a job, which changes nothing here."""
WORKER = "worker"
DATASET = "dataset:"
DATASETS = ("DATASET", "VOLUME_TYPE_UNSPECIFIED")
NOTEBOOK_PHASES = {
    JobStatus.QUEUED: "PENDING",
    JobStatus.STARTING: "PENDING",
    JobStatus.RESTARTING: "PENDING",
    JobStatus.RUNNING: "RUNNING",
    JobStatus.STOPPING: "STOPPED",
    JobStatus.STOPPED: "STOPPED",
    JobStatus.SUCCEEDED: "STOPPED",
    JobStatus.FAILED: "FAILED",
}
"""DCE's statuses of notebooks. Deleted ones have none."""

OBJECT_KINDS = {
    "PYTORCH": "PYTORCH_JOB",
    "TENSORFLOW": "TF_JOB",
    "PADDLE": "PADDLE_JOB",
    "MPI": "MPI_JOB",
    "MXNET": "MXNET_JOB",
}
"""What an event of a job of a type is about."""
WARNINGS = (JobStatus.FAILED, JobStatus.RESTARTING)
Variables = Mapping[str, str | SecretReference | None]
"""Values of variables; None for those that are not shown."""
QUANTITY = re.compile(r"(\d+(?:\.\d+)?)(m|[kMGTP]|[KMGTP]i)?")
UNITS = {
    "m": 1e-3,
    **{letter: 1000.0**power for power, letter in enumerate("kMGTP", 1)},
    **{f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTP", 1)},
}


def job_request(body: CreateDceJob, project: str, presets: Presets) -> CreateJob:
    """The request for the job that DCE's request describes. Raises Invalid for what it names and the hub has not."""
    base, pod, training = body.base_config, body.base_config.pod_config, body.training_config
    if not base.command + base.args:
        raise Invalid("baseConfig.command: the job has no command", hint="name a program and its arguments")
    labels = base.labels if body.type == "JOB_TYPE_UNSPECIFIED" else {**base.labels, TYPE: body.type}
    retries = 0 if training.restart_policy == "RESTART_POLICY_NEVER" else training.max_retries
    return valid(
        CreateJob,
        command=base.command + base.args,
        project=project,
        name=body.name,
        display_name=body.description,
        environment=environment_of(pod.kube_envs),
        image=base.image_config.input.name or base.image,
        inputs=inputs_of(volume for volume in pod.kube_volumes if not volume.mount_path),
        volumes=mounts_of(volume for volume in pod.kube_volumes if volume.mount_path),
        replicas=sum(role.replicas for role in body.role_config.values()) or 1,
        priority=PRIORITIES[pod.priority_class],
        max_retries=retries,
        max_run_secs=float(training.max_training_duration),
        labels=labels,
        log_dir=log_dir_of(body.analysis),
        tensorboard=body.analysis.enabled,
        **share_of(pod.resources, presets),
    )


def notebook_request(body: CreateDceNotebook, project: str, presets: Presets) -> CreateNotebook:
    """The request for the notebook that DCE's request describes. Raises Invalid as `job_request`."""
    config = body.config
    return valid(
        CreateNotebook,
        project=project,
        name=body.name,
        display_name=body.description,
        environment=environment_of(config.kube_envs),
        image=config.image_config.input.name or config.image,
        inputs=inputs_of(volume for volume in config.kube_volumes if not volume.mount_path),
        volumes=mounts_of(volume for volume in config.kube_volumes if volume.mount_path),
        priority=PRIORITIES[body.priority_class],
        labels=config.kube_metadata.labels,
        log_dir=log_dir_of(body.analysis),
        tensorboard=body.analysis.enabled,
        **share_of(config.resources, presets),
    )


def changed_notebook(before: Job, body: CreateDceNotebook, wanted: Job, *, keeps_logs: bool) -> Job:
    """The notebook with the settings that a request describes, as `wanted`.

    What DCE's format cannot tell stays: secrets of variables that have no value there, inputs and volumes that are no
    datasets, and the number of a priority whose class stays. So a notebook can be sent back as it was read.
    """
    secrets = {name: secret for name, secret in before.secrets.items() if wanted.environment.get(name) == ""}
    own_inputs = {name: source for name, source in before.inputs.items() if not source.startswith(DATASET)}
    own_volumes = tuple(volume for volume in before.volumes if not volume.source.startswith(DATASET))
    same_class = PRIORITIES[body.priority_class] == PRIORITIES[priority_class_of(before.priority)]
    return replace(
        wanted,
        environment={name: value for name, value in wanted.environment.items() if name not in secrets},
        secrets=secrets,
        inputs={**own_inputs, **wanted.inputs},
        volumes=(*own_volumes, *wanted.volumes),
        priority=before.priority if same_class else wanted.priority,
        log_dir=before.log_dir if keeps_logs else wanted.log_dir,
    )


Request = TypeVar("Request", CreateJob, CreateNotebook)


def valid(request: type[Request], **fields: Any) -> Request:
    """The request with these fields. Raises Invalid for the first that is not valid, by the hub's name for it."""
    try:
        return request(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Invalid(f"{place}: {first['msg']}", hint="see /api/v1/openapi.json") from None


def environment_of(variables: Iterable[KubeEnv]) -> dict[str, str]:
    """Variables by name."""
    return {each.name: each.value for each in variables}


def inputs_of(volumes: Iterable[KubeVolume]) -> dict[str, str]:
    """Datasets as inputs of the same names. Raises Invalid for other volumes."""
    return {volume.name: f"{DATASET}{dataset_of(volume)}" for volume in volumes}


def mounts_of(volumes: Iterable[KubeVolume]) -> list[dict[str, str | bool | None]]:
    """Datasets at the paths where DCE mounts them. Raises Invalid for other volumes."""
    return [
        {"source": f"{DATASET}{dataset_of(volume)}", "target": volume.mount_path, "read_only": is_read_only(volume)}
        for volume in volumes
    ]


def is_read_only(volume: KubeVolume) -> bool | None:
    """Whether a volume can only be read, None if it does not say."""
    if volume.read_only or volume.data_direction == "INPUT":
        return True
    return False if volume.data_direction == "OUTPUT" else None


def dataset_of(volume: KubeVolume) -> str:
    """The dataset that a volume is. Raises Invalid if it is none."""
    if volume.type not in DATASETS or not volume.name:
        raise Invalid(
            f"kubeVolumes: {volume.type} {volume.name!r} is no dataset", hint="name a dataset of the hub as a DATASET"
        )
    return volume.name


def log_dir_of(config: AnalysisConfig) -> str:
    """The folder that a TensorBoard shows, "" for the one where the job logs by itself. Raises Invalid.

    An absolute path is in the volume that is mounted there, any other in the only one.
    """
    if not config.enabled or not (config.kube_volumes or config.log_path):
        return ""
    path = config.log_path
    holding = [(volume, below(path, volume.mount_path)) for volume in config.kube_volumes]
    found = [(volume, rest) for volume, rest in holding if rest is not None]
    if not path.startswith("/") and len(config.kube_volumes) == 1:
        found = [(config.kube_volumes[0], path)]
    if not found:
        raise Invalid(
            f"analysis.logPath: {path!r} is in no volume of the analysis",
            hint="give its dataset in kubeVolumes, with a mountPath above the logPath",
        )
    volume, rest = max(found, key=lambda each: len(each[0].mount_path))
    return f"dataset:{dataset_of(volume)}/{rest}".rstrip("/")


def below(path: str, mount: str) -> str | None:
    """The part of an absolute path below a mount, None if it is not there."""
    root = mount.rstrip("/")
    return (
        f"{path}/"[len(root) + 1 :].strip("/") if path.startswith("/") and f"{path}/".startswith(f"{root}/") else None
    )


def share_of(resources: Resources, presets: Presets) -> dict[str, str | int | None]:
    """`preset` and `memory_bytes` of a request for resources: the first preset of the hub that has as much.

    Raises Invalid if there is none, or an amount is none.
    """
    asked = {**resources.requests, **resources.limits}
    amounts = {name: quantity(name, text) for name, text in asked.items()}
    gpus = sum(amount for name, amount in amounts.items() if name.endswith("gpu"))
    memory = round(amounts["memory"]) if "memory" in amounts else None
    if not amounts:
        return {}
    if not presets.by_name:
        if gpus:
            raise Invalid("resources: this hub has no GPUs to give", hint="an administrator can add presets with GPUs")
        return {"memory_bytes": memory}
    for preset in presets.by_name.values():
        has_memory = preset.memory_bytes is None or memory is None or memory <= preset.memory_bytes
        if has_memory and preset.cpus >= amounts.get("cpu", 0) and preset.gpus >= gpus:
            return {"preset": preset.name, "memory_bytes": memory}
    raise Invalid("resources: no preset of this hub has as much", hint=f"its presets: {', '.join(presets.by_name)}")


def quantity(name: str, text: str) -> float:
    """A quantity as Kubernetes writes it: `500m`, `2`, `4Gi`. Raises Invalid."""
    found = QUANTITY.fullmatch(text.strip())
    if not found:
        raise Invalid(f"resources.{name}: {text[:40]!r} is no quantity", hint="for example 2, 500m or 4Gi")
    return float(found[1]) * UNITS.get(found[2] or "", 1.0)


def analysis_of(sources: Sequence[Source], names: Mapping[str, str]) -> AnalysisConfig:
    """The TensorBoard of a job with these sources; without any, it has none. `names` are those of datasets, by id."""
    if not sources:
        return AnalysisConfig()
    volumes, path = place_of(sources[0], names)
    return AnalysisConfig(enabled=True, kube_volumes=volumes, log_path=path)


def place_of(source: Source, names: Mapping[str, str]) -> tuple[list[KubeVolume], str]:
    """The volumes and the log path of a source: of a dataset, the path below it; of anything else, the whole."""
    if source.kind is not SourceKind.DATASET:
        return [], source.text
    return [KubeVolume(type="DATASET", name=names.get(source.ref, source.ref))], source.path


def base_config_of(job: Job, volumes: list[KubeVolume], environment: Variables) -> JobBaseConfig:
    """What a job runs. Values that are not shown are None."""
    return JobBaseConfig(
        command=list(job.command),
        image=job.image,
        image_config=ImageConfig(input=InputImage(name=job.image)),
        labels={name: value for name, value in job.labels.items() if name != TYPE},
        pod_config=PodConfig(
            kube_envs=variables_of(environment),
            kube_volumes=volumes,
            priority_class=priority_class_of(job.priority),
            resources=resources_of(job),
        ),
    )


def notebook_config_of(job: Job, volumes: list[KubeVolume], environment: Variables) -> NotebookConfig:
    """What a notebook runs with, as `base_config_of`."""
    return NotebookConfig(
        image=job.image,
        image_config=ImageConfig(input=InputImage(name=job.image)),
        kube_envs=variables_of(environment),
        kube_volumes=volumes,
        kube_metadata=KubeMetadata(labels=job.labels),
        resources=resources_of(job),
    )


def variables_of(environment: Variables) -> list[KubeEnv]:
    """Environment variables as a list. DCE has no form for secrets: these have no value here."""
    return [KubeEnv(name=name, value=value if isinstance(value, str) else "") for name, value in environment.items()]


def kube_volumes_of(inputs: Iterable[str], volumes: Iterable[JobVolume]) -> list[KubeVolume]:
    """Those inputs and volumes that are datasets. They are given by the names of these."""
    places = [(source, "", True) for source in inputs]
    places += [(volume.source, volume.target, volume.read_only) for volume in volumes]
    return [
        KubeVolume(
            type="DATASET",
            name=source.removeprefix(DATASET),
            mount_path=target,
            read_only=read_only,
            data_direction="INPUT" if read_only else "OUTPUT",
        )
        for source, target, read_only in places
        if source.startswith(DATASET)
    ]


def priority_class_of(priority: int) -> PriorityClass:
    """The class of a priority."""
    if priority == PRIORITIES["baize-medium-priority"]:
        return "baize-medium-priority"
    return "baize-high-priority" if priority > PRIORITIES["baize-medium-priority"] else "baize-low-priority"


def resources_of(job: Job) -> Resources:
    """What each replica of a job has."""
    limits = {"cpu": str(job.cpus)}
    if job.memory_limit_bytes is not None:
        limits["memory"] = str(job.memory_limit_bytes)
    if job.gpus:
        limits["nvidia.com/gpu"] = str(job.gpus)
    return Resources(limits=limits)


def roles_of(job: Job) -> dict[str, JobRole]:
    """All replicas as workers."""
    return {WORKER: JobRole(replicas=job.replicas)}


def training_of(job: Job) -> TrainingConfig:
    """How often a job is run again, and for how long."""
    return TrainingConfig(
        max_retries=job.max_retries,
        max_training_duration=str(round(job.max_run_secs)),
        restart_policy="RESTART_POLICY_ON_FAILURE" if job.max_retries else "RESTART_POLICY_NEVER",
    )


def event_of(job: Job, step: JobTransition, namespace: str) -> DceEvent:
    """A change of status of a job or notebook, as an event of what DCE would run it as."""
    at = timestamp(step.at)
    kind = OBJECT_KINDS.get(job.labels.get(TYPE, ""), "UNKNOWN")
    return DceEvent(
        type="WARNING" if step.status in WARNINGS else "NORMAL",
        reason=step.reason or step.status,
        message=step.message or f"the {job.kind} is {step.status}",
        first_timestamp=at,
        last_timestamp=at,
        obj_kind="NOTEBOOK" if job.kind is JobKind.NOTEBOOK else kind,
        obj_name=job.name,
        obj_namespace=namespace,
    )


def timestamp(at: float) -> str:
    """Seconds since the epoch in RFC 3339 format, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
