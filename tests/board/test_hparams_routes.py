"""The addresses of hyper-parameters, TensorBoard's and ours; the corpus compares the former with recorded answers."""

import json
from typing import Any

import pytest
from asking import Asker

from lightboard.schema.hparams import Hparams
from lightboard.testing.event_files import hparams_end_record, hparams_start_record, scalar_record

PLUGIN = "/data/plugin/hparams"
STATUSES = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
EVERYTHING = {"allowedStatuses": STATUSES, "sliceSize": 100}


@pytest.fixture(scope="module")
def asker() -> Asker:
    """A board over two sessions."""
    made = Asker({})
    first = [hparams_start_record({"lr": 3e-4, "big_one": True}), scalar_record("acc", 5, 0.5, 100.0)]
    second = [hparams_start_record({"lr": 0.1, "name": "50%"}, "g"), hparams_end_record()]
    made.memory.storage.write("a/events.tfevents.0", b"".join(first))
    made.memory.storage.write("b/events.tfevents.0", b"".join(second))
    made.memory.look()
    return made


def ask(asker: Asker, path: str, said: Any) -> Any:
    """A question in the body."""
    return asker.post(f"{PLUGIN}/{path}", content=json.dumps(said)).json()


def test_an_experiment_in_full(asker: Asker) -> None:
    """Fields that say nothing are there too; of the domains only the one there is."""
    bare = {"displayName": "", "description": ""}

    assert ask(asker, "experiment", {}) == {
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


def test_less_of_an_experiment(asker: Asker) -> None:
    """Both spellings of the question, in the body or the address."""
    few = ask(asker, "experiment", {"hparams_limit": 1, "includeMetrics": False})
    same = asker.get(f"{PLUGIN}/experiment", params={"request": '{"hparamsLimit": "1", "include_metrics": false}'})

    assert [info["name"] for info in few["hparamInfos"]] == ["lr"]
    assert few["metricInfos"] == []
    assert same.json() == few


def test_groups_in_full(asker: Asker) -> None:
    """A page of groups with their sessions, and how many there are."""
    value = {"name": {"group": "", "tag": "acc"}, "value": 0.5, "trainingStep": 5, "wallTimeSecs": 100.0}
    session = {"startTimeSecs": 0.0, "endTimeSecs": 0.0, "modelUri": "", "monitorUrl": ""}

    assert ask(asker, "session_groups", EVERYTHING | {"start_index": 0, "slice_size": 1} | {"sliceSize": None}) == {
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


def test_points_of_a_metric(asker: Asker) -> None:
    """As rows of /scalars; a session that has none is not found."""
    said = {"sessionName": "a", "metricName": {"tag": "acc"}}

    assert ask(asker, "metric_evals", said) == [[100.0, 5, 0.5]]
    assert asker.post(f"{PLUGIN}/metric_evals", content=json.dumps(said | {"sessionName": "b"})).status_code == 404


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
def test_the_table_to_take_away(asker: Asker, form: str, media_type: str, expected: str) -> None:
    """Visible columns only."""
    params = {"format": form, "columnsVisibility": "[true, true, false, true]", "request": json.dumps(EVERYTHING)}
    answer = asker.get(f"{PLUGIN}/download_data", params=params)

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
def test_questions_that_make_no_sense(asker: Asker, path: str, text: str) -> None:
    """Are refused with TensorBoard's status."""
    assert asker.post(f"{PLUGIN}/{path}", content=text).status_code == 400


def test_a_form_that_nobody_knows(asker: Asker) -> None:
    """And columns that are no list."""
    said = json.dumps(EVERYTHING)
    for params in ({"format": "xml", "columnsVisibility": "[]"}, {"format": "csv", "columnsVisibility": "no"}):
        assert asker.get(f"{PLUGIN}/download_data", params=params | {"request": said}).status_code == 400


def test_our_own_answer(asker: Asker) -> None:
    """All trials and what is known of them, in the form that is described."""
    answer = asker.get("/api/v1/hparams")
    read = Hparams.model_validate_json(answer.content)

    assert [(trial.run, trial.members) for trial in read.trials] == [(0, {"": [0]}), (1, {"": [1]})]
    assert [(parameter.name, parameter.differs) for parameter in read.parameters] == [
        ("lr", True),
        ("big_one", False),
        ("name", False),
    ]
    assert [(metric.group, metric.tag, metric.trials) for metric in read.metrics] == [("", "acc", 1)]
