/** What jobs share, who uses how much of it, and which jobs wait. */

import { useState } from "react";
import type { JobQueue, QueueCapacity, QueuedJob, QueueShare } from "../../../api/hub-schema.gen";
import { count, dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { measuredMemoryText, memoryText } from "../../data/job-values";
import { useQueue, waitingJobs } from "../../data/queue";
import cell from "../../ui/cells.module.css";
import { ChangePriority } from "../../ui/change-priority";
import meter from "../../ui/limit-meter.module.css";
import { NameCell, RowButton, TableSection } from "../../ui/list-page";
import { EmptyState, ErrorNotice, Page } from "../../ui/page";
import type { Column } from "../../ui/table";
import style from "./queue-page.module.css";

const NONE = "–";

export default function QueuePage() {
  const say = useWords();
  const list = useQueue();
  const queue = list.data?.pages[0];
  const jobs = waitingJobs(list.data?.pages ?? []);
  return (
    <Page name="queue" title={say("hub.page.queue")} busy={list.isPending}>
      {list.isError && !queue && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {queue && (
        <>
          <Capacity queue={queue} />
          <WaitingJobs
            jobs={jobs}
            hidden={queue.waiting - queue.total}
            onChanged={() => void list.refetch()}
          />
          {list.hasNextPage && (
            <div>
              <Button aria-busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {say("hub.audit.more")}
              </Button>
            </div>
          )}
          <Shares shares={queue.shares} capacity={queue.capacity} />
        </>
      )}
    </Page>
  );
}

function Capacity({ queue }: { queue: JobQueue }) {
  const say = useWords();
  const { capacity } = queue;
  const gpus = capacity.gpu_ids;
  return (
    <dl className={style.gauges}>
      <Gauge label={say("hub.queue.slots")} used={capacity.used_slots} all={capacity.slots} text={count} />
      {capacity.memory_bytes !== null && (
        <Gauge
          label={say("hub.preset.memory")}
          used={capacity.used_memory_bytes}
          all={capacity.memory_bytes}
          text={measuredMemoryText}
        />
      )}
      {gpus && gpus.length > 0 && (
        <Gauge
          label={say("hub.preset.gpus")}
          used={capacity.used_gpu_ids.length}
          all={gpus.length}
          text={count}
        >
          <ul className={style.gpus}>
            {gpus.map((id) => {
              const used = capacity.used_gpu_ids.includes(id);
              const label = say(used ? "hub.queue.gpuUsed" : "hub.queue.gpuFree", { id });
              return (
                <li key={id} data-used={used || undefined} title={label} aria-label={label}>
                  {id}
                </li>
              );
            })}
          </ul>
        </Gauge>
      )}
      <Gauge
        label={say("hub.queue.own")}
        used={queue.active_jobs}
        all={queue.max_active_jobs}
        text={count}
        quiet
      />
    </dl>
  );
}

interface GaugeProps {
  label: string;
  used: number;
  /** Null if it is not counted. */
  all: number | null;
  text(amount: number): string;
  /** A limit of the account instead of something that is in use. */
  quiet?: boolean;
  /** Instead of a bar. */
  children?: React.ReactNode;
}

function Gauge({ label, used, all, text, quiet = false, children }: GaugeProps) {
  const say = useWords();
  const shown =
    all === null
      ? say("hub.queue.usedOnly", { used: text(used) })
      : say(quiet ? "hub.queue.ofLimit" : "hub.queue.used", { used: text(used), all: text(all) });
  return (
    <div className={style.gauge} data-testid="gauge">
      <dt>{label}</dt>
      <dd>
        <span>{shown}</span>
        {children ??
          (all !== null && (
            <meter
              className={meter.bar}
              aria-label={`${label}: ${shown}`}
              min={0}
              max={Math.max(1, all)}
              value={used}
            />
          ))}
      </dd>
    </div>
  );
}

interface WaitingJobsProps {
  jobs: readonly QueuedJob[];
  /** How many wait that one may not see. */
  hidden: number;
  onChanged(): void;
}

function WaitingJobs({ jobs, hidden, onChanged }: WaitingJobsProps) {
  const say = useWords();
  const [changed, setChanged] = useState<QueuedJob | null>(null);
  return (
    <>
      {jobs.length === 0 && <EmptyState title={say(hidden > 0 ? "hub.queue.noneSeen" : "hub.queue.none")} />}
      <TableSection
        title={say("hub.queue.waiting")}
        rows={jobs}
        testId="queue-row"
        columns={[
          {
            id: "position",
            title: say("hub.queue.position"),
            cell: (each) => (each.position === null ? NONE : count(each.position)),
          },
          {
            id: "name",
            title: say("hub.field.name"),
            cell: (each) => (
              <>
                <NameCell name={each.name} shown="" to={`/jobs/${each.id}`} />
                <bdi className={cell.second}>{each.project_name}</bdi>
              </>
            ),
          },
          { id: "waits", title: say("hub.queue.waitsFor"), cell: (each) => <WaitsFor job={each} /> },
          {
            id: "needs",
            title: say("hub.queue.needs"),
            wide: true,
            cell: (each) => <Needs job={each} />,
          },
          {
            id: "priority",
            title: say("hub.job.priority"),
            wide: true,
            cell: (each) => count(each.priority),
          },
          {
            id: "since",
            title: say("hub.queue.since"),
            wide: true,
            cell: (each) => dateTime(each.waits_since),
          },
          {
            id: "owner",
            title: say("hub.field.owner"),
            wide: true,
            cell: (each) => <bdi>{each.owner_name}</bdi>,
          },
          {
            id: "tools",
            title: say("hub.field.menu"),
            tools: true,
            cell: (each) =>
              each.rights.includes("jobs.prioritize") && (
                <RowButton
                  icon="pencil"
                  label={say("hub.job.priorityTitle", { name: each.name })}
                  onClick={() => setChanged(each)}
                />
              ),
          },
        ]}
      />
      {changed && <ChangePriority job={changed} onChanged={onChanged} onClose={() => setChanged(null)} />}
      {hidden > 0 && (
        <p className={style.note} data-testid="hidden">
          {say("hub.queue.hidden", { jobs: hidden })}
        </p>
      )}
    </>
  );
}

function WaitsFor({ job }: { job: QueuedJob }) {
  const say = useWords();
  if (job.status !== "Queued") return say("hub.queue.nextAttempt");
  if (job.message) return <bdi lang="en">{job.message.replace(/^waiting for /, "")}</bdi>;
  return say("hub.job.waits", { replicas: job.slots });
}

function Needs({ job }: { job: QueuedJob }) {
  const say = useWords();
  const parts = [say("hub.queue.slotsNeeded", { slots: job.slots })];
  if (job.memory_bytes > 0) parts.push(memoryText(job.memory_bytes));
  if (job.gpus > 0) parts.push(say("hub.job.presetGpus", { gpus: job.gpus }));
  return (
    <>
      <span className={style.amounts}>{parts.join(" · ")}</span>
      {job.preset && <bdi className={cell.second}>{job.preset}</bdi>}
    </>
  );
}

function Shares({ shares, capacity }: { shares: readonly QueueShare[]; capacity: QueueCapacity }) {
  const say = useWords();
  const amount = (value: number) => (value === 0 ? NONE : count(value));
  const columns: Column<QueueShare & { id: string }>[] = [
    { id: "account", title: say("hub.queue.account"), cell: (each) => <Account share={each} /> },
    { id: "running", title: say("hub.jobStatus.Running"), cell: (each) => amount(each.running) },
    { id: "waiting", title: say("hub.queue.waits"), cell: (each) => amount(each.waiting) },
    { id: "slots", title: say("hub.queue.slots"), wide: true, cell: (each) => amount(each.slots) },
    {
      id: "memory",
      title: say("hub.preset.memory"),
      wide: true,
      cell: (each) => (each.memory_bytes === 0 ? NONE : memoryText(each.memory_bytes)),
    },
    { id: "gpus", title: say("hub.preset.gpus"), wide: true, cell: (each) => amount(each.gpus) },
    { id: "share", title: say("hub.queue.share"), cell: (each) => <Share share={each.share} /> },
  ];
  const isCounted = ({ id }: { id: string }) =>
    id === "memory" ? capacity.memory_bytes !== null : id !== "gpus" || capacity.gpu_ids?.length !== 0;
  return (
    <TableSection
      title={say("hub.queue.shares")}
      rows={shares.map((each) => ({ ...each, id: each.account }))}
      testId="share-row"
      columns={columns.filter(isCounted)}
    />
  );
}

function Account({ share }: { share: QueueShare }) {
  const say = useWords();
  if (!share.account) return <span className={style.note}>{say("hub.queue.others")}</span>;
  if (!share.own) return <bdi>{share.account_name}</bdi>;
  return (
    <span className={style.own}>
      <bdi className={cell.strong}>{share.account_name}</bdi>
      <span className={style.you}>{say("hub.queue.you")}</span>
    </span>
  );
}

function Share({ share }: { share: number }) {
  const percent = `${Math.round(share * 100)}%`;
  return (
    <span className={style.share}>
      <meter className={meter.bar} aria-label={percent} min={0} max={1} value={share} />
      {percent}
    </span>
  );
}
