"""Which signals end a server."""

import signal


def ending_signals() -> tuple[signal.Signals, ...]:
    """Ctrl-C, a polite kill, and the end of the terminal unless `nohup` asked to outlive it."""
    always = (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return always
    return (*always, signal.SIGHUP)


def end_on_signals() -> None:
    """From now on each of them raises KeyboardInterrupt, so that what was begun can be taken away again."""
    for each in ending_signals():
        signal.signal(each, signal.default_int_handler)
