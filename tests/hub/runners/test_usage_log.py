"""What a replica has used over time: samples that become longer, in a file that stays small."""

from dataclasses import replace
from pathlib import Path

from lightboard.hub.resources.replicas import GpuUsage, ResourceUsage
from lightboard.hub.resources.usage_history import MAX_SAMPLES, UsageSample, thinned
from lightboard.hub.runners.usage_log import UsageLogWriter, read_usage_log

USAGE = ResourceUsage(cpu_secs=0.0, memory_bytes=100, processes=1)


def sample(at: float, secs: float = 1.0, cpus: float = 1.0, **fields: object) -> UsageSample:
    """A sample of a replica that always uses the same."""
    return replace(UsageSample(at=at, secs=secs, cpus=cpus, memory_bytes=100, processes=1), **fields)  # type: ignore[arg-type]


def written(path: Path, count: int) -> UsageLogWriter:
    """A log of as many seconds, in each of which one second of processor time was needed."""
    log = UsageLogWriter(path, 1.0)
    for second in range(1, count + 1):
        log.add(1_000.0 + second, 1.0, replace(USAGE, cpu_secs=float(second)))
    return log


def test_there_is_a_sample_for_each_second_at_first(tmp_path: Path) -> None:
    written(tmp_path / "log", 3)
    assert read_usage_log(tmp_path / "log") == [sample(1_001), sample(1_002), sample(1_003)]


def test_measurements_within_a_sample_are_means_and_peaks(tmp_path: Path) -> None:
    gpu = GpuUsage(id=2, utilization=1.0, memory_bytes=10, total_memory_bytes=99)
    log = UsageLogWriter(tmp_path / "log", 1.0)
    log.add(1_000.75, 0.75, replace(USAGE, cpu_secs=1.5, memory_bytes=300, gpus=(gpu,)))
    log.add(1_001.0, 0.25, replace(USAGE, cpu_secs=1.5, processes=4))
    assert read_usage_log(tmp_path / "log") == [
        sample(1_001, cpus=1.5, memory_bytes=300, processes=4, gpus=(replace(gpu, utilization=0.75),))
    ]


def test_a_sample_that_is_not_full_is_written_at_the_end(tmp_path: Path) -> None:
    log = UsageLogWriter(tmp_path / "log", 1.0)
    log.add(1_000.5, 0.5, replace(USAGE, cpu_secs=0.25))
    before = read_usage_log(tmp_path / "log")
    log.close()
    assert (before, read_usage_log(tmp_path / "log")) == ([], [sample(1_000.5, secs=0.5, cpus=0.5)])


def test_samples_become_longer_when_there_are_too_many(tmp_path: Path) -> None:
    seconds = 2 * MAX_SAMPLES + 6
    written(tmp_path / "log", seconds).close()
    samples = read_usage_log(tmp_path / "log")
    assert len(samples) <= MAX_SAMPLES
    assert sum(each.secs for each in samples) == seconds
    assert {each.cpus for each in samples} == {1.0}
    assert {each.secs for each in samples[:-4]} == {4.0}


def test_the_last_line_can_be_torn(tmp_path: Path) -> None:
    written(tmp_path / "log", 2)
    content = (tmp_path / "log").read_bytes()
    for end in range(content.index(b"\n") + 2, len(content) - 1):
        (tmp_path / "log").write_bytes(content[:end])
        assert read_usage_log(tmp_path / "log") == [sample(1_001)]


def test_damaged_lines_are_left_out(tmp_path: Path) -> None:
    written(tmp_path / "log", 2)
    content = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(b'[]\n{}\n\xff\n[1,2,3,4,5,[6]]\n["a",1,1,1,1,[]]\nnull\n' + content)
    assert read_usage_log(tmp_path / "log") == [sample(1_001), sample(1_002)]


def test_a_replica_that_was_not_measured_has_no_samples(tmp_path: Path) -> None:
    assert read_usage_log(tmp_path / "log") == []


def test_thinned_samples_are_at_most_as_many_and_lose_no_time() -> None:
    samples = [sample(1_000 + second) for second in range(10)]
    assert thinned(samples, 4) == [sample(1_002, 3.0), sample(1_005, 3.0), sample(1_008, 3.0), sample(1_009)]


def test_few_samples_are_not_thinned() -> None:
    samples = [sample(1_000), sample(1_001)]
    assert (thinned(samples, 2), thinned([], 2)) == (samples, [])
