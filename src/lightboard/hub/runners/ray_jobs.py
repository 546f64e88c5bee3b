"""The client of the Jobs REST API of a Ray cluster, with its token. Needs no `ray`.

(docs.ray.io/en/latest/cluster/running-applications/job-submission/rest.html)
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

import httpx

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.types import UNREACHABLE

TIMEOUT_SECS = 5.0
SUBMIT_SECS = 30.0
"""Ray answers when it has found a node for the driver, or has given up."""
MAX_RESPONSE_BYTES = 4 << 20
MESSAGE_CHARACTERS = 500
UNAUTHORIZED = "RunnerUnauthorized"
"""The reason of a job that Ray refused because of the hub's token."""
HINT = "an administrator can give the hub another one: --ray-token-file, or LIGHTBOARD_RAY_TOKEN"
REFUSING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class RayStatus(StrEnum):
    """The status of a job in Ray."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    STOPPED = "STOPPED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


@dataclass(frozen=True)
class RayJob:
    """What Ray says about a job."""

    status: RayStatus
    message: str = ""

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs."""
        return self.status in (RayStatus.PENDING, RayStatus.RUNNING)


class RayJobs:
    """The jobs of the cluster whose dashboard is at `url`. `token` is called for each request, "" is for none.

    Every method returns within about `timeout_secs`, or SUBMIT_SECS, and may be called from any thread. Raises
    LaunchError: UNREACHABLE if the cluster does not respond or cannot do that now, UNAUTHORIZED if it refuses the
    token, START_FAILED if it refuses the request or is no Ray.
    """

    def __init__(
        self,
        url: str,
        token: Callable[[], str] = lambda: "",
        timeout_secs: float = TIMEOUT_SECS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token = token
        self._timeout_secs = timeout_secs
        self._clock = clock
        self._client = httpx.Client(base_url=url, timeout=timeout_secs)

    def version(self) -> str:
        """The version of Ray."""
        return str(self._json(self._request("GET", "/api/version")).get("ray_version", ""))

    def submit(self, id: str, entrypoint: str, variables: Mapping[str, str], resources: Mapping[str, float]) -> None:
        """Starts a job, unless one of this id exists. `resources` are those of its driver, as the API names them."""
        body = {
            "submission_id": id,
            "entrypoint": entrypoint,
            "runtime_env": {"env_vars": dict(variables)},
            **resources,
        }
        status, content = self._request("POST", "/api/jobs/", body, max(self._timeout_secs, SUBMIT_SECS))
        if status != HTTPStatus.OK and b"already exists" not in content:
            raise refused(status, content)

    def get(self, id: str) -> RayJob | None:
        """A job, None if the cluster does not know it."""
        response = self._request("GET", f"/api/jobs/{id}")
        if response[0] == HTTPStatus.NOT_FOUND:
            return None
        fields = self._json(response)
        try:
            return RayJob(RayStatus(fields["status"]), str(fields.get("message") or ""))
        except (KeyError, ValueError):
            raise not_ray() from None

    def stop(self, id: str) -> None:
        """Ends a job, if it exists."""
        self._request("POST", f"/api/jobs/{id}/stop")

    def close(self) -> None:
        """Closes all connections."""
        self._client.close()

    def _request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, timeout_secs: float | None = None
    ) -> tuple[int, bytes]:
        """The status and the content of a response."""
        timeout_secs = timeout_secs or self._timeout_secs
        token = self._checked_token()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        deadline = self._clock() + timeout_secs
        content = b""
        try:
            with self._client.stream(method, path, json=body, headers=headers, timeout=timeout_secs) as response:
                for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > MAX_RESPONSE_BYTES:
                        raise not_ray()
                    if self._clock() > deadline:
                        raise unreachable("it responds too slowly")
                status = response.status_code
        except (httpx.HTTPError, OSError) as error:
            raise unreachable(type(error).__name__ if not str(error) else str(error)) from None
        if status in REFUSING:
            raise LaunchError(
                "the Ray cluster refuses the hub's token" if token else "the Ray cluster asks for a token",
                reason=UNAUTHORIZED,
                hint=HINT,
            )
        if status in (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT):
            raise unreachable(f"status {status}")
        return status, content

    def _checked_token(self) -> str:
        try:
            token = self._token()
        except LightboardError as error:
            raise LaunchError(error.message, reason=UNAUTHORIZED, hint=error.hint) from None
        if not (token.isascii() and token.isprintable()):
            raise LaunchError("the token for the Ray cluster is not a line of ASCII", reason=UNAUTHORIZED, hint=HINT)
        return token

    def _json(self, response: tuple[int, bytes]) -> dict[str, Any]:
        status, content = response
        if status != HTTPStatus.OK:
            raise refused(status, content)
        try:
            return dict(json.loads(content))
        except (ValueError, TypeError):
            raise not_ray() from None


def unreachable(problem: str) -> LaunchError:
    """The cluster does not respond."""
    return LaunchError(
        f"the Ray cluster does not respond: {problem}",
        reason=UNREACHABLE,
        hint="check that its head runs, and that --ray-url is the address of its dashboard",
    )


def refused(status: int, content: bytes) -> LaunchError:
    """The cluster does not accept a request: the last line of its explanation, which may be a traceback."""
    last_line = content.decode(errors="replace").strip().rpartition("\n")[2][-MESSAGE_CHARACTERS:]
    # Of a head that has just been started, it is "No available agent to submit job, please try again later".
    reason = UNREACHABLE if status >= HTTPStatus.INTERNAL_SERVER_ERROR else START_FAILED
    return LaunchError(f"Ray refused the request with status {status}: {last_line}", reason=reason)


def not_ray() -> LaunchError:
    """Something else listens there."""
    return LaunchError(
        "what responds is not the Jobs API of Ray",
        reason=START_FAILED,
        hint="--ray-url is the address of the dashboard of Ray, for example http://ray-head:8265",
    )
