/**
 * All actions of the board, for hotkeys, the list of keys and the palette. An action returns whether it did anything.
 */

import type { WordId } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { redo, undo } from "../../lib/undo-stack";
import { TAG_FILTER_ID } from "../cards/tag-filter";
import type { RunInfo } from "../data/lists";
import { useLive } from "../data/live";
import { live } from "../data/session";
import { RUN_FILTER_ID } from "../run-table/run-table";
import { currentFilteredRuns } from "../runs/filtered-runs";
import { runsOfLine } from "../runs/run-groups";
import { onlyRuns, switchAll } from "../runs/switch-runs";
import { currentCard, focusAdjacentCard } from "../view/card-navigation";
import { choosePage } from "../view/cards";
import { showFullScreen } from "../view/full-screen-card";
import { highlighted, useInteraction } from "../view/interaction";
import { notify } from "../view/notice";
import { togglePin } from "../view/pins";
import { useSideBar } from "../view/side-bar";
import { currentColorScheme } from "../view/theme";
import { change, commit, flushAddress, useView } from "../view/view";
import { type Axis, DEFAULT_PAGE, DEFAULT_VIEW, MAX_SMOOTHING } from "../view/view-state";
import { chooseAxis } from "../view/zoom";
import { playSteps, steerChart } from "./step-playback";

/** Provided by the shell: its dialogs, and the current runs. */
export interface ActionContext {
  runs: readonly RunInfo[];
  visible: ReadonlySet<number>;
  showKeys(): void;
  /** On a phone the runs are behind a button. */
  openRuns(): void;
  openPalette(): void;
  askViewName(): void;
}

export interface Action {
  /** Key names: "l", "Shift+l", "Ctrl+z", "g t". The first is shown beside the action. */
  keys: readonly string[];
  word: WordId;
  run(context: ActionContext, event?: KeyboardEvent): boolean;
  /** Needs a focused card or chart, so the palette leaves it out. */
  local?: boolean;
}

const SMOOTHING_STEP = 0.05;

export const ACTIONS: readonly Action[] = [
  { keys: ["Ctrl+k"], word: "keys.palette", run: (context) => done(context.openPalette()), local: true },
  { keys: ["/"], word: "keys.runFilter", run: toRunFilter },
  { keys: ["t"], word: "keys.tagFilter", run: () => focus(TAG_FILTER_ID) },
  { keys: ["Ctrl+z"], word: "keys.undo", run: undo },
  { keys: ["Ctrl+Shift+z", "Ctrl+y"], word: "keys.redo", run: redo },
  { keys: ["j"], word: "keys.walk", run: () => done(focusAdjacentCard(1)), local: true },
  { keys: ["k"], word: "keys.walk", run: () => done(focusAdjacentCard(-1)), local: true },
  { keys: ["f"], word: "keys.full", run: () => ofCard(showFullScreen), local: true },
  { keys: ["p"], word: "keys.pinCard", run: () => ofCard(togglePin), local: true },
  { keys: ["l"], word: "keys.logY", run: () => done(choosePage({ logY: !useView.getState().logY })) },
  { keys: ["Shift+l"], word: "keys.logX", run: () => done(choosePage({ logX: !useView.getState().logX })) },
  { keys: ["x"], word: "keys.axis", run: () => done(nextAxis()) },
  { keys: ["["], word: "keys.smoothing", run: () => smooth(-SMOOTHING_STEP), local: true },
  { keys: ["]"], word: "keys.smoothing", run: () => smooth(SMOOTHING_STEP), local: true },
  { keys: ["0"], word: "keys.smoothingOff", run: toggleSmoothing },
  { keys: ["ArrowLeft", "Shift+ArrowLeft"], word: "keys.cursor", run: ofChart, local: true },
  { keys: ["ArrowRight", "Shift+ArrowRight"], word: "keys.cursor", run: ofChart, local: true },
  { keys: ["Home"], word: "keys.ends", run: ofChart, local: true },
  { keys: ["End"], word: "keys.ends", run: ofChart, local: true },
  { keys: ["m", "Shift+m"], word: "keys.pin", run: ofChart, local: true },
  { keys: ["Space"], word: "keys.play", run: playSteps },
  { keys: ["a"], word: "keys.all", run: allOrNone },
  { keys: ["o"], word: "keys.only", run: onlyHighlighted, local: true },
  { keys: ["c"], word: "keys.compare", run: () => done(commit({ page: "compare", compare: [] })) },
  { keys: ["s"], word: "keys.save", run: (context) => done(context.askViewName()) },
  { keys: ["y"], word: "keys.link", run: () => done(void copyLink()) },
  { keys: ["b"], word: "keys.side", run: () => done(useSideBar.getState().toggle()) },
  { keys: ["r"], word: "keys.reload", run: () => done(void live.reload()) },
  { keys: ["."], word: "keys.live", run: () => done(useLive.setState({ on: !useLive.getState().on })) },
  { keys: ["g t"], word: "keys.timeseries", run: () => done(commit({ page: DEFAULT_PAGE })) },
  { keys: ["g r"], word: "keys.runs", run: () => done(commit({ page: "runs" })) },
  { keys: ["Alt+m"], word: "keys.theme", run: otherTheme },
  { keys: ["?"], word: "keys.list", run: (context) => done(context.showKeys()) },
];

