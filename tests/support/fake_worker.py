"""A fake board worker behind the board proxy that echoes requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class FakeWorker:
    """`base_url` is where it is; `asked` has one entry for each request: method, path, headers, body.

    `/api/v1/events` of a board is a stream that does not end; `/endless` is an answer that does not end either.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        worker = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words: object) -> None:
                """Says nothing."""

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                worker.requests.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
                if self.path.endswith(("/api/v1/events", "/endless")):
                    self.go_on("text/event-stream" if self.path.endswith("events") else "text/csv")
                    return
                told = json.dumps({"path": self.path}).encode()
                self.send_response(206 if "range" in headers else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(told)))
                self.send_header("Set-Cookie", "worker=1")
                self.send_header("Connection", "x-hop")
                self.send_header("X-Hop", "1")
                self.send_header("X-Lightboard-Hub", "the secret of the worker")
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(told)

            def go_on(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", "1000000")
                self.end_headers()
                self.wfile.write(b": first\n\n")
                self.wfile.flush()
                worker._over.wait()
                self.close_connection = True

            do_POST = do_PUT = do_HEAD = do_DELETE = do_GET

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join(60)
        self._server.server_close()
