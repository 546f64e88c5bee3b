"""`from tensorboard import notebook`, with the functions that TensorBoard documents."""

from lightboard.notebook.frame import HEIGHT
from lightboard.notebook.magic import chosen_board, list_boards, run_line, show_board


def start(args_string: str) -> None:
    """Show the board of a command line in the cell, as `%tensorboard` does."""
    run_line(args_string)


def display(port: int | None = None, height: int | None = None) -> None:
    """Show a running board in the cell: the one on `port`, or the only one. Raises UsageError if there is none."""
    show_board(chosen_board([] if port is None else [str(port)]), HEIGHT if height is None else height)


def list() -> None:
    """Print the boards that run."""
    list_boards()
