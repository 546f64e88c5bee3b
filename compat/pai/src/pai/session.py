"""`setup_default_session` with PAI's keywords. Those that configure a cloud are accepted and ignored."""

from typing import Any

from lightboard import Session, get_default_session
from lightboard import setup_default_session as setup

__all__ = ["Session", "get_default_session", "setup_default_session"]


def setup_default_session(
    access_key_id: str | None = None,
    access_key_secret: str | None = None,
    security_token: str | None = None,
    region_id: str | None = None,
    credential_config: Any = None,
    oss_bucket_name: str | None = None,
    oss_endpoint: str | None = None,
    workspace_id: str | int | None = None,
    **more: Any,
) -> Session:
    """A session for the hub at LIGHTBOARD_URL. `workspace_id` is the project, `access_key_secret` the API token.

    Both are optional. By default, the project is the only one of the account, and the token is that of LIGHTBOARD_TOKEN
    or `lightboard login`.
    """
    del access_key_id, security_token, region_id, credential_config, oss_bucket_name, oss_endpoint, more
    return setup(token=access_key_secret, project=None if workspace_id is None else str(workspace_id))
