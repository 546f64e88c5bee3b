// Holds the folder order of web/src: a folder may import only folders below it. Exits 1 and names each breach.
//
// app > pages > panels (each alone) > panel | state > chart | widgets | api > base | words

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SRC = resolve(import.meta.dirname, "../src");
const LAYERS = [
  ["app"],
  ["pages"],
  ["panels"],
  ["panel", "state"],
  ["chart", "widgets", "api"],
  ["base", "words"],
];
const IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

const rank = (folder) => LAYERS.findIndex((layer) => layer.includes(folder));

function* sources(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** Why `from` may not import `to` (paths relative to src), or null. */
function breach(from, to) {
  const [a, aInner] = from.split("/");
  const [b, bInner] = to.split("/");
  if (a === b) return a === "panels" && aInner !== bInner ? "panels do not know each other" : null;
  if (rank(a) < 0 || rank(b) < 0) return `folder ${rank(a) < 0 ? a : b} has no place in the order`;
  if (rank(a) === rank(b)) return `${a} and ${b} do not know each other`;
  return rank(a) > rank(b) ? `${a} lies below ${b}` : null;
}

const faults = [];
for (const path of sources(SRC)) {
  const from = relative(SRC, path);
  if (!from.includes("/")) continue;
  for (const [, target] of readFileSync(path, "utf8").matchAll(IMPORT)) {
    const to = relative(SRC, resolve(dirname(path), target));
    const why = breach(from, to);
    if (why) faults.push(`${from} imports ${to}: ${why}`);
  }
}
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
