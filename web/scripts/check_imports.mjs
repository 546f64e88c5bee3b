// Checks the imports of web/src: a folder may import only folders below it, and no file may import itself by way of
// others, not even for types. Exits 1 and prints each fault.
//
// board/app > board/pages | board/custom-scalars > board/time-series > the kinds | board/run-table | board/palette
// > board/export > board/cards > board/runs > board/data > board/view > chart | ui > api > lib | i18n
//
// The console of the hub stands beside the board: hub/app > hub/pages (each alone) > hub/ui > hub/data > hub/api, and
// takes of the rest only what HUB_MAY names.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SRC = resolve(import.meta.dirname, "../src");
const KINDS = [
  ...["scalars", "histograms", "images", "text", "audio", "mesh"],
  ...["pr-curves", "hparams", "projector", "graphs", "profile"],
];
const LAYERS = [
  ["board/app"],
  ["board/pages", "board/custom-scalars"],
  ["board/time-series"],
  [...KINDS.map((kind) => `board/${kind}`), "board/run-table", "board/palette"],
  ["board/export"],
  ["board/cards"],
  ["board/runs"],
  ["board/data"],
  ["board/view"],
  ["chart", "ui"],
  ["api"],
  ["lib", "i18n"],
];
const HUB_LAYERS = ["app", "pages", "ui", "data", "api"];
const HUB_MAY = /^(?:ui|lib|i18n)\/|^api\/(?:client|hub-schema)/;
const IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

const rank = (layer) => LAYERS.findIndex((layers) => layers.includes(layer));

/** The layer of a file: its folder, or of the board the folder below. */
const layerOf = (path) =>
  path
    .split("/")
    .slice(0, path.startsWith("board/") ? 2 : 1)
    .join("/");

function* sources(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** Why `from` may not import `to` (paths relative to src), or null. */
function breach(from, to) {
  if (from.startsWith("hub/") || to.startsWith("hub/")) return hubBreach(from, to);
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a === b) return null;
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

/** The files that each file imports, by paths relative to src. Imports of CSS and JSON have no imports of their own. */
function importGraph() {
  const graph = new Map();
  for (const path of sources(SRC)) {
    const targets = [...readFileSync(path, "utf8").matchAll(IMPORT)].map(([, target]) =>
      resolve(dirname(path), target),
    );
    graph.set(relative(SRC, path), [...new Set(targets.map((target) => relative(SRC, fileOf(target))))]);
  }
  return graph;
}

/** An import without an ending may mean a module or a folder with an index. */
function fileOf(target) {
  const candidates = [`${target}.ts`, `${target}.tsx`, join(target, "index.ts")];
  return candidates.find((path) => existsSync(path)) ?? target;
}

/** One cycle for each import that closes one, as the list of its files: the first is also the last. */
function* cycles(graph) {
  const done = new Set();
  const path = [];
  function* visit(file) {
    if (path.includes(file)) yield [...path.slice(path.indexOf(file)), file];
    if (done.has(file) || path.includes(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) yield* visit(target);
    path.pop();
    done.add(file);
  }
  for (const file of graph.keys()) yield* visit(file);
}

const faults = [];
const graph = importGraph();
for (const [from, targets] of graph) {
  if (!from.includes("/")) continue;
  for (const to of targets) {
    const why = breach(from, to);
    if (why) faults.push(`${from} imports ${to}: ${why}`);
  }
}
for (const cycle of cycles(graph)) faults.push(`import cycle: ${cycle.join(" -> ")}`);
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
