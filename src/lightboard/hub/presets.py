"""The presets that jobs can have, as the administrator gives them: `cpu-small=cpu:2,memory:4G,gpu:1`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lightboard.errors import Invalid, UsageError
from lightboard.hub.resources.presets import Preset
from lightboard.memory_sizes import memory_bytes, memory_text

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
PARTS = ("cpu", "memory", "gpu")
EXAMPLE = "for example --preset gpu-small=cpu:4,memory:16G,gpu:1"
MOST = 1_024
"""CPUs or GPUs of one replica."""


@dataclass(frozen=True)
class Presets:
    """Presets by name. The first one is that of jobs that name none; without any, jobs have none."""

    by_name: Mapping[str, Preset] = field(default_factory=dict)

    def get(self, name: str) -> Preset | None:
        """The preset of a job that asks for this one, "" for the default. None if the hub has none, and none is named.

        Raises Invalid if there is no preset of this name.
        """
        if not name:
            return next(iter(self.by_name.values()), None)
        if name not in self.by_name:
            known = ", ".join(self.by_name) or "none"
            raise Invalid(
                f"this hub has no preset {name}",
                hint=f"its presets: {known}; an administrator can add one: lightboard hub --preset NAME=cpu:N,gpu:N",
            )
        return self.by_name[name]

    def check(self, name: str, own_memory_bytes: int | None) -> Preset | None:
        """The preset of a job that asks for this one, with a limit of memory of its own or None.

        Raises Invalid as `get`, and for a limit above that of the preset.
        """
        preset = self.get(name)
        most = preset.memory_bytes if preset else None
        if preset and most is not None and own_memory_bytes is not None and own_memory_bytes > most:
            raise Invalid(
                f"memory_bytes: {memory_text(own_memory_bytes)} is more than the {memory_text(most)} "
                f"of the preset {preset.name}",
                hint="ask for less, or for another preset",
            )
        return preset


def parse_presets(texts: Sequence[str]) -> Presets:
    """The presets of several `--preset NAME=cpu:N,memory:SIZE,gpu:N`. Raises UsageError."""
    presets: dict[str, Preset] = {}
    for text in texts:
        preset = parse_preset(text)
        if preset.name in presets:
            raise UsageError(f"the preset {preset.name} is given twice", hint="each needs a name of its own")
        presets[preset.name] = preset
    return Presets(presets)


def parse_preset(text: str) -> Preset:
    """One preset. Raises UsageError."""
    name, equals, amounts = text.partition("=")
    if not (equals and amounts):
        raise UsageError(f"--preset {text} is not NAME=cpu:N,memory:SIZE,gpu:N", hint=EXAMPLE)
    if not NAME.fullmatch(name):
        raise UsageError(f"--preset {text}: {name!r} is no name", hint="use letters, digits, dots, hyphens and _")
    found: dict[str, str] = {}
    for amount in amounts.split(","):
        part, _, value = amount.strip().partition(":")
        if part not in PARTS or not value or part in found:
            raise UsageError(
                f"--preset {text}: {amount.strip()!r} is not cpu:N, memory:SIZE or gpu:N, each once", hint=EXAMPLE
            )
        found[part] = value
    return Preset(
        name=name,
        cpus=number(text, found.get("cpu", "1"), "cpu", least=1),
        memory_bytes=memory(text, found["memory"]) if "memory" in found else None,
        gpus=number(text, found.get("gpu", "0"), "gpu", least=0),
    )


def number(text: str, value: str, part: str, least: int) -> int:
    """How many a preset has. Raises UsageError."""
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= MOST):
        raise UsageError(f"--preset {text}: {part}:{value} is not a whole number from {least}", hint=EXAMPLE)
    return int(value)


def memory(text: str, value: str) -> int:
    """The memory of a preset in bytes. Raises UsageError."""
    try:
        return memory_bytes(value)
    except UsageError as error:
        raise UsageError(f"--preset {text}: {error.message}", hint=error.hint) from None
