/**
 * Per-node data in the format of Model Explorer: for a graph, a value for each of some nodes, and how values become colours.
 * Pure.
 *
 *     {"main": {"results": {"encoder/add": {"value": 3.2}}, "gradient": [{"stop": 0, "bgColor": "green"}, …]}}
 *
 * The object of one graph may also be the whole file.
 */

export interface NodeData {
  /** By the paths of nodes. */
  values: ReadonlyMap<string, NodeValue>;
  /** The range of the numbers; null if there are none. */
  range: readonly [number, number] | null;
  /** Colours up to a value, in ascending order. */
  thresholds: readonly { upTo: number; color: string }[];
  /** Colours along the range, 0 to 1, in ascending order. */
  gradient: readonly { stop: number; color: string }[];
}

export interface NodeValue {
  value: number | string;
  /** The colour that the file gives this node. */
  color: string | null;
}

/** Why a file cannot be read: the id of a sentence. */
export class NodeDataFault extends Error {
  constructor(readonly word: "graphs.data.notJson" | "graphs.data.otherFormat" | "graphs.data.empty") {
    super(word);
  }
}

/** More nodes than any graph that is shown has. */
const MOST_VALUES = 1_000_000;

/** Throws NodeDataFault. What is no colour by `isColor` is left out. Of several graphs in a file all are taken, since names of graphs are those of the writer. */
export function parseNodeData(text: string, isColor: (text: string) => boolean): NodeData {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new NodeDataFault("graphs.data.notJson");
  }
  if (!isRecord(content)) throw new NodeDataFault("graphs.data.otherFormat");
  const graphs = (isRecord(content.results) ? [content] : Object.values(content)).filter(
    (each): each is Record<string, unknown> => isRecord(each) && isRecord(each.results),
  );
  if (graphs.length === 0) throw new NodeDataFault("graphs.data.otherFormat");
  const values = new Map<string, NodeValue>();
  for (const { results } of graphs) {
    for (const [path, result] of Object.entries(results as Record<string, unknown>)) {
      const found = readValue(result, isColor);
      if (found && values.size < MOST_VALUES) values.set(path, found);
    }
  }
  if (values.size === 0) throw new NodeDataFault("graphs.data.empty");
  return {
    values,
    range: rangeOf(values),
    thresholds: graphs
      .flatMap(({ thresholds }) => stepsOf(thresholds, "value", isColor))
      .map(({ at, color }) => ({ upTo: at, color })),
    gradient: graphs
      .flatMap(({ gradient }) => stepsOf(gradient, "stop", isColor))
      .map(({ at, color }) => ({ stop: at, color })),
  };
}

function readValue(result: unknown, isColor: (text: string) => boolean): NodeValue | null {
  const value = isRecord(result) ? result.value : result;
  const color = isRecord(result) ? parseColor(result.bgColor, isColor) : null;
  if (typeof value === "number" && Number.isFinite(value)) return { value, color };
  if (typeof value === "boolean") return { value: String(value), color };
  return typeof value === "string" ? { value, color } : null;
}

function rangeOf(values: NodeData["values"]): NodeData["range"] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of values.values()) {
    if (typeof value !== "number") continue;
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  return from <= to ? [from, to] : null;
}

function stepsOf(
  steps: unknown,
  name: "value" | "stop",
  isColor: (text: string) => boolean,
): { at: number; color: string }[] {
  const items: readonly unknown[] = Array.isArray(steps) ? steps : [];
  return items
    .flatMap((step) => {
      const color = isRecord(step) ? parseColor(step.bgColor, isColor) : null;
      const at = isRecord(step) ? step[name] : null;
      return color !== null && typeof at === "number" ? [{ at, color }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

function parseColor(text: unknown, isColor: (text: string) => boolean): string | null {
  return typeof text === "string" && isColor(text) ? text : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a box shows of the data. */
export interface BoxData {
  /** Of a node its value, of a scope the largest number in it; null if there is none. */
  value: number | string | null;
  /** How many nodes in it have a value. */
  count: number;
  color: string | null;
}

/** Data by what boxes stand for, each found once. */
export class BoxValues {
  readonly #known = new Map<string, BoxData | null>();
  readonly #sorted: readonly string[];

  constructor(private readonly data: NodeData) {
    this.#sorted = [...data.values.keys()].sort();
  }

  /** Of a node or a scope, or of several, such as the members of a stack. */
  of(paths: readonly string[]): BoxData | null {
    const found = paths.map((path) => this.#at(path)).filter((each) => each !== null);
    const [first] = found;
    if (first === undefined || found.length === 1) return first ?? null;
    const numbers = found.filter(({ value }) => typeof value === "number");
    const most = numbers.reduce((a, b) => (Number(b.value) > Number(a.value) ? b : a), numbers[0] ?? NOTHING);
    return { ...most, count: found.reduce((sum, { count }) => sum + count, 0) };
  }

  #at(path: string): BoxData | null {
    let found = this.#known.get(path);
    if (found === undefined) {
      found = this.#find(path);
      this.#known.set(path, found);
    }
    return found;
  }

  #find(path: string): BoxData | null {
    const own = this.data.values.get(path);
    if (own) return { ...own, count: 1 };
    let [count, most] = [0, NOTHING];
    for (let at = this.#first(`${path}/`); this.#sorted[at]?.startsWith(`${path}/`); at++) {
      const { value, color } = this.data.values.get(this.#sorted[at]!)!;
      count += 1;
      if (typeof value !== "number" || (most.value !== null && value <= Number(most.value))) continue;
      most = { value, color, count };
    }
    return count === 0 ? null : { ...most, count };
  }

  /** The index of the first path that is not before `path`. */
  #first(path: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NOTHING: BoxData = { value: null, count: 0, color: null };
