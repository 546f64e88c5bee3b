/** The header of an axis: a click changes its scale, dragging or Alt+arrows its position, a button its filter. */

import type { KeyboardEvent } from "react";
import { useWords } from "../../i18n/words";
import type { Cell } from "../runs/column";
import { useView } from "../view/view";
import { headText, oneLine } from "./cell-text";
import { FilterButton } from "./filter-button";
import { moveHead, useHeadDrag } from "./head-drag";
import style from "./parallel.module.css";
import { nextScale, type Scale } from "./scales";
import type { TrialColumn } from "./trial-column";
import { type Study, showTrials } from "./trials";

const SCALE_WORDS = {
  linear: "trials.linear",
  log: "trials.log",
  quantile: "trials.quantile",
  words: "trials.words",
} as const;

interface AxisHeadProps {
  column: TrialColumn;
  columns: readonly TrialColumn[];
  scale: Scale;
  cells: readonly Cell[];
  study: Study;
  x: number;
  px: number;
}

export function AxisHead({ column, columns, scale, cells, study, x, px }: AxisHeadProps) {
  const say = useWords();
  const text = headText(column, study);
  const drag = useHeadDrag(column, columns);
  const kind = say(SCALE_WORDS[scale.kind]);
  const flip = () => {
    if (scale.kind === "words") return;
    const { scales } = useView.getState().hparams;
    showTrials({ scales: { ...scales, [column.id]: nextScale(scale, cells) } });
  };
  const keys = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    event.preventDefault();
    moveHead(column.id, step, columns);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drag along the heads; keys do the same
    <div
      className={style.head}
      style={{ left: Math.max(0, x - px / 2), width: px }}
      data-testid="axis-head"
      data-column={column.id}
      data-scale={scale.kind}
      onKeyDown={keys}
      {...drag}
    >
      <button
        type="button"
        className={style.name}
        title={`${text.full}\n${say("trials.axisTip", { scale: kind })}`}
        aria-label={`${oneLine(text)}, ${kind}`}
        onClick={flip}
      >
        <bdi>{oneLine(text)}</bdi>
        <span className={style.kind}>{scale.kind === "linear" || scale.kind === "words" ? "" : kind}</span>
      </button>
      <FilterButton column={column} columns={columns} title={oneLine(text)} cells={cells} />
    </div>
  );
}
