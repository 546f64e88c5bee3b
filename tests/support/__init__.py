"""Clients, servers, fakes and log writers that tests share: `from support.board_client import ...`."""
