/** Which sections are folded, stored in this browser. */

import { create } from "zustand";

const KEY = "lightboard.folded";

interface FoldedSections {
  folded: ReadonlySet<string>;
}

export const useFoldedSections = create<FoldedSections>()(() => ({ folded: new Set(read()) }));

export function setFolded(sections: readonly string[], on: boolean): void {
  const folded = new Set(useFoldedSections.getState().folded);
  for (const section of sections) {
    if (on) folded.add(section);
    else folded.delete(section);
  }
  useFoldedSections.setState({ folded });
  try {
    localStorage.setItem(KEY, JSON.stringify([...folded]));
  } catch {
    // Storage may be forbidden; the folds then last as long as the page.
  }
}

function read(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
