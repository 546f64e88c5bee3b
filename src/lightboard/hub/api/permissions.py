"""The default permissions of accounts. Exceptions are part of each account."""

from starlette.responses import Response

from lightboard.hub.access import PERMISSIONS, Permission
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, permissions
from lightboard.hub.db.engine import Session
from lightboard.schema.accounts import ChangePermissions, PermissionResponse, Permissions

PATH = "/api/v1/permissions"

routes = Routes("permissions")


@routes.get(PATH, right="accounts.manage", response=Permissions)
def find(context: ContextDep) -> Response:
    """List all permissions with the defaults of this hub."""
    with context.read() as session:
        return json_response(to_response(session))


@routes.patch(PATH, right="accounts.manage", response=Permissions)
def change(context: ContextDep, body: ChangePermissions) -> Response:
    """Change the defaults of this hub."""
    wanted = {Permission(name): allowed for name, allowed in body.permissions.items()}
    with context.write() as session:
        accounts.set_default_permissions(session, context.principal, wanted, context.at)
        result = to_response(session)
    return json_response(result)


def to_response(session: Session) -> Permissions:
    """The default permissions."""
    defaults = permissions.defaults(session)
    return Permissions(
        items=[
            PermissionResponse(name=permission.value, what=grant.what, allowed=defaults[permission])
            for permission, grant in PERMISSIONS.items()
        ]
    )
