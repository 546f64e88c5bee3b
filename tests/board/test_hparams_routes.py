"""Hyperparameter routes, of the API and of TensorBoard."""

import json
from typing import Any

import pytest

from lightboard.schema.hparams import Hparams
from lightboard.testing.event_files import hparams_end_record, hparams_start_record, scalar_record
from support.board_client import BoardClient, start_threads

PLUGIN = "/data/plugin/hparams"
STATUSES = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
EVERYTHING = {"allowedStatuses": STATUSES, "sliceSize": 100}


@pytest.fixture(scope="module")
def client() -> BoardClient:
    """A board over two sessions."""
    made = BoardClient({})
    first = [hparams_start_record({"lr": 3e-4, "big_one": True}), scalar_record("acc", 5, 0.5, 100.0)]
    second = [hparams_start_record({"lr": 0.1, "name": "50%"}, "g"), hparams_end_record()]
    made.memory.storage.write("a/events.tfevents.0", b"".join(first))
    made.memory.storage.write("b/events.tfevents.0", b"".join(second))
    made.memory.refresh()
    start_threads(made.shared.pool)
    return made


def ask(client: BoardClient, path: str, said: Any) -> Any:
    """A question in the body."""
    return client.post(f"{PLUGIN}/{path}", content=json.dumps(said)).json()


def test_full_experiment(client: BoardClient) -> None:
    """With empty fields; of the domains, the set one."""
    bare = {"displayName": "", "description": ""}

    assert ask(client, "experiment", {}) == {
        "name": "",
        "description": "",
        "user": "",
        "timeCreatedSecs": 0.0,
        "hparamInfos": [
            {
                "name": "lr",
                "type": "DATA_TYPE_FLOAT64",
                "differs": True,
                "domainInterval": {"minValue": 3e-4, "maxValue": 0.1},
                **bare,
            },
            {"name": "big_one", "type": "DATA_TYPE_BOOL", "differs": False, "domainDiscrete": [True], **bare},
            {"name": "name", "type": "DATA_TYPE_STRING", "differs": False, "domainDiscrete": ["50%"], **bare},
        ],
        "metricInfos": [{"name": {"group": "", "tag": "acc"}, "datasetType": "DATASET_UNKNOWN", **bare}],
    }


def test_partial_experiment(client: BoardClient) -> None:
    """Both field spellings, in body or query."""
    few = ask(client, "experiment", {"hparams_limit": 1, "includeMetrics": False})
    same = client.get(f"{PLUGIN}/experiment", params={"request": '{"hparamsLimit": "1", "include_metrics": false}'})

    assert [info["name"] for info in few["hparamInfos"]] == ["lr"]
    assert few["metricInfos"] == []
    assert same.json() == few


def test_full_session_groups(client: BoardClient) -> None:
    """A page with sessions and the total."""
    value = {"name": {"group": "", "tag": "acc"}, "value": 0.5, "trainingStep": 5, "wallTimeSecs": 100.0}
    session = {"startTimeSecs": 0.0, "endTimeSecs": 0.0, "modelUri": "", "monitorUrl": ""}

    assert ask(client, "session_groups", EVERYTHING | {"start_index": 0, "slice_size": 1} | {"sliceSize": None}) == {
        "sessionGroups": [
            {
                "name": "a",
                "hparams": {"lr": 3e-4, "big_one": True},
                "metricValues": [value],
                "sessions": [{"name": "a", "status": "STATUS_UNKNOWN", "metricValues": [value], **session}],
                "monitorUrl": "",
            }
        ],
        "totalSize": 2,
    }


def test_metric_points(client: BoardClient) -> None:
    """As rows of /scalars; missing ones are 404."""
    said = {"sessionName": "a", "metricName": {"tag": "acc"}}

    assert ask(client, "metric_evals", said) == [[100.0, 5, 0.5]]
    assert client.post(f"{PLUGIN}/metric_evals", content=json.dumps(said | {"sessionName": "b"})).status_code == 404


@pytest.mark.parametrize(
    ("form", "media_type", "expected"),
    [
        ("csv", "text/csv; charset=utf-8", "lr,big_one,acc\r\n0.0003,True,0.5\r\n0.1,,\r\n"),
        ("json", "application/json", '{"header":["lr","big_one","acc"],"rows":[[0.0003,true,0.5],[0.1,"",null]]}'),
        (
            "latex",
            "application/x-latex",
            "\\begin{table}[tbp]\n\\begin{tabular}{lll}\nlr & big\\_one & acc \\\\ \\hline\n"
            "$0.0003$ & $1$ & $0.5$ \\\\\n$0.1$ &  & - \\\\\n\\hline\n\\end{tabular}\n\\end{table}\n",
        ),
    ],
)
def test_table_download(client: BoardClient, form: str, media_type: str, expected: str) -> None:
    """Visible columns only."""
    params = {"format": form, "columnsVisibility": "[true, true, false, true]", "request": json.dumps(EVERYTHING)}
    answer = client.get(f"{PLUGIN}/download_data", params=params)

    assert (answer.headers["content-type"], answer.text) == (media_type, expected)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("experiment", ""),
        ("experiment", "[" * 50_000),
        ("experiment", '{"nonsense": 1}'),
        ("experiment", '{"hparams_limit": 1, "hparamsLimit": 2}'),
        ("experiment", '{"hparamsLimit": 1e99}'),
        ("session_groups", '{"sliceSize": 1.5}'),
        ("session_groups", '{"allowedStatuses": ["NO_STATUS"]}'),
        ("session_groups", '{"colParams": [{"hparam": "a", "metric": {"tag": "b"}}]}'),
        ("session_groups", '{"colParams": [{"order": "ORDER_ASC"}]}'),
        ("session_groups", '{"colParams": [{"hparam": "name", "filterRegexp": "("}]}'),
        ("session_groups", '{"colParams": [{"hparam": "lr", "filterInterval": {"minValue": NaN}}]}'),
        ("metric_evals", "not json"),
    ],
)
def test_invalid_requests(client: BoardClient, path: str, text: str) -> None:
    """TensorBoard's status codes."""
    assert client.post(f"{PLUGIN}/{path}", content=text).status_code == 400


def test_unknown_formats(client: BoardClient) -> None:
    """And invalid column lists."""
    said = json.dumps(EVERYTHING)
    for params in ({"format": "xml", "columnsVisibility": "[]"}, {"format": "csv", "columnsVisibility": "no"}):
        assert client.get(f"{PLUGIN}/download_data", params=params | {"request": said}).status_code == 400


def test_trials_response(client: BoardClient) -> None:
    """In the documented shape."""
    answer = client.get("/api/v1/hparams")
    read = Hparams.model_validate_json(answer.content)

    assert [(trial.run, trial.members) for trial in read.trials] == [(0, {"": [0]}), (1, {"": [1]})]
    assert [(parameter.name, parameter.differs) for parameter in read.parameters] == [
        ("lr", True),
        ("big_one", False),
        ("name", False),
    ]
    assert [(metric.group, metric.tag, metric.trials) for metric in read.metrics] == [("", "acc", 1)]
