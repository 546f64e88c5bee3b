/** One card, full screen: its curves, average precision over the steps, and the table of all thresholds. */

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { trapFocus } from "../../ui/trap-focus";
import { Title } from "../cards/card";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { adjacentCard } from "../view/card-navigation";
import { showFullScreen } from "../view/full-screen-card";
import { useView } from "../view/view";
import { Curves } from "./curves";
import style from "./full-curves.module.css";
import { Legend } from "./legend";
import type { Domain } from "./points";
import { PartKey } from "./pr-card";
import { type RunCurve, useCurves } from "./pr-curves";
import { Progress } from "./progress";
import { Thresholds } from "./thresholds";

const CONTROLS = 'button, [tabindex="0"], input, select';

interface FullCurvesProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Settings of the curves: the same as in the bar of the page. */
  modes: ReactNode;
  menu(curves: readonly RunCurve[], zoom: Domain | null): ReactNode;
}

export default function FullCurves({ tag, runs, modes, menu }: FullCurvesProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const step = useView((view) => view.pin?.step ?? null);
  const mode = useView((view) => view.prMode);
  const { curves } = useCurves(tag.tag, runs, step);
  const [zoom, setZoom] = useState<Domain | null>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-modal="true"
      aria-label={tag.tag}
      tabIndex={-1}
      className={style.full}
      data-testid="fullscreen"
      onKeyDown={(event) => handleKey(event, tag.tag)}
    >
      <header className={style.head}>
        <div className={style.title}>
          <Title tag={tag.tag} displayName={tag.display_name} />
        </div>
        {modes}
        <span className={style.actions}>
          {zoom && (
            <Button
              variant="quiet"
              size="small"
              icon="fit"
              label={say("card.reset")}
              onClick={() => setZoom(null)}
            />
          )}
          {menu(curves, zoom)}
          <Button
            variant="quiet"
            icon="close"
            label={`${say("action.close")} (Esc)`}
            onClick={() => showFullScreen(null)}
          />
        </span>
      </header>
      <div className={style.columns}>
        <div className={style.left}>
          <div className={style.plot}>
            <Curves tag={tag.tag} curves={curves} zoom={zoom} onZoom={setZoom} />
          </div>
          {mode === "threshold" && <PartKey />}
        </div>
        <div className={style.right}>
          <Legend tag={tag.tag} curves={curves} mode={mode} step={step} />
          <h4 className={style.name}>{say("pr.ap")}</h4>
          <Progress tag={tag.tag} runs={runs} />
          <Thresholds curves={curves} />
        </div>
      </div>
    </div>,
    document.body,
  );
}

/** Page keys and j, k go to neighbouring cards; Esc and f close. */
function handleKey(event: KeyboardEvent, tag: string): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Tab") {
    trapFocus(event, CONTROLS);
    return;
  }
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  const steps: Record<string, 1 | -1> = { PageUp: -1, PageDown: 1, KeyK: -1, KeyJ: 1 };
  const direction = steps[event.code];
  if (event.key === "Escape" || (!typing && event.code === "KeyF")) showFullScreen(null);
  else if (!typing && direction !== undefined) showFullScreen(adjacentCard(tag, direction) ?? tag);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
