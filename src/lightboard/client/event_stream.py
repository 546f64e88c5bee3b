"""Server-sent events as they arrive: what the bytes of a response say. No I/O."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lightboard.errors import LightboardError

MEDIA_TYPE = "text/event-stream"


@dataclass(frozen=True)
class Event:
    """One event. `name` is "" for events of the default type."""

    data: str
    name: str = ""
    id: str = ""


class NoEventStream(LightboardError):
    """The hub is there, but no event stream arrives from it, for example through a proxy that buffers responses."""

    code = "no_event_stream"


def parse_events(chunks: Iterable[bytes]) -> Iterator[Event | None]:
    """The events in a response; None for each comment, which says no more than that the connection is alive.

    An event that is cut off by the end of the response is left out.
    """
    fields = dict[str, list[str]]()
    for line in lines_of(chunks):
        name, _, value = line.partition(":")
        if line and not name:
            yield None
        elif line:
            fields.setdefault(name, []).append(value.removeprefix(" "))
        else:
            if "data" in fields:
                name, id = (fields.get(each, [""])[-1] for each in ("event", "id"))
                yield Event("\n".join(fields["data"]), name, id)
            fields.clear()


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines. They end with a line feed alone: texts contain other characters that `str.splitlines` splits at."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
