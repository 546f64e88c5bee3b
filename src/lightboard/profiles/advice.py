"""What to change in a program, by its capture: at most five rules that apply, each with its figures."""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.breakdown import StepBreakdown, device_totals
from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.devices import CPU, device_of_tracks, host_label
from lightboard.profiles.input_shapes import OPERATOR
from lightboard.profiles.nesting import MODULE
from lightboard.profiles.skew import StepSkew
from lightboard.profiles.steps import steps_of

Rule = Literal[
    "capped", "no_steps", "input", "launch", "copy_exposed", "copy_pageable", "straggler", "no_stacks", "no_shapes"
]

MAX_ADVICE = 5

IDLE_SHARE = 0.2
"""A device that waits for input longer than this share of its time is too much."""

SMALL_KERNEL_NS = 10_000
"""Kernels shorter than that take less time than starting them."""

SMALL_KERNELS_SHARE = 0.5
"""How many of the kernels are small where starting them is what takes time,"""

MIN_KERNELS = 100
"""of at least so many,"""

LAUNCH_IDLE_SHARE = 0.3
"""on a device that is idle longer than this share of its time."""

COPY_SHARE = 0.05
"""Copies that nothing hides, or that are from pageable memory, matter from this share of the time on."""

STRAGGLER_SHARE = 0.6
"""A rank that comes last in more than this share of the steps,"""

WAITED_SHARE = 0.1
"""in which others wait for more than this share of the time, on average, is a straggler."""

MIN_STEPS = 3
"""Steps without which there is no straggler."""

PAGEABLE = re.compile(r"pageable", re.IGNORECASE)
"""What PyTorch calls copies of memory that is not pinned."""

WRITER_CAPPED = re.compile(r"stopped at [\d,]+ events|(?i:not) recorded: |beyond the limits")
"""Problems of captures that say that something is missing."""


class Advice(NamedTuple):
    """A rule that applies, and where: `rank` is "" if everywhere. `share` is of the time, or of steps or kernels."""

    rule: Rule
    rank: str
    share: float
    number: int = 0
    time_ns: int = 0


def advice_of(
    captures: list[HostCapture],
    breakdown: list[StepBreakdown],
    skew: list[StepSkew],
    problems: list[str],
    *,
    has_shapes: bool = True,
) -> list[Advice]:
    """The rules that apply: first those about the capture as a whole, then by the time that can be won.

    `has_shapes` says whether operators have the shapes of their inputs, if they can.
    """
    several = len(captures) > 1
    about_time = [
        advice
        for capture in captures
        for advice in host_advice(capture, [row for row in breakdown if is_of(row, capture)], several)
    ]
    best: dict[Rule, Advice] = {}
    for advice in sorted(about_time, key=lambda each: -each.time_ns):
        best.setdefault(advice.rule, advice)
    found = [*whole(captures, problems), *best.values(), *straggler(skew), *missing_facts(captures, has_shapes)]
    return found[:MAX_ADVICE]


def is_of(row: StepBreakdown, capture: HostCapture) -> bool:
    """Whether a row is of this host."""
    return (row.host, row.rank) == (capture.host, capture.rank)


def whole(captures: list[HostCapture], problems: list[str]) -> Iterable[Advice]:
    """What is missing in the capture, without which other figures mean less."""
    capped = [problem for problem in problems if WRITER_CAPPED.search(problem)]
    if capped:
        yield Advice("capped", "", 0, len(capped))
    if captures and not any(steps_of(capture) for capture in captures):
        yield Advice("no_steps", "", 0)


def host_advice(capture: HostCapture, rows: list[StepBreakdown], several: bool) -> Iterable[Advice]:
    """What takes time on the devices of a host."""
    rank = host_label(capture.host, capture.rank) if several else ""
    names = device_of_tracks(capture)
    for _, total in device_totals(rows):
        yield from waits_for_input(total, rank)
        if total.device != CPU:
            tracks = np.flatnonzero([name == total.device for name in names])
            yield from launch_bound(total, kernel_counts(capture, tracks), rank)
            yield from copies(total, pageable_ns(capture, tracks), rank)


def waits_for_input(total: StepBreakdown, rank: str) -> Iterable[Advice]:
    """A device that is idle while the host prepares batches."""
    share = total.input_ns / max(1, total.duration_ns)
    if share > IDLE_SHARE:
        yield Advice("input", rank, share, 0, total.input_ns)


def launch_bound(total: StepBreakdown, kernels: tuple[int, int], rank: str) -> Iterable[Advice]:
    """Many small kernels, of all, on a device that is idle between them."""
    small, count = kernels
    share = small / max(1, count)
    idle_ns = total.idle_ns - total.input_ns
    is_idle = idle_ns > LAUNCH_IDLE_SHARE * total.duration_ns
    if count >= MIN_KERNELS and share > SMALL_KERNELS_SHARE and is_idle:
        yield Advice("launch", rank, share, count, idle_ns)


def copies(total: StepBreakdown, from_pageable_ns: int, rank: str) -> Iterable[Advice]:
    """Copies that the device waits for: from memory that is not pinned, they cannot overlap."""
    limit_ns = COPY_SHARE * total.duration_ns
    exposed_ns = total.copy_ns - total.hidden_copy_ns
    if from_pageable_ns > limit_ns:
        yield Advice("copy_pageable", rank, from_pageable_ns / total.duration_ns, 0, from_pageable_ns)
    elif exposed_ns > limit_ns:
        yield Advice("copy_exposed", rank, exposed_ns / total.duration_ns, 0, exposed_ns)


def straggler(skew: list[StepSkew]) -> Iterable[Advice]:
    """A rank for which the others wait in most steps."""
    last = [step.straggler for step in skew if step.straggler is not None]
    if len(last) < MIN_STEPS:
        return
    rank = max(last, key=last.count)
    waited = sum(step.waited_ns for step in skew if step.straggler == rank)
    longest = sum(step.longest_ns for step in skew)
    if last.count(rank) > STRAGGLER_SHARE * len(skew) and waited > WAITED_SHARE * longest:
        yield Advice("straggler", host_label(*rank), waited / longest, last.count(rank), waited)


def missing_facts(captures: list[HostCapture], has_shapes: bool) -> Iterable[Advice]:
    """What PyTorch has not recorded, though it can."""
    torch = [capture for capture in captures if any(name.startswith(OPERATOR) for name in capture.names)]
    if torch and not any(name.startswith(MODULE) for capture in torch for name in capture.names):
        yield Advice("no_stacks", "", 0)
    if not has_shapes:
        yield Advice("no_shapes", "", 0)


def kernel_counts(capture: HostCapture, tracks: NDArray[np.int64]) -> tuple[int, int]:
    """How many kernels on these tracks are small, and how many there are."""
    slices, small, count = capture.slices, 0, 0
    for part in capture.parts(len(slices)):
        is_kernel = np.isin(slices.track[part], tracks) & (slices.category[part] == CATEGORIES.index("compute"))
        small += int(np.count_nonzero(slices.duration_ns[part][is_kernel] < SMALL_KERNEL_NS))
        count += int(np.count_nonzero(is_kernel))
    return small, count


def pageable_ns(capture: HostCapture, tracks: NDArray[np.int64]) -> int:
    """The time of copies from and to memory that is not pinned."""
    slices, total = capture.slices, 0
    is_pageable = np.array([PAGEABLE.search(name) is not None for name in capture.names], bool)
    if not is_pageable.any():
        return 0
    for part in capture.parts(len(slices)):
        found = np.isin(slices.track[part], tracks) & is_pageable[slices.name[part]]
        total += int(slices.duration_ns[part][found].sum())
    return total
