"""The signals that stop a server."""

import signal


def stop_signals() -> tuple[signal.Signals, ...]:
    """SIGINT, SIGTERM, and SIGHUP unless it is ignored, as under `nohup`."""
    always = (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return always
    return (*always, signal.SIGHUP)


def interrupt_on_signals() -> None:
    """Raise KeyboardInterrupt on each of these signals, so that cleanup runs."""
    for stop_signal in stop_signals():
        signal.signal(stop_signal, signal.default_int_handler)
