"""The audio page: waveforms of all runs at one step, and one player."""

import pathlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from support import media_logs
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.settled_pages import press, settle

TONE = "speech/tone"
WIDTHS = (1440, 1280, 1024, 390)
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""
INK = """(canvas) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const drawn = (x) => {
        let count = 0;
        for (let y = 0; y < height; y++) count += data[4 * (y * width + x) + 3] > 0;
        return count / height;
    };
    const tallest = (from) => Math.max(...Array.from({ length: 40 }, (_, at) => drawn(from + at)));
    return [tallest(0), tallest(width - 40)];
}"""


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Three runs of tones, stereo pairs with labels, and what is no sound."""
    yield from serve_logs(tmp_path_factory.mktemp("sounds") / "runs", media_logs.sounds)


def card(page: Page, tag: str = TONE) -> Locator:
    """The card of a tag, scrolled to."""
    place = page.locator(f'[data-item="{tag}"]')
    place.scroll_into_view_if_needed()
    found = place.get_by_test_id("card")
    expect(found).to_have_attribute("data-state", "ready")
    settle(found.page)
    return found


def clip(page: Page, run: str, tag: str = TONE, sample: int = 0) -> Locator:
    """One clip of a run on a card, its wave drawn or given up."""
    row = card(page, tag).locator(f'[data-clip][data-run="{run}"]').nth(sample)
    expect(row.get_by_role("slider")).not_to_have_attribute("data-wave", "loading")
    return row


def seconds(page: Page) -> float:
    """Where the player stands."""
    return float(page.get_by_test_id("player-time").inner_text().split(" / ")[0].split(":")[1])


def test_runs_show_waveforms_in_their_colour(driver: PageDriver, sounds: BoardProcess) -> None:
    """With format data; silence is drawn as such."""
    page = driver.open(sounds, "#audio")
    row = clip(page, "baseline")
    for fact in ("step 400", "0:01.0", "8 kHz", "mono", "16 kB"):
        expect(row).to_contain_text(fact)
    settle(page)
    first, last = row.locator("canvas").evaluate(INK)
    assert first > 0.7
    assert last < 0.4
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    assert dict(card(page).locator("[data-clip]").evaluate_all(SWATCHES)) == rows


def test_labels_and_channels_are_shown(driver: PageDriver, sounds: BoardProcess) -> None:
    """Stereo has two lanes."""
    page = driver.open(sounds, "#audio")
    expect(clip(page, "baseline", "pair", 0)).to_contain_text("left")
    expect(clip(page, "baseline", "pair", 0).get_by_role("slider")).to_have_attribute("data-lanes", "2")
    expect(clip(page, "baseline", "pair", 0)).to_contain_text("stereo")
    expect(clip(page, "baseline", "pair", 1)).to_contain_text("правый")


def test_invalid_audio_is_reported_and_downloadable(
    driver: PageDriver, sounds: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """No wave, a reason, the bytes."""
    page = driver.open(sounds, "#audio")
    row = clip(page, "baseline", "broken")
    expect(row).to_contain_text("Waveform not available: the sound is not a WAV file")
    with page.expect_download() as taken:
        row.get_by_role("link").click()
    taken.value.save_as(tmp_path / "clip")
    assert (tmp_path / "clip").read_bytes() == b"RIFF" + bytes(100)


def test_clips_are_exact(driver: PageDriver, sounds: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Byte for byte."""
    page = driver.open(sounds, "#audio")
    with page.expect_download() as taken:
        clip(page, "lr_1e-3").get_by_role("link").click()
    taken.value.save_as(tmp_path / "clip.wav")
    assert (tmp_path / "clip.wav").read_bytes() == media_logs.wav(
        [media_logs.wave(media_logs.RATE, 440, fade=400 / 500)]
    )


def click_half(wave: Locator) -> None:
    """In the middle of its time. Waits until the wave stands still: those above it may still grow."""
    wave.scroll_into_view_if_needed()
    wave.click(position={"x": wave.evaluate("wave => wave.clientWidth / 2"), "y": 10})


def test_clips_play_and_pause(driver: PageDriver, sounds: BoardProcess) -> None:
    """Also without an audio device."""
    page = driver.open(sounds, "#audio")
    clip(page, "baseline").get_by_role("button", name="Play").click()
    expect(page.get_by_test_id("player")).to_have_attribute("data-playing", "true")
    expect(page.get_by_test_id("player-time")).to_contain_text("0:01.0 / 0:01.0")  # it has come to its end
    expect(page.get_by_test_id("player")).to_have_attribute("data-playing", "false")
    expect(page.get_by_test_id("player")).to_contain_text(f"baseline · {TONE}")


