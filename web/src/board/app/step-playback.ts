/** Moves the step cursor with keys from anywhere, and plays through the steps. The chart itself knows the points. */

import { currentCard, currentCardOrder } from "../view/card-navigation";
import { useInteraction } from "../view/interaction";
import { moveStep, useSteps } from "../view/steps";

/** Ten points at a time, about ten times a second. */
const PLAY_EVERY_MS = 80;
/** Slower, since pictures and texts take time to look at. */
const PLAY_PAGE_EVERY_MS = 400;

/** Passes the pressed key to the chart it is meant for. */
export function steerChart(event?: KeyboardEvent): boolean {
  const chart = currentChart();
  if (!event) return false;
  if (!chart) return movePage(event);
  if (chart === document.activeElement) return false;
  chart.focus();
  press(chart, event.key, event.shiftKey);
  return true;
}

/** Moves the step of a page without charts. */
function movePage({ key, shiftKey }: KeyboardEvent): boolean {
  const stride = shiftKey ? 10 : 1;
  if (key === "ArrowLeft") return moveStep(-stride);
  if (key === "ArrowRight") return moveStep(stride);
  if (key === "Home") return moveStep(Number.NEGATIVE_INFINITY);
  return key === "End" && moveStep(Number.POSITIVE_INFINITY);
}

let playing: ReturnType<typeof setInterval> | undefined;

/** Starts or stops playback; it ends at the last step, or when the user moves the cursor. */
export function playSteps(): boolean {
  if (playing !== undefined) {
    stop();
    return true;
  }
  const chart = currentChart();
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

/** Starts over if it is at the end. */
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
  return useInteraction.getState().cursor?.x ?? null;
}

function press(chart: HTMLElement, key: string, shiftKey: boolean): void {
  chart.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
}

/** The chart of the current card, or the first one; null if the page has a step slider. */
function currentChart(): HTMLElement | null {
  if (useSteps.getState().steps.length > 0) return null;
  const tag = currentCard() ?? currentCardOrder()[0];
  if (tag === undefined) return null;
  return document.querySelector(`[data-testid="card"][data-tag="${CSS.escape(tag)}"] [role="img"]`);
}
