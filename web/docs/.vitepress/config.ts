// The documentation: docs/*.md of the repository as a site that the hub serves at /docs/.

import { resolve } from "node:path";
import { defineConfig, type UserConfig } from "vitepress";
import { externalScripts } from "../../plugins/external-scripts.ts";
import { licenses } from "../../plugins/licenses.ts";
import { readmeLinks, searchable, slug } from "./markdown.ts";
import { HOME, NAV, SIDEBAR } from "./navigation.ts";

const WEB = resolve(import.meta.dirname, "../..");
const MODULES = resolve(WEB, "node_modules");
const OUT = resolve(WEB, "../src/lightboard/hub/docs_static");

/** The plugins are of the Vite that builds the pages; VitePress has an older one inside, with the same interface. */
type Plugins = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>;

const BUILDERS = {
  vite: "vitepress/node_modules/vite",
  "plugin-vue": "vitepress/node_modules/@vitejs/plugin-vue",
};

const scripts = externalScripts(resolve(import.meta.dirname, "boot.js"), "/docs/");

export default defineConfig({
  srcDir: resolve(WEB, "../docs"),
  outDir: OUT,
  cacheDir: resolve(MODULES, ".cache/vitepress"),
  // The hub puts its own prefix before it.
  base: "/docs/",
  lang: "en",
  title: "Lightboard",
  description: "Documentation of Lightboard: the board, the hub, their command lines, APIs and design.",
  cleanUrls: true,
  metaChunk: true,
  rewrites: { "README.md": "index.md", "decisions/README.md": "decisions/index.md" },
  markdown: {
    // Headings such as "GET /api/v1/runs/{run}" are no attributes.
    attrs: { disable: true },
    anchor: { slugify: slug },
    config: readmeLinks,
    theme: { light: "github-light", dark: "github-dark" },
  },
  transformPageData(page) {
    if (page.relativePath === "index.md") Object.assign(page.frontmatter, HOME);
    if (page.relativePath === "decisions/index.md") page.frontmatter.pageClass = "decisions";
  },
  transformHtml: scripts.transformHtml,
  buildEnd() {
    scripts.write(OUT);
  },
  themeConfig: {
    siteTitle: "Lightboard",
    logo: { src: "/logo.svg", alt: "" },
    nav: NAV,
    sidebar: SIDEBAR,
    outline: { level: [2, 3], label: "On this page" },
    docFooter: { prev: "Previous", next: "Next" },
    search: { provider: "local", options: { detailedView: true, _render: searchable } },
    notFound: {
      quote: "There is no such page. Search, or start from the list of pages.",
      linkText: "All pages",
      linkLabel: "All pages",
    },
  },
  vite: {
    publicDir: resolve(import.meta.dirname, "public"),
    plugins: [licenses({ root: WEB, builders: BUILDERS })] as unknown as Plugins,
    resolve: {
      // The pages lie outside of this package: what they import would not be found in its node_modules.
      alias: [
        { find: /^vue\/server-renderer$/, replacement: resolve(MODULES, "vue/server-renderer/index.mjs") },
        { find: /^vue$/, replacement: resolve(MODULES, "vue/dist/vue.runtime.esm-bundler.js") },
      ],
    },
  },
});