def test_switching_runs_keeps_the_position(driver: PageDriver, sounds: BoardProcess) -> None:
    """For comparing by ear; all waveforms show it."""
    page = driver.open(sounds, "#audio")
    wave = clip(page, "baseline").get_by_role("slider")
    click_half(wave)
    expect(page.get_by_test_id("player-time")).to_have_text("0:00.5 / 0:01.0")
    wave.press("ArrowDown")
    expect(page.get_by_test_id("player")).to_contain_text("big/seed0 · ")
    expect(page.get_by_test_id("player-time")).to_have_text("0:00.5 / 0:01.0")
    settle(page)
    heads = (
        card(page)
        .locator("[data-clip] [class*=head]")
        .evaluate_all("heads => heads.map((h) => h.style.insetInlineStart)")
    )
    assert [round(float(head.strip("%"))) for head in heads] == [50, 50, 50]
    expect(clip(page, "big/seed0").get_by_role("slider")).to_be_focused()


def test_keys_control_the_player(driver: PageDriver, sounds: BoardProcess) -> None:
    """Space plays, arrows seek, Enter plays the focused waveform."""
    page = driver.open(sounds, "&tagFilter=tone#audio")
    clip(page, "baseline")
    press(page, "Space")
    expect(page.get_by_test_id("player")).to_contain_text("baseline · ")
    expect(page.get_by_test_id("player-time")).to_contain_text("0:01.0 / 0:01.0")
    wave = clip(page, "baseline").get_by_role("slider")
    wave.focus()
    for key, second in (("Home", 0), ("ArrowRight", 0.5), ("End", 1)):
        press(page, key)
        assert seconds(page) == second
    expect(wave).to_have_attribute("aria-valuetext", "0:01.0 / 0:01.0")
    expect(page).to_have_url(page.url)


def test_the_step_is_shared_and_moves_the_player(driver: PageDriver, sounds: BoardProcess) -> None:
    """The clip that is heard is that of the step."""
    page = driver.open(sounds, "#audio")
    wave = clip(page, "baseline").get_by_role("slider")
    click_half(wave)
    expect(page.get_by_test_id("player-time")).to_have_text("0:00.5 / 0:01.0")
    with page.expect_request(lambda request: "audio/data" in request.url):
        page.get_by_role("slider", name="Step").press("ArrowLeft")
    expect(clip(page, "baseline")).to_have_attribute("data-step", "300")
    expect(page.get_by_test_id("player-time")).to_have_text("0:00.5 / 0:01.0")
    expect(page).to_have_url(re.compile("pin=300,"))


def test_clips_can_repeat(driver: PageDriver, sounds: BoardProcess) -> None:
    """At the chosen volume."""
    page = driver.open(sounds, "#audio")
    page.get_by_role("button", name="Repeat").click()
    expect(page.get_by_role("button", name="Repeat")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("slider", name="Volume").focus()
    press(page, "Home")
    clip(page, "baseline", "pair", 1).get_by_role("button", name="Play").click()
    page.wait_for_function(
        """() => {
            const now = parseFloat(document.querySelector('[data-testid=player-time]').textContent.slice(2));
            window.turned ||= window.last > now;
            window.last = now;
            return window.turned;
        }"""
    )
    expect(page.get_by_test_id("player")).to_have_attribute("data-playing", "true")


def test_unplayable_clips_are_reported(driver: PageDriver, sounds: BoardProcess) -> None:
    """In the player."""
    page = driver.open(sounds, "#audio")
    clip(page, "baseline", "broken").get_by_role("button", name="Play").click()
    expect(page.get_by_test_id("player").get_by_role("alert")).to_have_text("This browser cannot play this clip")
    driver.console_errors.clear()  # some browsers tell the console as well


def test_phones_report_unplayable_clips(driver: PageDriver, sounds: BoardProcess) -> None:
    """In place of the key hint."""
    page = driver.open(sounds, "#audio", width=390)
    clip(page, "baseline", "broken").get_by_role("button", name="Play").click()
    expect(page.get_by_test_id("player").get_by_role("alert")).to_be_visible()
    driver.console_errors.clear()  # some browsers tell the console as well


def test_the_audio_page_is_intact_and_accessible(driver: PageDriver, sounds: BoardProcess) -> None:
    """Checks 4, 27 and 29: in each language at four widths, in both themes wide and on a phone."""
    page = driver.open(sounds, f"&lang={LANGUAGES[0]}#audio")
    clip(page, "baseline", "pair")

    assert find_page_faults(page, WIDTHS, accessible=[1440, 390], find_untranslated=None) == {}


def test_the_audio_page_is_translated(driver: PageDriver, sounds: BoardProcess) -> None:
    """Check 29, except data and reasons from the server."""
    page = driver.open(sounds, f"&lang={LANGUAGES[0]}&tagFilter=pair#audio")
    clip(page, "baseline", "pair")

    assert find_page_faults(page, [1440], languages=["ru", "zh"]) == {}
