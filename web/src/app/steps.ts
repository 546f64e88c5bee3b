/** Moving the step cursor by keys from anywhere, and playing through the steps. The chart itself knows the points. */

import { useScene } from "../state/scene";
import { cardMeant, currentOrder } from "../state/walk";
import type { Hands } from "./actions";

/** Ten points at a time, some ten times a second. */
const PLAY_EVERY_MS = 80;

/** Hands the key that is being pressed to the chart it is meant for. */
export function steerChart(_: Hands, event?: KeyboardEvent): boolean {
  const chart = chartMeant();
  if (!chart || !event || chart === document.activeElement) return false;
  chart.focus();
  press(chart, event.key, event.shiftKey);
  return true;
}

let playing: ReturnType<typeof setInterval> | undefined;

/** Starts or stops; it ends by itself at the last step, or when somebody moves the cursor. */
export function playSteps(): boolean {
  if (playing !== undefined) {
    stop();
    return true;
  }
  const chart = chartMeant();
  if (!chart) return false;
  chart.focus({ preventScroll: true });
  let last = step();
  playing = setInterval(() => {
    if (document.activeElement !== chart || step() !== last) {
      stop();
      return;
    }
    press(chart, "ArrowRight", true);
    if (step() === last) stop();
    last = step();
  }, PLAY_EVERY_MS);
  return true;
}

function stop(): void {
  clearInterval(playing);
  playing = undefined;
}

function step(): number | null {
  return useScene.getState().cursor?.x ?? null;
}

function press(chart: HTMLElement, key: string, shiftKey: boolean): void {
  chart.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
}

/** The chart of the card the keys speak of, or the first one. */
function chartMeant(): HTMLElement | null {
  const tag = cardMeant() ?? currentOrder()[0];
  if (tag === undefined) return null;
  return document.querySelector(`[data-testid="card"][data-tag="${CSS.escape(tag)}"] [role="img"]`);
}
