/** Texts about a clip: length, channels, sample rate. Lengths read the same in every language. */

import type { ClipInfo } from "../../api/audio";
import type { Say } from "../../i18n/words";

/** Seconds; null if the header does not say. */
export function lengthOf({ frames, rate }: Pick<ClipInfo, "frames" | "rate">): number | null {
  return frames === null || !rate ? null : frames / rate;
}

/** "0:03.2", "1:02:05": tenths below a minute, hours where there are any. */
export function clock(seconds: number): string {
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const whole = Math.floor(tenths / 10);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours}:${two(minutes)}:${two(whole % 60)}`;
  return `${minutes}:${two(whole % 60)}.${tenths % 10}`;
}

/** The length of a clip; in milliseconds below a second. */
export function lengthText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : clock(seconds);
}

/** "44.1 kHz", "8 kHz". */
export function rateText(rate: number): string {
  return rate >= 1000 ? `${Number((rate / 1000).toFixed(2))} kHz` : `${rate} Hz`;
}

export function channelText(channels: number, say: Say): string {
  if (channels === 1) return say("audio.mono");
  return channels === 2 ? say("audio.stereo") : say("audio.channels", { count: channels });
}
