/** The bar of the graphs page: run, graph, step, form, depth and colours. */

import type { ReactNode } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { COLORINGS, FORMS, type GraphColoring, type GraphForm } from "../view/graphs-view";
import { notify } from "../view/notice";
import style from "./bar.module.css";
import { type GraphName, MAX_BOXES, openToDepth, type RunGraph, showGraphs, tellFault } from "./graph-data";
import { showValue } from "./graph-values";
import { StepChoice } from "./step-choice";

interface BarProps {
  graphs: readonly RunGraph[];
  chosen: RunGraph;
  /** Those of its tag. */
  values: readonly RunGraph[];
  children?: ReactNode;
}

/** What another graph does not have. */
const ELSEWHERE = { at: "", open: null, selected: "", members: {} };

export function Bar({ graphs, chosen, values, children }: BarProps) {
  const say = useWords();
  const { tag, form } = chosen.info;
  const runs = [...new Set(graphs.map(({ run }) => run))].sort(naturalOrder);
  const ofRun = graphs.filter(({ run }) => run === chosen.run);
  const tags = [...new Set(ofRun.map(({ info }) => info.tag))];
  const forms = FORMS.filter((each) => ofRun.some(({ info }) => info.tag === tag && info.form === each));
  return (
    <div className={style.bar} role="toolbar" aria-label={say("graphs.bar")}>
      {runs.length > 1 && (
        <div className={style.run}>
          <Select
            label={say("graphs.run")}
            value={chosen.run}
            options={runs.map((value) => ({ value, label: value }))}
            onChange={(run) => showGraphs({ ...ELSEWHERE, run, tag: "", form: "" })}
          />
        </div>
      )}
      {tags.length > 1 && (
        <div className={style.run}>
          <Select
            label={say("graphs.tag")}
            value={tag}
            options={tags.map((value) => ({ value, label: value || say("graphs.whole") }))}
            onChange={(next) => showGraphs({ ...ELSEWHERE, run: chosen.run, tag: next, form: "" })}
          />
        </div>
      )}
      {values.length > 1 && (
        <div className={style.step}>
          <StepChoice
            chosen={chosen}
            values={values}
            onChange={(next) => void showValue(graphs, next).catch(tellFault)}
          />
        </div>
      )}
      {forms.length > 1 && (
        <Segmented<GraphForm>
          label={say("graphs.form")}
          value={form}
          options={forms.map((value) => ({ value, label: say(`graphs.form.${value}`) }))}
          onChange={(next) => showGraphs({ ...ELSEWHERE, run: chosen.run, tag, form: next })}
        />
      )}
      {children}
    </div>
  );
}

interface DepthProps {
  graph: GraphName;
  /** The depth that is open, and that of the graph. */
  depth: number;
  most: number;
}

const MOST_DEPTH = 4;

/** Opens the graph down to a depth. */
export function DepthChoice({ graph, depth, most }: DepthProps) {
  const say = useWords();
  const depths = Array.from({ length: Math.min(MOST_DEPTH, most) }, (_, at) => String(at + 1));
  if (depths.length < 2) return null;
  const open = async (value: string) => {
    if (!(await openToDepth(graph, Number(value)))) notify("graphs.tooDeep", { most: count(MAX_BOXES) });
  };
  return (
    <div className={style.depth}>
      <span className={style.label}>{say("graphs.depth")}</span>
      <Segmented
        label={say("graphs.depth")}
        value={String(depth)}
        options={depths.map((value) => ({ value, label: value }))}
        onChange={(value) => void open(value)}
      />
    </div>
  );
}

interface ColorProps {
  coloring: GraphColoring;
  /** The graph has none of these. */
  absent: ReadonlySet<GraphColoring>;
}

export function ColorChoice({ coloring, absent }: ColorProps) {
  const say = useWords();
  const colorings = COLORINGS.filter((each) => each === coloring || !absent.has(each));
  return (
    <Select
      label={say("graphs.color")}
      value={coloring}
      options={colorings.map((value) => ({ value, label: say(`graphs.color.${value}`) }))}
      onChange={(color) => showGraphs({ color: color as GraphColoring })}
    />
  );
}
