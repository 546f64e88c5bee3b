/** What a browser keeps between visits, the same for every page of an address. */

export const THEME_KEY = "lightboard.theme";
export const LANGUAGE_KEY = "lightboard.language";

/** What was kept, if it is one of `values`. */
export function kept<Value extends string>(key: string, values: readonly Value[]): Value | null {
  try {
    const text = localStorage.getItem(key);
    return values.find((value) => value === text) ?? null;
  } catch {
    return null;
  }
}

/** Null forgets. */
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
