/** Choices stored in the browser between visits, shared by all pages of an origin. */

export const THEME_KEY = "lightboard.theme";
export const LANGUAGE_KEY = "lightboard.language";

/** The stored choice, if it is one of `values`. */
export function storedChoice<Value extends string>(key: string, values: readonly Value[]): Value | null {
  try {
    const text = localStorage.getItem(key);
    return values.find((value) => value === text) ?? null;
  } catch {
    return null;
  }
}

/** Null removes it. */
export function storeChoice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
