"""In which order the tracks of a time line are read."""

from lightboard.profiles.track_order import ReadTrack, reading_order


def track(
    name: str,
    *,
    host: int = 0,
    process: int = 0,
    is_device: bool = False,
    has_steps: bool = False,
    has_slices: bool = True,
    busy_ns: int = 0,
) -> ReadTrack:
    """A track, with what the order depends on."""
    return ReadTrack(host, process, 0, name, is_device, has_steps, has_slices, busy_ns)


def names(*tracks: ReadTrack) -> list[str]:
    """Their names in the order of reading."""
    return [each.name for each in reading_order(tracks)]


def test_devices_are_before_the_process_with_steps() -> None:
    main = track("main", has_steps=True, busy_ns=9)

    assert names(main, track("stream 7", process=1, is_device=True)) == ["stream 7", "main"]


def test_devices_of_all_hosts_are_before_the_first_thread() -> None:
    hosts = [[track(f"main {at}", host=at), track(f"stream {at}", host=at, process=1, is_device=True)] for at in (0, 1)]

    assert names(*hosts[0], *hosts[1]) == ["stream 0", "stream 1", "main 0", "main 1"]


def test_devices_on_which_nothing_ran_are_among_the_rest() -> None:
    idle = track("stream 1", process=1, is_device=True, has_slices=False)

    assert names(idle, track("main", busy_ns=1)) == ["main", "stream 1"]


def test_streams_are_in_the_order_of_their_numbers() -> None:
    streams = [track(name, is_device=True) for name in ("stream 20", "stream 7", "XLA Ops")]

    assert names(*streams) == ["XLA Ops", "stream 7", "stream 20"]


def test_the_thread_with_steps_is_first_then_the_busiest() -> None:
    threads = [track("loader 9", busy_ns=5), track("main", has_steps=True), track("backward", busy_ns=7)]

    assert names(*threads) == ["main", "backward", "loader 9"]


def test_processes_without_steps_are_in_the_order_of_their_busiest_thread() -> None:
    tracks = [track("few", process=0, busy_ns=2), track("many", process=1, busy_ns=8), track("main", process=2)]

    assert names(tracks[0], tracks[1], tracks[2]._replace(has_steps=True)) == ["main", "many", "few"]


def test_tracks_of_a_process_stay_together() -> None:
    tracks = [track("a", process=0, busy_ns=9), track("b", process=1, busy_ns=8), track("c", process=0, busy_ns=1)]

    assert names(*tracks) == ["a", "c", "b"]
