// Holds the folder order of web/src: a folder may import only folders below it. Exits 1 and names each breach.
//
// app > pages > panels (each alone) > panel | state > chart | widgets | api > base | words
//
// The console of the hub stands beside the board: hub/app > hub/pages (each alone) > hub/parts > hub/state, and takes
// of the rest only what HUB_MAY names.

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
const HUB_LAYERS = ["app", "pages", "parts", "state"];
const HUB_MAY = /^(?:widgets|base|words)\/|^api\/(?:hub\/|client)|^state\/(?:clipboard|clock)/;
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
  if (a === "hub" || b === "hub") return hubBreach(from, to);
  if (a === b) return a === "panels" && aInner !== bInner ? "panels do not know each other" : null;
  if (rank(a) < 0 || rank(b) < 0) return `folder ${rank(a) < 0 ? a : b} has no place in the order`;
  if (rank(a) === rank(b)) return `${a} and ${b} do not know each other`;
  return rank(a) > rank(b) ? `${a} lies below ${b}` : null;
}

/** The same where one of the two is the hub's. */
function hubBreach(from, to) {
  const [a, aLayer, aPage] = from.split("/");
  const [b, bLayer, bPage] = to.split("/");
  if (a !== "hub") return "the board does not know the hub";
  if (b !== "hub") return HUB_MAY.test(to) ? null : "the hub does not take that of the board";
  const [upper, lower] = [HUB_LAYERS.indexOf(aLayer), HUB_LAYERS.indexOf(bLayer)];
  if (upper < 0 || lower < 0) return "this folder of the hub has no place in the order";
  if (aLayer === "pages" && bLayer === "pages" && aPage !== bPage) return "pages do not know each other";
  return upper > lower ? `hub/${aLayer} lies below hub/${bLayer}` : null;
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
