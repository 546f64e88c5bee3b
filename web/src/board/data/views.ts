/** Saved views: stored with the annotations, opened as one undo step. Theme and language stay those of the reader. */

import { commit, useView } from "../view/view";
import { parseView, printView } from "../view/view-address";
import { editAnnotations, type SavedView, useAnnotations } from "./annotations";

export interface NamedView extends SavedView {
  name: string;
}

/** Latest first. */
export function sortedViews(views: Readonly<Record<string, SavedView>>): NamedView[] {
  return Object.entries(views)
    .map(([name, view]) => ({ name, ...view }))
    .sort((a, b) => b.saved - a.saved || (a.name < b.name ? -1 : 1));
}

/** The address of the view without theme and language, from the question mark on. */
export function plainAddress(): string {
  return printView({ ...useView.getState(), theme: "system", language: null });
}

/** Saves the current view; replaces one of the same name. */
export function saveView(name: string): void {
  editAnnotations({ views: { [name]: { address: plainAddress(), saved: Date.now() / 1000 } } });
}

export function openView({ address }: Pick<SavedView, "address">): void {
  const cut = address.indexOf("#");
  const [search, hash] = cut < 0 ? [address, ""] : [address.slice(0, cut), address.slice(cut)];
  const { theme, language } = useView.getState();
  commit({ ...parseView(search, hash), theme, language });
}

export function renameView(name: string, next: string): void {
  const view = useAnnotations.getState().views[name];
  if (view && next !== "" && next !== name) editAnnotations({ views: { [name]: null, [next]: view } });
}

export function deleteView(name: string): void {
  editAnnotations({ views: { [name]: null } });
}
