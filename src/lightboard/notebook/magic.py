"""`%lightboard`: shows a board in the cell, lists the boards that notebooks have started, and stops them.

%lightboard --logdir runs      any flags of the command line
%lightboard list
%lightboard stop [PORT]
"""

import os
import shlex
from typing import Any

from lightboard import __version__
from lightboard.errors import LightboardError, UsageError
from lightboard.notebook.board_process import EndedError, failure, find_or_start, stop
from lightboard.notebook.board_record import BoardCommand, BoardRecord, records_folder, running_boards
from lightboard.notebook.frame import HEIGHT, Frame
from lightboard.notebook.proxy import find_proxy


def register(ipython: Any, *names: str) -> None:
    """Make the magic available under these names in an `InteractiveShell`."""
    for name in names:
        ipython.register_magic_function(run_line, "line", name)


def run_line(line: str) -> None:
    """The magic. Errors are shown without a traceback."""
    from IPython.core.error import UsageError as MagicError

    try:
        run(shlex.split(line, comments=True))
    except LightboardError as error:
        raise MagicError(f"{error.message}\nhint: {error.hint}" if error.hint else error.message) from None
    except ValueError as error:  # of shlex
        raise MagicError(f"{error}: {line}") from None


def run(words: list[str]) -> None:
    """Run the words of a line. Raises LightboardError."""
    if words[:1] == ["list"]:
        list_boards()
    elif words[:1] == ["stop"]:
        stop_board(words[1:])
    elif words[:1] == ["hub"]:
        raise UsageError("a hub does not run in a notebook", hint="start `lightboard hub` in a terminal")
    else:
        show(*words)


def show(*words: str, height: int = HEIGHT) -> None:
    """Show the board of a command line in the cell: `show("runs")`, `show("--logdir", "runs", height=400)`.

    A board that runs for the same words and working directory is reused. A command that serves nothing, such as
    `--inspect`, is run to its end, and its output is printed.

    Raises:
        LaunchError: the command has failed; the message is what it has printed.
    """
    proxy = find_proxy()
    trusted = proxy.url if proxy and proxy.trusted else ""
    try:
        board = find_or_start(BoardCommand(__version__, os.getcwd(), words, trusted))
    except EndedError as ended:
        if ended.code:
            raise failure(ended) from None
        print(ended.output)
    else:
        show_board(board, height)


def show_board(board: BoardRecord, height: int = HEIGHT) -> None:
    """Show a running board in the cell."""
    from IPython.display import display

    proxy, address = find_proxy(), board.address
    page = proxy.page(address.port, address.prefix) if proxy else address.url
    display(Frame(page, address.url, address.port, proxy is not None, height))  # type: ignore[no-untyped-call]


def list_boards() -> None:
    """Print the boards that notebooks of this user have started on this machine. Raises LaunchError."""
    boards = running_boards(records_folder())
    for board in boards:
        print(
            f"{board.address.port}: {shlex.join(board.command.words)}, in {board.command.folder} (process {board.pid})"
        )
    if not boards:
        print("no boards are running")


def stop_board(words: list[str]) -> None:
    """Stop the board on a port, or the only one. Raises LightboardError."""
    board = chosen_board(words)
    stop(board)
    print(f"stopped the board on port {board.address.port}")


def chosen_board(words: list[str]) -> BoardRecord:
    """The board on the port in `words`, or the only one. Raises UsageError."""
    boards = running_boards(records_folder())
    ports = [str(board.address.port) for board in boards]
    if not boards:
        raise UsageError("no boards are running", hint="only boards that a notebook has started are listed")
    if not words and len(boards) == 1:
        return boards[0]
    if not words:
        raise UsageError("several boards are running", hint=f"give one of the ports {', '.join(ports)}")
    if len(words) > 1 or words[0] not in ports:
        raise UsageError(
            f"no board of a notebook has port {shlex.join(words)}", hint=f"there are boards on {', '.join(ports)}"
        )
    return boards[ports.index(words[0])]
