/** One job or notebook: status, log, properties and history. */

import type { JobDetail } from "../../../api/hub-schema.gen";
import { colon, dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { commandText } from "../../../lib/shell-words";
import { visibleLine, visibleText } from "../../../lib/visible-text";
import { Button } from "../../../ui/button";
import { useBusy } from "../../data/busy";
import { endJob, restart, resume } from "../../data/job-actions";
import { hasEnded, isActive, isNotebook, listOf, useJob, useJobBoard, useJobHttp } from "../../data/jobs";
import { go } from "../../data/route";
import { CopyButton } from "../../ui/copy-button";
import { Sections, useSection, Why } from "../../ui/detail";
import detail from "../../ui/detail.module.css";
import { IdleStop } from "../../ui/idle-stop";
import { JobBoardLink } from "../../ui/job-board-link";
import { JobDuration } from "../../ui/job-duration";
import { JobMenu } from "../../ui/job-menu";
import { Link } from "../../ui/link";
import { mayOpen } from "../../ui/notebook-link";
import { ErrorNotice, Page } from "../../ui/page";
import { JobStatusPill, useReason, useResult } from "../../ui/status-pill";
import { Timeline } from "../../ui/timeline";
import { JobLineageView } from "./job-lineage";
import { JobLog } from "./job-log";
import { JobMetrics } from "./job-metrics";
import { JobOverview } from "./job-overview";
import style from "./job-page.module.css";
import { JobResources } from "./job-resources";
import { TerminalSection } from "./terminal-section";

export default function JobPage({ id }: { id: string }) {
  const say = useWords();
  const { data: job, error, refetch, isPending } = useJob(id);
  const names = partsOf(job);
  const section = useSection(names);
  const kind = job?.kind ?? "job";
  const above = <Link to={listOf(kind)}>{say(`hub.kinds.${kind}s`)}</Link>;
  if (!job)
    return (
      <Page name="job" title={isPending ? id : say("hub.job.missing")} above={above} busy={isPending}>
        {error && <ErrorNotice fault={error} onRetry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page
      name="job"
      title={job.name}
      above={above}
      beside={<JobStatusPill status={job.status} />}
      actions={<Actions job={job} />}
      whole={section === "logs" || section === "terminal"}
    >
      <JobWhy job={job} />
      <PortTaken job={job} />
      <Summary job={job} />
      <Sections names={names} label={(part) => say(`hub.job.part.${part}`)}>
        {(part) => (
          <>
            {part === "logs" && <JobLog job={job} />}
            {part === "metrics" && <JobMetrics job={job} />}
            {part === "resources" && <JobResources job={job} />}
            {part === "terminal" && <TerminalSection job={job} />}
            {part === "overview" && <JobOverview job={job} />}
            {part === "lineage" && <JobLineageView job={job} />}
            {part === "timeline" && (
              <Timeline steps={job.transitions} pill={(step) => <JobStatusPill status={step.status} />} />
            )}
          </>
        )}
      </Sections>
    </Page>
  );
}

const PARTS = ["logs", "metrics", "resources", "terminal", "overview", "lineage", "timeline"] as const;
type Part = (typeof PARTS)[number];

/** The sections of its page, all as long as it is not known. */
function partsOf(job: JobDetail | undefined): readonly Part[] {
  const left: Part[] = [];
  if (job && !job.rights.includes("jobs.logs")) left.push("logs");
  if (job && isNotebook(job)) left.push("metrics");
  return PARTS.filter((part) => !left.includes(part));
}

function Actions({ job }: { job: JobDetail }) {
  const say = useWords();
  const busy = useBusy((state) => state.ids.has(job.id));
  const board = useJobBoard(job);
  const may = (right: string) => job.rights.includes(`jobs.${right}`);
  if (job.status === "Deleted") return null;
  return (
    <>
      {isNotebook(job) ? <OpenNotebook notebook={job} /> : <OpenPage job={job} />}
      <JobBoardLink
        job={job}
        board={board}
        className={isNotebook(job) || job.http_port !== null ? detail.beside : detail.open}
        label={say("hub.kinds.tensorboard")}
      />
      {isActive(job) && may("stop") && (
        <Button icon="stop" disabled={busy} data-testid="stop" onClick={() => void endJob(job)}>
          {say("hub.act.stop")}
        </Button>
      )}
      {job.status === "Paused" && may("resume") && (
        <Button icon="play" disabled={busy} data-testid="resume" onClick={() => void resume(job)}>
          {say("hub.act.resume")}
        </Button>
      )}
      {hasEnded(job) && may("restart") && (
        <Button
          {...(isNotebook(job) ? { icon: "play", variant: "primary" } : { icon: "reload" })}
          disabled={busy}
          data-testid="restart"
          onClick={() => void restart(job)}
        >
          {say(isNotebook(job) ? "hub.act.start" : "hub.job.restart")}
        </Button>
      )}
      <JobMenu
        job={job}
        board={board}
        onGone={() => go(listOf(job.kind))}
        trigger={<Button icon="more" label={say("hub.list.menu", { name: job.name })} data-testid="menu" />}
      />
    </>
  );
}

/** Opens JupyterLab once it runs; while it is starting, says so. */
function OpenNotebook({ notebook }: { notebook: JobDetail }) {
  const say = useWords();
  if (!isActive(notebook) || !mayOpen(notebook)) return null;
  if (notebook.status !== "Running")
    return (
      <Button variant="primary" disabled data-testid="open-notebook">
        {say(notebook.status === "Queued" ? "hub.act.open" : "hub.notebook.starting")}
      </Button>
    );
  return (
    <a className={detail.open} href={notebook.url} target="_blank" rel="noopener" data-testid="open-notebook">
      {say("hub.act.open")}
      <span aria-hidden="true">↗</span>
    </a>
  );
}

/** Opens the web page of a job once it is served. */
function OpenPage({ job }: { job: JobDetail }) {
  const say = useWords();
  const shown = job.http_port !== null && job.status === "Running" && mayOpen(job);
  const { data } = useJobHttp(job, shown);
  if (!shown || !data || data.taken) return null;
  if (!data.listens)
    return (
      <Button variant="primary" disabled data-testid="open-page">
        {say("hub.job.serving")}
      </Button>
    );
  return (
    <a className={detail.open} href={job.url} target="_blank" rel="noopener" data-testid="open-page">
      {say("hub.act.open")}
      <span aria-hidden="true">↗</span>
    </a>
  );
}

/** That its web page cannot be opened, because another program has its port. */
function PortTaken({ job }: { job: JobDetail }) {
  const say = useWords();
  const { data } = useJobHttp(job, job.http_port !== null && job.status === "Running");
  if (!data?.taken) return null;
  return <Why failed reason={say("hub.job.portTaken", { port: String(data.port) })} message="" />;
}

/** Whether the command itself failed, rather than the hub or a limit. */
const failedByItself = (job: JobDetail) => job.status === "Failed" && job.reason === "Error";

/** Why it waits, or has not succeeded. */
function JobWhy({ job }: { job: JobDetail }) {
  const say = useWords();
  const reason = useReason();
  const result = useResult()(job);
  if (failedByItself(job) && result)
    return <Why failed reason={say("hub.job.failedWith", { result })} message="" />;
  const failed = job.status === "Failed";
  if (!failed && job.status !== "Restarting" && job.status !== "Stopped" && !job.message) return null;
  return <Why failed={failed} reason={reason(job.reason)} message={job.message} />;
}

/** What one wants to know first, in two lines. */
function Summary({ job }: { job: JobDetail }) {
  const say = useWords();
  const result = useResult()(job);
  const command = commandText(job.command);
  return (
    <div className={style.summary}>
      {!isNotebook(job) && (
        <div className={style.command}>
          <code className={style.line} title={visibleText(command)}>
            {visibleLine(command)}
          </code>
          <CopyButton text={command} what={say("hub.job.command")} />
        </div>
      )}
      <p className={style.details}>
        <bdi>{visibleText(job.owner_name)}</bdi>
        <span>{say("hub.job.createdAt", { time: dateTime(job.created_at) })}</span>
        {job.started_at !== null && (
          <span data-testid="ran">
            {say("hub.job.duration")}
            {colon()}
            <JobDuration job={job} />
          </span>
        )}
        <IdleStop job={job} />
        {job.attempt > 1 && <span>{say("hub.job.attempt", { attempt: job.attempt })}</span>}
        {result && !failedByItself(job) && !isNotebook(job) && <span>{result}</span>}
      </p>
    </div>
  );
}
