"""Roles of accounts in projects, and scopes of tokens."""

from enum import StrEnum


class Role(StrEnum):
    """The role of an account in a project, highest first."""

    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    VIEWER = "viewer"


class Scope(StrEnum):
    """READ allows reading, WRITE creating and changing, ADMIN managing people, tokens and settings."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
