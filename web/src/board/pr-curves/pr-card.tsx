/** One tag as a card: its curves at the step of the page, and the statistics of each run. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { Card } from "../cards/card";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { showFullScreen } from "../view/full-screen-card";
import { useView } from "../view/view";
import { Curves } from "./curves";
import { Legend } from "./legend";
import type { Domain } from "./points";
import { linesOf } from "./points";
import style from "./pr-card.module.css";
import { type RunCurve, useCurves } from "./pr-curves";

interface PrCardProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Items of the menu: the exports. */
  menu(curves: readonly RunCurve[], zoom: Domain | null): ReactNode;
}

export function PrCard({ tag, runs, menu }: PrCardProps) {
  const say = useWords();
  const step = useView((view) => view.pin?.step ?? null);
  const mode = useView((view) => view.prMode);
  const { curves, loaded, stale, error, retry } = useCurves(tag.tag, runs, step);
  const [zoom, setZoom] = useState<Domain | null>(null);
  // Another mode has other axes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of mode that counts
  useEffect(() => setZoom(null), [mode]);
  const drawn = curves.some(({ curve }) => linesOf(mode, curve).length > 0);
  const state = error ? "error" : !loaded ? "loading" : drawn ? "ready" : "empty";
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const last = curves.reduce((most, { curve }) => Math.max(most, curve.step), Number.NEGATIVE_INFINITY);
  return (
    <div className={style.card} aria-busy={stale || undefined}>
      <Card
        ref={card}
        tag={tag.tag}
        displayName={tag.display_name}
        summary={
          curves.length > 0 && say("card.summary", { runs: curves.length, step: formatStep(step ?? last) })
        }
        actions={
          <>
            {zoom && (
              <Button
                variant="quiet"
                size="small"
                icon="fit"
                label={say("card.reset")}
                onClick={() => setZoom(null)}
              />
            )}
            <Button
              variant="quiet"
              size="small"
              icon="full"
              label={say("card.full")}
              onClick={() => showFullScreen(tag.tag)}
            />
            {menu(curves, zoom)}
          </>
        }
      >
        <div className={style.body}>
          <div className={style.plot}>
            <Curves tag={tag.tag} curves={curves} zoom={zoom} onZoom={setZoom} />
            {state === "empty" && (
              <div className={style.over}>{say(mode === "roc" ? "pr.noRoc" : "card.empty")}</div>
            )}
            {state === "error" && (
              <div className={style.over} role="alert">
                <strong>{error?.message}</strong>
                <Button size="small" icon="reload" onClick={retry}>
                  {say("action.retry")}
                </Button>
              </div>
            )}
          </div>
          {mode === "threshold" && <PartKey />}
          {curves.length > 0 && <Legend tag={tag.tag} curves={curves} mode={mode} step={step} />}
        </div>
      </Card>
    </div>
  );
}

/** The legend of lines in the mode of thresholds. */
export function PartKey() {
  const say = useWords();
  return (
    <ul className={style.key} aria-hidden="true">
      {(["pr.precision", "pr.recall"] as const).map((word, at) => (
        <li key={word}>
          <span className={at === 0 ? style.solid : style.dashed} />
          {say(word)}
        </li>
      ))}
      <li>
        <span className={style.dotted} />
        F1
      </li>
    </ul>
  );
}
