"""What became of the tests of a run, and the seconds they took."""

import collections
import json
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Result:
    """What the journal of a run says."""

    outcomes: dict[str, str] = field(default_factory=dict)
    """`passed`, `skipped`, `failed`, or `unfinished`, by test."""
    secs: dict[str, float] = field(default_factory=dict)

    def with_outcome(self, *outcomes: str) -> list[str]:
        """Tests that ended so, in the order in which they ran."""
        return [test for test, outcome in self.outcomes.items() if outcome in outcomes]

    @property
    def bad(self) -> list[str]:
        """Tests that failed, or took their process down."""
        return self.with_outcome("failed", "unfinished")


def read_journal(folder: pathlib.Path) -> Result:
    """The outcome and time of each test that started."""
    result = Result()
    for file in sorted(folder.glob("*.jsonl")):
        for line in map(json.loads, file.read_text().splitlines()):
            test = line["test"]
            if "when" not in line:
                result.outcomes.setdefault(test, "unfinished")
                continue
            result.secs[test] = result.secs.get(test, 0) + line["secs"]
            if line["outcome"] == "failed" or result.outcomes.get(test) == "failed":
                result.outcomes[test] = "failed"
            elif line["when"] == "teardown":
                result.outcomes[test] = "skipped" if result.outcomes.get(test) == "skipping" else "passed"
            elif line["outcome"] == "skipped":
                result.outcomes[test] = "skipping"
    return result


def merge(results: Sequence[Result]) -> Result:
    """All in one."""
    whole = Result()
    for each in results:
        whole.outcomes |= each.outcomes
        whole.secs |= each.secs
    return whole


def area(test: str) -> str:
    """The folder of `tests` that a test is in, or its file."""
    parts = test.partition("::")[0].split("/")
    return "/".join(parts[:2])


def print_times(result: Result) -> None:
    """Seconds of workers by folder, the longest first."""
    by_area: dict[str, list[float]] = collections.defaultdict(list)
    for test, secs in result.secs.items():
        by_area[area(test)].append(secs)
    print(f"\n{'folder':34}{'tests':>7}{'seconds':>9}")
    for name, times in sorted(by_area.items(), key=lambda each: -sum(each[1])):
        print(f"{name:34}{len(times):7,}{sum(times):9,.0f}")
    slowest = sorted(result.secs.items(), key=lambda each: -each[1])[:10]
    print("\nslowest:", *(f"{secs:7.1f} s  {test}" for test, secs in slowest), sep="\n")
