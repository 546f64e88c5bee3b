/** What was chosen in the palette lately, kept on this machine. */

const KEY = "lightboard.recent";
const MOST = 12;

export function recentIds(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function remember(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((each) => each !== id)].slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Storage may be forbidden; the order is then the same every time.
  }
}
