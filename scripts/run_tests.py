"""Run the tests; run what failed once more, alone; say what the time went into and what was left.

    run_tests.py               every test
    run_tests.py quick         without browser, other interpreters, PostgreSQL and fuzz
    run_tests.py long          what is too long for every change: more examples, longer sessions
    run_tests.py stress        browser and hub in random order, three times, while other programs keep all cores busy
    run_tests.py flaky TEST    one test fifty times, half of them while other programs keep all cores busy
    run_tests.py TEST...       these tests, with any options of pytest

Exit code 0: all passed, at most three of them only at the second try; those are listed as `flaky:`.
"""

import collections
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Self

from leftover_check import SystemState, adopt_orphans, end_descendants, find_leftovers, reap_orphans
from lightboard.hub.runners.remove_tree import remove_tree
from results import Result, merge, print_times, read_journal

JOURNAL = "LIGHTBOARD_TEST_JOURNAL"
LIMIT_SECS = float(os.environ.get("LIGHTBOARD_TEST_LIMIT_SECS", 80 * 60))
MOST_FLAKY = 3
MOST_RETRIED = 25
WORKERS = str(min(8, len(os.sched_getaffinity(0)) + 1))  # tests wait as well as compute

WITHOUT_BROWSER = ["tests", "--ignore=tests/browser"]
PHASES = {"all but browser": WITHOUT_BROWSER, "browser": ["tests/browser"]}
"""Arguments of pytest, in the order in which they run. Tests of the browser have processes of their own."""
QUICK = {"quick": [*WITHOUT_BROWSER, "-m", "not (fuzz or interpreters or postgres)"]}
STRESS_ROUNDS = 3
FLAKY_ROUNDS = 50


class Run:
    """One run with a limit for everything, and a folder for temporary files of its own. Its end is that of them."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.before = SystemState.now()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lb-"))  # short: names of sockets have at most 107 letters
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        end_descendants()
        with contextlib.suppress(OSError):
            remove_tree(self.folder)  # tests of jobs leave more levels of folders than shutil.rmtree can go down

    def pytest(self, *arguments: str) -> tuple[int, Result]:
        """Run pytest in a process group of its own; its exit code, and what became of each test."""
        journal = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        env = {**os.environ, JOURNAL: str(journal), "TMPDIR": str(self.temporary)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process would compile the tests and hypothesis once more
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
        process = subprocess.Popen(command, env=env, start_new_session=True)
        try:
            while (code := process.poll()) is None:
                if time.monotonic() > self.began + LIMIT_SECS:
                    raise TooLong(read_journal(journal))
                reap_orphans(process.pid)
                time.sleep(0.05)
        finally:
            if process.returncode is None:
                end_group(process)
        return code, read_journal(journal)


class TooLong(Exception):
    """The limit for everything was reached; `args[0]` is what the journal says."""


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """Ask a process and its children to end, then make them."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)


@contextlib.contextmanager
def busy_cores() -> Iterator[None]:
    """As many programs that do nothing but compute as there are cores."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def close(run: Run, result: Result, codes: Sequence[int]) -> int:
    """Run what failed once more, print the closing lines, and return the exit code."""
    flaky: list[str] = []
    broken: list[str] = []
    if len(result.bad) > MOST_RETRIED:
        broken = result.bad
    else:
        for test in result.bad:
            print(f"\n== again, alone: {test}")
            code, _ = run.pytest(test.removesuffix("::"))
            (broken if code else flaky).append(test)
    print_times(result)
    left = find_leftovers(run.before, run.temporary)
    print()
    for each in left:
        print(f"left behind: {each}")
    for test in broken:
        print(f"FAILED {test}")
    for test in flaky:
        print(f"flaky: {test}")
    counts = collections.Counter(result.outcomes.values())
    secs = time.monotonic() - run.began
    told = {
        "failed": len(broken),
        "passed": counts["passed"] + len(flaky),
        "skipped": counts["skipped"],
        "flaky": len(flaky),
    }
    print(", ".join(f"{count} {name}" for name, count in told.items() if count), f"in {secs:.2f}s")
    # 5: nothing was selected in a phase. 1: tests failed, which is judged here.
    odd = [code for code in codes if code not in (0, 1, 5)]
    if not result.outcomes:
        print("no test ran", file=sys.stderr)
        return 5
    return int(bool(broken or left or odd or len(flaky) > MOST_FLAKY))


def run_phases(run: Run, phases: dict[str, list[str]]) -> tuple[list[int], Result]:
    """Run phases one after the other; a failure in one does not keep the next from running."""
    codes, results = [], []
    for name, arguments in phases.items():
        print(f"\n== tests: {name}", flush=True)
        code, result = run.pytest("-n", WORKERS, "--dist", "worksteal", *arguments)
        codes.append(code)
        results.append(result)
    return codes, merge(results)


def stress() -> int:
    """Exit code 1 if any test failed in any round; nothing is tried again."""
    failed: dict[str, list[int]] = collections.defaultdict(list)
    for number in range(1, STRESS_ROUNDS + 1):
        seed = random.randrange(1_000_000)
        print(f"\n== round {number} of {STRESS_ROUNDS}, seed {seed}", flush=True)
        with Run() as run, busy_cores():
            order = ["-p", "randomly", f"--randomly-seed={seed}"]
            try:
                _, result = run.pytest("-n", WORKERS, "--dist", "worksteal", *order, "tests/browser", "tests/hub")
            except TooLong as overdue:
                result = overdue.args[0]
        for test in result.bad:
            failed[test].append(seed)
        mins = (time.monotonic() - run.began) / 60
        print(f"{len(result.outcomes) - len(result.bad)} passed, {len(result.bad)} failed in {mins:.0f} minutes")
    for test, seeds in failed.items():
        print(f"FAILED {test} (seeds {', '.join(map(str, seeds))})")
    return int(bool(failed))


def flaky(test: str) -> int:
    """Exit code 1 if the test failed once."""
    passed = 0
    for number in range(1, FLAKY_ROUNDS + 1):
        load = number % 2 == 0
        with Run() as run, busy_cores() if load else contextlib.nullcontext():
            code, _ = run.pytest(test)
        print(f"round {number}{' under load' if load else ''}: {'failed' if code else 'passed'}", flush=True)
        passed += code == 0
    print(f"{passed} of {FLAKY_ROUNDS} passed")
    return int(passed < FLAKY_ROUNDS)


def main(words: Sequence[str]) -> int:
    """Run what the words say. Asked to end, it ends all that it has started, as at Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    adopt_orphans()
    match list(words):
        case ["stress"]:
            return stress()
        case ["flaky", test]:
            return flaky(test)
        case []:
            chosen = PHASES
        case ["quick"]:
            chosen = QUICK
        case ["long"]:
            os.environ["LIGHTBOARD_TEST_LONG"] = "1"
            chosen = {"long": ["tests", "-m", "long or hypothesis"]}
        case _:
            chosen = {"chosen": [*words]}
    with Run() as run:
        try:
            codes, result = run_phases(run, chosen)
            return close(run, result, codes)
        except TooLong as overdue:
            print(f"\nended after {LIMIT_SECS / 60:.0f} minutes; not finished:")
            for test in overdue.args[0].with_outcome("unfinished"):
                print(f"FAILED {test}")
            return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
