"""Accounts, and how one gets in."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

Password = Annotated[str, Field(min_length=1, max_length=1024)]
PermissionWord = Literal[
    "use_tensorboards", "create_projects", "share_publicly", "disable_http_auth", "run_without_end"
]
AccountName = Annotated[str, Field(min_length=3, max_length=40)]


class AccountAnswer(Answer):
    """`limit` is how many TensorBoards it may have in use; `own_limit` null where that is the hub's.

    `permissions` is what it is permitted, `own_permissions` where that is not as the hub's defaults say.
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


class Accounts(Answer):
    """All of them."""

    items: list[AccountAnswer]


class Membership(Answer):
    """A project of the asker, and what they may do in it."""

    project: str
    name: str
    display_name: str
    role: Literal["owner", "admin", "editor", "viewer"]
    rights: list[str]


class Me(Answer):
    """Who is logged in; `invitations` is the number of those that wait for an answer.

    `csrf` goes into the header X-CSRF-Token of every change that a page makes with its cookie.
    """

    account: AccountAnswer
    memberships: list[Membership]
    in_use: int
    csrf: str
    hub_rights: list[str]
    invitations: int


class Entry(Answer):
    """What somebody who is not logged in needs to know: how to get in. `setup` while there is no account yet."""

    version: str
    title: str
    setup: bool
    password: bool
    oidc: str


class Login(HubQuestion):
    """Name (or email) and password."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: Password


class SetUp(HubQuestion):
    """The first account; `key` is from the one-time link."""

    key: Annotated[str, Field(max_length=200)]
    name: AccountName
    password: Password
    display_name: Annotated[str, Field(max_length=200)] = ""


class CreateAccount(HubQuestion):
    """Made by an administrator; without a password the account can only use tokens or the outside login."""

    name: AccountName
    password: Password | None = None
    display_name: Annotated[str, Field(max_length=200)] = ""
    email: Annotated[str, Field(max_length=320)] = ""
    kind: Literal["user", "service"] = "user"
    administrator: bool = False


class ChangeAccount(HubQuestion):
    """By an administrator; null leaves as it is. `own_limit` -1 is the hub's, and so is null for one permission."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=320)] | None = None
    administrator: bool | None = None
    disabled: bool | None = None
    own_limit: Annotated[int, Field(ge=-1, le=100_000)] | None = None
    password: Password | None = None
    permissions: dict[PermissionWord, bool | None] | None = None


class PermissionAnswer(Answer):
    """`allowed` is what accounts have for which there is no exception."""

    name: PermissionWord
    what: str
    allowed: bool


class Permissions(Answer):
    """All there are."""

    items: list[PermissionAnswer]


class ChangePermissions(HubQuestion):
    """Defaults of the hub; what is left out stays."""

    permissions: dict[PermissionWord, bool]


class ChangeMe(HubQuestion):
    """One's own account; a new password wants the old one."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    email: Annotated[str, Field(max_length=320)] | None = None
    language: Literal["", "en", "zh", "ru"] | None = None
    password: Password | None = None
    old_password: Password | None = None
