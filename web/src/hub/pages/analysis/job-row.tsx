// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

import { memo } from "react";
import { useWords } from "../../../i18n/words";
import { commandText } from "../../../lib/shell-words";
import { visibleText } from "../../../lib/visible-text";
import { isNotebook, type Job, type JobKind } from "../../data/jobs";
import type { Board } from "../../data/tensorboards";
import links from "../../ui/board-link.module.css";
import { IdleStop } from "../../ui/idle-stop";
import { JobBoardLink } from "../../ui/job-board-link";
import { JobDuration } from "../../ui/job-duration";
import { JobMenu } from "../../ui/job-menu";
import { NotebookLink } from "../../ui/notebook-link";
import { JobStatusPill, useJobReason, useResult } from "../../ui/status-pill";
import style from "./job-list.module.css";
import { MetricCells, MetricLine } from "./metric-cells";
import { ResourceRow, type RowPlace } from "./resource-list";
import list from "./resource-list.module.css";
import { CreatedCell, LinkCell, MenuCell, NameCell, StatusCell } from "./row-cells";

/** Of a long command, as much as can be seen. */
const MAX_COMMAND = 300;

/** The classes of a row with so many metrics. */
export function columnsOf(kind: JobKind, metrics: number): string {
  if (kind === "notebook") return style.notebook!;
  return metrics === 0 ? style.columns! : `${style.measured} ${style[`metrics${metrics}`]}`;
}

interface RowProps extends RowPlace {
  job: Job;
  board: Board | undefined;
  withProject: boolean;
  /** The metrics to show. */
  columns: readonly string[];
}

export const JobRow = memo(function JobRow({
  job,
  board: itsBoard,
  withProject,
  columns,
  ...place
}: RowProps) {
  const why = useJobReason()(job);
  const page = `/jobs/${job.id}`;
  const command = isNotebook(job) ? "" : visibleText(commandText(job.command).slice(0, MAX_COMMAND));
  const board = <JobBoardLink job={job} board={itsBoard} className={links.link} />;
  return (
    <ResourceRow
      id={job.id}
      status={job.status}
      page={page}
      className={columnsOf(job.kind, columns.length)}
      {...place}
    >
      <StatusCell pill={<JobStatusPill status={job.status} />} reason={why} />
      <NameCell name={job.name} page={page}>
        {job.message && job.reason !== "Error" ? (
          <bdi lang="en" className={list.second} title={job.message}>
            {job.message}
          </bdi>
        ) : (
          <>
            {isNotebook(job) ? (
              <IdleStop job={job} className={list.second} />
            ) : (
              <bdi className={`${list.second} ${style.narrow}`}>{command}</bdi>
            )}
            <MetricLine job={job} columns={columns} />
          </>
        )}
      </NameCell>
      {command && (
        <div role="cell" className={style.command}>
          <bdi title={command}>{command}</bdi>
        </div>
      )}
      <MetricCells job={job} columns={columns} />
      <CreatedCell at={job.created_at} />
      <div role="cell" className={style.ran}>
        <JobDuration job={job} />
        <Attempt job={job} told={why} />
      </div>
      <div role="cell" className={style.owner}>
        <bdi title={job.owner_name}>{job.owner_name}</bdi>
        {withProject && (
          <bdi className={list.second} title={job.project_name}>
            {job.project_name}
          </bdi>
        )}
      </div>
      {isNotebook(job) && (
        <div role="cell" className={style.board}>
          {board}
        </div>
      )}
      <LinkCell>{isNotebook(job) ? <NotebookLink notebook={job} /> : board}</LinkCell>
      <MenuCell name={job.name}>
        {(trigger) => <JobMenu job={job} board={itsBoard} whole trigger={trigger} />}
      </MenuCell>
    </ResourceRow>
  );
});

/** What is unusual: further attempts, and how the command ended, unless that was `told` already. */
function Attempt({ job, told }: { job: Job; told: string }) {
  const say = useWords();
  const result = useResult()(job);
  const attempt = job.attempt > 1 && say("hub.job.attempt", { attempt: job.attempt });
  // What ends a notebook is a signal, whoever stops it.
  const parts = isNotebook(job) ? [] : [attempt, result !== told && result].filter(Boolean);
  if (parts.length === 0) return null;
  const text = parts.join(" · ");
  return (
    <span className={list.second} title={text}>
      {text}
    </span>
  );
}
