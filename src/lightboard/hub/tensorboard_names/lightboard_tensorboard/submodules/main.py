"""`python -m tensorboard.main`."""

from lightboard_tensorboard.command import main

if __name__ == "__main__":
    raise SystemExit(main())
