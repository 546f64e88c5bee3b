"""A fake OpenID Connect provider."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey


class FakeIdentityProvider:
    """`issuer` is its address. `claims` go into the next token; `key` signs; `asked` are the questions for tokens.

    `leaves_out` is a part of its description that it does not tell.
    """

    def __init__(self) -> None:
        self.leaves_out = ""
        self.key = ECKey.generate_key("P-256", {"kid": "one"})
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.token_requests: list[dict[str, list[str]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"

    def token(self) -> str:
        """A signed id token with the claims."""
        return jwt.encode({"alg": "ES256", "kid": "one"}, self.claims, self.key)

    def answer(self, path: str, body: bytes) -> dict[str, Any]:
        """To any question."""
        if path == "/.well-known/openid-configuration":
            ends = ("authorization", "token", *(["userinfo"] if self.userinfo else []))
            names = {f"{name}_endpoint": f"{self.issuer}/{name}" for name in ends}
            told = {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", **names}
            return {name: place for name, place in told.items() if name != self.leaves_out}
        if path == "/userinfo":
            return self.userinfo
        if path == "/keys":
            return {"keys": [self.key.as_dict(private=False)]}
        self.token_requests.append(parse_qs(body.decode()))
        return {"access_token": "x", "token_type": "Bearer", "id_token": self.token()}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *words: object) -> None:
                """Says nothing."""

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                told = json.dumps(provider.answer(urlsplit(self.path).path, body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

            do_POST = do_GET

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(60)
        self._server.server_close()
