"""Where logs may lie, and where boards run: what forms offer."""

from lightboard.schema.model import Answer


class Credentials(Answer):
    """Names of the credentials an administrator has laid down; never the keys."""

    items: list[str]


class Roots(Answer):
    """Local folders below which logs may lie."""

    items: list[str]


class ExecutorAnswer(Answer):
    """A launcher, and what can be asked of boards that run there."""

    name: str
    update: bool
    logs: bool
    top: bool
    probe: bool
    exec: bool


class Executors(Answer):
    """All of them."""

    items: list[ExecutorAnswer]
