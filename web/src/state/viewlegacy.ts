/** Forms of TensorBoard's links that have no equal here: read for ever, never written. */

/** Names of runs that TensorBoard's old dashboards had switched off: base64 of {run: boolean}. */
export function parseSelectionState(text: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const state: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof state !== "object" || state === null) return [];
    return Object.entries(state).flatMap(([run, on]) => (on === false ? [run] : []));
  } catch {
    return [];
  }
}

/** Tags of the pinned cards of scalars: JSON of [{plugin, tag}]. */
export function parsePinnedCards(text: string): readonly string[] | undefined {
  try {
    const cards: unknown = JSON.parse(text);
    if (!Array.isArray(cards)) return undefined;
    return cards.flatMap((card: { plugin?: unknown; tag?: unknown } | null) =>
      card?.plugin === "scalars" && typeof card.tag === "string" ? [card.tag] : [],
    );
  } catch {
    return undefined;
  }
}
