"""The requests to TensorBoard for all kinds of data but scalars, which `record_answers.py` sends.

A request may have `entry`: [URL of a list, index in it]. Then the `query` (or `imageId`) of that entry is appended to
its URL, since each program has its own names for blobs.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlencode

RequestModel = dict[str, Any]
Answers = Callable[[str], Any]
"""Sends GET to a path, and returns the JSON of the response."""

PLUGIN = "/data/plugin/"
GOOD = {"run": "torch_kinds/a"}
STATUSES = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
PARTS = ("VERTEX", "FACE", "COLOR")
# Layouts and experiments depend on the order of all runs, which is not defined in TensorBoard. These folders have few
# of them, and are served one at a time.
FOLDERS = (
    *("torch", "tensorboardx", "lightning", "tensorflow", "jax"),
    *("torch_kinds", "tensorboardx_kinds", "tensorflow_kinds", "keras_kinds", "hparams_api"),
)


def get(path: str, *pairs: tuple[str, str], **query: Any) -> RequestModel:
    asked = urlencode([*pairs, *query.items()], quote_via=quote)
    return {"method": "GET", "url": PLUGIN + path + ("?" + asked if asked else "")}


def wrong(path: str, **good: Any) -> list[RequestModel]:
    """Requests with each parameter missing, empty, or with an unknown value."""
    asked = [get(path, **{k: v for k, v in good.items() if k != name}) for name in good]
    asked += [get(path, **(good | {name: other})) for name in good for other in ("", "nothing")]
    return [get(path), *asked]


def tagged(tags: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Run, tag and details of each tag in the response of a plugin's /tags."""
    for run in sorted(tags):
        for tag in sorted(tags[run]):
            yield run, tag, tags[run][tag] if isinstance(tags[run], dict) else None


def blobs(ask: Answers, plugin: str, route: str, one: str) -> Iterator[RequestModel]:
    """Requests for images or audio: all lists, and the bytes of the first and last entry of each."""
    yield get(f"{plugin}/tags")
    for run, tag, said in tagged(ask(f"{PLUGIN}{plugin}/tags")):
        for sample in range(said["samples"]):
            listing = get(f"{plugin}/{route}", run=run, tag=tag, sample=sample)
            yield listing
            found = ask(listing["url"])
            for place in sorted({0, len(found) - 1}) if found else ():
                yield get(f"{plugin}/{one}") | {"entry": [listing["url"], place]}
        yield get(f"{plugin}/{route}", run=run, tag=tag, sample=said["samples"])
    tag = "colour" if plugin == "images" else "tone"
    yield from wrong(f"{plugin}/{route}", **GOOD, tag=tag, sample=0)
    yield get(f"{plugin}/{route}", **GOOD, tag=tag, sample=-1)
    yield from (get(f"{plugin}/{one}"), get(f"{plugin}/{one}", blob_key="nothing"))


def histograms(ask: Answers) -> Iterator[RequestModel]:
    for plugin in ("histograms", "distributions"):
        yield get(f"{plugin}/tags")
        for run, tag, _ in tagged(ask(f"{PLUGIN}{plugin}/tags")):
            yield get(f"{plugin}/{plugin}", run=run, tag=tag)
        yield from wrong(f"{plugin}/{plugin}", **GOOD, tag="weights")


def text(ask: Answers) -> Iterator[RequestModel]:
    yield get("text/tags")
    for run, tag, _ in tagged(ask(f"{PLUGIN}text/tags")):
        yield get("text/text", run=run, tag=tag)
        yield get("text/text", run=run, tag=tag, markdown="false")
    yield from wrong("text/text", **GOOD, tag="notes/text_summary", markdown="false")


def pr_curves(ask: Answers) -> Iterator[RequestModel]:
    yield get("pr_curves/tags")
    runs: dict[str, list[str]] = {}
    for run, tag, _ in tagged(ask(f"{PLUGIN}pr_curves/tags")):
        yield get("pr_curves/pr_curves", run=run, tag=tag)
        runs.setdefault(tag, []).append(run)
    for tag, those in runs.items():
        yield get("pr_curves/pr_curves", *(("run", run) for run in those), tag=tag)
    yield get("pr_curves/pr_curves", ("run", GOOD["run"]), ("run", "nothing"), tag="pr")
    yield from wrong("pr_curves/pr_curves", **GOOD, tag="pr")


