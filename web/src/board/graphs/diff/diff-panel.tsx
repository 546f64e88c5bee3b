/** What is different from another graph, under the picture: each difference leads to its box. */

import { useMemo } from "react";
import type { GraphDiff, GraphDifference, ScopeDifferences } from "../../../api/graphs";
import { count, listOf } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Breakable } from "../../../ui/breakable";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/select";
import { type RunGraph, showGraphs } from "../graph-data";
import { isSameGraph, isSameTag, useGraphValues, valueBefore } from "../graph-values";
import { StepChoice } from "../step-choice";
import { type DiffGroup, type DiffStatus, differenceName, diffGroups, SIGNS, STATUSES } from "./diff-groups";
import style from "./diff-panel.module.css";
import type { Comparison } from "./use-comparison";

interface DiffPanelProps {
  graphs: readonly RunGraph[];
  chosen: RunGraph;
  comparison: Comparison;
  selected: string;
  onBase(base: RunGraph | null): void;
  onJump(path: string): void;
}

/** More lines at once make the page slow; all of them are marked in the pictures. */
const MOST_LISTED = 1000;

const keyOf = ({ run, info }: RunGraph) => JSON.stringify([run, info.tag, info.form]);

export function DiffPanel({ graphs, chosen, comparison, selected, onBase, onJump }: DiffPanelProps) {
  const say = useWords();
  const { base, hidden } = comparison;
  const { data, error, refetch } = comparison.differences;
  const groups = useMemo(() => {
    if (!data) return [];
    return diffGroups({ ...data, differences: data.differences.slice(0, MOST_LISTED) }, hidden);
  }, [data, hidden]);
  const listed = Math.min(MOST_LISTED, data?.differences.length ?? 0);
  return (
    <section className={style.diff} aria-label={say("graphs.diff")} data-testid="graph-diff">
      <div className={style.bar}>
        <h2 className={style.title}>{say("graphs.diff.with")}</h2>
        <BaseChoice graphs={graphs} chosen={chosen} base={base} onBase={onBase} />
        {data && <StatusChoice diff={data} hidden={hidden} onTurn={comparison.turn} />}
        <Button
          className={style.close}
          variant="quiet"
          icon="close"
          label={say("action.close")}
          onClick={() => showGraphs({ base: null })}
        />
      </div>
      {error && (
        <div role="alert" className={style.fault}>
          <p>{error.message}</p>
          <Button size="small" icon="reload" onClick={() => void refetch()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keys too
        <section className={style.scroll} tabIndex={0} aria-label={say("graphs.diff")}>
          {data.total === 0 && <p className={style.note}>{say("graphs.diff.none")}</p>}
          {groups.map((group) => (
            <Group key={group.scope} group={group} selected={selected} onJump={onJump} />
          ))}
          {listed < data.total && (
            <p className={style.note}>
              {say("graphs.outOf", { shown: count(listed), total: count(data.total) })}
            </p>
          )}
        </section>
      )}
    </section>
  );
}

type BaseChoiceProps = Pick<DiffPanelProps, "graphs" | "chosen" | "onBase"> & { base: RunGraph };

/** Which graph it is compared with, and which of its values if it has several. */
function BaseChoice({ graphs, chosen, base, onBase }: BaseChoiceProps) {
  const say = useWords();
  const ofChosen = useGraphValues(chosen) ?? [];
  const ofBase = (useGraphValues(base) ?? []).filter((each) => !isSameGraph(each, chosen));
  const others = graphs.filter((each) => ofChosen.length > 1 || !isSameTag(each, chosen));
  const label = ({ run, info }: RunGraph) =>
    [run, info.tag, info.form === "op" ? "" : say(`graphs.form.${info.form}`)].filter(Boolean).join(" · ");
  const choose = (key: string) => {
    const found = others.find((each) => keyOf(each) === key);
    if (found) onBase(isSameTag(found, chosen) ? valueBefore(ofChosen, chosen) : found);
  };
  return (
    <>
      <div className={style.base}>
        <Select
          label={say("graphs.diff.with")}
          value={keyOf(base)}
          options={others.map((each) => ({ value: keyOf(each), label: label(each) }))}
          onChange={choose}
        />
      </div>
      {base.info.values > 1 && ofBase.length > 0 && (
        <div className={style.step}>
          <StepChoice chosen={base} values={ofBase} onChange={onBase} />
        </div>
      )}
    </>
  );
}

interface StatusChoiceProps {
  diff: GraphDiff;
  hidden: ReadonlySet<DiffStatus>;
  onTurn(status: DiffStatus): void;
}

/** The numbers of nodes, which also show and hide what they count. */
function StatusChoice({ diff, hidden, onTurn }: StatusChoiceProps) {
  const say = useWords();
  const [whole] = diff.scopes;
  if (!whole) return null;
  return (
    <div className={style.statuses}>
      {STATUSES.filter((status) => whole[status] > 0).map((status) => (
        <button
          key={status}
          type="button"
          className={style.status}
          data-status={status}
          aria-pressed={!hidden.has(status)}
          onClick={() => onTurn(status)}
        >
          <span className={style.sign} aria-hidden="true">
            {SIGNS[status]}
          </span>
          {say(`graphs.diff.${status}`, { count: whole[status] })}
        </button>
      ))}
    </div>
  );
}

interface GroupProps {
  group: DiffGroup;
  selected: string;
  onJump(path: string): void;
}

function Group({ group: { scope, counts, differences }, selected, onJump }: GroupProps) {
  const say = useWords();
  return (
    <div className={style.group}>
      <h3 className={style.scope}>
        {scope === "" ? (
          <span>{say("graphs.whole")}</span>
        ) : (
          <button type="button" className={style.link} onClick={() => onJump(scope)}>
            <Breakable>{scope}</Breakable>
          </button>
        )}
        <Counts counts={counts} />
      </h3>
      <ul className={style.list}>
        {differences.map((difference) => (
          <Line
            key={`${difference.path} ${difference.base_path}`}
            difference={difference}
            selected={(difference.path ?? difference.base_path) === selected}
            onJump={onJump}
          />
        ))}
      </ul>
    </div>
  );
}

/** "+3 −1 ~2": how many nodes differ in the scope. */
function Counts({ counts }: { counts: ScopeDifferences }) {
  const say = useWords();
  const known = STATUSES.filter((status) => counts[status] > 0);
  const told = listOf(known.map((status) => say(`graphs.diff.${status}`, { count: counts[status] })));
  return (
    <span className={style.counts} role="img" aria-label={told} title={told}>
      {known.map((status) => (
        <span key={status} data-status={status}>
          {SIGNS[status]}
          {count(counts[status])}
        </span>
      ))}
    </span>
  );
}

interface LineProps {
  difference: GraphDifference;
  selected: boolean;
  onJump(path: string): void;
}

function Line({ difference, selected, onJump }: LineProps) {
  const say = useWords();
  const { status, scope, path, base_path: before, op, nodes, changes } = difference;
  const target = path ?? before ?? scope;
  const notes = [
    op,
    nodes > 1 ? say("graphs.nodes", { count: nodes }) : "",
    changes.length > 0 ? listOf(changes.map((change) => say(`graphs.diff.change.${change}`))) : "",
  ];
  return (
    <li data-path={path ?? before} data-status={status}>
      <button
        type="button"
        className={style.item}
        aria-current={selected || undefined}
        title={path ?? before ?? ""}
        onClick={() => onJump(target)}
      >
        <span className={style.sign} role="img" aria-label={say(`graphs.diff.${status}`, { count: nodes })}>
          {SIGNS[status]}
        </span>
        <span className={style.name}>
          <Breakable>{differenceName(difference)}</Breakable>
        </span>
        <span className={style.notes}>{notes.filter((note) => note !== "").join(" · ")}</span>
      </button>
    </li>
  );
}
