"""Jobs and notebooks in DCE's format, with the names of its API documents. Durations are in seconds."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.analysis import AnalysisConfig
from lightboard.schema.dce import DceModel, DcePage, KubeVolume
from lightboard.schema.jobs import Argument, VariableName, VariableText
from lightboard.schema.tensorboards import Labels

PriorityClass = Literal["", "baize-high-priority", "baize-medium-priority", "baize-low-priority"]
JobType = Literal["JOB_TYPE_UNSPECIFIED", "PYTORCH", "TENSORFLOW", "PADDLE", "MPI", "MXNET"]
TrainingMode = Literal["TRAINING_MODE_UNSPECIFIED", "SINGLE", "DISTRIBUTED"]
Description = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Int64 = Annotated[str, Field(pattern=r"^[0-9]{1,9}$", coerce_numbers_to_str=True)]
"""A number as text, as DCE writes it; a request may also have a number."""


class KubeEnv(DceModel):
    """An environment variable. In responses, values are "" for everybody but the owner."""

    name: VariableName
    value: VariableText = ""


class Resources(DceModel):
    """What each replica gets, as Kubernetes writes it: `cpu`, `memory`, and what ends in `gpu`."""

    limits: Annotated[dict[str, str], Field(max_length=20)] = Field(default_factory=dict)
    requests: Annotated[dict[str, str], Field(max_length=20)] = Field(default_factory=dict)


class InputImage(DceModel):
    """An image by its name."""

    name: Annotated[str, Field(max_length=500)] = ""


class ImageConfig(DceModel):
    """Where the image comes from."""

    input: InputImage = Field(default_factory=InputImage)


class PodConfig(DceModel):
    """What each replica runs with. `queue` means nothing here."""

    kube_envs: Annotated[list[KubeEnv], Field(max_length=200)] = Field(default_factory=list)
    kube_volumes: Annotated[list[KubeVolume], Field(max_length=50)] = Field(default_factory=list)
    priority_class: PriorityClass = ""
    queue: str = ""
    resources: Resources = Field(default_factory=Resources)


class JobBaseConfig(DceModel):
    """What a job runs."""

    command: Annotated[list[Argument], Field(max_length=1000)] = Field(default_factory=list)
    args: Annotated[list[Argument], Field(max_length=1000)] = Field(default_factory=list)
    image: Annotated[str, Field(max_length=500)] = ""
    image_config: ImageConfig = Field(default_factory=ImageConfig)
    labels: Labels = Field(default_factory=dict)
    pod_config: PodConfig = Field(default_factory=PodConfig)


class JobRole(DceModel):
    """A role, such as `worker`."""

    replicas: Annotated[int, Field(ge=0, le=64)] = 1


class TrainingConfig(DceModel):
    """When a job is run again, and for how long an attempt may run; 0 is no limit."""

    max_retries: Annotated[int, Field(ge=0, le=100)] = 0
    max_training_duration: Int64 = "0"
    restart_policy: Literal["RESTART_POLICY_UNSPECIFIED", "RESTART_POLICY_NEVER", "RESTART_POLICY_ON_FAILURE"] = (
        "RESTART_POLICY_UNSPECIFIED"
    )


class CreateDceJob(DceModel):
    """A new job."""

    name: Name
    description: Description = ""
    type: JobType = "JOB_TYPE_UNSPECIFIED"
    training_mode: TrainingMode = "TRAINING_MODE_UNSPECIFIED"
    base_config: JobBaseConfig
    role_config: Annotated[dict[str, JobRole], Field(max_length=10)] = Field(default_factory=dict)
    training_config: TrainingConfig = Field(default_factory=TrainingConfig)
    analysis: AnalysisConfig = Field(default_factory=AnalysisConfig)


class DceJob(DceModel):
    """A job. `running_duration` is that of its last attempt."""

    name: str
    cluster: str
    namespace: str
    creation_timestamp: str
    description: str
    phase: str
    type: str
    training_mode: str
    base_config: JobBaseConfig
    role_config: dict[str, JobRole]
    training_config: TrainingConfig
    analysis: AnalysisConfig
    running_duration: int


class DceJobPage(DceModel):
    """A page of jobs."""

    items: list[DceJob]
    page: DcePage


class DceJobAction(DceModel):
    """What is done to a job; `priority_class` is its new priority, for `CHANGE_PRIORITY`."""

    action: Literal["RESTART", "CHANGE_PRIORITY"]
    type: JobType = "JOB_TYPE_UNSPECIFIED"
    priority_class: PriorityClass = ""


class DceDelete(DceModel):
    """Whether the TensorBoard of a job or notebook is deleted with it; logs are kept."""

    delete_analysis: bool = False
    type: JobType = "JOB_TYPE_UNSPECIFIED"


class DceEvent(DceModel):
    """A change of status of a job or notebook."""

    type: Literal["NORMAL", "WARNING"]
    reason: str
    message: str
    count: int = 1
    first_timestamp: str
    last_timestamp: str
    obj_kind: str
    obj_name: str
    obj_namespace: str


class DceEventPage(DceModel):
    """A page of events."""

    items: list[DceEvent]
    page: DcePage


class KubeMetadata(DceModel):
    """The labels of a notebook."""

    labels: Labels = Field(default_factory=dict)


class NotebookConfig(DceModel):
    """What a notebook runs with."""

    image: Annotated[str, Field(max_length=500)] = ""
    image_config: ImageConfig = Field(default_factory=ImageConfig)
    kube_envs: Annotated[list[KubeEnv], Field(max_length=200)] = Field(default_factory=list)
    kube_volumes: Annotated[list[KubeVolume], Field(max_length=50)] = Field(default_factory=list)
    kube_metadata: KubeMetadata = Field(default_factory=KubeMetadata)
    resources: Resources = Field(default_factory=Resources)


class CreateDceNotebook(DceModel):
    """A new notebook, which is a JupyterLab. `queue_name` means nothing here."""

    name: Name
    description: Description = ""
    type: Literal["TYPE_UNSPECIFIED", "JUPYTER"] = "JUPYTER"
    priority_class: PriorityClass = ""
    queue_name: str = ""
    config: NotebookConfig = Field(default_factory=NotebookConfig)
    analysis: AnalysisConfig = Field(default_factory=AnalysisConfig)


class DceNotebookStatus(DceModel):
    """`phase` is PENDING, RUNNING, STOPPED, FAILED, or "" while it is being deleted."""

    phase: str
    access_url: str
    message: str


class DceNotebook(DceModel):
    """A notebook."""

    name: str
    cluster: str
    namespace: str
    creation_timestamp: str
    description: str
    type: str
    priority_class: PriorityClass
    config: NotebookConfig
    status: DceNotebookStatus
    analysis: AnalysisConfig


class DceNotebookPage(DceModel):
    """A page of notebooks."""

    items: list[DceNotebook]
    page: DcePage


class DceNotebookAction(DceModel):
    """What is done to a notebook."""

    action: Literal["START", "STOP"]
