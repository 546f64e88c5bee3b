"""A plugin of TensorBoard that shows nothing and says once, at each start, which of two installed programs this is.

TensorBoard loads it, whoever was installed last and has the command `tensorboard`.
"""

import sys
from typing import Any

from tensorboard.plugins.base_plugin import TBLoader

BOTH = (
    "lightboard-tensorboard: TensorBoard itself is installed too, so this is TensorBoard.\n"
    "hint: Lightboard is `lightboard`, and %tensorboard shows it with TENSORBOARD_BINARY=lightboard. "
    "To end this message: pip uninstall lightboard-tensorboard && pip install --force-reinstall --no-deps tensorboard"
)


class NoticeLoader(TBLoader):
    """Its default loads no plugin."""

    def define_flags(self, _parser: Any) -> None:
        """Called once, before flags are parsed: there are none, but whoever is at the terminal reads the message."""
        print(BOTH, file=sys.stderr)
