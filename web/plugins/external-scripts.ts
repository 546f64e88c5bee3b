// Moves the inline scripts of VitePress's pages into a file, so that the content policy can forbid inline scripts.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An inline script that VitePress puts into the head of every page. */
const KNOWN = /\s*<script id="(?:check-dark-mode|check-mac-os)">[\s\S]*?<\/script>/g;
const INLINE = /<script(?![^>]*\ssrc=)[^>]*>/;

export interface ExternalScripts {
  transformHtml(html: string): string;
  /** Writes the script into the built site. */
  write(site: string): void;
}

/** Every page runs `file` before its first paint, in place of its inline scripts. `base` is the address of the site. */
export function externalScripts(file: string, base: string): ExternalScripts {
  const code = readFileSync(file, "utf8");
  const name = `assets/boot.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
  return {
    transformHtml(html) {
      const page = html
        .replace(KNOWN, "")
        .replace("<head>", `<head>\n    <script src="${base}${name}"></script>`);
      if (INLINE.test(page))
        throw new Error("a page has an inline script, which the hub's content policy forbids");
      return page;
    },
    write(site) {
      mkdirSync(join(site, "assets"), { recursive: true });
      writeFileSync(join(site, name), code);
    },
  };
}
