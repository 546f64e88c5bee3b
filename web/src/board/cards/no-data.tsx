/** A page without data in the logs: what it would show, code that logs such data, and where there is some. */

import { useEffect } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { kindPage } from "../data/kinds";
import { useStatus } from "../data/lists";
import { CodeSnippets, snippetsOf } from "./code-snippets";
import style from "./no-data.module.css";
import { OtherPages } from "./other-pages";

interface NoDataProps {
  page: string;
  /** Why there is none, if that is known. */
  reason?: string | undefined;
}

/** What is missing on pages that show no kind of their own. */
const WITHOUT_KIND: Readonly<Record<string, WordId>> = { timeseries: "kind.scalars", runs: "page.runs" };

export function NoData({ page, reason }: NoDataProps) {
  useEffect(() => {
    document.documentElement.dataset.ready = "true";
  }, []);
  return (
    <main className={style.page} data-page={page} id="cards" tabIndex={-1}>
      <div className={style.box}>
        <MissingData page={page} reason={reason} />
      </div>
    </main>
  );
}

/** The same within a page. */
export default function MissingData({ page, reason }: NoDataProps) {
  const say = useWords();
  const word = kindPage(page)?.word ?? WITHOUT_KIND[page];
  const kind = word ? say(word) : page;
  const logdir = useStatus().data?.logdir ?? "runs";
  const snippets = snippetsOf(page);
  const hasCode = Object.keys(snippets).length > 0;
  return (
    <>
      <h2 className={style.title}>{say("nodata.title", { kind })}</h2>
      {reason && <p role="status">{reason}</p>}
      <p>{say(hasCode ? "nodata.fill" : "nodata.none")}</p>
      <CodeSnippets snippets={snippets} logdir={logdir} />
      {page === "graphs" && <p>{say("nodata.models")}</p>}
      <OtherPages page={page} />
    </>
  );
}
