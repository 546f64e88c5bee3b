// Writes licenses.txt: name, version and licence text of every package that the build bundles, code and fonts alike.
// Vite's own `build.license` leaves out packages of which only files are taken, as of fonts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin, Rolldown } from "vite";

const INSTALLED = /^(?<folder>.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;
/** Who wrote a module that lies in no file. */
const WRITER = /^\0(?<name>[^/:]+)[/:]/;
/** Packages that put modules of their own into the pages: Vite loads parts ahead, Rolldown joins modules. */
const BUILDERS: Readonly<Record<string, string>> = { vite: "vite", rolldown: "rolldown" };
/** Plugins of this project that write modules. */
const OUR_PLUGINS = new Set(["words"]);
/** In Vite's licence file: about code that only Vite itself has inside. */
const INSIDE_THE_BUILDER = /\n# Licenses of bundled dependencies\n[\s\S]*$/;
const RULE = `\n\n${"-".repeat(100)}\n\n`;
const HEAD = "The pages of Lightboard contain the following software and fonts, each under its own licence.";

export interface Package {
  name: string;
  version: string;
  license: string;
  /** Licence files of the package, joined; where it has none, who made it and where it is published. */
  text: string;
}

/**
 * The folder of the installed package that a bundled module or file comes from; null for one of our own.
 * Throws for a module in no file that nobody known wrote: its licence would be missing.
 */
export function packageFolder(id: string, root: string, builders = BUILDERS): string | null {
  const writer = WRITER.exec(id)?.groups?.name;
  if (writer === undefined) {
    const file = resolve(root, id.replace(/^\0/, "")).replaceAll("\\", "/");
    return INSTALLED.exec(file)?.groups?.folder ?? null;
  }
  if (OUR_PLUGINS.has(writer)) return null;
  const builder = builders[writer];
  if (builder !== undefined) return `${root}/node_modules/${builder}`;
  throw new Error(`bundled module of an unknown package: ${id.slice(1)}`);
}

/** The notice of some packages, by name, with the entries of `others`. Throws where one names no licence. */
export function notice(packages: Package[], others: string[] = []): string {
  const unnamed = packages.filter((one) => !one.license).map((one) => one.name);
  if (unnamed.length > 0) throw new Error(`bundled packages without a licence: ${unnamed.join(", ")}`);
  const entries = packages.map((one) => `${one.name} ${one.version} (${one.license})\n\n${one.text}`);
  return `${[HEAD, ...[...new Set([...entries, ...others])].sort()].join(RULE)}\n`;
}

/** The entries of a notice. */
export function entriesOf(text: string): string[] {
  return text.trimEnd().split(RULE).slice(1);
}

export interface Options {
  /** The folder that has node_modules; that of the build where nothing is said. */
  root?: string;
  /** Names that begin the ids of modules in no file -> the package that writes these, below node_modules. */
  builders?: Record<string, string>;
  /** The notice of another build that is served beside this one: its entries are taken over if it is there. */
  beside?: string;
  /** The modules of workers, as `collectModules` finds them. */
  inWorkers?: ReadonlySet<string>;
}

/** For the builds of workers, which are part of no bundle of the pages: adds their modules to `found`. */
export function collectModules(found: Set<string>): Plugin {
  return {
    name: "modules-of-workers",
    generateBundle(_options, bundle) {
      for (const id of Object.values(bundle).flatMap(sources)) found.add(id);
    },
  };
}

export function licenses({ root: given, builders = BUILDERS, beside, inWorkers }: Options = {}): Plugin {
  let root = given ?? "";
  return {
    name: "licenses",
    apply: "build",
    configResolved(config) {
      root ||= config.root;
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const ids = [...Object.values(bundle).flatMap(sources), ...(inWorkers ?? [])];
        const folders = new Set(
          ids.map((id) => packageFolder(id, root, builders)).filter((folder) => folder !== null),
        );
        const others = beside && existsSync(beside) ? entriesOf(readFileSync(beside, "utf-8")) : [];
        this.emitFile({
          type: "asset",
          fileName: "licenses.txt",
          source: notice([...folders].map(readPackage), others),
        });
      },
    },
  };
}

function sources(output: Rolldown.OutputChunk | Rolldown.OutputAsset): string[] {
  return output.type === "chunk" ? output.moduleIds : output.originalFileNames;
}

function readPackage(folder: string): Package {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
  const files = readdirSync(folder).filter((name) => LICENSE_FILE.test(name));
  const texts = files
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf-8").replace(INSIDE_THE_BUILDER, "").trim());
  const author = typeof about.author === "string" ? about.author : (about.author?.name ?? about.name);
  const home = about.homepage ?? about.repository?.url ?? about.repository ?? "";
  return {
    name: about.name,
    version: about.version,
    license: about.license ?? "",
    text: texts.join("\n\n") || `By ${author}. ${home}`.trim(),
  };
}
