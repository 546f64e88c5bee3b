/** A page without data in the logs: what it would show, and code that logs such data. */

import { useEffect, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { kindPage } from "../data/kinds";
import { useStatus } from "../data/lists";
import { commit } from "../view/view";
import { DEFAULT_PAGE } from "../view/view-state";
import { CodeSample } from "./code-sample";
import style from "./no-data.module.css";
import { SNIPPETS } from "./snippets";

interface NoDataProps {
  page: string;
  /** Why there is none, if that is known. */
  reason?: string | undefined;
}

export function NoData({ page, reason }: NoDataProps) {
  const say = useWords();
  const known = kindPage(page);
  const kind = known ? say(known.word) : page;
  const logdir = useStatus().data?.logdir ?? "runs";
  const snippets = Object.entries(SNIPPETS[page] ?? {});
  const [chosen, choose] = useState(0);
  const [name, code] = snippets[Math.min(chosen, snippets.length - 1)] ?? ["", ""];
  useEffect(() => {
    document.documentElement.dataset.ready = "true";
  }, []);
  const text = code.replaceAll("FOLDER", JSON.stringify(`${logdir.replace(/\/$/, "")}/run1`));
  return (
    <main className={style.page} data-page={page} id="cards" tabIndex={-1}>
      <div className={style.box}>
        <h2 className={style.title}>{say("nodata.title", { kind })}</h2>
        {reason && <p role="status">{reason}</p>}
        <p>{say(snippets.length > 0 ? "nodata.fill" : "nodata.none", { kind })}</p>
        {snippets.length > 1 && (
          <Segmented
            label={say("empty.first")}
            value={name}
            options={snippets.map(([each]) => ({ value: each, label: each }))}
            onChange={(each) => choose(snippets.findIndex(([other]) => other === each))}
          />
        )}
        {snippets.length > 0 && <CodeSample>{text}</CodeSample>}
        <div>
          <Button variant="primary" onClick={() => commit({ page: DEFAULT_PAGE, subject: "" })}>
            {say("missing.back")}
          </Button>
        </div>
      </div>
    </main>
  );
}
