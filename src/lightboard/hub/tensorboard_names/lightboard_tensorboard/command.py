"""The command `tensorboard`."""

from lightboard_tensorboard.original import find_original


def main() -> int | None:
    """Run Lightboard; if TensorBoard is installed, that, which loads `notice`."""
    if find_original() is None:
        from lightboard.cli.main import main as run_lightboard

        return run_lightboard()
    from tensorboard.main import run_main

    run_main()
    return None
