/** What a job ran with, what it made, and how to run it again. */

import { type ReactNode, useState } from "react";
import type {
  AttemptLineage,
  InputComparison,
  InputContents,
  InputLineage,
  JobDetail,
  JobLineage,
  JobReference,
  JobTensorboard,
} from "../../../api/hub-schema.gen";
import { colon, count, dateTime, listOf } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { visibleText } from "../../../lib/visible-text";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/select";
import { useBusy } from "../../data/busy";
import { runAsNewJob, seesVariables } from "../../data/job-actions";
import { shortDigest } from "../../data/job-draft";
import { memoryText } from "../../data/job-values";
import { isNotebook, useChangedInputs, useJobLineage, useMayCreate } from "../../data/jobs";
import { openNewJob } from "../../data/new-job";
import { CommandBlock } from "../../ui/command-block";
import { ContentsText, contentsText } from "../../ui/contents-text";
import { Facts } from "../../ui/detail";
import { Link } from "../../ui/link";
import { NamedValues } from "../../ui/named-values";
import { Packages } from "../../ui/packages";
import { ErrorNotice } from "../../ui/page";
import { Code, Section } from "../../ui/section";
import { SourceCodeText } from "../../ui/source-code-text";
import { Table } from "../../ui/table";
import style from "./job-lineage.module.css";

const MOST_CHANGES = 100;

type Fact = readonly [name: string, value: ReactNode];

export function JobLineageView({ job }: { job: JobDetail }) {
  const { data: lineage, error, refetch } = useJobLineage(job);
  const [chosen, setChosen] = useState(0);
  if (!lineage) return error ? <ErrorNotice fault={error} onRetry={() => void refetch()} /> : null;
  return <Lineage job={job} lineage={lineage} chosen={chosen} onChoose={setChosen} />;
}

interface LineageProps {
  job: JobDetail;
  lineage: JobLineage;
  /** The number of an attempt; 0 is the last one. */
  chosen: number;
  onChoose(attempt: number): void;
}

function Lineage({ job, lineage, chosen, onChoose }: LineageProps) {
  const say = useWords();
  const { attempts } = lineage;
  const attempt = attempts.find((each) => each.attempt === chosen) ?? attempts.at(-1);
  const changes = useChangedInputs(job, attempt);
  return (
    <>
      {!isNotebook(job) && <Again job={job} attempt={attempt} />}
      {attempt && <Changes attempt={attempt.attempt} names={[...changes.keys()]} />}
      {attempt?.image_changed && (
        <p className={style.changed} data-testid="image-changed">
          {say("hub.lineage.imageChanged", { image: lineage.image, attempt: count(attempt.attempt) })}
        </p>
      )}
      <Relatives lineage={lineage} />
      <Used job={job} lineage={lineage} attempt={attempt}>
        {attempts.length > 1 && attempt && (
          <AttemptChoice attempts={attempts} chosen={attempt.attempt} onChoose={onChoose} />
        )}
      </Used>
      <NamedValues title={say("hub.job.hyperparameters")} values={lineage.hyperparameters} />
      {attempt && attempt.inputs.length > 0 && <Inputs inputs={attempt.inputs} changes={changes} />}
      {attempt && <PackageChanges attempt={attempt} />}
      <Boards boards={lineage.tensorboards} />
      {attempt && attempt.packages !== "" && <Packages packages={lineage.packages[attempt.packages] ?? []} />}
    </>
  );
}

function Again({ job, attempt }: { job: JobDetail; attempt: AttemptLineage | undefined }) {
  const say = useWords();
  const mayCreate = useMayCreate("job");
  const busy = useBusy((state) => state.ids.has(job.id));
  if (!mayCreate) return null;
  return (
    <div className={style.again}>
      <Button
        variant="primary"
        icon="play"
        disabled={busy}
        data-testid="run-again"
        onClick={() => void runAsNewJob(job)}
      >
        {say("hub.job.runAgain")}
      </Button>
      {attempt?.image_changed && attempt.image_kept && seesVariables(job) && (
        <Button
          icon="play"
          disabled={busy}
          data-testid="run-with-old"
          onClick={() => void runAsNewJob(job, attempt.image_digest)}
        >
          {say("hub.lineage.runWithOld", { attempt: count(attempt.attempt) })}
        </Button>
      )}
      <Button icon="copy" data-testid="clone" onClick={() => openNewJob(job, job.tensorboard !== null)}>
        {say("hub.job.clone")}
      </Button>
      <p className={style.note}>{say("hub.lineage.againWhat")}</p>
    </div>
  );
}

/** That another run reads other data than an attempt did. */
function Changes({ attempt, names }: { attempt: number; names: readonly string[] }) {
  const say = useWords();
  if (names.length === 0) return null;
  return (
    <p className={style.changed} data-testid="contents-changed">
      {say("hub.lineage.contentsChanged", { names: listOf(names), attempt: count(attempt) })}
    </p>
  );
}

