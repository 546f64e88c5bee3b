"""API tokens of the account."""

import secrets
from typing import Any

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import AuthDep
from lightboard.hub.api.signed_tokens import TokenSigner, digest_of
from lightboard.hub.db import tokens
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.schema.tokens import CreateToken, TokenResponse, Tokens

BEGINNING = "lb_"
SHOWN = 8
"""The number of characters of a secret that are shown in lists."""

routes = Routes("tokens")


@routes.get("/api/v1/tokens", right="own.read", response=Tokens)
def find(context: ContextDep) -> Response:
    """List the own tokens."""
    with context.read() as session:
        return json_response(Tokens(items=[to_response(token) for token in tokens.find(session, context.principal)]))


@routes.post("/api/v1/tokens", right="own.update", response=TokenResponse, status=201)
def create(context: ContextDep, auth: AuthDep, body: CreateToken) -> Response:
    """Create a token; its secret is shown only once."""
    mark = secrets.token_urlsafe(16)
    secret = secret_by(context, auth.token_signer, mark)
    new = Token(
        id="",
        account=context.principal.account,
        name=body.name,
        digest=digest_of(secret),
        shown=secret[:SHOWN],
        scopes=frozenset(map(Scope, body.scopes)),
        project=body.project,
        expires_at=context.at + body.expires_secs if body.expires_secs else None,
    )

    def run(session: Session) -> StorableResponse:
        made = to_response(tokens.create(session, context.principal, new, context.at))
        return StorableResponse(made.model_copy(update={"secret": mark}), 201)

    def reveal(stored: dict[str, Any]) -> dict[str, Any]:
        return {**stored, "secret": secret_by(context, auth.token_signer, stored["secret"])}

    return context.run_idempotent(body, run, reveal)


@routes.delete("/api/v1/tokens/{id}", right="own.update", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """Revoke a token."""
    with context.write() as session:
        tokens.remove(session, context.principal, id, context.at)
    return no_content()


def secret_by(context: RequestContext, token_signer: TokenSigner, mark: str) -> str:
    """The secret of a token, derived with the hub's key from the random `mark` in the stored response.

    A repeated request gets the same secret without it being stored, and another request with the same key gets another
    one. Stored responses of older hubs have no mark.
    """
    return BEGINNING + token_signer.code("token", f"{context.principal.account} {mark or context.key}")


def to_response(token: Token) -> TokenResponse:
    """A token without its secret."""
    return TokenResponse(
        id=token.id,
        name=token.name,
        shown=token.shown,
        scopes=sorted(scope.value for scope in token.scopes),
        project=token.project,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        secret="",
    )
