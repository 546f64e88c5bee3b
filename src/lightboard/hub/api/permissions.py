"""What accounts are permitted where nothing else is said for them. Exceptions are part of an account."""

from starlette.responses import Response

from lightboard.hub.access import PERMISSIONS, Permission
from lightboard.hub.api.request_context import ContextDep, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import accounts, permissions
from lightboard.hub.db.engine import Session
from lightboard.schema.accounts import ChangePermissions, PermissionAnswer, Permissions

PATH = "/api/v1/permissions"

routes = Routes("permissions")


@routes.get(PATH, right="accounts.manage", answer=Permissions)
def find(context: ContextDep) -> Response:
    """All permissions with the defaults of this hub."""
    with context.read() as session:
        return json_response(answer_of(session))


@routes.patch(PATH, right="accounts.manage", answer=Permissions)
def change(context: ContextDep, body: ChangePermissions) -> Response:
    """Change the defaults of this hub."""
    wanted = {Permission(name): allowed for name, allowed in body.permissions.items()}
    with context.write() as session:
        accounts.set_default_permissions(session, context.who, wanted, context.at)
        told = answer_of(session)
    return json_response(told)


def answer_of(session: Session) -> Permissions:
    """The defaults as they travel."""
    defaults = permissions.defaults(session)
    return Permissions(
        items=[
            PermissionAnswer(name=permission.value, what=grant.what, allowed=defaults[permission])
            for permission, grant in PERMISSIONS.items()
        ]
    )
