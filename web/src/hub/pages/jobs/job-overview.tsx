/** The properties of a job or notebook. */

import type { ReactNode } from "react";
import type { JobDetail } from "../../../api/hub-schema.gen";
import { count, dateTime, duration } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { commandText } from "../../../lib/shell-words";
import { visibleText } from "../../../lib/visible-text";
import { Icon } from "../../../ui/icon";
import { extendLifeSpan } from "../../data/job-actions";
import { memoryText } from "../../data/job-values";
import { isNotebook } from "../../data/jobs";
import { CommandBlock } from "../../ui/command-block";
import { CopyButton } from "../../ui/copy-button";
import { Facts } from "../../ui/detail";
import { JobDuration } from "../../ui/job-duration";
import { JobVolumes } from "../../ui/job-volumes";
import { LifeSpan } from "../../ui/life-span";
import { NamedValues } from "../../ui/named-values";
import { Code } from "../../ui/section";
import { SourceCodeText } from "../../ui/source-code-text";
import { useResult } from "../../ui/status-pill";
import style from "./job-overview.module.css";

type Fact = readonly [name: string, value: ReactNode];

export function JobOverview({ job }: { job: JobDetail }) {
  const say = useWords();
  const run = useRunFacts(job);
  const settings = useSettingFacts(job);
  const command = isNotebook(job) ? "" : commandText(job.command);
  return (
    <>
      {isLong(command) && <CommandBlock command={job.command} testId="whole-command" />}
      <Facts facts={run} />
      <Facts facts={settings} />
      <NamedValues title={say("hub.job.hyperparameters")} values={job.hyperparameters} />
      <NamedValues title={say("hub.job.inputs")} values={job.inputs} valueTitle={say("hub.field.source")} />
      {job.volumes.length > 0 && <JobVolumes volumes={job.volumes} />}
      <NamedValues title={say("hub.job.environment")} values={job.environment} />
    </>
  );
}

/** Whether it does not fit into the line above the sections of the page. */
const isLong = (command: string) => command.length > 80 || command.includes("\n");

function useRunFacts(job: JobDetail): Fact[] {
  const say = useWords();
  const result = useResult()(job);
  const outputs = say(isNotebook(job) ? "hub.notebook.files" : "hub.job.outputs");
  const time = (at: number | null) => (at === null ? "–" : dateTime(at));
  const command: Fact[] = [
    [say("hub.job.attempts"), count(job.attempt)],
    [say("hub.job.result"), result || (job.exit_code === null ? "–" : say("hub.job.exitCode", { code: 0 }))],
  ];
  const facts: Fact[] = [
    [say("hub.field.created"), time(job.created_at)],
    [say("hub.job.started"), time(job.started_at)],
    [say("hub.job.ended"), time(job.ended_at)],
    [say("hub.job.duration"), <JobDuration key="duration" job={job} />],
    ...(isNotebook(job) ? [] : command),
    [say("hub.field.owner"), <bdi key="owner">{visibleText(job.owner_name)}</bdi>],
    [say("hub.field.project"), <bdi key="project">{visibleText(job.project_name)}</bdi>],
    [say("hub.job.runner"), <bdi key="runner">{job.runner}</bdi>],
    [say("hub.job.isolation"), <Isolation key="isolation" of={job.isolation} />],
    [say("hub.job.limits"), <Limits key="limits" of={job} />],
    [outputs, <Copied key="outputs" text={job.output_uri} what={outputs} />],
    [
      say("hub.job.tensorboardLogs"),
      <Copied key="logs" text={job.tensorboard_uri} what={say("hub.job.tensorboardLogs")} />,
    ],
    [say("hub.field.id"), <Copied key="id" text={job.id} what={say("hub.field.id")} />],
  ];
  const source = job.source_code;
  if (source)
    facts.push([
      say("hub.job.source"),
      <SourceCodeText key="source" job={job} source={source} testId="source" />,
    ]);
  return facts;
}

