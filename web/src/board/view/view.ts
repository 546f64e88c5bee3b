/**
 * The view: one store, kept equal to the address. `change` replaces the current entry of the browser's history
 * (typing, dragging); `commit` adds one, so that Back undoes it. Both can be undone.
 */

import { create } from "zustand";
import { beginWork } from "../../lib/pending-work";
import { LANGUAGE_KEY, storeChoice, storedChoice, THEME_KEY } from "../../lib/storage";
import { pushUndoStep } from "../../lib/undo-stack";
import { parseView, printView } from "./view-address";
import { DEFAULT_PAGE, type View } from "./view-state";
import { ViewUndoRecorder } from "./view-undo";

/** Browsers reject more than about 200 changes of the history in half a minute. */
const WRITE_EVERY_MS = 200;

/** The page of an address without one, as the server tells. */
let barePage = DEFAULT_PAGE;

export const useView = create<View>()(() => initialView());

let lateWrite: ReturnType<typeof setTimeout> | undefined;
let endWriting = () => {};
const steps = new ViewUndoRecorder(pushUndoStep, restore);

function initialView(): View {
  if (typeof location === "undefined") return parseView("", "");
  return addressView();
}

/** Opens a page if the address names none. */
export function openBarePage(page: string): void {
  barePage = page;
  if (isBare()) useView.setState({ page });
}

function isBare(): boolean {
  return location.hash.length < 2;
}

/** The view in the address. */
function addressView(): View {
  const view = withStoredChoices(parseView(location.search, location.hash));
  return isBare() ? { ...view, page: barePage } : view;
}

/** Choices from earlier visits, where the address has none. */
function withStoredChoices(view: View): View {
  const theme = view.theme === "system" ? storedChoice(THEME_KEY, ["light", "dark"] as const) : null;
  const language = view.language ?? storedChoice(LANGUAGE_KEY, ["en", "zh", "ru"] as const);
  return { ...view, theme: theme ?? view.theme, language };
}

/** Changes the view without a new entry in the browser's history. */
export function change(patch: Partial<View>): void {
  steps.recordChange(useView.getState(), patch);
  useView.setState(patch);
  persistChoices(patch);
  writeLater();
}

/** Changes the view with a new entry in the browser's history. */
export function commit(patch: Partial<View>): void {
  if (lateWrite !== undefined) write("replaceState");
  // A page without a subject clears that of the page before.
  const whole = patch.page === undefined ? patch : { subject: "", ...patch };
  steps.recordCommit(useView.getState(), whole);
  useView.setState(whole);
  persistChoices(whole);
  write("pushState");
}

/** Restores fields for undo and redo, without a new entry in the browser's history. */
function restore(patch: Partial<View>): void {
  useView.setState(patch);
  persistChoices(patch);
  writeLater();
}

/** The current address of the view. */
export function viewAddress(): string {
  return location.pathname + printView(useView.getState(), location.search);
}

/** Writes the address now: `change` delays it a little. */
export function flushAddress(): void {
  if (lateWrite !== undefined) write("replaceState");
}

/** Follows Back and Forward, which can be undone like other changes; returns a function that stops it. */
export function followHistory(): () => void {
  const read = () => {
    const view = addressView();
    steps.recordCommit(useView.getState(), view);
    useView.setState(view);
  };
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
  return () => {
    window.removeEventListener("popstate", read);
    window.removeEventListener("hashchange", read);
  };
}

function persistChoices(patch: Partial<View>): void {
  if (patch.theme !== undefined) storeChoice(THEME_KEY, patch.theme === "system" ? null : patch.theme);
  if (patch.language !== undefined) storeChoice(LANGUAGE_KEY, patch.language);
}

function writeLater(): void {
  clearTimeout(lateWrite);
  if (lateWrite === undefined) endWriting = beginWork();
  lateWrite = setTimeout(() => write("replaceState"), WRITE_EVERY_MS);
}

function write(how: "pushState" | "replaceState"): void {
  clearTimeout(lateWrite);
  lateWrite = undefined;
  endWriting();
  const address = viewAddress();
  const now = location.pathname + location.search + location.hash;
  if (address !== now) history[how](null, "", address);
}