/** The packages of its image that another run has in other versions than an attempt. */
function PackageChanges({ attempt: { attempt, package_changes: changes } }: { attempt: AttemptLineage }) {
  const say = useWords();
  if (!changes || changes.length === 0) return null;
  const title = say("hub.lineage.packageChanges");
  return (
    <Section
      title={
        <>
          {title} <span className={style.note}>{count(changes.length)}</span>
        </>
      }
      testId="package-changes"
    >
      <Table
        label={title}
        rows={changes.slice(0, MOST_CHANGES)}
        rowKey={({ name }) => name}
        testId="package-change"
        columns={[
          { id: "name", title: say("hub.field.name"), cell: ({ name }) => <Code>{name}</Code> },
          {
            id: "recorded",
            title: say("hub.job.attempt", { attempt }),
            cell: ({ recorded }) => <Code>{recorded ?? "–"}</Code>,
          },
          { id: "now", title: say("hub.lineage.now"), cell: ({ now }) => <Code>{now ?? "–"}</Code> },
        ]}
      />
      {changes.length > MOST_CHANGES && (
        <p className={style.note}>
          {say("hub.lineage.moreChanges", { count: changes.length - MOST_CHANGES })}
        </p>
      )}
    </Section>
  );
}

/** The job that it repeats, and those that repeat it. */
function Relatives({ lineage: { repeat_of, repeats } }: { lineage: JobLineage }) {
  const say = useWords();
  if (!repeat_of && repeats.length === 0) return null;
  return (
    <div className={style.relatives}>
      {repeat_of && (
        <p data-testid="repeat-of">
          {say("hub.lineage.repeatOf")}
          {colon()}
          <JobLink job={repeat_of} />
        </p>
      )}
      {repeats.length > 0 && (
        <p data-testid="repeats">
          {say("hub.lineage.repeats")}
          {colon()}
          {repeats.map((each) => (
            <JobLink key={each.id} job={each} />
          ))}
        </p>
      )}
    </div>
  );
}

const JobLink = ({ job }: { job: JobReference }) => (
  <Link to={`/jobs/${job.id}#lineage`} className={style.link}>
    <bdi>{job.name}</bdi>
  </Link>
);

interface AttemptChoiceProps {
  attempts: readonly AttemptLineage[];
  chosen: number;
  onChoose(attempt: number): void;
}

function AttemptChoice({ attempts, chosen, onChoose }: AttemptChoiceProps) {
  const say = useWords();
  return (
    <Select
      label={say("hub.log.attempt")}
      value={String(chosen)}
      options={attempts.map(({ attempt }) => ({
        value: String(attempt),
        label: say("hub.job.attempt", { attempt }),
      }))}
      onChange={(value) => onChoose(Number(value))}
    />
  );
}

interface UsedProps {
  job: JobDetail;
  lineage: JobLineage;
  attempt: AttemptLineage | undefined;
  /** Beside the title. */
  children: ReactNode;
}

function Used({ job, lineage, attempt, children }: UsedProps) {
  const say = useWords();
  const facts: Fact[] = [];
  if (lineage.image !== "")
    facts.push([say("hub.job.image"), <Image key="image" name={lineage.image} attempt={attempt} />]);
  if (attempt) facts.push(...attemptFacts(say, attempt));
  facts.push([say("hub.job.replicas"), count(lineage.replicas)]);
  if (lineage.source_code)
    facts.push([
      say("hub.job.source"),
      <SourceCodeText key="source" job={job} source={lineage.source_code} testId="lineage-source" />,
    ]);
  if (lineage.environment.length > 0)
    facts.push([say("hub.job.environment"), <Code key="variables">{lineage.environment.join(", ")}</Code>]);
  return (
    <Section
      title={say("hub.lineage.used")}
      beside={
        <>
          {children}
          {attempt && (
            <span className={style.note}>{say("hub.lineage.recorded", { time: dateTime(attempt.at) })}</span>
          )}
        </>
      }
    >
      {!isNotebook(job) && <CommandBlock command={lineage.command} />}
      {!attempt && (
        <p className={style.note}>
          {say(job.attempt === 0 ? "hub.lineage.notStarted" : "hub.lineage.notRecorded")}
        </p>
      )}
      <Facts facts={facts} />
    </Section>
  );
}

function attemptFacts(say: ReturnType<typeof useWords>, attempt: AttemptLineage): Fact[] {
  const memory = attempt.memory_bytes;
  const facts: Fact[] = [
    [say("hub.lineage.program"), <Known key="program" text={attempt.program} />],
    [say("hub.lineage.python"), <Known key="python" text={attempt.python} />],
  ];
  if (attempt.preset !== "")
    facts.push(
      [say("hub.job.preset"), <bdi key="preset">{attempt.preset}</bdi>],
      [say("hub.job.cpus"), count(attempt.cpus)],
      [say("hub.job.gpus"), count(attempt.gpus)],
    );
  if (memory !== null) facts.push([say("hub.job.memory"), memoryText(memory)]);
  facts.push([say("hub.lineage.hub"), attempt.hub_version]);
  return facts;
}

