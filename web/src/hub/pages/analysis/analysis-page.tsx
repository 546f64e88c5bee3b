/** Job Analysis: lists of all TensorBoards, jobs and notebooks that the account may see, whoever created them. */

import { Suspense, useState } from "react";
import { useWords, type WordId } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { lazyPart } from "../../../ui/lazy-part";
import { Segmented } from "../../../ui/segmented";
import { usePermitted } from "../../data/accounts";
import { useJobCapabilities } from "../../data/job-options";
import { useMayCreate } from "../../data/jobs";
import { hasProjectPermission, useMe } from "../../data/me";
import { openNewJob } from "../../data/new-job";
import { useProjects } from "../../data/projects";
import { putQuery, useQuery } from "../../data/route";
import { useTensorboards } from "../../data/tensorboards";
import form from "../../ui/form.module.css";
import { LimitMeter } from "../../ui/limit-meter";
import { NewTensorboard } from "../../ui/new-tensorboard";
import { EmptyState, Page } from "../../ui/page";
import { QueryBar, QueryChoice, QueryText } from "../../ui/query-fields";
import { BoardList } from "./board-list";
import { FILTERS, requestOf } from "./filters";
import { Listing } from "./listing";
import { MetricChoice } from "./metric-choice";

const Jobs = lazyPart(() => import("./jobs"));

const NewNotebook = lazyPart(() => import("../../ui/new-notebook"));

const KINDS = ["tensorboard", "jobs", "notebooks"] as const;
const NEW = { tensorboard: "hub.new.title", jobs: "hub.job.new", notebooks: "hub.notebook.new" } as const;

