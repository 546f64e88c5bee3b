"""Launchers run boards: the protocol (`base`), worker processes on this machine (`local`), and a fake (`memory`)."""
