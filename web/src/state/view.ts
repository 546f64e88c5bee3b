/**
 * The view everybody looks at: one store, kept equal to the address. `change` rewrites the present entry of the
 * browser's history (typing, dragging); `commit` makes a new one, so that Back leaves it. Both can be undone.
 */

import { create } from "zustand";
import { keep, kept, LANGUAGE_KEY, THEME_KEY } from "../base/kept";
import { record } from "./history";
import { parseView, printView, type View } from "./viewstate";
import { ViewSteps } from "./viewsteps";

/** Browsers refuse more than some 200 changes of history in half a minute. */
const WRITE_EVERY_MS = 200;

export const useView = create<View>()(() => initialView());

let lateWrite: ReturnType<typeof setTimeout> | undefined;
const steps = new ViewSteps(record, restore);

function initialView(): View {
  if (typeof location === "undefined") return parseView("", "");
  const view = parseView(location.search, location.hash);
  return withKept(view);
}

/** What a person chose before and the address does not say. */
function withKept(view: View): View {
  const theme = view.theme === "system" ? kept(THEME_KEY, ["light", "dark"] as const) : null;
  const language = view.language ?? kept(LANGUAGE_KEY, ["en", "zh", "ru"] as const);
  return { ...view, theme: theme ?? view.theme, language };
}

/** Changes the view without a new entry in the history. */
export function change(patch: Partial<View>): void {
  steps.changed(useView.getState(), patch);
  useView.setState(patch);
  remember(patch);
  writeLater();
}

/** Changes the view as a step of its own: Back returns to what was before. */
export function commit(patch: Partial<View>): void {
  if (lateWrite !== undefined) write("replaceState");
  // What a page is about is said with the page.
  const whole = patch.page === undefined ? patch : { subject: "", ...patch };
  steps.committed(useView.getState(), whole);
  useView.setState(whole);
  remember(whole);
  write("pushState");
}

/** Undo and redo put fields back; the entry of the browser's history stays the same one. */
function restore(patch: Partial<View>): void {
  useView.setState(patch);
  remember(patch);
  writeLater();
}

/** The address of the view as it is now. */
export function viewAddress(): string {
  return location.pathname + printView(useView.getState(), location.search);
}

/** Puts the view into the address at once: small changes wait a moment otherwise. */
export function settleAddress(): void {
  if (lateWrite !== undefined) write("replaceState");
}

/** Follows Back and Forward, which can be undone like any step; returns the way to stop. */
export function followHistory(): () => void {
  const read = () => {
    const view = withKept(parseView(location.search, location.hash));
    steps.committed(useView.getState(), view);
    useView.setState(view);
  };
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
  return () => {
    window.removeEventListener("popstate", read);
    window.removeEventListener("hashchange", read);
  };
}

function remember(patch: Partial<View>): void {
  if (patch.theme !== undefined) keep(THEME_KEY, patch.theme === "system" ? null : patch.theme);
  if (patch.language !== undefined) keep(LANGUAGE_KEY, patch.language);
}

function writeLater(): void {
  clearTimeout(lateWrite);
  lateWrite = setTimeout(() => write("replaceState"), WRITE_EVERY_MS);
}

function write(how: "pushState" | "replaceState"): void {
  clearTimeout(lateWrite);
  lateWrite = undefined;
  const address = viewAddress();
  const now = location.pathname + location.search + location.hash;
  if (address !== now) history[how](null, "", address);
}