function useSettingFacts(job: JobDetail): Fact[] {
  const say = useWords();
  const span = (secs: number) => (secs === 0 ? say("hub.span.never") : duration(secs));
  const labels = Object.entries(job.labels).map(([name, value]) => `${name}=${value}`);
  const facts: Fact[] = [
    isNotebook(job)
      ? [say("hub.field.idle"), span(job.idle_secs)]
      : [say("hub.job.replicas"), count(job.replicas)],
    ...usePresetFacts(job),
    [say("hub.job.memory"), <Memory key="memory" job={job} />],
    [say("hub.job.priority"), count(job.priority)],
    [say("hub.job.maxRun"), span(job.max_run_secs)],
    [
      say("hub.field.life"),
      <LifeSpan
        key="life"
        of={job}
        name={job.name}
        extensible={job.rights.includes("jobs.extend")}
        onExtend={(secs) => extendLifeSpan(job, secs)}
      />,
    ],
    [say("hub.job.queueTimeout"), span(job.queue_timeout_secs)],
  ];
  if (!isNotebook(job))
    facts.push(
      [say("hub.job.retries"), say("hub.job.retriesUsed", { used: job.retries, most: job.max_retries })],
      [say("hub.job.grace"), duration(job.grace_secs)],
    );
  if (job.http_port !== null) facts.push([say("hub.job.port"), String(job.http_port)]);
  if (![job.name, commandText(job.command).trim().slice(0, 200)].includes(job.display_name))
    facts.unshift([say("hub.field.displayName"), <bdi key="name">{visibleText(job.display_name)}</bdi>]);
  if (job.image !== "")
    facts.unshift([say("hub.job.image"), <bdi key="image">{visibleText(job.image)}</bdi>]);
  if (job.tags.length > 0)
    facts.push([say("hub.field.tags"), <bdi key="tags">{visibleText(job.tags.join(", "))}</bdi>]);
  if (labels.length > 0)
    facts.push([say("hub.job.labels"), <bdi key="labels">{visibleText(labels.join(", "))}</bdi>]);
  return facts;
}

/** What each replica has by its preset, and what the last attempt got. */
function usePresetFacts(job: JobDetail): Fact[] {
  const say = useWords();
  if (job.preset === "") return [];
  const facts: Fact[] = [
    [say("hub.job.preset"), <bdi key="preset">{job.preset}</bdi>],
    [
      say("hub.job.cpus"),
      <Noted
        key="cpus"
        note={job.cpu_ids.length > 0 && say("hub.job.cpuIds", { ids: job.cpu_ids.join(", ") })}
      >
        {say("hub.job.each", { amount: job.cpus, replicas: job.replicas })}
      </Noted>,
    ],
  ];
  if (job.gpus > 0)
    facts.push([
      say("hub.job.gpus"),
      <Noted
        key="gpus"
        note={job.gpu_ids.length > 0 && say("hub.job.gpuIds", { ids: job.gpu_ids.join(", ") })}
      >
        {say("hub.job.each", { amount: job.gpus, replicas: job.replicas })}
      </Noted>,
    ]);
  return facts;
}

function Memory({ job }: { job: JobDetail }) {
  const say = useWords();
  if (job.memory_limit_bytes === null) return say("hub.span.never");
  return (
    <Noted note={job.limits !== "cgroup" && say("hub.job.memoryMeasured")}>
      <bdi>{memoryText(job.memory_limit_bytes)}</bdi>
    </Noted>
  );
}

/** A value, and how it is applied. */
function Noted({ note, children }: { note: string | false; children: ReactNode }) {
  return (
    <span className={style.source}>
      <span>{children}</span>
      {note && <span className={style.note}>{note}</span>}
    </span>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <span className={style.copied}>
      <Code>{text}</Code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

function Limits({ of: { isolation, limits } }: { of: JobDetail }) {
  const say = useWords();
  if (limits === null) return "–";
  if (limits === "watching" && isolation === "kernel") return say("hub.job.limits.watchingSandbox");
  if (limits === "watching" && isolation === "process") return say("hub.job.limits.watchingUser");
  return say(`hub.job.limits.${limits}`);
}

function Isolation({ of }: { of: JobDetail["isolation"] }) {
  const say = useWords();
  if (of === null) return "–";
  const words = say(`hub.job.isolation.${of}`);
  if (of !== "none") return words;
  return (
    <span className={style.warn}>
      <Icon name="warning" />
      {words}
    </span>
  );
}
