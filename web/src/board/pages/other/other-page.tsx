/**
 * Data of plugins without a view: lists it, previews values, and offers each value for download as it is in the file.
 */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { apiUrl } from "../../../api/client";
import { fetchPreview, rawUrl, type ValuePreview } from "../../../api/values";
import { bytes } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { formatStep, formatValue } from "../../../lib/number";
import { usePageReady } from "../../../lib/use-page-ready";
import { Icon } from "../../../ui/icon";
import { Swatch } from "../../../ui/swatch";
import { PageStep } from "../../cards/page-step";
import { useRunNames } from "../../cards/run-series";
import { otherKinds } from "../../data/kinds";
import { type TagInfo, useKinds } from "../../data/lists";
import { useValues, VALUES, type ValueSeries } from "../../data/values";
import { useKindTags, useLineStylesForTag } from "../../runs/kind-tags";
import { colorOf, dashOf, type LineStyle } from "../../runs/line-styles";
import { useStep, useStepUnion, valueIndexAt } from "../../view/steps";
import { useColorScheme } from "../../view/theme";
import style from "./other-page.module.css";

export default function OtherPage() {
  const say = useWords();
  const counts = useKinds(true).data?.plugins;
  const kinds = counts ? otherKinds(counts) : [];
  const isEmpty = counts !== undefined && kinds.length === 0;
  const [steps, setSteps] = useState<Readonly<Record<string, readonly number[]>>>({});
  const all = useStepUnion(Object.values(steps).map((each) => ({ steps: each })));
  usePageReady(counts !== undefined);
  return (
    <main className={style.page} data-page="other" aria-busy={!counts}>
      {!isEmpty && (
        <div className={style.bar} role="toolbar" aria-label={say("bar.title")}>
          <PageStep steps={all} />
        </div>
      )}
      <div className={style.scroll} id="cards" tabIndex={-1}>
        <p className={style.why}>{say(isEmpty ? "other.empty" : "other.why")}</p>
        {kinds.map((kind) => (
          <Kind
            key={kind}
            kind={kind}
            onSteps={(tag, found) =>
              setSteps((was) => {
                const key = `${kind} ${tag}`;
                return was[key]?.join() === found.join() ? was : { ...was, [key]: found };
              })
            }
          />
        ))}
      </div>
    </main>
  );
}

interface KindProps {
  kind: string;
  onSteps(tag: string, steps: readonly number[]): void;
}

function Kind({ kind, onSteps }: KindProps) {
  const say = useWords();
  const { tags } = useKindTags(kind);
  const runsOn = useLineStylesForTag();
  return (
    <div className={style.kind} data-kind={kind}>
      <h2>{say("other.kind", { plugin: kind || "none" })}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keys too */}
      <section className={style.wide} tabIndex={0} aria-label={say("other.kind", { plugin: kind || "none" })}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{say("other.tag")}</th>
              <th scope="col">{say("other.run")}</th>
              <th scope="col">{say("other.values")}</th>
              <th scope="col">{say("other.steps")}</th>
              <th scope="col">{say("step.label")}</th>
              <th scope="col">{say("other.holds")}</th>
              <th scope="col">{say("other.size")}</th>
            </tr>
          </thead>
          <tbody>
            {tags.map((tag) => (
              <Rows key={tag.tag} kind={kind} tag={tag} runs={runsOn(tag)} onSteps={onSteps} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

interface RowsProps extends KindProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
}

function Rows({ kind, tag, runs, onSteps }: RowsProps) {
  const { series, loaded } = useValues(kind, tag.tag);
  const steps = useStepUnion(useMemo(() => runs.flatMap(({ id }) => series.get(id) ?? []), [runs, series]));
  useEffect(() => onSteps(tag.tag, steps), [tag.tag, steps, onSteps]);
  return runs.map((lineStyle) => (
    <Row
      key={lineStyle.id}
      kind={kind}
      tag={tag.tag}
      lineStyle={lineStyle}
      series={series.get(lineStyle.id)}
      known={loaded}
    />
  ));
}

interface RowProps {
  kind: string;
  tag: string;
  lineStyle: LineStyle;
  series: ValueSeries | undefined;
  known: boolean;
}

function Row({ kind, tag, lineStyle, series, known }: RowProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const step = useStep();
  const run = useRunNames().get(lineStyle.id) ?? lineStyle.name;
  const at = series ? valueIndexAt(series.steps, step) : -1;
  const key = at < 0 ? undefined : series!.keys[at];
  const name = { plugin: kind, run, tag, at: key ?? "" };
  const { data, error } = useQuery({
    queryKey: [VALUES, "preview", kind, run, tag, key],
    queryFn: ({ signal }) => fetchPreview(name, signal),
    enabled: key !== undefined,
  });
  const numbers = known && !series;
  return (
    <tr data-tag={tag} data-run={lineStyle.name}>
      <th scope="row">
        <bdi>{tag}</bdi>
      </th>
      <td className={style.run}>
        <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
        <bdi>{lineStyle.label}</bdi>
      </td>
      <td className={style.number}>{series?.steps.length}</td>
      <td className={style.number}>{series && spanOf(series.steps)}</td>
      <td className={style.number}>{at < 0 ? "" : formatStep(series!.steps[at]!)}</td>
      <td className={style.holds}>
        {numbers && say("other.numbers")}
        {data && previewText(data)}
        {error && <span title={error.message}>{say("other.failed")}</span>}
      </td>
      <td className={style.number}>
        {key !== undefined && (
          <a
            className={style.get}
            href={rawUrl(name)}
            download
            title={say("other.download", {
              step: String(series!.steps[at]),
              size: bytes(series!.sizes[at]!),
            })}
          >
            {bytes(series!.sizes[at]!)}
            <Icon name="download" size={14} />
          </a>
        )}
        {numbers && (
          <a
            className={style.get}
            href={apiUrl(`scalars/series?${new URLSearchParams({ run, tag, format: "csv" })}`)}
            download
          >
            CSV
            <Icon name="download" size={14} />
          </a>
        )}
      </td>
    </tr>
  );
}

function spanOf(steps: readonly number[]): string {
  const low = steps.reduce((least, step) => Math.min(least, step), Number.POSITIVE_INFINITY);
  const high = steps.reduce((most, step) => Math.max(most, step), Number.NEGATIVE_INFINITY);
  if (steps.length === 0) return "";
  return low === high ? formatStep(low) : `${formatStep(low)} – ${formatStep(high)}`;
}

/** "float32 [2, 3] 0.5, 0.25, …". */
function previewText({ what, dtype, shape, numbers, strings }: ValuePreview): string {
  if (what !== "tensor") return what;
  const first = [
    ...numbers.map((each) => (typeof each === "number" ? formatValue(each, 4) : each)),
    ...strings.map((each) => JSON.stringify(each)),
  ];
  return `${dtype} [${shape.join(", ")}] ${first.join(", ")}`;
}
