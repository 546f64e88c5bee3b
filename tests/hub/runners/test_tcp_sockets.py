"""The tables of TCP sockets."""

import sys

import pytest

from lightboard.hub.runners.tcp_sockets import TcpSocket, parse_table

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
REST = "00000000:00000000 00:00000000 00000000  1000        0"
TABLE = [
    HEAD,
    f"   0: 0100007F:1F90 00000000:0000 0A {REST} 4242 1 0000000000000000 100 0 0 10 0\n",
    f"   1: 0100007F:1F91 0100007F:1F90 01 {REST} 77 1 0000000000000000 20 4 30 10 -1\n",
    f"   2: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C350 01 {REST} 0 1 0\n",
    f"   3: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A {REST} 5 1 0\n",
]


@pytest.mark.skipif(sys.byteorder != "little", reason="the tables are in the order of the machine")
def test_addresses_of_both_kinds_are_read() -> None:
    """Of the wanted local port alone. What nobody has accepted has no inode."""
    assert list(parse_table(TABLE, 8080)) == [
        TcpSocket(("127.0.0.1", 8080), ("0.0.0.0", 0), True, 4242),
        TcpSocket(("127.0.0.1", 8080), ("127.0.0.1", 50000), False, 0),
        TcpSocket(("::1", 8080), ("::", 0), True, 5),
    ]
