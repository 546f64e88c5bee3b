"""What an account is in a project, and what a token is for."""

from enum import StrEnum


class Role(StrEnum):
    """Of an account in a project, highest first."""

    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    VIEWER = "viewer"


class Scope(StrEnum):
    """What a token is for: READ looks, WRITE makes and changes, ADMIN is for people, tokens and settings."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
