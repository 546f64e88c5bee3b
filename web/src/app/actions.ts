/**
 * What can be done anywhere on the board: one list for the keys, the list of keys and the palette. An action says
 * whether there was anything to do.
 */

import { TAG_FILTER_ID } from "../pages/kind/tag-filter";
import { RUN_FILTER_ID } from "../panels/runs/run-table";
import { choosePage } from "../state/cards";
import { copyText } from "../state/clipboard";
import { filteredNow } from "../state/filtered";
import { showFull } from "../state/full";
import { runsOfLine } from "../state/grouped";
import { redo, undo } from "../state/history";
import type { RunInfo } from "../state/lists";
import { useLive } from "../state/live";
import { notify } from "../state/notice";
import { togglePin } from "../state/pins";
import { highlighted, useScene } from "../state/scene";
import { live } from "../state/session";
import { useSide } from "../state/side";
import { onlyRuns, switchAll } from "../state/switching";
import { currentShade } from "../state/theme";
import { change, commit, settleAddress, useView } from "../state/view";
import { DEFAULT_PAGE, DEFAULT_VIEW, MAX_SMOOTHING } from "../state/viewstate";
import { cardMeant, walk } from "../state/walk";
import type { WordId } from "../words/words";
import { nextAxis } from "./axes";
import { playSteps, steerChart } from "./steps";

/** What the shell lends: its dialogs, and the runs as they are now. */
export interface Hands {
  runs: readonly RunInfo[];
  visible: ReadonlySet<number>;
  showKeys(): void;
  /** The runs are behind a button on a phone. */
  openRuns(): void;
  openPalette(): void;
  askViewName(): void;
}

export interface Action {
  /** As pressed: "l", "Shift+l", "Ctrl+z", "g t". The first is shown beside the action. */
  keys: readonly string[];
  word: WordId;
  run(hands: Hands, event?: KeyboardEvent): boolean;
  /** Means nothing without the card or chart under the keyboard: the palette leaves it out. */
  local?: boolean;
}

const SMOOTHING_STEP = 0.05;

export const ACTIONS: readonly Action[] = [
  { keys: ["Ctrl+k"], word: "keys.palette", run: (hands) => done(hands.openPalette()), local: true },
  { keys: ["/"], word: "keys.runFilter", run: toRunFilter },
  { keys: ["t"], word: "keys.tagFilter", run: () => focus(TAG_FILTER_ID) },
  { keys: ["Ctrl+z"], word: "keys.undo", run: undo },
  { keys: ["Ctrl+Shift+z", "Ctrl+y"], word: "keys.redo", run: redo },
  { keys: ["j"], word: "keys.walk", run: () => done(walk(1)), local: true },
  { keys: ["k"], word: "keys.walk", run: () => done(walk(-1)), local: true },
  { keys: ["f"], word: "keys.full", run: () => ofCard(showFull), local: true },
  { keys: ["p"], word: "keys.pinCard", run: () => ofCard(togglePin), local: true },
  { keys: ["l"], word: "keys.logY", run: () => done(choosePage({ logY: !useView.getState().logY })) },
  { keys: ["Shift+l"], word: "keys.logX", run: () => done(choosePage({ logX: !useView.getState().logX })) },
  { keys: ["x"], word: "keys.axis", run: () => done(nextAxis()) },
  { keys: ["["], word: "keys.smoothing", run: () => smooth(-SMOOTHING_STEP), local: true },
  { keys: ["]"], word: "keys.smoothing", run: () => smooth(SMOOTHING_STEP), local: true },
  { keys: ["0"], word: "keys.smoothingOff", run: toggleSmoothing },
  { keys: ["ArrowLeft", "Shift+ArrowLeft"], word: "keys.cursor", run: steerChart, local: true },
  { keys: ["ArrowRight", "Shift+ArrowRight"], word: "keys.cursor", run: steerChart, local: true },
  { keys: ["Home"], word: "keys.ends", run: steerChart, local: true },
  { keys: ["End"], word: "keys.ends", run: steerChart, local: true },
  { keys: ["m", "Shift+m"], word: "keys.pin", run: steerChart, local: true },
  { keys: ["Space"], word: "keys.play", run: playSteps },
  { keys: ["a"], word: "keys.all", run: allOrNone },
  { keys: ["o"], word: "keys.only", run: onlyHighlighted, local: true },
  { keys: ["c"], word: "keys.compare", run: () => done(commit({ page: "compare", compare: [] })) },
  { keys: ["s"], word: "keys.save", run: (hands) => done(hands.askViewName()) },
  { keys: ["y"], word: "keys.link", run: () => done(void copyLink()) },
  { keys: ["b"], word: "keys.side", run: () => done(useSide.getState().toggle()) },
  { keys: ["r"], word: "keys.reload", run: () => done(void live.reload()) },
  { keys: ["."], word: "keys.live", run: () => done(useLive.setState({ on: !useLive.getState().on })) },
  { keys: ["g t"], word: "keys.timeseries", run: () => done(commit({ page: DEFAULT_PAGE })) },
  { keys: ["g r"], word: "keys.runs", run: () => done(commit({ page: "runs" })) },
  { keys: ["Alt+m"], word: "keys.theme", run: otherTheme },
  { keys: ["?"], word: "keys.list", run: (hands) => done(hands.showKeys()) },
];

/** The address of what is seen, on the clipboard. */
export async function copyLink(): Promise<void> {
  settleAddress();
  const copied = await copyText(location.href);
  notify(copied ? "notice.copied" : "notice.notCopied");
}

function done(_: unknown): true {
  return true;
}

function toRunFilter(hands: Hands): true {
  // At once, or the first letters of a quick typist are taken for keys; the sheet of a phone has to open first.
  if (focus(RUN_FILTER_ID)) return true;
  hands.openRuns();
  setTimeout(() => focus(RUN_FILTER_ID), 0);
  return true;
}

function ofCard(act: (tag: string) => void): boolean {
  const tag = cardMeant();
  if (tag !== null) act(tag);
  return tag !== null;
}

function allOrNone({ runs, visible }: Hands): true {
  const rows = filteredNow().map(({ run }) => run);
  switchAll({ runs, visible }, rows, !rows.every((each) => visible.has(each.id)));
  return true;
}

function onlyHighlighted({ runs, visible }: Hands): boolean {
  const front = highlighted(useScene.getState());
  const chosen = new Set(front === null ? [] : runsOfLine(front));
  const rows = runs.filter(({ id }) => chosen.has(id));
  if (rows.length > 0) onlyRuns({ runs, visible }, rows);
  return rows.length > 0;
}

function otherTheme(): true {
  change({ theme: currentShade() === "dark" ? "light" : "dark" });
  return true;
}

function smooth(by: number): true {
  const rounded = Math.round((useView.getState().smoothing + by) * 1000) / 1000;
  choosePage({ smoothing: Math.min(MAX_SMOOTHING, Math.max(0, rounded)) });
  return true;
}

let smoothingBefore = DEFAULT_VIEW.smoothing;

/** Off, and back to what it was. */
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
