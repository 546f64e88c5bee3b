/** Grouping and colouring of runs: by folder, by a pattern of names, by a hyperparameter or a value. */

import { useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { Check } from "../../ui/check";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { useQueryNames } from "../runs/filtered-runs";
import { groupRuns, likelyPattern } from "../runs/groups";
import { useListedDetails } from "../runs/run-details";
import { differingKeys, useTableColumns } from "../runs/table-columns";
import { change, commit, useView } from "../view/view";
import type { Grouping } from "../view/view-state";
import { headText } from "./cell-text";
import { newGrouping } from "./grouping";
import style from "./popovers.module.css";
import { treeByDefault } from "./rows";

const PREVIEWED = 6;

export default function GroupPopover() {
  return (
    <div className={style.form}>
      <GroupBy />
      <div className={style.line} />
      <ColorBy />
      <div className={style.line} />
      <Tree />
    </div>
  );
}

type Kind = "none" | "folder" | "name" | "config";

function GroupBy() {
  const say = useWords();
  const runs = useListedDetails();
  const grouping = useView((view) => view.grouping);
  const keys = useConfigKeys();
  const kind = (grouping?.by.split(":")[0] ?? "none") as Kind;
  const by = grouping?.by.slice(kind.length + 1) ?? "";
  const update = (next: string) => commit({ grouping: newGrouping(next, grouping) });
  const choose = (next: string) => {
    if (next === "none") commit({ grouping: null });
    else if (next === "folder") update("folder");
    else if (next === "config") update(`config:${keys[0] ?? ""}`);
    else update(`name:${likelyPattern(runs.map(({ name }) => name))}`);
  };
  const options = [
    { value: "none", label: say("group.none") },
    { value: "folder", label: say("group.folder") },
    { value: "name", label: say("group.name") },
    ...(keys.length > 0 ? [{ value: "config", label: say("group.config") }] : []),
  ];
  return (
    <>
      <div className={style.row}>
        <span className={style.part}>{say("group.by")}</span>
        <Select label={say("group.by")} value={kind} options={options} onChange={choose} />
        {kind === "config" && (
          <Select
            label={say("group.key")}
            value={by}
            options={keys.map((key) => ({ value: key, label: key }))}
            onChange={(key) => update(`config:${key}`)}
          />
        )}
      </div>
      {kind === "name" && (
        <PatternBox
          label={say("group.pattern")}
          hint={say("group.patternHint")}
          value={by}
          onChange={(pattern) => change({ grouping: newGrouping(`name:${pattern}`, grouping) })}
        />
      )}
      {grouping && <Preview by={grouping.by} />}
      {grouping && <GroupDrawing grouping={grouping} />}
    </>
  );
}

function useConfigKeys(): readonly string[] {
  const runs = useListedDetails();
  const { config } = useQueryNames();
  return useMemo(() => {
    const apart = differingKeys(runs);
    const equal = [...config].filter((key) => !apart.includes(key)).toSorted(naturalOrder);
    return [...apart, ...equal];
  }, [runs, config]);
}

/** A preview of the groups. */
function Preview({ by }: { by: string }) {
  const say = useWords();
  const runs = useListedDetails();
  const { groups, groupOf } = useMemo(() => {
    try {
      return groupRuns(runs, by);
    } catch {
      return { groups: [], groupOf: new Map() };
    }
  }, [runs, by]);
  if (groups.length === 0) return <div className={style.hint}>{say("group.nothing")}</div>;
  const rest = groups.length - PREVIEWED;
  return (
    <ul className={style.preview} aria-live="polite">
      <li>
        <span>{say("group.preview", { groups: groups.length, runs: groupOf.size })}</span>
      </li>
      {groups.slice(0, PREVIEWED).map(({ key, label, members }) => (
        <li key={key}>
          <bdi>{label}</bdi>
          <span>{count(members.length)}</span>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <span>{say("group.more", { count: rest })}</span>
        </li>
      )}
    </ul>
  );
}

/** How a group is drawn in the charts. */
function GroupDrawing({ grouping }: { grouping: Grouping }) {
  const say = useWords();
  const update = (part: Partial<Grouping>) => commit({ grouping: { ...grouping, ...part } });
  return (
    <>
      <div className={style.row}>
        <span className={style.part}>{say("group.line")}</span>
        <Segmented
          label={say("group.line")}
          value={grouping.statistic}
          options={[
            { value: "mean", label: say("group.mean") },
            { value: "median", label: say("group.median") },
          ]}
          onChange={(statistic) => update({ statistic })}
        />
      </div>
      <div className={style.row}>
        <span className={style.part}>{say("group.band")}</span>
        <Segmented
          label={say("group.band")}
          value={grouping.band}
          options={[
            { value: "none", label: say("group.bandNone") },
            { value: "sd", label: "σ" },
            { value: "se", label: say("group.bandSe") },
            { value: "minmax", label: say("group.bandMinmax") },
          ]}
          onChange={(band) => update({ band })}
        />
      </div>
      <label className={style.check}>
        <Check checked={grouping.members} onChange={(event) => update({ members: event.target.checked })} />
        {say("group.members")}
      </label>
    </>
  );
}

function ColorBy() {
  const say = useWords();
  const by = useView((view) => view.colorBy);
  const columns = useTableColumns("page");
  const keys = useConfigKeys();
  const kind = by === "run" || by === "group" ? "run" : by.startsWith("regex:") ? "regex" : "value";
  const values = useMemo(() => {
    const metrics = columns.filter((column) => column.kind === "metric");
    const all = [
      ...keys.map((key) => ({ value: `config:${key}`, label: key })),
      ...metrics.map((column) => ({ value: column.id, label: headText(column).full })),
    ];
    return kind !== "value" || all.some(({ value }) => value === by)
      ? all
      : [...all, { value: by, label: by }];
  }, [columns, keys, by, kind]);
  const choose = (next: string) => {
    if (next === "run") commit({ colorBy: "run" });
    else if (next === "regex") commit({ colorBy: "regex:^([^/_-]+)" });
    else commit({ colorBy: values[0]!.value });
  };
  return (
    <>
      <div className={style.row}>
        <span className={style.part}>{say("color.title")}</span>
        <Select
          label={say("color.title")}
          value={kind}
          options={[
            { value: "run", label: say("color.byRun") },
            { value: "regex", label: say("color.byName") },
            ...(values.length > 0 ? [{ value: "value", label: say("color.byValue") }] : []),
          ]}
          onChange={choose}
        />
        {kind === "value" && (
          <Select
            label={say("color.column")}
            value={by}
            options={values}
            onChange={(column) => commit({ colorBy: column })}
          />
        )}
      </div>
      {kind === "regex" && (
        <PatternBox
          label={say("group.pattern")}
          hint={say("group.patternHint")}
          value={by.slice("regex:".length)}
          onChange={(pattern) => change({ colorBy: `regex:${pattern}` })}
        />
      )}
    </>
  );
}

interface PatternBoxProps {
  label: string;
  hint: string;
  value: string;
  onChange(pattern: string): void;
}

/** A text box for a regular expression; an invalid one changes nothing. */
function PatternBox({ label, hint, value, onChange }: PatternBoxProps) {
  const say = useWords();
  const [text, setText] = useState(value);
  const fault = faultOf(text);
  return (
    <label>
      {label}
      <input
        value={text}
        spellCheck={false}
        aria-invalid={fault !== null}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value !== "" && faultOf(event.target.value) === null) onChange(event.target.value);
        }}
      />
      {fault === null ? (
        <span className={style.hint}>{hint}</span>
      ) : (
        <span className={style.fault} role="alert">
          {say("filter.bad", { why: fault })}
        </span>
      )}
    </label>
  );
}

function faultOf(source: string): string | null {
  try {
    new RegExp(source);
    return null;
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    return why.split(": ").at(-1) ?? why;
  }
}

function Tree() {
  const say = useWords();
  const usual = treeByDefault(useListedDetails());
  const tree = useView((view) => view.tree) ?? usual;
  return (
    <label className={style.check}>
      <Check
        checked={tree}
        onChange={(event) => commit({ tree: event.target.checked === usual ? null : event.target.checked })}
      />
      {say("group.tree")}
    </label>
  );
}
