"""Accounts and login."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel

Password = Annotated[str, Field(min_length=1, max_length=1024)]
PermissionWord = Literal[
    "use_tensorboards", "create_projects", "share_publicly", "disable_http_auth", "run_without_end", "run_jobs"
]
AccountName = Annotated[str, Field(min_length=3, max_length=40)]


class AccountResponse(ResponseModel):
    """An account.

    `limit` is the number of TensorBoards it may have in use; `own_limit` is null if that is the hub's default.
    `permissions` are all its permissions, `own_permissions` the exceptions from the hub's defaults.
    """

    id: str
    name: str
    display_name: str
    email: str
    kind: Literal["user", "service"]
    administrator: bool
    disabled: bool
    limit: int
    own_limit: int | None
    permissions: list[PermissionWord]
    own_permissions: dict[PermissionWord, bool]
    language: str
    created_at: float
    version: int


class Accounts(ResponseModel):
    """All accounts."""

    items: list[AccountResponse]


class Membership(ResponseModel):
    """A project of the account, and its rights there."""

    project: str
    name: str
    display_name: str
    role: Literal["owner", "admin", "editor", "viewer"]
    rights: list[str]


class Me(ResponseModel):
    """The authenticated account.

    `in_use` is the number of its TensorBoards that count towards its limit, `invitations` the number of open
    invitations. Send `csrf` in the header X-CSRF-Token of every request that changes something and is authenticated by
    a cookie.
    """

    account: AccountResponse
    memberships: list[Membership]
    in_use: int
    csrf: str
    hub_rights: list[str]
    invitations: int


class Entry(ResponseModel):
    """The login options of the hub. `setup` is true while there is no account yet."""

    version: str
    title: str
    setup: bool
    password: bool
    oidc: str


class Login(HubRequestModel):
    """A login by password. `name` is the name or the email address of the account."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: Password


class SetUp(HubRequestModel):
    """Creates the first account. `key` is from the one-time setup link."""

    key: Annotated[str, Field(max_length=200)]
    name: AccountName
    password: Password
    display_name: Annotated[str, Field(max_length=200)] = ""


class CreateAccount(HubRequestModel):
    """A new account. Without a password, it can only use tokens or the external login."""

    name: AccountName
    password: Password | None = None
    display_name: Annotated[str, Field(max_length=200)] = ""
    email: Annotated[str, Field(max_length=320)] = ""
    kind: Literal["user", "service"] = "user"
    administrator: bool = False


class ChangeAccount(HubRequestModel):
    """Changes of an account.

    Null means no change. An `own_limit` of -1, or null for a permission, removes the exception.
    """

    display_name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=320)] | None = None
    administrator: bool | None = None
    disabled: bool | None = None
    own_limit: Annotated[int, Field(ge=-1, le=100_000)] | None = None
    password: Password | None = None
    permissions: dict[PermissionWord, bool | None] | None = None


class PermissionResponse(ResponseModel):
    """A permission. `what` describes it; `allowed` is the default for accounts without an exception."""

    name: PermissionWord
    what: str
    allowed: bool


class Permissions(ResponseModel):
    """All permissions."""

    items: list[PermissionResponse]


class ChangePermissions(HubRequestModel):
    """New defaults of the hub. Permissions that are left out are not changed."""

    permissions: dict[PermissionWord, bool]


class ChangeMe(HubRequestModel):
    """Changes of the authenticated account. Null means no change. A new password requires the old one."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=320)] | None = None
    language: Literal["", "en", "zh", "ru"] | None = None
    password: Password | None = None
    old_password: Password | None = None
