/** The player at the foot of the page: current clip, position, loop and volume. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { clock } from "./clip-text";
import { seek, setLoop, setVolume, toggle, usePlayer } from "./player";
import style from "./player-bar.module.css";

export function PlayerBar() {
  const say = useWords();
  const { playback, playing, duration, loop, volume, failed } = usePlayer();
  return (
    <aside
      className={style.player}
      aria-label={say("audio.player")}
      data-testid="player"
      data-playing={playing}
    >
      <Button
        variant={playback ? "primary" : "plain"}
        icon={playing ? "pause" : "play"}
        label={say(playing ? "audio.pause" : "audio.play")}
        disabled={!playback}
        onClick={toggle}
      />
      <div className={style.what}>
        <bdi className={style.name}>{playback?.name ?? say("audio.empty")}</bdi>
        <span className={style.hint} role={failed ? "alert" : undefined} data-failed={failed || undefined}>
          {say(failed ? "audio.unplayable" : "audio.hint")}
        </span>
      </div>
      <Position />
      <span className={style.time} data-testid="player-time">
        <Time /> / {clock(duration)}
      </span>
      <Button
        variant="quiet"
        icon="repeat"
        label={say("audio.loop")}
        aria-pressed={loop}
        onClick={() => setLoop(!loop)}
      />
      <label className={style.volume} title={say("audio.volume")}>
        <Icon name="volume" />
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={volume}
          aria-label={say("audio.volume")}
          onChange={(event) => setVolume(Number(event.target.value))}
        />
      </label>
    </aside>
  );
}

function Time() {
  // Rounded to what is displayed: the number is rendered ten times a second instead of every frame.
  const tenths = usePlayer((player) => Math.floor(player.time * 10 + 1e-6));
  return clock(tenths / 10);
}

function Position() {
  const say = useWords();
  const time = usePlayer((player) => player.time);
  const duration = usePlayer((player) => player.duration);
  return (
    <input
      className={style.position}
      type="range"
      min={0}
      max={duration || 1}
      step={0.01}
      value={Math.min(time, duration || 1)}
      disabled={duration === 0}
      aria-label={say("audio.position")}
      aria-valuetext={clock(time)}
      onChange={(event) => seek(Number(event.target.value))}
    />
  );
}
