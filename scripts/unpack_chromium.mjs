// Unpacks the Chromium in the npm package @sparticuz/chromium, and prints as JSON how to start it:
// {"executable": path, "env": {...}}. Used by the browser tests where the machine has no browser of its own.
// The package's own loader unpacks its shared libraries only on Amazon's servers; a bare Debian needs them as well.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const bin = join(root, "web", "node_modules", "@sparticuz", "chromium", "bin");
const target = join(root, ".cache", "chromium");

function untar(archive, folder) {
  mkdirSync(folder, { recursive: true });
  const done = spawnSync("tar", ["-x", "-C", folder], { input: brotliDecompressSync(readFileSync(archive)) });
  if (done.status !== 0) throw new Error(`tar failed on ${archive}: ${done.stderr}`);
}

/** Another process may have unpacked it meanwhile, and may have started it already: the first one stays. */
function moveIntoPlace(partial) {
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(join(target, "chromium"))) throw error;
  }
}

if (!existsSync(join(target, "chromium"))) {
  const partial = `${target}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  untar(join(bin, "al2023.tar.br"), partial);
  untar(join(bin, "swiftshader.tar.br"), partial);
  untar(join(bin, "fonts.tar.br"), partial);
  writeFileSync(join(partial, "chromium"), brotliDecompressSync(readFileSync(join(bin, "chromium.br"))));
  chmodSync(join(partial, "chromium"), 0o755);
  // The package's own fonts.conf names folders of Amazon's servers. Without a font, pages have no text at all.
  const folders = [join(target, "fonts"), "/usr/share/fonts", "/usr/local/share/fonts"];
  const dirs = folders.map((folder) => `<dir>${folder}</dir>`).join("");
  const cache = `<cachedir>${join(target, "fonts-cache")}</cachedir>`;
  const head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  writeFileSync(join(partial, "fonts.conf"), `${head}<fontconfig>${dirs}${cache}</fontconfig>\n`);
  moveIntoPlace(partial);
}

const env = {
  LD_LIBRARY_PATH: [join(target, "lib"), target, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
  FONTCONFIG_PATH: target,
  HOME: process.env.HOME || target,
};
console.log(JSON.stringify({ executable: join(target, "chromium"), env }));
