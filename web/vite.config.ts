import { resolve } from "node:path";
import type { Plugin } from "vite";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { compress } from "./plugins/compress.ts";
import { collectModules, licenses } from "./plugins/licenses.ts";
import { pageName } from "./plugins/page-name.ts";
import { boardWord, hubWord, words } from "./plugins/words.ts";

/** Where `npm run dev` finds a running board, and `npm run dev -- --mode hub` a running hub. */
const SERVER = process.env.LIGHTBOARD_URL;

/** Of the documentation, which the hub serves too; built before the hub's pages. */
const DOCS_LICENSES = resolve(import.meta.dirname, "../src/lightboard/hub/docs_static/licenses.txt");

const inWorkers = new Set<string>();

interface Site {
  page: string;
  /** Below src/lightboard. */
  folder: string;
  server: string;
  plugins: Plugin[];
}

const BOARD: Site = {
  page: "index.html",
  folder: "board/static",
  server: "http://127.0.0.1:6006",
  plugins: [words(boardWord), licenses({ inWorkers }), compress()],
};
const HUB: Site = {
  page: "hub.html",
  folder: "hub/static",
  server: "http://127.0.0.1:8080",
  plugins: [words(hubWord), pageName("hub.html"), licenses({ beside: DOCS_LICENSES, inWorkers }), compress()],
};

export default defineConfig(({ mode }): ViteUserConfig => {
  const site = mode === "hub" ? HUB : BOARD;
  const testing = mode === "test";
  return {
    base: "./",
    plugins: testing ? [words(() => true)] : site.plugins,
    worker: { plugins: () => [collectModules(inWorkers)] },
    build: {
      outDir: resolve(import.meta.dirname, "../src/lightboard", site.folder),
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 900,
      rolldownOptions: {
        input: resolve(import.meta.dirname, site.page),
        // Directives for servers that draw React mean nothing here.
        onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning),
        // What the first screen needs comes as one file, however many later parts share pieces of it.
        output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
      },
    },
    css: { modules: { localsConvention: "camelCaseOnly" } },
    server: { proxy: { "/api": { target: SERVER ?? site.server, changeOrigin: true } } },
    test: { environment: "node", include: ["src/**/*.test.ts", "plugins/**/*.test.ts"] },
  };
});
