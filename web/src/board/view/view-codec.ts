/**
 * Encodes and decodes parts of an address: numbers, spans, lists of names, percent-encoding; also reads TensorBoard's
 * formats.
 */

export type Span = readonly [number, number];

export function* pairs(query: string): Generator<[string, string]> {
  for (const part of query.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const [key = "", ...rest] = part.split("=");
    yield [decodeQuery(key), decodeQuery(rest.join("="))];
  }
}

/** Percent-encodes only what an address cannot hold, so that links stay readable. */
export function encode(text: string): string {
  const safe = encodeURIComponent(text).replace(/'/g, "%27");
  return safe.replace(/%(2C|2F|3A|3B|24|3D|40)/g, decodeURIComponent);
}

function decodeQuery(text: string): string {
  return decode(text.replace(/\+/g, " "));
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes a name inside a list, with separators escaped. */
export function inner(name: string): string {
  return name.replace(/[%,;]/g, encodeURIComponent);
}

/** Names joined by commas. */
export function listed(names: readonly string[]): string {
  return names.map((name) => name.replace(/[%,]/g, encodeURIComponent)).join(",");
}

export function names(text: string | undefined): string[] {
  return text ? text.split(",").map(decode) : [];
}

export function number(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}

export function flag(text: string): boolean | undefined {
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined;
}

/** `name=value;name=value`, the values percent-encoded. */
export function parseFields(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(";").map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      return [name, decode(value.join("="))];
    }),
  );
}

/** `from,to`, the first below the second. */
export function span(text: string): Span | undefined {
  const [from, to, ...rest] = text.split(",").map(number);
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  return from < to ? [from, to] : undefined;
}

export function spanText(given: Span | null): string {
  return (given ?? []).join(",");
}

/** Names of the runs switched off in TensorBoard's old dashboards: base64 of {run: boolean}. */
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
