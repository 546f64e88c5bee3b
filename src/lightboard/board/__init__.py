"""The viewer's HTTP API and the server that wires it."""
