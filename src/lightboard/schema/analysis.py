"""TensorBoards in the format of DCE's Job Analysis, with the names of its API documents."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.dce import DceModel, DcePage, KubeVolume


class AnalysisConfig(DceModel):
    """The TensorBoard of a job or notebook: `log_path` is a folder in one of the volumes, which are datasets.

    Without volumes and path it shows the folder where the job writes its logs by itself.
    """

    enabled: bool = False
    type: Literal["TYPE_UNSPECIFIED", "TENSORBOARD"] = "TENSORBOARD"
    kube_volumes: Annotated[list[KubeVolume], Field(max_length=50)] = Field(default_factory=list)
    log_path: Annotated[str, Field(max_length=4096)] = ""


class AnalysisStatus(DceModel):
    """`phase` is PENDING, RUNNING, STOPPED, FAILED, or "" while it is being deleted."""

    phase: str
    access_url: str
    message: str


class AnalysisResponse(DceModel):
    """A TensorBoard. `creation_timestamp` is in RFC 3339 format, in UTC."""

    name: str
    type: str
    creation_timestamp: str
    status: AnalysisStatus
    kube_volumes: list[KubeVolume]
    log_path: str
    owner: str


class AnalysisPage(DceModel):
    """A page of TensorBoards."""

    items: list[AnalysisResponse]
    page: DcePage
