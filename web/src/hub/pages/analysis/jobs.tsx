/** The list of jobs, or of notebooks. */

import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { usePermitted } from "../../data/accounts";
import { type JobKind, useJobBoards, useJobs, useMetricColumns } from "../../data/jobs";
import { useProjects } from "../../data/projects";
import { useQuery } from "../../data/route";
import cell from "../../ui/cells.module.css";
import { CopyButton } from "../../ui/copy-button";
import { EmptyState } from "../../ui/page";
import { JOB_FILTERS, jobRequestOf } from "./filters";
import style from "./job-list.module.css";
import { columnsOf, JobRow } from "./job-row";
import { Listing } from "./listing";
import { type Heading, ResourceList } from "./resource-list";

const FIRST: readonly Heading[] = [
  ["status", "hub.field.status"],
  ["name", "hub.field.name", "name"],
];
const COMMAND: readonly Heading[] = [["command", "hub.job.command"]];
const LATER: readonly Heading[] = [
  ["created", "hub.field.created", "created"],
  ["ran", "hub.job.duration"],
  ["owner", "hub.field.owner"],
];
const LAST: Record<JobKind, readonly Heading[]> = {
  job: [...LATER, ["link", "hub.kinds.tensorboard"]],
  notebook: [...LATER, ["board", "hub.kinds.tensorboard"], ["link", "hub.field.link"]],
};

const headingsOf = (kind: JobKind, columns: readonly string[]): readonly Heading[] => [
  ...FIRST,
  ...(kind === "job" ? COMMAND : []),
  ...columns.map((text): Heading => ["metric", { text }]),
  ...LAST[kind],
];

interface JobsProps {
  kind: JobKind;
  /** Null if the account may not create one. */
  /** Why none can be created on this hub, "" if they can. */
  obstacle: string;
  onNew: (() => void) | null;
}

export default function Jobs({ kind, obstacle, onNew }: JobsProps) {
  const say = useWords();
  const query = useQuery();
  const list = useJobs(jobRequestOf(kind, query));
  const columns = useMetricColumns(list, query);
  const boards = useJobBoards(kind);
  const severalProjects = (useProjects().data?.items.length ?? 0) > 1;
  return (
    <Listing list={list} filters={JOB_FILTERS} none={<None kind={kind} obstacle={obstacle} onNew={onNew} />}>
      {(rows) => (
        <ResourceList
          label={say(`hub.kinds.${kind}s`)}
          headings={headingsOf(kind, columns)}
          classes={{ ...style, columns: columnsOf(kind, columns.length) }}
          {...rows}
        >
          {(job, place) => (
            <JobRow
              key={job.id}
              job={job}
              columns={columns}
              board={boards.get(job.id)}
              withProject={severalProjects}
              {...place}
            />
          )}
        </ResourceList>
      )}
    </Listing>
  );
}

const EXAMPLES: Record<JobKind, string> = {
  job: 'lightboard job submit --tensorboard "python train.py"',
  notebook: "lightboard notebook create --browse",
};

function None({ kind, obstacle, onNew }: JobsProps) {
  const say = useWords();
  const permitted = usePermitted("run_jobs");
  if (obstacle) return <EmptyState title={say(`hub.none.${kind}`)} />;
  if (!onNew)
    return (
      <EmptyState title={say(`hub.none.${kind}`)}>
        <p>{say(permitted ? "hub.fault.askOwner" : `hub.lacking.${kind}`)}</p>
      </EmptyState>
    );
  const example = EXAMPLES[kind];
  return (
    <EmptyState title={say(`hub.none.${kind}`)}>
      <p>{say(`hub.noneWhat.${kind}`)}</p>
      <div className={style.example}>
        <code className={cell.code}>{example}</code>
        <CopyButton text={example} what={say("hub.job.command")} />
      </div>
      <Button variant="primary" icon="plus" onClick={onNew}>
        {say(`hub.${kind}.new`)}
      </Button>
    </EmptyState>
  );
}