def mesh(ask: Answers) -> Iterator[RequestModel]:
    """Every list, and every part of every step and sample as bytes."""
    yield get("mesh/tags")
    for run, tag, said in tagged(ask(f"{PLUGIN}mesh/tags")):
        for sample in range(said["samples"]):
            listing = get("mesh/meshes", run=run, tag=tag, sample=sample)
            yield listing
            for one in ask(listing["url"]):
                part = {"content_type": PARTS[one["content_type"] - 1], "step": one["step"]}
                yield get("mesh/data", run=run, tag=tag, sample=sample, **part)
    good = GOOD | {"tag": "solid", "sample": 0}
    yield from wrong("mesh/meshes", **good)
    yield from wrong("mesh/data", **good, content_type="VERTEX", step=1)
    yield get("mesh/data", **good, content_type="VERTEX", step=1.0)
    yield get("mesh/data", **good, content_type="UNDEFINED", step=1)
    yield get("mesh/data", **(good | {"sample": 9}), content_type="VERTEX", step=1)
    yield get("mesh/data", **good, content_type="VERTEX", step=77)


def custom_scalars(ask: Answers) -> Iterator[RequestModel]:
    path = "custom_scalars/scalars"
    for run in sorted(ask(f"{PLUGIN}scalars/tags")):
        if run.rsplit("/", 1)[-1] in ("a", "b", "everything"):
            yield from (
                get(path, run=run, tag=tag) for tag in ("loss.*", "loss/(low|high)", "mean", "", "(", "nothing")
            )
    yield from wrong(path, **GOOD, tag="loss.*")
    for form in ("csv", "json", "xml"):
        yield get("custom_scalars/download_data", **GOOD, tag="loss/mean", format=form)
    yield from wrong("custom_scalars/download_data", **GOOD, tag="loss/mean")


def asked_of_hparams(path: str, said: Any, **query: Any) -> list[RequestModel]:
    """The same as parameter and as body."""
    body = json.dumps(said)
    return [get(f"hparams/{path}", **query, request=body), get(f"hparams/{path}") | {"method": "POST", "body": body}]


def hparams(ask: Answers) -> Iterator[RequestModel]:
    """The experiment; groups sorted, filtered, cut and joined; a metric's curve; the table as file."""
    for said in ({"experimentName": ""}, {"includeMetrics": False}, {"hparamsLimit": 2}):
        yield from asked_of_hparams("experiment", said)
    experiment = ask(f"{PLUGIN}hparams/experiment?request=%7B%7D")
    every = {"allowedStatuses": STATUSES, "sliceSize": 100}
    columns = [{"hparam": info["name"]} for info in experiment["hparamInfos"]]
    measured = [info["name"] for info in experiment["metricInfos"][:8]]
    columns += [{"metric": name} for name in measured]
    requests = [every, {}, every | {"colParams": columns}, every | {"includeMetrics": False, "colParams": columns}]
    requests += [every | {"allowedStatuses": [status], "colParams": columns} for status in STATUSES]
    for column in columns[:8]:
        for order in ("ORDER_ASC", "ORDER_DESC"):
            requests.append(every | {"colParams": [column | {"order": order, "missingValuesFirst": order[-1] == "C"}]})
        requests.append(every | {"colParams": [column | {"excludeMissingValues": True}]})
        requests.append(every | {"colParams": [column | {"includeInResult": False}, *columns]})
        requests.append(every | {"colParams": [column | {"filterRegexp": "a"}]})
        requests.append(every | {"colParams": [column | {"filterDiscrete": ["adam", 0.1, True]}]})
        requests.append(every | {"colParams": [column | {"filterInterval": {"minValue": 0.05, "maxValue": 16}}]})
    for how in ("AVG", "MEDIAN", "MIN", "MAX"):
        joined = {"aggregationType": f"AGGREGATION_{how}", "colParams": columns}
        requests.append(every | joined | ({"aggregationMetric": measured[-1]} if measured else {}))
    requests += [every | {"startIndex": 1, "sliceSize": 2, "colParams": columns}]
    for said in requests:
        yield asked_of_hparams("session_groups", said)[0]
    yield asked_of_hparams("session_groups", requests[2])[1]
    sessions = [s["name"] for g in ask(groups(every | {"colParams": columns}))["sessionGroups"] for s in g["sessions"]]
    for metric in experiment["metricInfos"][:8]:
        for name in sessions[:4]:
            yield asked_of_hparams("metric_evals", {"sessionName": name, "metricName": metric["name"]})[0]
    shown = [json.dumps([i != hidden for i in range(len(columns))]) for hidden in (-1, 0)]
    for form in ("csv", "json", "latex", "xml"):
        said = json.dumps(every | {"colParams": columns})
        yield from (get("hparams/download_data", format=form, columnsVisibility=v, request=said) for v in shown)
    yield from (get(f"hparams/{path}") for path in ("experiment", "session_groups", "metric_evals", "download_data"))
    yield from (get(f"hparams/{path}", request="not json") for path in ("experiment", "session_groups", "metric_evals"))


