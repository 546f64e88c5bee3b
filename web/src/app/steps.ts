/** Moving the step cursor by keys from anywhere, and playing through the steps. The chart itself knows the points. */

import { useScene } from "../state/scene";
import { moveStep, useSteps } from "../state/steps";
import { cardMeant, currentOrder } from "../state/walk";
import type { Hands } from "./actions";

/** Ten points at a time, some ten times a second. */
const PLAY_EVERY_MS = 80;
/** Pictures and texts want to be looked at. */
const PLAY_PAGE_EVERY_MS = 400;

/** Hands the key that is being pressed to the chart it is meant for. */
export function steerChart(_: Hands, event?: KeyboardEvent): boolean {
  const chart = chartMeant();
  if (!event) return false;
  if (!chart) return movePage(event);
  if (chart === document.activeElement) return false;
  chart.focus();
  press(chart, event.key, event.shiftKey);
  return true;
}

/** A page without charts has steps of its own. */
function movePage({ key, shiftKey }: KeyboardEvent): boolean {
  const stride = shiftKey ? 10 : 1;
  if (key === "ArrowLeft") return moveStep(-stride);
  if (key === "ArrowRight") return moveStep(stride);
  if (key === "Home") return moveStep(Number.NEGATIVE_INFINITY);
  return key === "End" && moveStep(Number.POSITIVE_INFINITY);
}

let playing: ReturnType<typeof setInterval> | undefined;

/** Starts or stops; it ends by itself at the last step, or when somebody moves the cursor. */
export function playSteps(): boolean {
  if (playing !== undefined) {
    stop();
    return true;
  }
  const chart = chartMeant();
  if (!chart) return playPage();
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

/** From the beginning when it stands at the end. */
function playPage(): boolean {
  if (!moveStep(1) && !moveStep(Number.NEGATIVE_INFINITY)) return false;
  playing = setInterval(() => {
    if (!moveStep(1)) stop();
  }, PLAY_PAGE_EVERY_MS);
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

/** The chart of the card the keys speak of, or the first one; none where the page has steps of its own. */
function chartMeant(): HTMLElement | null {
  if (useSteps.getState().steps.length > 0) return null;
  const tag = cardMeant() ?? currentOrder()[0];
  if (tag === undefined) return null;
  return document.querySelector(`[data-testid="card"][data-tag="${CSS.escape(tag)}"] [role="img"]`);
}
