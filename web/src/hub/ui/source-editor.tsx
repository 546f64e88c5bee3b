/** Edits the sources of a board: four kinds, several at once, each probed while it is typed. */

import type { SourceProbe } from "../../api/hub-schema.gen";
import { ago, bytes, colon, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Icon } from "../../ui/icon";
import { Segmented } from "../../ui/segmented";
import { TextBox } from "../../ui/text-box";
import { useDatasets } from "../data/datasets";
import { errorText } from "../data/notice";
import { type ProbeState, useProbe } from "../data/probe";
import { type Draft, newDraft, requestOf, SOURCE_KINDS, type SourceKind } from "../data/sources";
import { BrowseButton } from "./folder-picker";
import style from "./source-editor.module.css";
import { useReason } from "./status-pill";

interface EditorProps {
  drafts: readonly Draft[];
  onChange(drafts: readonly Draft[]): void;
  project: string;
  /** Show aliases and patterns as well. */
  advanced: boolean;
}

export function SourceEditor({ drafts, onChange, project, advanced }: EditorProps) {
  const say = useWords();
  const update = (at: number, draft: Draft) => onChange(drafts.map((each, i) => (i === at ? draft : each)));
  return (
    <div className={style.editor}>
      {drafts.map((draft, at) => (
        <SourceRow
          key={draft.key}
          draft={draft}
          at={at}
          project={project}
          advanced={advanced}
          onChange={(changed) => update(at, changed)}
          onRemove={drafts.length > 1 ? () => onChange(drafts.filter((_, i) => i !== at)) : null}
        />
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          onClick={() => onChange([...drafts, newDraft(drafts.at(-1)?.kind ?? "path")])}
        >
          {say("hub.source.add")}
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  draft: Draft;
  at: number;
  project: string;
  advanced: boolean;
  onChange(draft: Draft): void;
  onRemove: (() => void) | null;
}

function SourceRow({ draft, at, project, advanced, onChange, onRemove }: RowProps) {
  const say = useWords();
  const update = (fields: Partial<Draft>) => onChange({ ...draft, ...fields });
  const label = say("hub.source.label", { number: at + 1 });
  return (
    <fieldset className={style.source} aria-label={label} data-testid="source">
      <div className={style.kinds}>
        <Segmented
          label={say("hub.source.kind")}
          value={draft.kind}
          options={SOURCE_KINDS.map((kind) => ({ value: kind, label: say(`hub.kind.${kind}`) }))}
          onChange={(kind: SourceKind) => update({ kind, path: "" })}
        />
        {onRemove && (
          <Button
            variant="quiet"
            size="small"
            icon="trash"
            label={say("hub.source.remove", { label })}
            onClick={onRemove}
          />
        )}
      </div>
      <Place draft={draft} project={project} update={update} />
      {advanced && (
        <div className={style.three}>
          <TextBox
            label={say("hub.source.alias")}
            hint={say("hub.source.aliasHint")}
            value={draft.alias}
            maxLength={100}
            onChange={(alias) => update({ alias })}
          />
          <TextBox
            label={say("hub.source.include")}
            code
            placeholder="*"
            value={draft.include}
            maxLength={1000}
            onChange={(include) => update({ include })}
          />
          <TextBox
            label={say("hub.source.exclude")}
            code
            value={draft.exclude}
            maxLength={1000}
            onChange={(exclude) => update({ exclude })}
          />
        </div>
      )}
      <ProbeLine draft={draft} project={project} />
    </fieldset>
  );
}

const EXAMPLES: Record<SourceKind, string> = {
  dataset: "logs/fit",
  storage: "project/results",
  uri: "s3://bucket/runs",
  path: "/data/runs",
};

function Place({
  draft,
  project,
  update,
}: {
  draft: Draft;
  project: string;
  update(fields: Partial<Draft>): void;
}) {
  const say = useWords();
  const datasets = useDatasets(project);
  const path = (
    <TextBox
      label={say(`hub.place.${draft.kind}`)}
      code
      value={draft.path}
      placeholder={EXAMPLES[draft.kind]}
      maxLength={4096}
      data-testid="source-path"
      onChange={(value) => update({ path: value })}
      beside={
        draft.kind !== "uri" && (
          <BrowseButton
            project={project}
            root={rootOf(draft)}
            value={draft.path}
            disabled={draft.kind === "dataset" && draft.dataset === ""}
            onChoose={(spot, uri) => update({ path: draft.kind === "dataset" ? spot.path : uri })}
          />
        )
      }
    />
  );
  if (draft.kind !== "dataset") return path;
  const known = datasets.data?.items ?? [];
  const options = known.map((each) => ({ value: each.name, label: each.display_name || each.name }));
  if (draft.dataset && !known.some((each) => each.name === draft.dataset))
    options.push({ value: draft.dataset, label: draft.dataset });
  return (
    <div className={style.two}>
      <Choice
        label={say("hub.kind.dataset")}
        value={draft.dataset}
        options={[
          { value: "", label: say(options.length > 0 ? "hub.source.choose" : "hub.source.none") },
          ...options,
        ]}
        onChange={(dataset) => update({ dataset })}
      />
      {path}
    </div>
  );
}

/** The root to browse for a draft: the folders of the server, the storage, or a dataset. */
function rootOf({ kind, dataset }: Draft): string {
  if (kind === "dataset") return `dataset:${dataset}`;
  return kind === "storage" ? "storage:" : "";
}

/** A summary of the contents in one line. */
function ProbeLine({ draft, project }: { draft: Draft; project: string }) {
  const probe = useProbe(requestOf(draft), project);
  return (
    <p className={style.look} role="status" data-testid="look" data-state={probe.state}>
      <ProbeText probe={probe} />
    </p>
  );
}

function ProbeText({ probe }: { probe: ProbeState }) {
  const say = useWords();
  switch (probe.state) {
    case "nothing":
      return <span className={style.quiet}>{say("hub.look.nothing")}</span>;
    case "looking":
      return <span className={style.quiet}>{say("hub.look.looking")}</span>;
    case "fault":
      return (
        <span className={style.bad}>
          <Icon name="warning" />
          <bdi lang="en">{errorText(probe.fault)}</bdi>
        </span>
      );
    case "seen":
      return <Seen probe={probe.probe} />;
  }
}

function Seen({ probe }: { probe: SourceProbe }) {
  const say = useWords();
  const reason = useReason();
  if (probe.reason !== "") {
    const problem = [probe.message, probe.hint].filter((part) => part !== "").join(" · ");
    return (
      <span className={style.bad}>
        <Icon name="warning" />
        <span>
          {reason(probe.reason)}
          {problem && (
            <>
              {colon()}
              <bdi lang="en">{problem}</bdi>
            </>
          )}
        </span>
      </span>
    );
  }
  if (probe.files === 0)
    return (
      <span className={style.warn}>
        <Icon name="info" />
        {say("hub.look.empty")}
      </span>
    );
  const summary = say("hub.look.found", { runs: probe.runs, size: bytes(probe.size_bytes) });
  const last = probe.last_event_at;
  return (
    <span className={style.good}>
      <Icon name="check" />
      {probe.more ? say("hub.look.more", { found: summary, files: count(probe.files) }) : summary}
      {last !== null && ` · ${say("hub.look.last", { time: ago(Date.now() / 1000 - last) })}`}
    </span>
  );
}
