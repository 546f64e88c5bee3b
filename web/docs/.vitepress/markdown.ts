// Lets docs/*.md be read on the site as on GitHub: the same anchors, and links to README.md as links to its folder.

import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

const PUNCTUATION = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** The anchor that GitHub gives to a heading. */
export function slug(heading: string): string {
  return heading.trim().toLowerCase().replace(PUNCTUATION, "").replaceAll(" ", "-");
}

/** A link to a README.md leads to the page of its folder. */
export function readmeLinks(md: MarkdownRenderer): void {
  md.core.ruler.push("readme-links", (state) => {
    for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href) token.attrSet("href", href.replace(/(^|\/)README\.md(?=$|#)/, "$1index.md"));
    }
  });
}

/**
 * What the search finds of a page. Records of decisions would come before the pages that people look for; they are found
 * by their titles, which the list of decisions has.
 */
export function searchable(source: string, env: MarkdownEnv, md: Renderer): string {
  const html = md.render(source, env);
  return /^decisions\/\d/.test(env.relativePath) ? "" : html;
}
