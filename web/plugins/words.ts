// Serves `words:<language>`: the catalog src/i18n/<language>.json (id -> ICU message) compiled at build time, so that
// the browser receives ready parts and no ICU parser. A build takes the words of its own pages only.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const PREFIX = "words:";
const FOLDER = resolve(import.meta.dirname, "../src/i18n");

/** Words that the pages of the hub take besides their own. */
const SHARED = /^(?:action|age|crash|duration|language|lost|menu|notice|theme)\./;

export const boardWord = (id: string) => !id.startsWith("hub.");
export const hubWord = (id: string) => id.startsWith("hub.") || SHARED.test(id);

export function words(wanted: (id: string) => boolean): Plugin {
  return {
    name: "words",
    resolveId(id) {
      return id.startsWith(PREFIX) ? `\0${id}` : null;
    },
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const path = resolve(FOLDER, `${id.slice(PREFIX.length + 1)}.json`);
      this.addWatchFile(path);
      const messages = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
      const compiled = Object.entries(messages)
        .filter(([key]) => wanted(key))
        .map(([key, message]) => [key, compileMessage(message)]);
      return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))};`, map: null };
    },
  };
}
