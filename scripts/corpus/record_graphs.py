"""Record what TensorBoard's graph routes answer about the corpus: record_graphs.py LOGS OUTPUT.json.gz

Asks its plugin in process, over its Python loader. Needs TensorBoard and nothing else.
"""

import gzip
import json
import pathlib
import sys
from typing import Any

from tensorboard import context
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from tensorboard.plugins.graph import graphs_plugin

FOLDERS = (
    *("torch", "tensorflow", "keras", "tf-v1-all", "tf215-keras-full", "tf215-trace-seed004", "tf23-keras-full"),
    *("tf23-trace-seed004", "hand"),
)
"""The folders with graphs."""

LIMIT = {"limit_attr_size": 64, "large_attrs_key": "_too_large_attrs"}


def plugin_over(folder: pathlib.Path) -> graphs_plugin.GraphsPlugin:
    """TensorBoard's plugin over a logdir."""
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(folder))
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(folder))
    return graphs_plugin.GraphsPlugin(base_plugin.TBContext(data_provider=provider, logdir=str(folder)))


def answers_of(plugin: graphs_plugin.GraphsPlugin) -> dict[str, Any]:
    """The answer to /info, and every text by route, run, tag and parameters."""
    asked = context.RequestContext()
    info = plugin.info_impl(asked, "")
    texts = []
    for run, row in sorted(info.items()):
        graphs: list[tuple[str | None, bool]] = [(None, False)] if row["run_graph"] else []
        for tag, flags in sorted(row["tags"].items()):
            graphs += [(tag, False)] * flags["op_graph"] + [(tag, True)] * flags["conceptual_graph"]
            if flags["profile"]:
                text, _ = plugin.run_metadata_impl(asked, "", run, tag)
                texts.append({"route": "run_metadata", "query": {"run": run, "tag": tag}, "text": text})
        for tag, conceptual in graphs:
            text, _ = plugin.graph_impl(asked, run, tag, conceptual, "", **LIMIT)
            query = {"run": run, **({"tag": tag} if tag else {}), **({"conceptual": "true"} if conceptual else {})}
            texts.append({"route": "graph", "query": query | LIMIT, "text": text})
    return {"info": info, "texts": texts}


if __name__ == "__main__":
    logs, output = map(pathlib.Path, sys.argv[1:])
    recorded = {folder: answers_of(plugin_over(logs / folder)) for folder in FOLDERS}
    output.write_bytes(gzip.compress(json.dumps(recorded, ensure_ascii=False).encode(), mtime=0))
