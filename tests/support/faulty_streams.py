"""A transport between an SDK session and a real hub, which notes requests and spoils event streams."""

from collections.abc import Iterator

import httpx

REFUSAL = {"error": {"code": "not_found", "message": "there is no such page"}}
"""What a hub without these streams answers."""


class FaultyStreams(httpx.BaseTransport):
    """Notes the paths of requests in `paths`, without `/api/v1`.

    Event streams are cut after `cut_after` bytes unless it is None; with `refuse` there are none, and with `buffer`
    nothing of them arrives, as through a proxy that waits for their end.
    """

    def __init__(self, *, cut_after: int | None = None, refuse: bool = False, buffer: bool = False) -> None:
        self.paths = list[str]()
        self._transport = httpx.HTTPTransport()
        self._cut_after, self._refuse, self._buffer = cut_after, refuse, buffer

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The response of the hub, or what became of it."""
        self.paths.append(request.url.path.removeprefix("/api/v1"))
        if request.headers["Accept"] != "text/event-stream":
            return self._transport.handle_request(request)
        if self._refuse:
            return httpx.Response(404, json=REFUSAL)
        if self._buffer:
            raise httpx.ReadTimeout("timed out")
        response = self._transport.handle_request(request)
        if self._cut_after is not None and isinstance(response.stream, httpx.SyncByteStream):
            response.stream = CutStream(response.stream, self._cut_after)
        return response

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()


class CutStream(httpx.SyncByteStream):
    """The first bytes of a response, then a lost connection."""

    def __init__(self, whole: httpx.SyncByteStream, size: int) -> None:
        self._whole, self._left = whole, size

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._whole:
            yield chunk[: self._left]
            self._left -= len(chunk)
            if self._left <= 0:
                raise httpx.ReadError("connection reset by peer")

    def close(self) -> None:
        """Close the connection."""
        self._whole.close()