/** An image, and which environment of it the attempt had, if the hub has built that. */
function Image({ name, attempt }: { name: string; attempt: AttemptLineage | undefined }) {
  const digest = attempt?.image_digest ?? "";
  return (
    <span className={style.source}>
      <bdi>{name}</bdi>
      {digest !== "" && <Code title={digest}>{shortDigest(digest)}</Code>}
    </span>
  );
}

function Known({ text }: { text: string }) {
  const say = useWords();
  return text === "" ? say("hub.lineage.unknown") : <Code>{text}</Code>;
}

interface InputsProps {
  inputs: readonly InputLineage[];
  /** Those whose contents have changed since, by name. */
  changes: ReadonlyMap<string, InputComparison>;
}

function Inputs({ inputs, changes }: InputsProps) {
  const say = useWords();
  return (
    <Section title={say("hub.job.inputs")}>
      <p className={style.note}>{say("hub.lineage.notFrozen")}</p>
      <Table
        label={say("hub.job.inputs")}
        rows={inputs}
        rowKey={(each) => each.name}
        columns={[
          {
            id: "name",
            title: say("hub.field.name"),
            cell: (each) => <Code>{each.name}</Code>,
          },
          { id: "source", title: say("hub.field.source"), cell: (each) => <InputSource input={each} /> },
          { id: "version", title: say("hub.packages.version"), cell: (each) => <Version input={each} /> },
          {
            id: "contents",
            title: say("hub.lineage.contents"),
            cell: (each) => <Recorded contents={each.contents} change={changes.get(each.name)} />,
          },
          {
            id: "place",
            title: say("hub.lineage.place"),
            wide: true,
            cell: ({ dataset }) => <Code>{dataset?.uri ?? "–"}</Code>,
          },
        ]}
      />
    </Section>
  );
}

/** What was in an input, and what is there now if that is different. */
function Recorded({
  contents,
  change,
}: {
  contents: InputContents | null;
  change: InputComparison | undefined;
}) {
  const say = useWords();
  if (!contents) return "–";
  return (
    <span className={style.source}>
      <ContentsText contents={contents} />
      {change?.now && (
        <span className={style.changed} title={change.now.digest}>
          {say("hub.lineage.contents.changed", { now: contentsText(say, change.now) })}
        </span>
      )}
    </span>
  );
}

function InputSource({ input: { source, dataset } }: { input: InputLineage }) {
  const text = <Code>{source}</Code>;
  return dataset && dataset.current_version !== null ? (
    <Link to="/datasets" className={style.link}>
      {text}
    </Link>
  ) : (
    text
  );
}

/** The version of a dataset, and whether it is another one by now. */
function Version({ input: { dataset } }: { input: InputLineage }) {
  const say = useWords();
  if (!dataset) return "–";
  const now = dataset.current_version;
  return (
    <span className={style.source}>
      <span>{dataset.version === 0 ? "–" : count(dataset.version)}</span>
      {now !== dataset.version && (
        <span className={style.changed}>
          {now === null ? say("hub.lineage.removed") : say("hub.lineage.nowVersion", { version: now })}
        </span>
      )}
    </span>
  );
}

function Boards({ boards }: { boards: readonly JobTensorboard[] }) {
  const say = useWords();
  return (
    <Section title={say("hub.kinds.tensorboard")}>
      {boards.length === 0 ? (
        <p className={style.note}>{say("hub.lineage.noBoards")}</p>
      ) : (
        <Table
          label={say("hub.kinds.tensorboard")}
          rows={boards}
          rowKey={(each) => each.id}
          testId="lineage-board"
          columns={[
            {
              id: "name",
              title: say("hub.field.name"),
              cell: (board) => (
                <Link to={`/tensorboards/${board.id}`} className={style.link}>
                  <bdi>{visibleText(board.display_name)}</bdi>
                </Link>
              ),
            },
            {
              id: "runs",
              title: say("hub.lineage.runs"),
              cell: (board) => (
                <a className={style.link} href={runsUrl(board)} target="_blank" rel="noopener">
                  {board.run_prefix === "" ? say("hub.lineage.allRuns") : <Code>{board.run_prefix}…</Code>}
                  <span aria-hidden="true"> ↗</span>
                </a>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** A board that shows only the runs of the job. Names with other characters would need more than quotes. */
function runsUrl({ app_uri, run_prefix }: JobTensorboard): string {
  return /^[\w/-]+$/.test(run_prefix)
    ? `${app_uri}?${new URLSearchParams({ runFilter: `"${run_prefix}"` })}`
    : app_uri;
}
