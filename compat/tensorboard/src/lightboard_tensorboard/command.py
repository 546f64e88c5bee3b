"""The command `tensorboard`."""

import sys

from lightboard_tensorboard.original import find_original

BOTH = (
    "lightboard-tensorboard: TensorBoard itself is installed too, so this is TensorBoard.\n"
    "hint: Lightboard is `lightboard`, and %tensorboard shows it with TENSORBOARD_BINARY=lightboard. "
    "To end this message: pip uninstall lightboard-tensorboard && pip install --force-reinstall --no-deps tensorboard"
)


def main() -> int | None:
    """Run Lightboard; if TensorBoard is installed, that, after a message."""
    if find_original() is None:
        from lightboard.cli.main import main as run_lightboard

        return run_lightboard()
    print(BOTH, file=sys.stderr)
    from tensorboard.main import run_main

    run_main()
    return None
