/** Code that logs the data of a page, by writer. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { Segmented } from "../../ui/segmented";
import { CodeSample } from "./code-sample";
import { SNIPPETS, type Snippets } from "./snippets";

interface CodeSnippetsProps {
  snippets: Snippets;
  /** The folder that the board reads. */
  logdir: string;
}

export function snippetsOf(page: string): Snippets {
  return SNIPPETS[page] ?? {};
}

export function CodeSnippets({ snippets, logdir }: CodeSnippetsProps) {
  const say = useWords();
  const [writer, choose] = useState("");
  const names = Object.keys(snippets);
  const chosen = names.includes(writer) ? writer : (names[0] ?? "");
  const folder = JSON.stringify(`${logdir.replace(/\/$/, "")}/run1`);
  return (
    <>
      {names.length > 1 && (
        <div>
          <Segmented
            label={say("nodata.writer")}
            value={chosen}
            options={names.map((each) => ({ value: each, label: each }))}
            onChange={choose}
          />
        </div>
      )}
      {names.length > 0 && <CodeSample>{(snippets[chosen] ?? "").replaceAll("FOLDER", folder)}</CodeSample>}
    </>
  );
}
