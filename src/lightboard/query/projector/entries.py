"""Every tensor that the configs of a log name, by run and name, and where its numbers are to be found.

A config names files, or variables of checkpoints that lie beside it (Keras: in `train` below it). A variable is listed
once for each checkpoint, with its step. Not here: the numbers.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.projector import MOST_BYTES, Config, Embedding, parse_config
from lightboard.query.projector.folder import File, Folder, base_name, open_file
from lightboard.series.asset import Asset
from lightboard.storage.base import split
from lightboard.untrusted.numbers import whole_number

CONFIG = "projector_config.pbtxt"
PLUGIN = "plugins/org_tensorflow_tensorboard_projector"
INDEX, WEIGHTS = ".index", ".weights.h5"
MOST_CHECKPOINTS = 200
STEP = re.compile(r"^(.*):(\d{5,})$", re.DOTALL)
LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


class Entry(NamedTuple):
    """One tensor. `name` tells it from the others of its run; `tensor` is what its writer called it, without the step.

    `checkpoint` is the file that holds it as `variable`, None where the config names a file of its own. `problem` says
    why it cannot be read, as far as that is known without reading.
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


class Found(NamedTuple):
    """All tensors, and what is wrong with configs: pairs of run and reason."""

    entries: list[Entry]
    problems: list[tuple[str, str]]


class Variables:
    """What checkpoints hold; the caller keeps what was read of them."""

    def names(self, checkpoint: File) -> list[str]:
        """Names of the tables in a checkpoint, embeddings of layers in their order. Raises Unshowable."""
        raise NotImplementedError


def list_entries(assets: list[Asset], variables: Variables) -> Found:
    """The tensors of all configs, by run, in the order of the configs."""
    found = Found([], [])
    taken: set[tuple[str, str]] = set()
    for asset in assets:
        if split(asset.info.path)[1] != CONFIG:
            continue
        try:
            config = parse_config(File(asset.storage, asset.info).all(MOST_BYTES))
        except Unshowable as error:
            found.problems.append((asset.run, error.message))
            continue
        if config.problem:
            found.problems.append((asset.run, config.problem))
        folder = Folder(asset.storage, split(asset.info.path)[0])
        for entry in entries_of(asset.run, folder, config, variables):
            if (entry.run, entry.name) not in taken:
                taken.add((entry.run, entry.name))
                found.entries.append(entry)
    return found


def entries_of(run: str, folder: Folder, config: Config, variables: Variables) -> Iterator[Entry]:
    """The tensors of one config."""
    for one in config.embeddings:
        if one.tensor_path:
            name = one.name or base_name(one.tensor_path)
            told = STEP.match(name)
            step = whole_number(told[2]) if told else None
            tensor = told[1] if told and step is not None else name
            yield Entry(run, name, tensor, step, folder, one)
    wanted = [one for one in config.embeddings if not one.tensor_path]
    if not wanted and (config.embeddings or not (config.checkpoint_path or config.checkpoint_dir)):
        return
    yield from stored(run, folder, config, wanted, variables)


def stored(run: str, folder: Folder, config: Config, wanted: list[Embedding], variables: Variables) -> Iterator[Entry]:
    """The tensors of one config that lie in checkpoints. Without a name all tables of the last one are meant."""
    checkpoints = checkpoints_of(folder, config)
    named = [one for one in wanted if one.name]
    if not checkpoints:
        why = why_none(folder, config.checkpoint_path)
        for one in named:
            yield Entry(run, plain(one.name), plain(one.name), None, folder, one, problem=why)
        return
    if not named:
        shared = wanted[0] if wanted else Embedding("", "", "", "", (), None)
        for variable in names_or_none(variables, checkpoints[-1]):
            yield Entry(run, variable, variable, step_of(checkpoints[-1]), folder, shared, checkpoints[-1], variable)
        return
    for checkpoint in checkpoints:
        step = step_of(checkpoint)
        for at, one in enumerate(named):
            tensor = plain(one.name)
            name = tensor if len(checkpoints) == 1 or step is None else f"{tensor}:{step:05d}"
            variable, problem = variable_for(variables, checkpoint, tensor, at)
            yield Entry(run, name, tensor, step, folder, one, checkpoint, variable, problem)


def variable_for(variables: Variables, checkpoint: File, tensor: str, at: int) -> tuple[str, str]:
    """Under which name a checkpoint holds a tensor, the config's number `at`; or "" and why it does not.

    Keras 3 keeps weights by layer, and its config still has the names of before: there the order tells.
    """
    try:
        names = variables.names(checkpoint)
    except Unshowable as error:
        return "", f"{error.message}: {error.hint}" if error.hint else error.message
    if tensor in names:
        return tensor, ""
    if checkpoint.info.path.endswith(WEIGHTS) and at < len(names):
        return names[at], ""
    return "", f"{base_name(checkpoint.info.path)} has no table of numbers {tensor!r}"


def names_or_none(variables: Variables, checkpoint: File) -> list[str]:
    """The names of its tables; none where it cannot be read."""
    try:
        return variables.names(checkpoint)
    except Unshowable:
        return []


def plain(name: str) -> str:
    """The name of a variable without the number of its operation's output."""
    return name.removesuffix(":0")


def step_of(checkpoint: File) -> int | None:
    """The last number in the name of a checkpoint."""
    name = base_name(checkpoint.info.path).removesuffix(INDEX).removesuffix(WEIGHTS)
    found = LAST_NUMBER.search(name)
    return int(found[1]) if found and len(found[1]) < 19 else None


def checkpoints_of(folder: Folder, config: Config) -> list[File]:
    """The checkpoints that belong to a config, by step: the one it names, or all in its run and in `train` below."""
    asked = config.checkpoint_path
    top = folder.path.removesuffix(PLUGIN).rstrip("/") if folder.path.endswith(PLUGIN) else folder.path
    home = Folder(folder.storage, top)
    found = [file for place in ("", "train") for file in checkpoints_in(home, place)]
    if asked:
        # An absolute path of the machine that trained it says nothing here; a name in the config's own folder does.
        named = [one for one in found if base_name(one.info.path) in (base_name(asked) + INDEX, base_name(asked))]
        return named[:1] or explicit(folder, asked)
    found.sort(key=lambda one: (step_of(one) or 0, one.info.path))
    return found[-MOST_CHECKPOINTS:]


def why_none(folder: Folder, asked: str) -> str:
    """Why no checkpoint was found."""
    if not asked:
        return "the config names no file for it, and no checkpoint lies in its folder"
    try:
        open_file(folder, asked + INDEX)
    except Unshowable as error:
        return error.message
    return ""


def explicit(folder: Folder, path: str) -> list[File]:
    """The checkpoint at a path that the config names, if it is there and may be read."""
    for name in (path + INDEX, path):
        try:
            return [open_file(folder, name)]
        except Unshowable:
            continue
    return []


def checkpoints_in(home: Folder, place: str) -> list[File]:
    """The checkpoints that lie directly in a folder below that of a run, unless a link leads out of the latter."""
    try:
        inside = home.storage.below(home.path)
    except OSError:
        return []
    listed = next(inside.walk(place, deep=False, select=is_checkpoint), None)
    return [File(inside, info) for info in listed.files] if listed else []


def is_checkpoint(name: str) -> bool:
    """Whether a file of this base name is a checkpoint that can be read."""
    return name.endswith((INDEX, WEIGHTS))
