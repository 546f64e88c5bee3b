/** One tag: the runs on show as columns at the step of the page, or all steps below each other. */

import { useEffect, useMemo, useRef, useState } from "react";
import { formatStep } from "../../base/number";
import { Card } from "../../panel/card";
import { Failed } from "../../panel/failed";
import type { TagInfo } from "../../state/lists";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { type RunSeries, type SeriesValue, useRunSeries, valueIn, valueNear } from "../../state/runseries";
import { nearestAt, useUnion } from "../../state/steps";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import type { TextMode } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { Near } from "../../widgets/near";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import { titleOf } from "./shown";
import style from "./text-card.module.css";
import { type Other, TextColumn } from "./text-column";

export const PLUGIN = "text";

/** Columns shown before somebody asks for more. */
const FIRST_RUNS = 12;
/** Steps shown below each other before somebody asks for more. */
const FIRST_STEPS = 10;
/** Height kept for a step before it is shown, in px. */
const STEP_PX = 140;

interface TextCardProps {
  tag: TagInfo;
  runs: readonly RunLook[];
}

export function TextCard({ tag, runs }: TextCardProps) {
  const say = useWords();
  const { list, known, error, retry } = useRunSeries(PLUGIN, tag.tag, runs);
  const steps = useUnion(useMemo(() => list.map(({ series }) => series), [list]));
  const [most, setMost] = useState(FIRST_RUNS);
  const all = useView((view) => view.textSteps);
  const card = useRef<HTMLElement>(null);
  const state = error ? "error" : !known ? "loading" : list.length === 0 ? "empty" : "ready";
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
            <Button look="quiet" size="small" onClick={() => setMost(list.length)}>
              {say("text.moreRuns", { count: list.length - most })}
            </Button>
          </div>
        )
      }
    >
      {state === "loading" && <div className={style.waiting} />}
      {state === "empty" && <p className={style.none}>{say("card.empty")}</p>}
      {error && <Failed className={style.none} error={error} onRetry={retry} />}
      {state === "ready" &&
        (all ? (
          <AllSteps tag={tag.tag} list={shown} steps={steps} />
        ) : (
          <OneStep tag={tag.tag} list={shown} all={list} />
        ))}
    </Card>
  );
}

/** The runs beside each other at the step of the page. */
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
            key={series.look.id}
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

/** What a text is compared with by the choice of the page: the value before it, or that of another run at its step. */
function useOther(tag: string, all: readonly RunSeries[]): (series: RunSeries, value: SeriesValue) => Other {
  const say = useWords();
  const against = useView((view) => view.textAgainst);
  return (series, value) => {
    if (against === "") {
      const before = valueIn(series, value.place - 1);
      return {
        name: before ? { run: series.run, tag, at: before.key } : null,
        missing: say("text.noPrevious"),
      };
    }
    const other = all.find(({ look }) => look.name === against);
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
  const shade = useShade();
  const wanted = useView((view) => view.pin?.step ?? null);
  const mode = useView((view) => view.textMode);
  const otherOf = useOther(tag, list);
  const [most, setMost] = useState(FIRST_STEPS);
  const last = wanted === null ? steps.length - 1 : nearestAt(steps, wanted);
  const rows = steps.slice(Math.max(0, last + 1 - most), last + 1).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many runs are scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={tag}>
      <div className={style.runs} style={gridOf(list.length)}>
        {list.map(({ look }) => (
          <div key={look.id} className={style.run}>
            <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
            <WrappedName name={look.label} title={look.name} />
          </div>
        ))}
      </div>
      {rows.map((step) => (
        <Near key={step} height={STEP_PX} className={style.step}>
          <div className={style.cells} style={gridOf(list.length)}>
            {list.map((series) => (
              <StepCell
                key={series.look.id}
                tag={tag}
                series={series}
                step={step}
                mode={mode}
                otherOf={otherOf}
              />
            ))}
          </div>
        </Near>
      ))}
      {last + 1 > most && (
        <div className={style.foot}>
          <Button look="quiet" size="small" onClick={() => setMost(most + FIRST_STEPS)}>
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
  otherOf(series: RunSeries, value: SeriesValue): Other;
}

function StepCell({ tag, series, step, mode, otherOf }: StepCellProps) {
  const say = useWords();
  const value = valueNear(series, step);
  if (!value || value.step !== step)
    return (
      <div className={style.hole}>
        {say("step.label")} {formatStep(step)} · {say("text.noneHere")}
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
