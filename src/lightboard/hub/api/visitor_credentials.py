"""What a visitor of a board or notebook shows: a token or login, and the cookie that opens this one alone."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.hub.api.cookies import ADMISSION_COOKIE
from lightboard.hub.api.identity import Secret, secret_of
from lightboard.hub.api.signed_tokens import digest_of


@dataclass(frozen=True)
class VisitorCredentials:
    """The credentials that a request presents for a board or notebook."""

    secret: Secret | None
    ticket: str = ""

    @classmethod
    def of(cls, request: HTTPConnection) -> "VisitorCredentials":
        """The credentials of a request."""
        return cls.with_secret(request, secret_of(request))

    @classmethod
    def with_secret(cls, request: HTTPConnection, secret: Secret | None) -> "VisitorCredentials":
        """A secret, and the cookie of a request. With a bearer token, cookies are ignored."""
        return cls(secret, "" if secret and secret.bearer else request.cookies.get(ADMISSION_COOKIE, ""))

    @property
    def key(self) -> str:
        """The cache key."""
        return f"{self.secret.key if self.secret else ''} {digest_of(self.ticket) if self.ticket else ''}"
