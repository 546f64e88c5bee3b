"""The addresses of the hub's API, with a body or query for each that needs one."""

from typing import Any

from lightboard.hub.api.app import create_api

SOURCES = {"sources": [{"uri": "/logs/runs"}]}
NAMESPACE = "/apis/baize.io/v1alpha1/workspaces/{workspace}/clusters/{cluster}/namespaces/{namespace}"
BODIES: dict[tuple[str, str], Any] = {
    ("PATCH", "/api/v1/me"): {"display_name": "Another"},
    ("POST", "/api/v1/tokens"): {"name": "one", "scopes": ["read"]},
    ("POST", "/api/v1/accounts"): {"name": "newcomer"},
    ("PATCH", "/api/v1/accounts/{id}"): {"display_name": "Another"},
    ("PATCH", "/api/v1/permissions"): {"permissions": {"create_projects": True}},
    ("POST", "/api/v1/projects"): {"name": "fresh"},
    ("PATCH", "/api/v1/projects/{id}"): {"display_name": "Another"},
    ("PUT", "/api/v1/projects/{id}/members"): {"account": "guest", "role": "editor"},
    ("POST", "/api/v1/projects/{id}/bindings"): {"kind": "storage", "value": "s3://bucket/fresh"},
    ("PUT", "/api/v1/projects/{id}/secrets/{secret}"): {"value": "s3cret"},
    ("POST", "/api/v1/projects/{id}/invitations"): {"account": "newcomer", "role": "viewer"},
    ("POST", "/api/v1/datasets"): {"kind": "path", "uri": "/logs", "project": "vision"},
    ("PATCH", "/api/v1/datasets/{id}"): {"display_name": "Another"},
    ("POST", "/api/v1/jobs"): {"command": ["true"], "project": "vision"},
    ("PATCH", "/api/v1/jobs/{id}"): {"tensorboard": True},
    ("PUT", "/api/v1/jobs/{id}/priority"): {"priority": 7},
    ("POST", "/api/v1/jobs/{id}/extend"): {"additional_secs": 60},
    ("POST", "/api/v1/jobs/{id}/run-again"): {},
    ("POST", "/api/v1/notebooks"): {"project": "vision"},
    ("POST", "/api/v1/tensorboards"): {**SOURCES, "project": "vision"},
    ("POST", "/api/v1/tensorboards/probe"): {**SOURCES, "project": "vision"},
    ("PATCH", "/api/v1/tensorboards/{id}"): {"display_name": "Another"},
    ("POST", "/api/v1/tensorboards/{id}/extend"): {"additional_secs": 60},
    ("POST", "/api/v1/tensorboards/{id}/sources"): {"uri": "/logs/more"},
    ("POST", "/api/v1/tensorboards/{id}/shares"): {"expires_secs": 60},
    ("POST", f"{NAMESPACE}/jobs"): {"name": "fit", "baseConfig": {"command": ["true"]}},
    ("POST", f"{NAMESPACE}/jobs/{{name}}/actions"): {"action": "RESTART"},
    ("POST", f"{NAMESPACE}/notebooks"): {"name": "lab"},
    ("PUT", f"{NAMESPACE}/notebooks/{{name}}"): {"name": "lab"},
    ("POST", f"{NAMESPACE}/notebooks/{{name}}/actions"): {"action": "STOP"},
}

QUERIES: dict[tuple[str, str], str] = {
    ("POST", "/api/v1/source-code"): "?project=vision",
    ("GET", "/api/v1/source-code/{digest}"): "?project=vision",
    ("GET", "/api/v1/tensorboards/{id}/lineage"): "?run=train",
}
"""Of those that name their project there, or a run."""


def every_operation() -> dict[str, dict[str, dict[str, Any]]]:
    """By path and method, from the router itself: what it leads to, whether or not it is in the OpenAPI document."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for route in create_api().routes:
        for method in route.methods - {"HEAD"}:
            found.setdefault(route.path_format, {})[method] = getattr(route, "openapi_extra", None) or {}
    return found
