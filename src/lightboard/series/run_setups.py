"""Decides which hyperparameters apply to which run: writers store them with the curves or in a separate folder.

* A run with only hyperparameters, and at most one point of each metric, is *folded into* the run of its parent folder,
  if that one has more. Runs with contradicting values are trials and are not folded. Neither are runs with runs below
  them.
* A run made by `add_scalars` is a *part* of the run that it was called on, and is folded into it. It has one tag, and
  its name consists of that run, the tag and a key: `run/losses_train` by torch, `run/losses/train` by tensorboardX.
  Except if that run has the tag itself, since names must be unique.
* A run without hyperparameters has those of the nearest run above that has any, as `run/train` and `run/validation`
  have those of `run`.

Pure: uses names and tags, and changes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lightboard.series.hparams import PLUGIN, Hparams, Outcome, Scalar
from lightboard.series.run import Run
from lightboard.series.timeseries import Tag


class RunSetup(NamedTuple):
    """The hyperparameters that apply to a run, and the id of the run that represents it (None: itself)."""

    config: dict[str, Scalar]
    group_name: str
    outcome: Outcome
    folded_into: int | None


EMPTY_SETUP = RunSetup({}, "", "unknown", None)


def find_setups(runs: Sequence[Run]) -> dict[int, RunSetup]:
    """The setup of each run by id; runs without hyperparameters are left out."""
    hparams = {run.name: found for run in runs if (found := run.hparams()) is not None}
    by_name = {run.name: run for run in runs}
    parts = find_parts(by_name)
    if not hparams and not parts:
        return {}
    folded = find_folded(by_name, hparams)
    setups: dict[int, RunSetup] = {}
    for run in runs:
        found = merge_hparams(hparams.get(run.name), [hparams[name] for name in folded.get(run.name, ())])
        if found is None:
            found = next((hparams[name] for name in parent_folders(run.name) if name in hparams), None)
        if found is not None:
            setups[run.id] = RunSetup(*found, None)
    for parent, names in folded.items():
        for name in names:
            setups[by_name[name].id] = RunSetup(*hparams[name], by_name[parent].id)
    for name, whole in parts.items():
        root = by_name[whole]
        setups[by_name[name].id] = setups.get(root.id, EMPTY_SETUP)._replace(folded_into=root.id)
    return setups


def count_rows(runs: Sequence[Run]) -> int:
    """The number of runs that are not folded into another, each of which a board shows as a row."""
    by_name = {run.name: run for run in runs}
    hparams = {run.name: found for run in runs if (found := run.hparams()) is not None}
    return len(runs) - len(set(find_parts(by_name)).union(*find_folded(by_name, hparams).values()))


def find_parts(by_name: dict[str, Run]) -> dict[str, str]:
    """Names of runs that are parts -> names of the runs they belong to."""
    found = {name: whole for name, run in by_name.items() if (whole := part_parent(run)) in by_name}
    return {
        name: whole
        for name, whole in found.items()
        if whole not in found and by_name[name].tag_list()[0].name not in by_name[whole].tags()
    }


def part_parent(run: Run) -> str | None:
    """The name of the run that this one would be a part of; None if its name and tag do not match."""
    if run.name == ".":
        return None
    tags = run.tag_list()
    if len(tags) != 1 or tags[0].form != "scalar":
        return None
    tag = tags[0].name
    folder, _, base = run.name.rpartition("/")
    begin = tag.replace("/", "_") + "_"
    if base.startswith(begin) and base != begin:
        return folder or "."
    if folder == tag:
        return "."
    return folder.removesuffix(f"/{tag}") if folder.endswith(f"/{tag}") else None


def find_folded(by_name: dict[str, Run], hparams: dict[str, Hparams]) -> dict[str, list[str]]:
    """Run name -> names of the runs that are folded into it."""
    found: dict[str, list[str]] = {}
    for name in hparams:
        parent = by_name.get(parent_folder(name) or "")
        if parent is not None and is_description(by_name[name]) and not is_description(parent):
            found.setdefault(parent.name, []).append(name)
    if not found:
        return found
    parents = {folder for name in by_name for folder in parent_folders(name)}
    ends = {parent: sorted(set(names) - parents) for parent, names in found.items()}
    return {parent: names for parent, names in ends.items() if is_consistent(hparams[name] for name in names)}


def is_description(run: Run) -> bool:
    """Whether the run has nothing but hyperparameters and single points."""
    tags = run.tag_list()
    if run.points > len(tags) * len(run.files):  # true for nearly every run
        return False
    return all(tag.plugin == PLUGIN or (tag.form == "scalar" and has_single_points(tag)) for tag in tags)


def has_single_points(tag: Tag) -> bool:
    """Whether no file has more than one point of this tag."""
    return all(decoder.lengths([index]) == [1] for decoder, index in tag.parts if index >= 0)


def is_consistent(several: Iterable[Hparams]) -> bool:
    """Whether no parameter has different values in them."""
    values: dict[str, Scalar] = {}
    return all(is_equal(values.setdefault(key, value), value) for one in several for key, value in one.config.items())


def is_equal(one: Scalar, other: Scalar) -> bool:
    """Equality in which NaN equals itself and True is not a number."""
    return type(one) is type(other) and (one == other or (one != one and other != other))


def merge_hparams(own: Hparams | None, folded: Sequence[Hparams]) -> Hparams | None:
    """The hyperparameters of a run, completed by those of the runs folded into it."""
    if not folded:
        return own
    everything = [*folded, own] if own else folded
    config = {key: value for one in everything for key, value in one.config.items()}
    group_name = next((one.group_name for one in reversed(everything) if one.group_name), "")
    outcomes = [one.outcome for one in everything if one.outcome != "unknown"]
    return Hparams(config, group_name, outcomes[-1] if outcomes else "unknown")


def parent_folders(name: str) -> list[str]:
    """The parent folders of a run, nearest first, the logdir last."""
    found: list[str] = []
    folder = parent_folder(name)
    while folder is not None:
        found.append(folder)
        folder = parent_folder(folder)
    return found


def parent_folder(name: str) -> str | None:
    """The parent folder; None for the logdir."""
    if name == ".":
        return None
    return name.rpartition("/")[0] or "."