def groups(said: Any) -> str:
    return str(asked_of_hparams("session_groups", said)[0]["url"])


def projector(ask: Answers) -> Iterator[RequestModel]:
    yield get("projector/runs")
    for run in sorted(ask(f"{PLUGIN}projector/runs")):
        yield get("projector/info", run=run)
        for one in ask(get("projector/info", run=run)["url"]).get("embeddings", []):
            for path in ("tensor", "metadata", "bookmarks", "sprite_image"):
                yield get(f"projector/{path}", run=run, name=one["tensorName"])
            yield get("projector/tensor", run=run, name=one["tensorName"], num_rows=3)
            yield get("projector/metadata", run=run, name=one["tensorName"], num_rows=3)
    run = "torch_kinds/embedding"
    yield from (get("projector/info"), get("projector/info", run="nothing"))
    for path in ("tensor", "metadata", "bookmarks", "sprite_image"):
        yield from wrong(f"projector/{path}", run=run, name="default:00000")
    yield get("projector/tensor", run=run, name="default:00000", num_rows="many")


def timeseries(ask: Answers) -> Iterator[RequestModel]:
    """Histograms and images of every tag as the Time Series page asks for them."""
    path = "timeseries/timeSeries"
    for run, tag, _ in tagged(ask(f"{PLUGIN}histograms/tags")):
        yield get(path, requests=json.dumps([{"plugin": "histograms", "tag": tag, "run": run}]))
    for run, tag, said in tagged(ask(f"{PLUGIN}images/tags")):
        for sample in range(said["samples"]):
            asked = {"plugin": "images", "tag": tag, "run": run, "sample": sample}
            listing = get(path, requests=json.dumps([asked]))
            yield listing
            found = ask(listing["url"])[0].get("runToSeries", {}).get(run, [])
            if found and sample == 0:
                yield get("timeseries/imageData") | {"entry": [listing["url"], len(found) - 1]}
    for one in ({"plugin": "histograms", "tag": "weights"}, {"plugin": "images", "tag": "colour"}):
        for more in (
            {},
            GOOD,
            {"run": "nothing"},
            GOOD | {"sample": 0},
            GOOD | {"sample": 9},
            GOOD | {"tag": "nothing"},
        ):
            yield get(path, requests=json.dumps([one | more]))


def kinds(ask: Answers) -> list[RequestModel]:
    """All of them about one log directory, but for what depends on the order in which its runs are found."""
    return [
        *blobs(ask, "images", "images", "individualImage"),
        *blobs(ask, "audio", "audio", "individualAudio"),
        *histograms(ask),
        *text(ask),
        *pr_curves(ask),
        *mesh(ask),
        *custom_scalars(ask),
        *projector(ask),
        *timeseries(ask),
    ]


def of_folder(ask: Answers) -> list[RequestModel]:
    """What depends on all the runs of a log directory."""
    return [get("custom_scalars/layout"), *hparams(ask)]