/** Copies the address of the view. */
export async function copyLink(): Promise<void> {
  flushAddress();
  const copied = await copyText(location.href);
  notify(copied ? "notice.copied" : "notice.notCopied");
}

function done(_: unknown): true {
  return true;
}

function toRunFilter(context: ActionContext): true {
  // Focus now, or the first letters of a fast typist are taken for hotkeys; on a phone the sheet has to open first.
  if (focus(RUN_FILTER_ID)) return true;
  context.openRuns();
  setTimeout(() => focus(RUN_FILTER_ID), 0);
  return true;
}

function ofChart(_: ActionContext, event?: KeyboardEvent): boolean {
  return steerChart(event);
}

function ofCard(act: (tag: string) => void): boolean {
  const tag = currentCard();
  if (tag !== null) act(tag);
  return tag !== null;
}

function allOrNone({ runs, visible }: ActionContext): true {
  const rows = currentFilteredRuns().map(({ run }) => run);
  switchAll({ runs, visible }, rows, !rows.every((each) => visible.has(each.id)));
  return true;
}

function onlyHighlighted({ runs, visible }: ActionContext): boolean {
  const front = highlighted(useInteraction.getState());
  const chosen = new Set(front === null ? [] : runsOfLine(front));
  const rows = runs.filter(({ id }) => chosen.has(id));
  if (rows.length > 0) onlyRuns({ runs, visible }, rows);
  return rows.length > 0;
}

function otherTheme(): true {
  change({ theme: currentColorScheme() === "dark" ? "light" : "dark" });
  return true;
}

function smooth(by: number): true {
  const rounded = Math.round((useView.getState().smoothing + by) * 1000) / 1000;
  choosePage({ smoothing: Math.min(MAX_SMOOTHING, Math.max(0, rounded)) });
  return true;
}

let smoothingBefore = DEFAULT_VIEW.smoothing;

/** Switches smoothing off, or back to its last value. */
function toggleSmoothing(): true {
  const { smoothing } = useView.getState();
  if (smoothing > 0) smoothingBefore = smoothing;
  choosePage({ smoothing: smoothing > 0 ? 0 : smoothingBefore });
  return true;
}

function focus(id: string): boolean {
  const box = document.getElementById(id);
  if (!(box instanceof HTMLInputElement) || box.offsetParent === null) return false;
  box.focus();
  box.select();
  return true;
}

function nextAxis(): void {
  const { axis, xTag } = useView.getState();
  const axes: readonly Axis[] = ["step", "relative", "wall", ...(xTag === "" ? [] : (["tag"] as const))];
  chooseAxis(axes[(axes.indexOf(axis) + 1) % axes.length]!);
}
