"""`tensorboard` where TensorBoard is not installed: the notebook extension, and `python -m tensorboard.main`.

In the same folder, Python takes the package of TensorBoard instead. If that is in a folder further down the path, this
module loads it and is replaced by it. Without Lightboard there is no module: notebooks of a hub have this folder on the
path of every Python.
"""

import os
import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

import lightboard_tensorboard
from lightboard_tensorboard.original import find_original

MISSING = (
    "this needs TensorBoard itself, which is not installed: lightboard-tensorboard has only its command and its "
    "notebook extension. Both can be installed: pip install tensorboard"
)
ABSENT = "No module named 'tensorboard', nor 'lightboard', which would show boards instead"

__path__ = [os.path.join(os.path.dirname(lightboard_tensorboard.__file__), "submodules")]

_original = find_original()
if _original is not None and _original.loader is not None:
    _module = module_from_spec(_original)
    sys.modules[__name__] = _module
    _original.loader.exec_module(_module)
elif find_spec("lightboard") is None:
    raise ModuleNotFoundError(ABSENT, name=__name__)


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext tensorboard`: makes `%tensorboard` available, and `%lightboard`."""
    from lightboard.notebook.magic import register

    register(ipython, "tensorboard", "lightboard")


def __getattr__(name: str) -> Any:
    """Raises ImportError for the version, which the writer of PyTorch looks at before it imports anything else."""
    if name == "__version__":
        raise ImportError(MISSING)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
