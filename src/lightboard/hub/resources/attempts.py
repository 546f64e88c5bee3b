"""What an attempt of a job has started with, as it was found then. Only its owner changes what a job asks for."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RecordedInput:
    """An input as it was found. `source` is that of the job, `dataset` the id of its dataset, "" without one.

    `name`, `version` and `uri` are those of the dataset at that time. The version counts changes of its settings: the
    hub does not freeze what is in it.
    """

    source: str
    dataset: str = ""
    name: str = ""
    version: int = 0
    uri: str = ""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """Attempt number `attempt` of the job with the id `job`, recorded at `at` (seconds since the epoch).

    `program` is the file that the command starts, `python` the version of the interpreter that the job finds, and
    `packages` the digest of the list of its packages; each "" if it is not known. `image_digest` is
    that of an environment that the hub has built, "" for others. `inputs` are by name, and have its volumes by
    path. `cpus`, `memory_bytes` (None for no limit) and `gpus` are what each replica could use, by the preset of that
    name.
    """

    job: str
    attempt: int
    at: float
    program: str = ""
    python: str = ""
    packages: str = ""
    image_digest: str = ""
    inputs: dict[str, RecordedInput]
    preset: str = ""
    cpus: int = 1
    memory_bytes: int | None = None
    gpus: int = 0
    hub_version: str = ""
