/** Views saved by name: kept with what people add to runs, opened as one step. Theme and language stay the reader's. */

import { edit, type SavedView, useOverlay } from "./overlay";
import { commit, useView } from "./view";
import { parseView, printView } from "./viewstate";

export interface NamedView extends SavedView {
  name: string;
}

/** The latest first. */
export function sortedViews(views: Readonly<Record<string, SavedView>>): NamedView[] {
  return Object.entries(views)
    .map(([name, view]) => ({ name, ...view }))
    .sort((a, b) => b.saved - a.saved || (a.name < b.name ? -1 : 1));
}

/** The view without what belongs to the reader, from the question mark on. */
export function plainAddress(): string {
  return printView({ ...useView.getState(), theme: "system", language: null });
}

/** Saves the view as it is now; one of the same name is replaced. */
export function saveView(name: string): void {
  edit({ views: { [name]: { address: plainAddress(), saved: Date.now() / 1000 } } });
}

export function openView({ address }: Pick<SavedView, "address">): void {
  const cut = address.indexOf("#");
  const [search, hash] = cut < 0 ? [address, ""] : [address.slice(0, cut), address.slice(cut)];
  const { theme, language } = useView.getState();
  commit({ ...parseView(search, hash), theme, language });
}

export function renameView(name: string, next: string): void {
  const view = useOverlay.getState().views[name];
  if (view && next !== "" && next !== name) edit({ views: { [name]: null, [next]: view } });
}

export function deleteView(name: string): void {
  edit({ views: { [name]: null } });
}
