"""Where runs come from: what attempts of jobs have started with, and which jobs have made a run.

Times are seconds since the epoch, sizes in bytes.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.jobs import HyperparameterValue, JobKindWord, JobStatusWord, Variables
from lightboard.schema.model import HubRequestModel, ResponseModel, Whole
from lightboard.schema.packages import PackageResponse
from lightboard.schema.source_code import DIGEST_PATTERN, SourceCodeResponse


class RunAgain(HubRequestModel):
    """Another job like this one. `name` "" is the next free one, such as `mnist-2`.

    `environment` has new values of variables. Whoever does not see the values of a job has to give all of them; secrets
    are taken by name. `image_digest` is that of an environment that an attempt of the job had and which is kept; "" for
    what its image has now.
    """

    name: Annotated[str, Field(max_length=40)] = ""
    environment: Variables = Field(default_factory=dict)
    image_digest: Annotated[str, Field(pattern=DIGEST_PATTERN)] = ""


ContentsProblemWord = Literal["TooManyFiles", "TooSlow", "Unreadable", "Missing"]


class InputContents(ResponseModel):
    """What was in an input: how many files, their size, and the SHA-256 of their names, sizes and times of change.

    `links_skipped` are links that lead out of the folders that jobs see. `problem` is why nothing else is known, null
    if it is: `TooManyFiles` (more than `files`), `TooSlow`, `Unreadable` or `Missing`.
    """

    files: Whole
    size_bytes: Whole
    digest: str
    links_skipped: Whole
    problem: ContentsProblemWord | None


class DatasetLineage(ResponseModel):
    """A dataset at the time of an attempt. `version` counts changes of its settings.

    `uri` is where it was then. `current_version` is null if the dataset was removed.
    """

    id: str
    name: str
    version: Whole
    uri: str
    current_version: Whole | None


class InputLineage(ResponseModel):
    """An input or volume of an attempt. `dataset` is null for other sources.

    `name` is that of the input, or the path of the volume. `contents` is what was in it within ten seconds of the
    start, null if that is not recorded, or not yet, and for a volume that the job writes to. It is not frozen.
    """

    name: str
    source: str
    dataset: DatasetLineage | None
    contents: InputContents | None


class InputComparison(ResponseModel):
    """An input or volume as it was `recorded`, null if it was not, and as it is `now`, null if it cannot be read.

    `changed` is null if that is not known.
    """

    name: str
    recorded: InputContents | None
    now: InputContents | None
    changed: bool | None


class JobInputs(ResponseModel):
    """The inputs of a job, compared with those of an attempt; 0 is none."""

    attempt: Whole
    inputs: list[InputComparison]


class PackageComparison(ResponseModel):
    """A package of another version than was `recorded`, as it is `now`. A version is null if it is not installed."""

    name: str
    recorded: str | None
    now: str | None


class AttemptLineage(ResponseModel):
    """What an attempt started with, recorded at `at`.

    `program` is the file that its command started, `python` the version of the interpreter that it found, and
    `packages` the key in `packages` of the job; each "" if it is not known.
    `image_digest` is that of an environment that the hub has built, "" for others, `image_changed` whether a job
    that asks for the image now gets another one, and `image_kept` whether the one of the attempt is still on the
    machine, so that `RunAgain` may ask for it. `package_changes` are the packages of the image that differ from those
    of the attempt, null if that is not known. `cpus`, `memory_bytes` (null for
    no limit) and `gpus` are what each replica could use. `hub_version` is that of Lightboard.
    """

    attempt: Whole
    at: float
    program: str
    python: str
    packages: str
    image_digest: str
    image_changed: bool
    image_kept: bool
    package_changes: list[PackageComparison] | None
    inputs: list[InputLineage]
    preset: str
    cpus: Whole
    memory_bytes: Whole | None
    gpus: Whole
    hub_version: str


class JobReference(ResponseModel):
    """Another job."""

    id: str
    name: str
    status: JobStatusWord


class JobTensorboard(ResponseModel):
    """A TensorBoard that shows runs of a job, whose names begin with `run_prefix` ("" for any)."""

    id: str
    name: str
    display_name: str
    status: str
    app_uri: str
    run_prefix: str


class JobLineage(ResponseModel):
    """All that is known of how a job can be reproduced.

    `environment` has the names of its variables. `attempts` are oldest first; earlier hubs recorded none. `packages`
    are lists of installed packages by digest, each once for all attempts with the same. `repeat_of` is the job that was
    run again as this one, and `repeats` are the jobs that were made by running this one again.
    """

    id: str
    kind: JobKindWord
    name: str
    command: list[str]
    hyperparameters: dict[str, HyperparameterValue]
    environment: list[str]
    image: str
    preset: str
    replicas: Whole
    source_code: SourceCodeResponse | None
    attempts: list[AttemptLineage]
    packages: dict[str, list[PackageResponse]]
    tensorboards: list[JobTensorboard]
    repeat_of: JobReference | None
    repeats: list[JobReference]


class RunJob(ResponseModel):
    """A job that has made a run, in which attempt and as which replica, null if that is not known.

    `inputs` and `python` are those of the attempt; `source_code` is the digest, "" for none. `url` is the page of the
    job.
    """

    id: str
    kind: JobKindWord
    name: str
    display_name: str
    status: JobStatusWord
    attempt: Whole | None
    rank: Whole | None
    command: list[str]
    image: str
    python: str
    inputs: list[InputLineage]
    source_code: str
    url: str


class RunLineage(ResponseModel):
    """The jobs that have made a run, of those that the account sees.

    None for runs that no job has made. Several if sources of the TensorBoard have runs of this name in several places.
    """

    run: str
    jobs: list[RunJob]
