"""Whose hyper-parameters are whose: writers put them beside the curves, in a folder of their own, or in one above.

* A run that holds nothing but hyper-parameters, and at most one point of each metric, is *folded into* the run whose
  folder it is in, if that one holds more. Several that contradict each other are trials, no description of the run
  above: they stay. So does one with runs below it.
* A run that `add_scalars` made is a *part* of the run it was called on, and folded into it: it holds one tag, and is
  called by the run, the tag and a key: `run/losses_train` by torch, `run/losses/train` by tensorboardX. Not where that
  run holds the tag itself: two series of one name would be one too many.
* A run that says nothing of itself has the hyper-parameters of the nearest run above that does, as `run/train` and
  `run/validation` have those of `run`.

Pure: looks at names and tags, changes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lightboard.series.hparams import PLUGIN, Hparams, Outcome, Scalar
from lightboard.series.run import Run
from lightboard.series.timeseries import Tag


class Setup(NamedTuple):
    """The hyper-parameters that count for a run, and which run, by id, stands for it (None: it does)."""

    config: dict[str, Scalar]
    group_name: str
    outcome: Outcome
    folded_into: int | None


NOTHING = Setup({}, "", "unknown", None)


def setups_of(runs: Sequence[Run]) -> dict[int, Setup]:
    """The setup of each run by its id; runs without hyper-parameters are left out."""
    said = {run.name: found for run in runs if (found := run.hparams()) is not None}
    by_name = {run.name: run for run in runs}
    parts = find_parts(by_name)
    if not said and not parts:
        return {}
    folded = fold(by_name, said)
    setups: dict[int, Setup] = {}
    for run in runs:
        found = merged(said.get(run.name), [said[name] for name in folded.get(run.name, ())])
        if found is None:
            found = next((said[name] for name in above(run.name) if name in said), None)
        if found is not None:
            setups[run.id] = Setup(*found, None)
    for parent, names in folded.items():
        for name in names:
            setups[by_name[name].id] = Setup(*said[name], by_name[parent].id)
    for name, whole in parts.items():
        root = by_name[whole]
        setups[by_name[name].id] = setups.get(root.id, NOTHING)._replace(folded_into=root.id)
    return setups


def count_rows(runs: Sequence[Run]) -> int:
    """How many of the runs stand for themselves: what a board lists, each on a row of its own."""
    by_name = {run.name: run for run in runs}
    said = {run.name: found for run in runs if (found := run.hparams()) is not None}
    return len(runs) - len(set(find_parts(by_name)).union(*fold(by_name, said).values()))


def find_parts(by_name: dict[str, Run]) -> dict[str, str]:
    """Names of the runs that are parts -> of which."""
    found = {name: whole for name, run in by_name.items() if (whole := whole_of(run)) in by_name}
    return {
        name: whole
        for name, whole in found.items()
        if whole not in found and by_name[name].tag_list()[0].name not in by_name[whole].tags()
    }


def whole_of(run: Run) -> str | None:
    """The name that the run has of which this one would be a part; None if its name and tag do not go together."""
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


def fold(by_name: dict[str, Run], said: dict[str, Hparams]) -> dict[str, list[str]]:
    """Run name -> names of the runs that are folded into it."""
    found: dict[str, list[str]] = {}
    for name in said:
        parent = by_name.get(folder_of(name) or "")
        if parent is not None and describes(by_name[name]) and not describes(parent):
            found.setdefault(parent.name, []).append(name)
    if not found:
        return found
    holders = {folder for name in by_name for folder in above(name)}
    ends = {parent: sorted(set(names) - holders) for parent, names in found.items()}
    return {parent: names for parent, names in ends.items() if agree(said[name] for name in names)}


def describes(run: Run) -> bool:
    """Is there nothing in the run but hyper-parameters and single points?"""
    tags = run.tag_list()
    if run.points > len(tags) * len(run.files):  # nearly every run: need not be looked at further
        return False
    return all(tag.plugin == PLUGIN or (tag.form == "scalar" and single(tag)) for tag in tags)


def single(tag: Tag) -> bool:
    """Does no file hold more than one point of this tag?"""
    return all(decoder.lengths([index]) == [1] for decoder, index in tag.parts if index >= 0)


def agree(several: Iterable[Hparams]) -> bool:
    """Does none of them give another value to a parameter than the others?"""
    known: dict[str, Scalar] = {}
    return all(same(known.setdefault(key, value), value) for one in several for key, value in one.config.items())


def same(one: Scalar, other: Scalar) -> bool:
    """Equal, where NaN is equal to itself and True is no number."""
    return type(one) is type(other) and (one == other or (one != one and other != other))


def merged(own: Hparams | None, folded: Sequence[Hparams]) -> Hparams | None:
    """What a run says of itself, completed by what the runs folded into it say."""
    if not folded:
        return own
    everything = [*folded, own] if own else folded
    config = {key: value for one in everything for key, value in one.config.items()}
    group_name = next((one.group_name for one in reversed(everything) if one.group_name), "")
    outcomes = [one.outcome for one in everything if one.outcome != "unknown"]
    return Hparams(config, group_name, outcomes[-1] if outcomes else "unknown")


def above(name: str) -> list[str]:
    """The folders that hold a run, nearest first, the logdir last."""
    found: list[str] = []
    folder = folder_of(name)
    while folder is not None:
        found.append(folder)
        folder = folder_of(folder)
    return found


def folder_of(name: str) -> str | None:
    """The folder right above; None for the logdir."""
    if name == ".":
        return None
    return name.rpartition("/")[0] or "."
