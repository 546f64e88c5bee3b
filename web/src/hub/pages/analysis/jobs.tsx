/** The list of jobs. */

import { Button } from "../../../widgets/button";
import { useWords } from "../../../words/words";
import cell from "../../parts/cells.module.css";
import { CopyButton } from "../../parts/copy-button";
import { EmptyState } from "../../parts/page";
import { usePermitted } from "../../state/accounts";
import { useJobBoards, useJobs } from "../../state/jobs";
import { openNewJob } from "../../state/new-job";
import { useProjects } from "../../state/projects";
import { useQuery } from "../../state/route";
import { JOB_FILTERS, jobRequestOf } from "./filters";
import style from "./job-list.module.css";
import { JobRow } from "./job-row";
import { Listing } from "./listing";
import { type Heading, ResourceList } from "./resource-list";

const HEADINGS: readonly Heading[] = [
  ["status", "hub.field.status"],
  ["name", "hub.field.name", "name"],
  ["command", "hub.job.command"],
  ["created", "hub.field.created", "created"],
  ["ran", "hub.job.duration"],
  ["owner", "hub.field.owner"],
  ["link", "hub.kinds.tensorboard"],
];

export default function Jobs({ mayCreate }: { mayCreate: boolean }) {
  const say = useWords();
  const list = useJobs(jobRequestOf(useQuery()));
  const boards = useJobBoards();
  const severalProjects = (useProjects().data?.items.length ?? 0) > 1;
  return (
    <Listing list={list} filters={JOB_FILTERS} none={<None mayCreate={mayCreate} />}>
      {(rows) => (
        <ResourceList label={say("hub.kinds.jobs")} headings={HEADINGS} classes={style} {...rows}>
          {(job, place) => (
            <JobRow
              key={job.id}
              job={job}
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

const EXAMPLE = 'lightboard job submit --tensorboard "python train.py"';

function None({ mayCreate }: { mayCreate: boolean }) {
  const say = useWords();
  const permitted = usePermitted("run_jobs");
  if (!mayCreate)
    return (
      <EmptyState title={say("hub.job.none")}>
        <p>{say(permitted ? "hub.fault.askOwner" : "hub.job.lacking")}</p>
      </EmptyState>
    );
  return (
    <EmptyState title={say("hub.job.none")}>
      <p>{say("hub.job.noneWhat")}</p>
      <div className={style.example}>
        <code className={cell.code}>{EXAMPLE}</code>
        <CopyButton text={EXAMPLE} what={say("hub.job.command")} />
      </div>
      <Button variant="primary" icon="plus" onClick={() => openNewJob()}>
        {say("hub.job.new")}
      </Button>
    </EmptyState>
  );
}
