"""Lists the tensors in the projector configs of a logdir, with the location of their numbers.

A config names files, or variables of checkpoints next to it (with Keras in the subfolder `train`). A variable is listed
once for each checkpoint, with its step. Not here: reading numbers (`tables`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.projector_config import MAX_BYTES, Embedding, ProjectorConfig, parse_config
from lightboard.query.projector.folder import File, Folder, base_name, open_file
from lightboard.series.catalog import Asset
from lightboard.storage.base import split
from lightboard.untrusted.numbers import whole_number

CONFIG = "projector_config.pbtxt"
PLUGIN = "plugins/org_tensorflow_tensorboard_projector"
INDEX, WEIGHTS = ".index", ".weights.h5"
MAX_CHECKPOINTS = 200
STEP = re.compile(r"^(.*):(\d{5,})$", re.DOTALL)
LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


class Entry(NamedTuple):
    """One tensor. `name` is unique in its run; `tensor` is the name given by the writer, without the step.

    `checkpoint` is the file that has it as `variable`, None if the config names a file for this tensor. `problem` says
    why it cannot be read, if that is known without reading.
    """

    run: str
    name: str
    tensor: str
    step: int | None
    folder: Folder
    embedding: Embedding
    checkpoint: File | None = None
    variable: str = ""
    problem: str = ""


class EntryList(NamedTuple):
    """All tensors, and the problems of configs as (run, reason)."""

    entries: list[Entry]
    problems: list[tuple[str, str]]


class Variables:
    """Lists the variables of checkpoints. Implementations cache them."""

    def names(self, checkpoint: File) -> list[str]:
        """Names of the tables in a checkpoint, in the order of layers for Keras 3. Raises Unshowable."""
        raise NotImplementedError


def list_entries(assets: list[Asset], variables: Variables) -> EntryList:
    """The tensors of all configs, by run, in the order of the configs."""
    listed = EntryList([], [])
    names: set[tuple[str, str]] = set()
    for asset in assets:
        if split(asset.info.path)[1] != CONFIG:
            continue
        try:
            config = parse_config(File(asset.storage, asset.info).all(MAX_BYTES))
        except Unshowable as error:
            listed.problems.append((asset.run, error.message))
            continue
        if config.problem:
            listed.problems.append((asset.run, config.problem))
        folder = Folder(asset.storage, split(asset.info.path)[0])
        for entry in entries_of(asset.run, folder, config, variables):
            if (entry.run, entry.name) not in names:
                names.add((entry.run, entry.name))
                listed.entries.append(entry)
    return listed


def entries_of(run: str, folder: Folder, config: ProjectorConfig, variables: Variables) -> Iterator[Entry]:
    """The tensors of one config."""
    for embedding in config.embeddings:
        if embedding.tensor_path:
            name = embedding.name or base_name(embedding.tensor_path)
            match = STEP.match(name)
            step = whole_number(match[2]) if match else None
            tensor = match[1] if match and step is not None else name
            yield Entry(run, name, tensor, step, folder, embedding)
    without_file = [embedding for embedding in config.embeddings if not embedding.tensor_path]
    if not without_file and (config.embeddings or not (config.checkpoint_path or config.checkpoint_dir)):
        return
    yield from checkpoint_entries(run, folder, config, without_file, variables)


def checkpoint_entries(
    run: str, folder: Folder, config: ProjectorConfig, embeddings: list[Embedding], variables: Variables
) -> Iterator[Entry]:
    """The tensors of one config that are in checkpoints: the named ones, or else all tables of the last checkpoint."""
    checkpoints = checkpoints_of(folder, config)
    named = [embedding for embedding in embeddings if embedding.name]
    if not checkpoints:
        problem = why_none(folder, config.checkpoint_path)
        for embedding in named:
            tensor = variable_name(embedding.name)
            yield Entry(run, tensor, tensor, None, folder, embedding, problem=problem)
        return
    if not named:
        shared = embeddings[0] if embeddings else Embedding("", "", "", "", (), None)
        for variable in names_or_none(variables, checkpoints[-1]):
            yield Entry(run, variable, variable, step_of(checkpoints[-1]), folder, shared, checkpoints[-1], variable)
        return
    for checkpoint in checkpoints:
        step = step_of(checkpoint)
        for index, embedding in enumerate(named):
            tensor = variable_name(embedding.name)
            name = tensor if len(checkpoints) == 1 or step is None else f"{tensor}:{step:05d}"
            variable, problem = variable_for(variables, checkpoint, tensor, index)
            yield Entry(run, name, tensor, step, folder, embedding, checkpoint, variable, problem)


def variable_for(variables: Variables, checkpoint: File, tensor: str, index: int) -> tuple[str, str]:
    """The name of a tensor, the one with this index in its config, in a checkpoint, and ""; or "" and the problem.

    Keras 3 stores weights by layer while its configs still have the old names, so tensors are matched by order.
    """
    try:
        names = variables.names(checkpoint)
    except Unshowable as error:
        return "", f"{error.message}: {error.hint}" if error.hint else error.message
    if tensor in names:
        return tensor, ""
    if checkpoint.info.path.endswith(WEIGHTS) and index < len(names):
        return names[index], ""
    return "", f"{base_name(checkpoint.info.path)} has no table of numbers {tensor!r}"


def names_or_none(variables: Variables, checkpoint: File) -> list[str]:
    """The names of the tables in a checkpoint; none if it cannot be read."""
    try:
        return variables.names(checkpoint)
    except Unshowable:
        return []


def variable_name(name: str) -> str:
    """The name of a variable, from that of its tensor: without the output index of the operation."""
    return name.removesuffix(":0")


def step_of(checkpoint: File) -> int | None:
    """The step of a checkpoint: the last number in its name, or None."""
    name = base_name(checkpoint.info.path).removesuffix(INDEX).removesuffix(WEIGHTS)
    match = LAST_NUMBER.search(name)
    return int(match[1]) if match and len(match[1]) < 19 else None


def checkpoints_of(folder: Folder, config: ProjectorConfig) -> list[File]:
    """The checkpoints of a config: the one it names, or by step the last ones in the folder of its run and in `train`.

    At most MAX_CHECKPOINTS.
    """
    path = config.checkpoint_path
    top = folder.path.removesuffix(PLUGIN).rstrip("/") if folder.path.endswith(PLUGIN) else folder.path
    home = Folder(folder.storage, top)
    checkpoints = [file for subfolder in ("", "train") for file in checkpoints_in(home, subfolder)]
    if path:
        # The path may be an absolute one of the machine that trained the model, so only its last part counts.
        names = (base_name(path) + INDEX, base_name(path))
        named = [file for file in checkpoints if base_name(file.info.path) in names]
        return named[:1] or explicit(folder, path)
    checkpoints.sort(key=lambda file: (step_of(file) or 0, file.info.path))
    return checkpoints[-MAX_CHECKPOINTS:]


def why_none(folder: Folder, path: str) -> str:
    """Why no checkpoint was found."""
    if not path:
        return "the config names no file for it, and no checkpoint lies in its folder"
    try:
        open_file(folder, path + INDEX)
    except Unshowable as error:
        return error.message
    return ""


def explicit(folder: Folder, path: str) -> list[File]:
    """The checkpoint at a path in a config, if it exists and may be read."""
    for name in (path + INDEX, path):
        try:
            return [open_file(folder, name)]
        except Unshowable:
            continue
    return []


def checkpoints_in(home: Folder, subfolder: str) -> list[File]:
    """The checkpoints directly in a subfolder of a run. Links that lead out of the run are not followed."""
    try:
        inside = home.storage.subfolder(home.path)
    except OSError:
        return []
    listed = next(inside.walk(subfolder, deep=False, select=is_checkpoint), None)
    return [File(inside, info) for info in listed.files] if listed else []


def is_checkpoint(name: str) -> bool:
    """Whether a file with this name is a checkpoint in a supported format."""
    return name.endswith((INDEX, WEIGHTS))
