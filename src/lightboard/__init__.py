"""Lightboard opens any folder of TensorBoard event files: every point, at once, live."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lightboard.client.estimator import Estimator
    from lightboard.client.project_secrets import Secret
    from lightboard.client.projects import Project
    from lightboard.client.session import Session, get_default_session, setup_default_session
    from lightboard.client.tensorboards import TensorBoard
    from lightboard.client.training_jobs import TrainingJob

__version__ = "0.2.0"
__all__ = [
    "Estimator",
    "Project",
    "Secret",
    "Session",
    "TensorBoard",
    "TrainingJob",
    "__version__",
    "get_default_session",
    "setup_default_session",
]

_HOMES = {
    "Estimator": "estimator",
    "Project": "projects",
    "Secret": "project_secrets",
    "Session": "session",
    "TensorBoard": "tensorboards",
    "TrainingJob": "training_jobs",
    "get_default_session": "session",
    "setup_default_session": "session",
}


def __getattr__(name: str) -> Any:
    """The SDK's names, loaded when they are first used: a board needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"lightboard.client.{_HOMES[name]}"), name)


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext lightboard`: makes `%lightboard` available."""
    from lightboard.notebook.magic import register

    register(ipython, "lightboard")
