"""Runs code in a kernel of a notebook through the WebSocket of its channels, as the page of JupyterLab does."""

import json

from websockets.sync.client import ClientConnection

TIMEOUT_SECS = 120.0


def run_code(kernel: ClientConnection, code: str, number: int = 1) -> str:
    """What a kernel prints. `number` tells requests of one connection apart. Fails if the code does."""
    id = str(number)
    header = {"msg_id": id, "username": "", "session": "s", "msg_type": "execute_request", "version": "5.3"}
    content = {"code": code, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
    kernel.send(
        json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"})
    )
    printed = ""
    while True:
        message = json.loads(kernel.recv(TIMEOUT_SECS))
        if message["parent_header"].get("msg_id") != id:
            continue
        if message["msg_type"] == "stream":
            printed += message["content"]["text"]
        assert message["msg_type"] != "error", "\n".join([printed, *message["content"]["traceback"]])
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return printed
