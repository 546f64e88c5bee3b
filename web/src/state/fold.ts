/** Which sections are folded, kept on this machine. */

import { create } from "zustand";

const KEY = "lightboard.folded";

interface Folds {
  folded: ReadonlySet<string>;
}

export const useFolds = create<Folds>()(() => ({ folded: new Set(read()) }));

export function fold(sections: readonly string[], on: boolean): void {
  const folded = new Set(useFolds.getState().folded);
  for (const section of sections) {
    if (on) folded.add(section);
    else folded.delete(section);
  }
  useFolds.setState({ folded });
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
