"""Reading server-sent events."""

import pytest

from lightboard.client.event_stream import Event, parse_events

TEXT = '{"text": "a\u2028b\x85\u00e9"}'
"""With characters that end lines elsewhere."""
STREAM = (
    f": watching\n\nid: 1-9\ndata: {TEXT}\n\n: still here\n\nevent: job\r\ndata:1\r\ndata: 2\r\n\r\nid: 7\n\ndata: cut"
).encode()
EVENTS = [None, Event(TEXT, id="1-9"), None, Event("1\n2", name="job")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, len(STREAM)])
def test_events_do_not_depend_on_how_they_arrive(size: int) -> None:
    """One without data, or without its end, is none."""
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]

    assert [*parse_events(chunks)] == EVENTS
