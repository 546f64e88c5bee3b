/** The comparison table, with runs as columns. Equal rows are folded; differences are shown beside the values. */

import { useState } from "react";
import { type Say, useWords } from "../../../i18n/words";
import { formatValue, MINUS } from "../../../lib/number";
import { Breakable } from "../../../ui/breakable";
import { Button } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { Swatch } from "../../../ui/swatch";
import { cellText, fullText, statusText } from "../../run-table/cell-text";
import { cellOf, configColumn, infoColumn, metricColumn, NO_METRICS } from "../../runs/column";
import { colorOf, dashOf, useLineStyles } from "../../runs/line-styles";
import { nonfiniteTip } from "../../runs/nonfinite-metrics";
import type { ConfigValue, RunDetails } from "../../runs/run-details";
import { useRunLabels } from "../../runs/run-labels";
import { useColorScheme } from "../../view/theme";
import { commit } from "../../view/view";
import style from "./compare.module.css";
import { type ConfigRow, type ConfigRows, difference, isBetter, type MetricRow } from "./rows";

interface CompareTableProps {
  runs: readonly RunDetails[];
  baseline: RunDetails;
  config: ConfigRows;
  /** Null while they load. */
  metrics: readonly MetricRow[] | null;
  /** Number of metrics shown at first. */
  first: number;
  onDrop(run: RunDetails): void;
}

