import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { compress } from "./plugins/compress.ts";
import { words } from "./plugins/words.ts";

/** Where `npm run dev` finds a running board. */
const BOARD = process.env.LIGHTBOARD_URL ?? "http://127.0.0.1:6006";

export default defineConfig({
  base: "./",
  plugins: [words(), compress()],
  build: {
    outDir: resolve(import.meta.dirname, "../src/lightboard/board/static"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    // Directives for servers that draw React mean nothing here.
    rolldownOptions: {
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning),
      // What the first screen needs comes as one file, however many later parts share pieces of it.
      output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
    },
  },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { proxy: { "/api": { target: BOARD, changeOrigin: true } } },
  test: { environment: "node", include: ["src/**/*.test.ts", "plugins/**/*.test.ts"] },
});
