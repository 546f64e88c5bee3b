"""Secrets of projects: their names are listed, their values are only ever written."""

from collections.abc import Sequence

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.projects import PATH
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import JobsDep
from lightboard.hub.db import accounts, project_secrets
from lightboard.hub.resources.project_secrets import ProjectSecret
from lightboard.schema.project_secrets import SecretResponse, Secrets, SetSecret

routes = Routes("secrets")


@routes.get(f"{PATH}/{{id}}/secrets", right="secrets.list", response=Secrets)
def find(context: ContextDep, id: str) -> Response:
    """List the names of the secrets of a project, never their values."""
    with context.read() as session:
        found = project_secrets.find(session, context.principal, id)
        return json_response(Secrets(items=to_responses(session, context, found)))


@routes.put(f"{PATH}/{{id}}/secrets/{{secret}}", right="secrets.update", response=SecretResponse)
def put(context: ContextDep, jobs: JobsDep, id: str, secret: str, body: SetSecret) -> Response:
    """Create a secret, or replace its value; jobs get it from their next start on."""
    # No response is stored for an Idempotency-Key: its fingerprint would be a digest of the value.
    with context.write() as session:
        made = project_secrets.put(session, context.principal, jobs.secret_box, id, secret, body.value, context.at)
        return json_response(to_responses(session, context, [made])[0])


@routes.delete(f"{PATH}/{{id}}/secrets/{{secret}}", right="secrets.delete", status=204)
def remove(context: ContextDep, id: str, secret: str) -> Response:
    """Delete a secret; jobs that wait for a start with it will fail, those that run keep its value."""
    with context.write() as session:
        project_secrets.remove(session, context.principal, id, secret, context.at)
    return no_content()


def to_responses(session: Session, context: RequestContext, found: Sequence[ProjectSecret]) -> list[SecretResponse]:
    """Secrets with the names of their owners and the rights of the principal."""
    owners = accounts.names(session, {each.owner for each in found})
    return [
        SecretResponse(
            name=each.name,
            project=each.project,
            owner=each.owner,
            owner_name=owners.get(each.owner, ""),
            created_at=each.created_at,
            updated_at=each.updated_at,
            version=each.version,
            rights=project_secrets.rights_of(session, context.principal, each),
        )
        for each in found
    ]
