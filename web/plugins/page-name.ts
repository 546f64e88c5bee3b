// Lets the page of a build be index.html, whatever its source is called.

import type { Plugin } from "vite";

export function pageName(source: string): Plugin {
  return {
    name: "page-name",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle[source];
      if (page) page.fileName = "index.html";
    },
  };
}
