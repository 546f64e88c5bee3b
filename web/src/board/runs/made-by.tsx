/** The job that has made a run: its name, which leads to its page, and what it ran with. */

import type { ReactNode } from "react";
import { bytes, colon } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { commandText } from "../../lib/shell-words";
import style from "./made-by.module.css";
import type { RunJob } from "./run-jobs";

const DIGEST_CHARS = 12;

export function MadeBy({ job }: { job: RunJob }) {
  const say = useWords();
  const facts: [string, ReactNode][] = [];
  if (job.attempt !== null && job.rank !== null)
    facts.push([say("madeBy.attempt"), say("madeBy.replica", { attempt: job.attempt, rank: job.rank })]);
  if (job.image !== "") facts.push([say("madeBy.image"), <bdi key="image">{job.image}</bdi>]);
  if (job.python !== "") facts.push([say("madeBy.python"), job.python]);
  for (const { name, source, dataset, contents } of job.inputs)
    facts.push([
      say("madeBy.input", { name }),
      <span key={name}>
        <bdi>{source}</bdi>
        {dataset && <span className={style.note}>{say("madeBy.version", { version: dataset.version })}</span>}
        {contents?.problem === null && (
          <span className={style.note} title={contents.digest}>
            {say("madeBy.contents", { files: contents.files, size: bytes(contents.size_bytes) })}{" "}
            <code>{contents.digest.slice(0, DIGEST_CHARS)}</code>
          </span>
        )}
      </span>,
    ]);
  if (job.source_code !== "")
    facts.push([
      say("madeBy.source"),
      <code key="source" title={job.source_code}>
        {job.source_code.slice(0, DIGEST_CHARS)}
      </code>,
    ]);
  return (
    <div className={style.job} data-testid="made-by">
      <p className={style.name}>
        {say(job.kind === "notebook" ? "madeBy.notebook" : "madeBy.job")}
        {colon()}
        <a href={job.url} target="_blank" rel="noopener">
          <bdi>{job.name}</bdi>
          <span aria-hidden="true">↗</span>
        </a>
        {job.status === "Deleted" && <span className={style.note}>{say("madeBy.deleted")}</span>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre className={style.command} tabIndex={0}>
        {commandText(job.command)}
      </pre>
      <dl className={style.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