export function AnalysisPage() {
  const say = useWords();
  const named = useQuery().get("kind");
  const kind = KINDS.find((each) => each === named) ?? "tensorboard";
  const [making, setMaking] = useState(false);
  const me = useMe().data;
  const use = usePermitted("use_tensorboards");
  const mayUse = use || !me;
  const creatable = {
    tensorboard: use && hasProjectPermission(me, "tensorboards.create"),
    jobs: useMayCreate("job"),
    notebooks: useMayCreate("notebook"),
  }[kind];
  const able = useJobCapabilities();
  const obstacle = kind === "notebooks" ? (able?.servers_problem ?? "") : "";
  const create = () => (kind === "jobs" ? openNewJob() : setMaking(true));
  const close = () => setMaking(false);
  return (
    <Page
      name="analysis"
      title={say("hub.page.analysis")}
      whole
      actions={
        <>
          {kind === "tensorboard" && mayUse && <LimitMeter />}
          {creatable && obstacle && (
            <p className={form.hint} id="obstacle">
              {obstacle}
            </p>
          )}
          {creatable && (
            <Button
              variant="primary"
              icon="plus"
              data-testid="new"
              disabled={!!obstacle}
              aria-describedby={obstacle ? "obstacle" : undefined}
              onClick={create}
            >
              {say(NEW[kind])}
            </Button>
          )}
        </>
      }
    >
      <QueryBar>
        <Segmented
          label={say("hub.list.kind")}
          value={kind}
          options={KINDS.map((each) => ({ value: each, label: say(`hub.kinds.${each}`) }))}
          onChange={(each) => putQuery({ ...OTHERS, kind: each === "tensorboard" ? "" : each })}
        />
        {kind === "tensorboard" && mayUse && <BoardFilters />}
        {kind !== "tensorboard" && <JobFilters key={kind} kind={kind} />}
      </QueryBar>
      {kind === "tensorboard" &&
        (mayUse ? <Boards mayMake={creatable} onNew={create} /> : <BoardsNotPermitted />)}
      {kind !== "tensorboard" && (
        <Suspense fallback={<div aria-busy="true" />}>
          <Jobs
            key={kind}
            kind={kind === "jobs" ? "job" : "notebook"}
            obstacle={obstacle}
            onNew={creatable ? create : null}
          />
        </Suspense>
      )}
      {making && kind === "tensorboard" && <NewTensorboard onClose={close} />}
      {making && kind === "notebooks" && (
        <Suspense>
          <NewNotebook like={null} onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}

/** Filters that mean something else, or nothing, for another kind. */
const OTHERS = { status: "", origin: "", created: "", metrics: "" };

function BoardsNotPermitted() {
  const say = useWords();
  return (
    <EmptyState title={say("hub.permission.lacking")}>
      <p>{say("hub.permission.lackingWhat")}</p>
    </EmptyState>
  );
}

function Boards({ mayMake, onNew }: { mayMake: boolean; onNew(): void }) {
  const say = useWords();
  const list = useTensorboards(requestOf(useQuery(), Date.now() / 1000));
  const none = (
    <EmptyState title={say("hub.list.none")}>
      <p>{say("hub.list.noneWhat")}</p>
      {mayMake && (
        <Button variant="primary" icon="plus" onClick={onNew}>
          {say("hub.new.title")}
        </Button>
      )}
    </EmptyState>
  );
  return (
    <Listing list={list} filters={FILTERS} none={none}>
      {(rows) => <BoardList {...rows} />}
    </Listing>
  );
}

const STATUSES = ["running", "starting", "stopped", "failed"] as const;
const ORIGINS = ["ui", "sdk", "cli", "notebook", "job"] as const;
const CREATED = ["day", "week", "month"] as const;

function BoardFilters() {
  const say = useWords();
  return (
    <>
      <QueryText name="search" label={say("hub.list.search")} />
      <WordChoice
        name="status"
        heading="hub.field.status"
        values={STATUSES}
        word={(value) => `hub.statuses.${value}`}
      />
      <WordChoice
        name="origin"
        heading="hub.field.origin"
        values={ORIGINS}
        word={(value) => `hub.origin.${value}`}
      />
      <OwnerChoice />
      <ProjectFilter />
      <WordChoice
        name="created"
        heading="hub.field.created"
        values={CREATED}
        word={(value) => `hub.created.${value}`}
      />
    </>
  );
}

/** Whoever ends a notebook has stopped it, so that none succeeds. */
const JOB_STATUSES = {
  jobs: ["active", "succeeded", "failed", "stopped"],
  notebooks: ["active", "failed", "stopped"],
} as const;

function JobFilters({ kind }: { kind: keyof typeof JOB_STATUSES }) {
  const say = useWords();
  return (
    <>
      <QueryText name="search" label={say(kind === "jobs" ? "hub.job.search" : "hub.notebook.search")} />
      <WordChoice
        name="status"
        heading="hub.field.status"
        values={JOB_STATUSES[kind]}
        word={(value) => `hub.jobStatuses.${value}`}
      />
      <OwnerChoice />
      <ProjectFilter />
      {kind === "jobs" && <MetricChoice />}
    </>
  );
}

interface WordChoiceProps<Value extends string> {
  name: string;
  heading: WordId;
  values: readonly Value[];
  word(value: Value): WordId;
}

function WordChoice<Value extends string>({ name, heading, values, word }: WordChoiceProps<Value>) {
  const say = useWords();
  return (
    <QueryChoice
      name={name}
      label={say(heading)}
      options={values.map((value) => ({ value, label: say(word(value)) }))}
    />
  );
}

function OwnerChoice() {
  const say = useWords();
  return (
    <QueryChoice
      name="owner"
      label={say("hub.field.owner")}
      options={[{ value: "me", label: say("hub.list.mine") }]}
    />
  );
}

/** Nothing to choose if there is only one. */
function ProjectFilter() {
  const say = useWords();
  const projects = useProjects().data?.items ?? [];
  if (projects.length < 2) return null;
  return (
    <QueryChoice
      name="project"
      label={say("hub.field.project")}
      options={projects.map((each) => ({ value: each.id, label: each.display_name || each.name }))}
    />
  );
}
