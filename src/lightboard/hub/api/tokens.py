"""API tokens of the asker."""

import secrets
from typing import Any

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import tokens
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.schema.tokens import CreateToken, TokenAnswer, Tokens

BEGINNING = "lb_"
SHOWN = 8
"""So many characters of a secret tell one's tokens apart."""

routes = Routes("tokens")


@routes.get("/api/v1/tokens", right="own.read", answer=Tokens)
def find(context: ContextDep) -> Response:
    """One's own tokens."""
    with context.read() as session:
        return json_response(Tokens(items=[answer_of(token) for token in tokens.find(session, context.who)]))


@routes.post("/api/v1/tokens", right="own.update", answer=TokenAnswer, status=201)
def create(context: ContextDep, body: CreateToken) -> Response:
    """Make a token; its secret is shown this once."""
    mark = secrets.token_urlsafe(16)
    secret = secret_by(context, mark)
    new = Token(
        id="",
        account=context.who.account,
        name=body.name,
        digest=digest_of(secret),
        shown=secret[:SHOWN],
        scopes=frozenset(map(Scope, body.scopes)),
        project=body.project,
        expires_at=context.at + body.expires_secs if body.expires_secs else None,
    )

    def act(session: Session) -> StorableResponse:
        made = answer_of(tokens.create(session, context.who, new, context.at))
        return StorableResponse(made.model_copy(update={"secret": mark}), 201)

    def reveal(kept: dict[str, Any]) -> dict[str, Any]:
        return {**kept, "secret": secret_by(context, kept["secret"])}

    return context.run_idempotent(body, act, reveal)


@routes.delete("/api/v1/tokens/{id}", right="own.update", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """End a token now."""
    with context.write() as session:
        tokens.remove(session, context.who, id, context.at)
    return no_content()


def secret_by(context: RequestContext, mark: str) -> str:
    """The secret of the token whose answer is kept with this random mark: only the hub can make one from the other.

    So a request that is repeated is answered with the same secret, and nobody has to keep it; another request with the
    same key has another one. Answers of older hubs have no mark.
    """
    return BEGINNING + context.hub.token_signer.code("token", f"{context.who.account} {mark or context.key}")


def answer_of(token: Token) -> TokenAnswer:
    """A token as it travels, without its secret."""
    return TokenAnswer(
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
