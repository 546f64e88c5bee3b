"""The variables by which the replicas of one workload find each other.

`MASTER_ADDR`, `MASTER_PORT`, `RANK`, `LOCAL_RANK`, `GROUP_RANK` and the sizes are those of torchrun
(docs.pytorch.org/docs/stable/elastic/run.html); `TF_CONFIG` is TensorFlow's cluster of workers.
"""

import json
from collections.abc import Sequence


def rendezvous_variables(rank: int, addresses: Sequence[tuple[str, int]]) -> dict[str, str]:
    """The variables of the replica `rank`. `addresses` are the host and port of each replica, by rank."""
    if len(addresses) < 2:  # a script that finds them waits for others
        return {}
    host, port = addresses[0]
    size = str(len(addresses))
    cluster = {"worker": [f"{host}:{port}" for host, port in addresses]}
    return {
        "MASTER_ADDR": host,
        "MASTER_PORT": str(port),
        "WORLD_SIZE": size,
        "RANK": str(rank),
        "GROUP_WORLD_SIZE": size,
        "GROUP_RANK": str(rank),
        "LOCAL_WORLD_SIZE": "1",
        "LOCAL_RANK": "0",
        "TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": "worker", "index": rank}}),
    }
