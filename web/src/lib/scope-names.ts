/**
 * Names of nodes, wherever they stand: in paths of graphs, in tags, and in operators that profilers have seen. Pure.
 */

/** Modules of torch in graphs: `Linear[out_proj]`. */
const MODULE = /^[A-Za-z_]\w*\[(.+)\]$/;

/** Which call of a module or layer it is: `Linear[out_proj] #2`, `encoder #2`. */
const CALL = / #\d+$/;

/** The last name of a path. */
export function ownName(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1).replace(CALL, "");
  return MODULE.exec(last)?.[1] ?? last;
}

/** The names that a path stands for in tags. The class of a torch model, which all its paths begin with, is in no tag. */
export function namesIn(path: string): string[] {
  const parts = path.split("/").flatMap((part) => (part === "" ? [] : part.replace(CALL, "")));
  const isTorch = parts.some((part) => MODULE.test(part));
  return parts
    .flatMap((part, at) => {
      const name = MODULE.exec(part)?.[1];
      return name ?? (isTorch && at === 0 ? [] : part);
    })
    .flatMap((name) => name.split("."));
}

/** The type that TensorFlow adds to the name of an operation: `dense/MatMul:MatMul`. */
const TYPE = /:[A-Z]\w*$/;

/** What a profiler says of an operator. */
export interface OperatorNames {
  name: string;
  /** Empty if it has none. */
  scope: string;
}

/** Instructions of XLA, whose names are unique in a module: `dot.1`. */
const INSTRUCTION = /\.\d+$/;

/** What an operator may be called in a graph, the most exact first. */
export function nodeNames({ name, scope }: OperatorNames): string[] {
  const own = name.replace(TYPE, "");
  if (scope === "") return [own];
  return [`${scope}/${own}`, ...(INSTRUCTION.test(own) ? [own] : []), scope];
}

/** Whether the operator is that of a node, or is within it: the path ends with one of its names, or one begins with the path. */
export function isOperatorOf(path: string, operator: OperatorNames): boolean {
  const node = namesIn(path);
  return nodeNames(operator).some((text) => {
    const names = namesIn(text);
    return endsWith(node, names) || startsWith(names, node);
  });
}

/** The path that is called by the first of these names: the same, or else the only one that ends with it. Null if there is none. */
export function pathNamed(paths: readonly string[], texts: readonly string[]): string | null {
  for (const text of texts) {
    const names = namesIn(text);
    const found = paths.filter((path) => endsWith(namesIn(path), names));
    const same = found.find((path) => namesIn(path).length === names.length);
    if (same !== undefined || found.length === 1) return same ?? found[0]!;
  }
  return null;
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return end.length > 0 && end.length <= names.length && startsWith(names.slice(-end.length), end);
}

function startsWith(names: readonly string[], begin: readonly string[]): boolean {
  return begin.length > 0 && begin.every((name, at) => names[at] === name);
}