export function CompareTable({ runs, baseline, config, metrics, first, onDrop }: CompareTableProps) {
  const say = useWords();
  const [equal, setEqual] = useState(false);
  const [all, setAll] = useState(false);
  const of = config.differing.length + config.equal.length;
  const base = runs.indexOf(baseline);
  const labels = useRunLabels();
  const shown = all ? metrics : metrics?.slice(0, first);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("compare.table")}>
      <table className={style.table} data-testid="compare-table">
        <thead>
          <tr>
            <td className={style.corner}>
              {labels.common !== "" && (
                <span className={style.shared} dir="auto" title={labels.common}>
                  <Breakable>{labels.common}</Breakable>
                </span>
              )}
            </td>
            {runs.map((run) => (
              <RunHead key={run.name} run={run} isBaseline={run === baseline} onDrop={onDrop} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Title>{say("compare.about")}</Title>
          {ABOUT.map((what) => (
            <About key={what} what={what} runs={runs} baseline={baseline} />
          ))}
        </tbody>
        <tbody data-part="config">
          <Title>
            {of === 0
              ? say("compare.noConfig")
              : say("compare.differing", { differing: config.differing.length, of })}
          </Title>
          {config.differing.map((row) => (
            <Config key={row.key} row={row} base={base} />
          ))}
          {config.equal.length > 0 && (
            <tr>
              <th scope="row" className={style.fold} colSpan={runs.length + 1}>
                <button type="button" aria-expanded={equal} onClick={() => setEqual(!equal)}>
                  <Icon name={equal ? "down" : "right"} size={12} />
                  {say("compare.equal", { count: config.equal.length })}
                </button>
              </th>
            </tr>
          )}
          {equal && config.equal.map((row) => <Config key={row.key} row={row} base={base} />)}
        </tbody>
        <tbody data-part="metrics">
          <Title>{say("compare.metrics")}</Title>
          {shown?.map((row) => (
            <Metric key={row.tag} row={row} base={base} />
          ))}
          {metrics !== null && shown && shown.length < metrics.length && (
            <tr>
              <th scope="row" className={style.fold} colSpan={runs.length + 1}>
                <button type="button" onClick={() => setAll(true)}>
                  {say("compare.allMetrics", { count: metrics.length })}
                </button>
              </th>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

/** "eval/loss (min)". */
export function metricName({ tag, stat }: MetricRow, say: Say): string {
  return say("compare.metric", { tag, stat: say(`stat.${stat}`) });
}

function Title({ children }: { children: string }) {
  return (
    <tr>
      <th scope="rowgroup" className={style.group} colSpan={99}>
        <span>{children}</span>
      </th>
    </tr>
  );
}

function RunHead({
  run,
  isBaseline,
  onDrop,
}: {
  run: RunDetails;
  isBaseline: boolean;
  onDrop(run: RunDetails): void;
}) {
  const say = useWords();
  const lineStyle = useLineStyles().get(run.id);
  const scheme = useColorScheme();
  return (
    <th scope="col" className={style.head} data-run={run.name}>
      <div className={style.run}>
        {lineStyle && <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />}
        <a
          className={style.name}
          href={`#run/${encodeURIComponent(run.name)}`}
          title={run.name}
          onClick={(event) => {
            event.preventDefault();
            commit({ page: "run", subject: run.name });
          }}
        >
          <bdi>
            <Breakable>{lineStyle?.label ?? run.label}</Breakable>
          </bdi>
        </a>
        <Button
          variant="quiet"
          size="small"
          icon="close"
          label={say("compare.drop", { run: run.label })}
          onClick={() => onDrop(run)}
        />
      </div>
      <button
        type="button"
        className={style.base}
        aria-pressed={isBaseline}
        onClick={() => commit({ baseline: run.name })}
      >
        {say(isBaseline ? "compare.baseline" : "compare.makeBaseline")}
      </button>
    </th>
  );
}

const ABOUT = ["status", "created", "duration", "step"] as const;
const ABOUT_WORDS = {
  status: "info.status",
  created: "info.created",
  duration: "info.duration",
  step: "runs.step",
} as const;

interface AboutProps {
  what: (typeof ABOUT)[number];
  runs: readonly RunDetails[];
  baseline: RunDetails;
}

function About({ what, runs, baseline }: AboutProps) {
  const say = useWords();
  const column = infoColumn(what);
  return (
    <tr>
      <th scope="row" className={style.key}>
        {say(ABOUT_WORDS[what])}
      </th>
      {runs.map((run) => (
        <td
          key={run.name}
          title={what === "status" && run.nonfinite ? nonfiniteTip(run.nonfinite) : undefined}
        >
          {what === "status" ? statusText(run) : cellText(column, cellOf(column, run, NO_METRICS))}
          {run !== baseline && <NoDifference />}
        </td>
      ))}
    </tr>
  );
}

function Config({ row, base }: { row: ConfigRow; base: number }) {
  return (
    <tr data-key={row.key}>
      <th scope="row" className={style.key} title={row.key}>
        <span className={style.keyText}>
          <bdi>
            <Breakable>{row.key}</Breakable>
          </bdi>
        </span>
      </th>
      {row.values.map((value, at) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are the runs, in their order
          key={at}
          className={Object.is(value, row.values[base]) ? undefined : style.other}
          title={value === undefined ? undefined : String(value)}
        >
          {value === undefined ? <Nothing /> : <bdi>{chosen(row.key, value)}</bdi>}
          {at !== base && <NoDifference />}
        </td>
      ))}
    </tr>
  );
}

function chosen(key: string, value: ConfigValue): string {
  return typeof value === "boolean" ? String(value) : cellText(configColumn(key), value);
}

function Metric({ row, base }: { row: MetricRow; base: number }) {
  const say = useWords();
  const slash = row.tag.lastIndexOf("/") + 1;
  const column = metricColumn(row.tag, "last");
  return (
    <tr data-key={row.tag}>
      <th scope="row" className={style.key} title={row.tag}>
        <span className={style.keyText}>
          <bdi>
            <span className={style.scope}>
              <Breakable>{row.tag.slice(0, slash)}</Breakable>
            </span>
            <wbr />
            <Breakable>{row.tag.slice(slash)}</Breakable>
          </bdi>
          {row.stat !== "last" && <span className={style.stat}>{say(`stat.${row.stat}`)}</span>}
        </span>
      </th>
      {row.values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns are the runs, in their order
        <td key={at} title={value === null ? undefined : fullText(column, value)}>
          {value === null ? (
            <>
              <Nothing />
              {at !== base && <NoDifference />}
            </>
          ) : (
            <>
              {row.best.includes(at) && (
                <span
                  className={style.star}
                  role="img"
                  aria-label={say("compare.isBest")}
                  title={say("compare.isBest")}
                >
                  ★
                </span>
              )}
              {cellText(column, value)}
              {at !== base && (
                <Difference difference={difference(value, row.values[base] ?? null)} row={row} />
              )}
            </>
          )}
        </td>
      ))}
    </tr>
  );
}

function Nothing() {
  return <span className={style.none}>–</span>;
}

/** A placeholder that aligns the values of a column. */
function NoDifference() {
  return <span className={style.apart} />;
}

/** "▲ +0.136": the difference and its direction; the label says whether it is better. */
function Difference({ difference, row }: { difference: number | null; row: MetricRow }) {
  const say = useWords();
  if (difference === null || difference === 0) return <NoDifference />;
  const better = isBetter(difference, row.direction);
  const words = better === null ? "" : say(better ? "compare.better" : "compare.worse");
  return (
    <span
      className={style.apart}
      data-better={better ?? undefined}
      title={`${signed(difference, 6)} ${words}`.trim()}
    >
      <span aria-hidden="true">{difference > 0 ? "▲" : "▼"}</span> {signed(difference, 3)}
      {words !== "" && <span className={style.spoken}>{words}</span>}
    </span>
  );
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? MINUS : "+"}${formatValue(Math.abs(value), digits)}`;
}
