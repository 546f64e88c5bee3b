/** One tag: the visible runs as columns at the step of the page, or all steps below each other. */

import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { LazyMount } from "../../ui/lazy-mount";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { Card } from "../cards/card";
import { LoadError } from "../cards/load-error";
import { type RunSeries, type SeriesValue, useRunSeries, valueIn, valueNear } from "../cards/run-series";
import type { TagInfo } from "../data/lists";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { nearestStepIndex, useStepUnion } from "../view/steps";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import type { TextMode } from "../view/view-state";
import style from "./text-card.module.css";
import { type ComparisonText, TextColumn } from "./text-column";
import { titleOf } from "./text-value";

export const PLUGIN = "text";

/** Columns shown before more are requested. */
const FIRST_RUNS = 12;
/** Steps shown before more are requested. */
const FIRST_STEPS = 10;
/** Height reserved for a step before it is mounted, in px. */
const STEP_PX = 140;

interface TextCardProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
}

export function TextCard({ tag, runs }: TextCardProps) {
  const say = useWords();
  const { list, loaded, error, retry } = useRunSeries(PLUGIN, tag.tag, runs);
  const steps = useStepUnion(useMemo(() => list.map(({ series }) => series), [list]));
  const [most, setMost] = useState(FIRST_RUNS);
  const all = useView((view) => view.textSteps);
  const card = useRef<HTMLElement>(null);
  const state = error ? "error" : !loaded ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const shown = list.slice(0, most);
  return (
    <Card
      ref={card}
      tag={tag.tag}
      displayName={titleOf(tag.display_name || tag.tag)}
      suffix={tag.display_name && tag.display_name !== tag.tag ? tag.tag : undefined}
      summary={null}
      actions={null}
      foot={
        list.length > most && (
          <div className={style.foot}>
            <Button variant="quiet" size="small" onClick={() => setMost(list.length)}>
              {say("text.moreRuns", { count: list.length - most })}
            </Button>
          </div>
        )
      }
    >
      {state === "loading" && <div className={style.waiting} />}
      {state === "empty" && <p className={style.none}>{say("card.empty")}</p>}
      {error && <LoadError className={style.none} error={error} onRetry={retry} />}
      {state === "ready" &&
        (all ? (
          <AllSteps tag={tag.tag} list={shown} steps={steps} />
        ) : (
          <OneStep tag={tag.tag} list={shown} all={list} />
        ))}
    </Card>
  );
}

/** The runs side by side at the step of the page. */
function OneStep({ tag, list, all }: { tag: string; list: readonly RunSeries[]; all: readonly RunSeries[] }) {
  const wanted = useView((view) => view.pin?.step ?? null);
  const mode = useView((view) => view.textMode);
  const otherOf = useOther(tag, all);
  return (
    <Columns>
      {list.map((series) => {
        const value = valueNear(series, wanted)!;
        const other = otherOf(series, value);
        return (
          <TextColumn
            key={series.lineStyle.id}
            tag={tag}
            series={series}
            value={value}
            wanted={wanted}
            mode={mode}
            other={other}
          />
        );
      })}
    </Columns>
  );
}

function Columns({ children }: { children: React.ReactNode }) {
  return <div className={style.columns}>{children}</div>;
}

/** What a text is compared with, by the setting of the page: the previous value, or that of another run at its step. */
function useOther(
  tag: string,
  all: readonly RunSeries[],
): (series: RunSeries, value: SeriesValue) => ComparisonText {
  const say = useWords();
  const against = useView((view) => view.textAgainst);
  return (series, value) => {
    if (against === "") {
      const before = valueIn(series, value.index - 1);
      return {
        name: before ? { run: series.run, tag, at: before.key } : null,
        missing: say("text.noPrevious"),
      };
    }
    const other = all.find(({ lineStyle }) => lineStyle.name === against);
    const there = other && valueNear(other, value.step);
    return {
      name: there ? { run: other.run, tag, at: there.key } : null,
      missing: say("text.noneThere", { run: against }),
    };
  };
}

interface AllStepsProps {
  tag: string;
  list: readonly RunSeries[];
  steps: readonly number[];
}

/** The steps below each other, from that of the page backwards. */
function AllSteps({ tag, list, steps }: AllStepsProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const wanted = useView((view) => view.pin?.step ?? null);
  const mode = useView((view) => view.textMode);
  const otherOf = useOther(tag, list);
  const [most, setMost] = useState(FIRST_STEPS);
  const last = wanted === null ? steps.length - 1 : nearestStepIndex(steps, wanted);
  const rows = steps.slice(Math.max(0, last + 1 - most), last + 1).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many runs are scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={tag}>
      <div className={style.runs} style={gridOf(list.length)}>
        {list.map(({ lineStyle }) => (
          <div key={lineStyle.id} className={style.run}>
            <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
            <WrappedName name={lineStyle.label} title={lineStyle.name} />
          </div>
        ))}
      </div>
      {rows.map((step) => (
        <LazyMount key={step} height={STEP_PX} className={style.step}>
          <div className={style.cells} style={gridOf(list.length)}>
            {list.map((series) => (
              <StepCell
                key={series.lineStyle.id}
                tag={tag}
                series={series}
                step={step}
                mode={mode}
                otherOf={otherOf}
              />
            ))}
          </div>
        </LazyMount>
      ))}
      {last + 1 > most && (
        <div className={style.foot}>
          <Button variant="quiet" size="small" onClick={() => setMost(most + FIRST_STEPS)}>
            {say("text.earlier")}
          </Button>
        </div>
      )}
    </section>
  );
}

interface StepCellProps {
  tag: string;
  series: RunSeries;
  step: number;
  mode: TextMode;
  otherOf(series: RunSeries, value: SeriesValue): ComparisonText;
}

function StepCell({ tag, series, step, mode, otherOf }: StepCellProps) {
  const say = useWords();
  const value = valueNear(series, step);
  if (!value || value.step !== step)
    return (
      <div className={style.hole}>
        {say("tip.step", { step: formatStep(step) })} · {say("text.noneHere")}
      </div>
    );
  return (
    <TextColumn
      tag={tag}
      series={series}
      value={value}
      wanted={step}
      mode={mode}
      other={otherOf(series, value)}
      bare
    />
  );
}

function gridOf(columns: number): { gridTemplateColumns: string } {
  return { gridTemplateColumns: `repeat(${columns}, minmax(min(100%, 280px), 1fr))` };
}
