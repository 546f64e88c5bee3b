/** The page for a folder without event files: what was searched, similar folders, and how to write logs. */

import { useEffect, useState } from "react";
import type { Status } from "../../../api/schema.gen";
import { ago } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { now } from "../../../lib/current-time";
import { CopyButton } from "../../../ui/copy-button";
import { CodeSnippets, snippetsOf } from "../../cards/code-snippets";
import { wallTime } from "../../data/lists";
import { notify } from "../../view/notice";
import { DEFAULT_PAGE } from "../../view/view-state";
import style from "./empty.module.css";

export default function Empty({ page, status }: { page: string; status: Status }) {
  const say = useWords();
  useEffect(() => {
    document.documentElement.dataset.ready = "true";
  }, []);
  return (
    <main className={style.page} data-testid="empty">
      <div className={style.box}>
        <h2 className={style.title}>{say("empty.title")}</h2>
        <dl className={style.facts}>
          <dt>{say("empty.looked")}</dt>
          <dd>
            <bdi className={style.path}>{status.logdir}</bdi>
          </dd>
          <dt>{say("empty.found")}</dt>
          <dd>{say("empty.files", { files: status.scanned_files, events: status.files })}</dd>
          <dt>{say("empty.lastLook")}</dt>
          <dd>
            <LastCheck at={wallTime(status.last_scan)} />
          </dd>
          {status.unreadable.length > 0 && (
            <>
              <dt>{say("empty.unreadable")}</dt>
              <dd>
                {status.unreadable.map((path) => (
                  <div key={path} className={style.path}>
                    <bdi>{path}</bdi>
                  </div>
                ))}
              </dd>
            </>
          )}
          {status.skipped_links > 0 && (
            <>
              <dt>{say("empty.links")}</dt>
              <dd>{say("runs.skippedLinks", { count: status.skipped_links })}</dd>
            </>
          )}
        </dl>
        <p className={style.watching} role="status">
          {say("empty.watching")}
        </p>
        {status.nearest.length > 0 && <Near folders={status.nearest} />}
        <First page={page} logdir={status.logdir} />
      </div>
    </main>
  );
}

function LastCheck({ at }: { at: number | null }) {
  const say = useWords();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (at === null) return say("empty.notYet");
  return ago(now() - at);
}

function Near({ folders }: { folders: Status["nearest"] }) {
  const say = useWords();
  return (
    <section>
      <h2 className={style.sub}>{say("empty.near")}</h2>
      <ul className={style.near}>
        {folders.map(({ path, runs }) => (
          <li key={path}>
            <bdi className={style.path}>{path}</bdi>
            <span>{say("empty.nearRuns", { runs })}</span>
            <CopyButton
              text={`lightboard --logdir ${quoted(path)}`}
              label={say("empty.copyCommand")}
              onRefused={() => notify("notice.notCopied")}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Code for the page that was asked for, or else for a scalar. */
function First({ page, logdir }: { page: string; logdir: string }) {
  const say = useWords();
  const own = page === DEFAULT_PAGE ? {} : snippetsOf(page);
  const isOwn = Object.keys(own).length > 0;
  return (
    <section className={style.first}>
      <h2 className={style.sub}>{say(isOwn ? "nodata.fill" : "empty.first")}</h2>
      <CodeSnippets snippets={isOwn ? own : snippetsOf(DEFAULT_PAGE)} logdir={logdir} />
    </section>
  );
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
