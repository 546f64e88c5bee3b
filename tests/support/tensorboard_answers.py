"""Recorded responses of TensorBoard, and a real board to compare with."""

import gzip
import hashlib
import json
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urljoin

from support.board_process import TIMEOUT_SECS, LightboardProcess

DATA = Path(__file__).parent.parent / "data"
LOGDIR = str(DATA / "logs")
COMPARED_HEADERS = ("content-type", "location", "allow")
TEXTS = ("text/", "application/json", "application/x-latex")


class CorpusBoard(LightboardProcess):
    """A board over the corpus that serves after reading everything."""

    def __init__(self, *flags: str, logdir: str = LOGDIR) -> None:
        self.logdir = logdir
        super().__init__("--logdir", logdir, "--port", "0", "--reload_task", "blocking", *flags)

    def request(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer in the form of a recorded one."""
        headers, body = dict(question.get("headers", {})), None
        if "form" in question:
            body = urlencode([tuple(pair) for pair in question["form"]]).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif "body" in question:
            body = question["body"].encode()
        status, got, content = self._exchange(question["method"], self._url_of(question), headers, body)
        text = content.decode(errors="replace").replace(self.logdir, "<logdir>")
        kept = {name: got[name] for name in COMPARED_HEADERS if name in got}
        kind = kept.get("content-type", "")
        told = _read(kind, text) if kind.startswith(TEXTS) or not kind else {"bytes": _digest(content)}
        answer = {"status": status, "headers": kept} | told
        return answer | _resolved(answer, question["url"])

    def _exchange(
        self, method: str, url: str, headers: dict[str, str], body: bytes | None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("localhost", self.port, timeout=TIMEOUT_SECS)
        connection.request(method, url, body=body, headers=headers)
        response = connection.getresponse()
        content = response.read()
        got = {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        if got.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        return response.status, got, content

    def _url_of(self, question: dict[str, Any]) -> str:
        """The address to ask; a blob's goes on with the name that our own list gives it."""
        if "entry" not in question:
            return str(question["url"])
        listing, place = question["entry"]
        found = json.loads(self._exchange("GET", listing, {}, None)[2])
        if "timeSeries" in listing:
            (series,) = found[0]["runToSeries"].values()
            return f"{question['url']}?imageId={quote(series[place]['imageId'])}"
        return f"{question['url']}?{found[place]['query']}"


def _digest(content: bytes) -> dict[str, Any]:
    return {"length": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _unnamed(value: Any) -> Any:
    """An answer without its names of blobs, which are each program's own."""
    if isinstance(value, list):
        return [_unnamed(one) for one in value]
    if isinstance(value, dict):
        return {k: "<name>" if k in ("query", "imageId") else _unnamed(v) for k, v in value.items()}
    return value


def _resolved(answer: dict[str, Any], url: str) -> dict[str, Any]:
    """Its headers with the address of a redirection as a browser understands it."""
    headers = dict(answer["headers"])
    if "location" in headers:
        headers["location"] = urljoin(url, headers["location"])
    return {"headers": headers}


def _read(kind: str, text: str) -> dict[str, Any]:
    if "html" in kind:
        return {"html": True}
    if "json" in kind:
        return {"json": _unnamed(json.loads(text)) if text else None}
    return {"text": text}


def load_recorded() -> dict[str, Any]:
    """What TensorBoard answered; its Python server where the two differ."""
    answers: dict[str, Any] = json.loads(gzip.decompress((DATA / "tensorboard_answers.json.gz").read_bytes()))
    return answers


def request_name(question: dict[str, Any]) -> str:
    """The question in one printable line."""
    asked = [question["method"], unquote(question["url"])]
    asked += [f"{name}={value}" for name, value in question.get("form", [])]
    asked += [str(question[name]) for name in ("body", "entry") if name in question]
    asked += [f"{name}: {value}" for name, value in question.get("headers", {}).items()]
    return " ".join(asked).encode("unicode_escape").decode()


def expected_response(question: dict[str, Any]) -> dict[str, Any]:
    """The recorded answer, with the headers that are compared; of a page only that it is one."""
    answer = dict(question["answer"] if "answer" in question else question["python"])
    answer["headers"] = {k: v for k, v in answer["headers"].items() if k in COMPARED_HEADERS}
    if "html" in answer["headers"].get("content-type", ""):
        answer = {"status": answer["status"], "headers": answer["headers"], "html": True}
    return answer | _resolved(answer, question["url"])
