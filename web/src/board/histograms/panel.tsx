/** One run of a card: its name, the current step, its plot. */

import { type RefObject, useMemo } from "react";
import { useWords } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { columnOf } from "./columns";
import style from "./histogram-card.module.css";
import type { HistogramBlock, HistogramMap } from "./histograms";
import { RunPlot } from "./run-plot";
import { stepText } from "./tip-content";

interface PanelProps {
  tag: string;
  lineStyle: LineStyle;
  map: HistogramMap | null;
  span: readonly [number, number] | null;
  titled: boolean;
  place?: RefObject<HTMLDivElement | null> | undefined;
  onFull(): void;
}

export function Panel({ tag, lineStyle, map, span, titled, place, onFull }: PanelProps) {
  const scheme = useColorScheme();
  const block = useMemo(
    () => map?.blocks.find(({ run }) => run === lineStyle.id) ?? null,
    [map, lineStyle.id],
  );
  const some = block !== null && block.steps.length > 0;
  return (
    <figure className={style.panel} data-testid="histogram" data-run={lineStyle.name}>
      {titled && (
        <figcaption className={style.caption}>
          <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
          <WrappedName name={lineStyle.label} title={lineStyle.name} />
          {block && <Note block={block} />}
          {some && <StepNow block={block} />}
        </figcaption>
      )}
      <div ref={place} className={style.picture}>
        {map && some && span ? (
          <RunPlot tag={tag} lineStyle={lineStyle} map={map} block={block} span={span} onFull={onFull} />
        ) : (
          <div className={style.skeleton} />
        )}
      </div>
    </figure>
  );
}

/** The step under the cursor, otherwise the pinned, otherwise the last one. */
function StepNow({ block }: { block: HistogramBlock }) {
  const pin = useView((view) => view.pin?.step ?? null);
  const step = useInteraction((interaction) => interaction.cursor?.step ?? null) ?? pin;
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
    block.lookedAt < block.valueCount &&
      say("hist.passedOver", { shown: block.lookedAt, held: block.valueCount }),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const text = parts.join(" · ");
  return (
    <span className={style.note} role="img" aria-label={text} title={text}>
      <Icon name="warning" size={14} />
    </span>
  );
}
