/** One run of a card: its name, the step that is meant, its picture. */

import { type RefObject, useMemo } from "react";
import type { HistogramBlock, HistogramMap } from "../../state/histograms";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useScene } from "../../state/scene";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { Icon } from "../../widgets/icon";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import { columnOf } from "./columns";
import style from "./histogram-card.module.css";
import { stepText } from "./reading";
import { RunPlot } from "./run-plot";

interface PanelProps {
  tag: string;
  look: RunLook;
  map: HistogramMap | null;
  span: readonly [number, number] | null;
  titled: boolean;
  place?: RefObject<HTMLDivElement | null> | undefined;
  onFull(): void;
}

export function Panel({ tag, look, map, span, titled, place, onFull }: PanelProps) {
  const shade = useShade();
  const block = useMemo(() => map?.blocks.find(({ run }) => run === look.id) ?? null, [map, look.id]);
  const some = block !== null && block.steps.length > 0;
  return (
    <figure className={style.panel} data-testid="histogram" data-run={look.name}>
      {titled && (
        <figcaption className={style.caption}>
          <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
          <WrappedName name={look.label} title={look.name} />
          {block && <Note block={block} />}
          {some && <StepNow block={block} />}
        </figcaption>
      )}
      <div ref={place} className={style.picture}>
        {map && some && span ? (
          <RunPlot tag={tag} look={look} map={map} block={block} span={span} onFull={onFull} />
        ) : (
          <div className={style.skeleton} />
        )}
      </div>
    </figure>
  );
}

/** The step under the cursor, else the pinned, else the last one. */
function StepNow({ block }: { block: HistogramBlock }) {
  const pin = useView((view) => view.pin?.step ?? null);
  const step = useScene((scene) => scene.cursor?.step ?? null) ?? pin;
  const column = columnOf(block, step);
  return (
    <span className={style.step} data-testid="cursor-step">
      {step !== null && block.steps[column] !== step && block.members === null ? "≈ " : ""}
      {stepText(block, column)}
    </span>
  );
}

/** What the picture leaves out. */
function Note({ block }: { block: HistogramBlock }) {
  const say = useWords();
  const parts = [
    block.unshown > 0 && say("hist.unshown", { count: block.unshown }),
    block.lookedAt < block.held && say("hist.passedOver", { shown: block.lookedAt, held: block.held }),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const text = parts.join(" · ");
  return (
    <span className={style.note} role="img" aria-label={text} title={text}>
      <Icon name="warning" size={14} />
    </span>
  );
}
