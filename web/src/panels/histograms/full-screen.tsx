/** One run of a tag over the whole window, and the table of its percentiles, which says the picture in numbers. */

import { useEffect, useMemo, useRef, useState } from "react";
import { formatStep, formatValue } from "../../base/number";
import { saveAddress } from "../../base/save";
import { Title } from "../../panel/card";
import { type HistogramBlock, QUANTILES, seriesUrl, useHistogramMap } from "../../state/histograms";
import type { TagInfo } from "../../state/lists";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { moveCursor } from "../../state/scene";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { openModal } from "../../widgets/modal";
import { Select } from "../../widgets/select";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import { columnAxis, spanOf } from "./columns";
import style from "./full-screen.module.css";
import { isCurves } from "./picture";
import { questionOf } from "./question";
import { formatCount } from "./reading";
import { RunPlot } from "./run-plot";
import { useSize } from "./size";
import { takePicture } from "./take";
import { Choices, ModeChoice } from "./tools";

interface FullScreenProps {
  tag: TagInfo;
  runs: readonly RunLook[];
  /** Id of the run shown first. */
  first: number | null;
  onClose(): void;
  /** Shows the card before or after; null where there are no others. */
  onTurn: ((direction: 1 | -1) => void) | null;
}

export default function FullScreen({ tag, runs, first, onClose, onTurn }: FullScreenProps) {
  const say = useWords();
  const shade = useShade();
  const box = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(first);
  const look = runs.find(({ id }) => id === chosen) ?? runs[0]!;
  const size = useSize(place);
  const view = useView();
  const ids = useMemo(() => runs.map(({ id }) => id), [runs]);
  const { map } = useHistogramMap(size && questionOf(tag.tag, [look.id], ids, view, size));
  const block = map?.blocks.find(({ run }) => run === look.id) ?? null;
  const span = useMemo(
    () => view.zoom ?? (map && spanOf(map.blocks, columnAxis(view.axis), isCurves(view.histogramMode))),
    [map, view],
  );
  useEffect(() => {
    const dialog = box.current!;
    const close = openModal(dialog);
    dialog.focus();
    return () => {
      moveCursor(null);
      close();
    };
  }, []);
  return (
    <dialog
      ref={box}
      tabIndex={-1}
      className={style.full}
      aria-label={tag.tag}
      data-testid="full"
      // Removing the element closes it too, which nobody asked for.
      onClose={() => box.current && onClose()}
    >
      <header className={style.head}>
        <Title tag={tag.tag} displayName={tag.display_name} />
        <span className={style.run}>
          <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
          <Select
            label={say("hist.run")}
            value={String(look.id)}
            options={runs.map(({ id, label }) => ({ value: String(id), label }))}
            onChange={(id) => choose(Number(id))}
          />
        </span>
        <ModeChoice />
        <Choices />
        <span className={style.actions}>
          {onTurn && (
            <>
              <Button look="quiet" icon="left" label={say("full.previous")} onClick={() => onTurn(-1)} />
              <Button look="quiet" icon="right" label={say("full.next")} onClick={() => onTurn(1)} />
            </>
          )}
          {(["svg", "png"] as const).map((format) => (
            <Button
              key={format}
              look="quiet"
              size="small"
              title={say(`take.${format}`)}
              onClick={() => takePicture(tag.tag, [look], format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
          {(["csv", "json"] as const).map((format) => (
            <Button
              key={format}
              look="quiet"
              size="small"
              title={say(`hist.${format}`)}
              onClick={() => saveAddress(seriesUrl(look.name, tag.tag, format))}
            >
              {format.toUpperCase()}
            </Button>
          ))}
          <Button look="quiet" icon="close" label={`${say("action.close")} (Esc)`} onClick={onClose} />
        </span>
      </header>
      <div ref={place} className={style.picture}>
        {map && block && span && <RunPlot tag={tag.tag} look={look} map={map} block={block} span={span} />}
      </div>
      {block && <Percentiles block={block} run={look.label} />}
    </dialog>
  );
}

/** Every column that is drawn. */
function Percentiles({ block, run }: { block: HistogramBlock; run: string }) {
  const say = useWords();
  const name = say("hist.tableOf", { run });
  const rows = useMemo(() => Array.from(block.steps, (_, column) => column).reverse(), [block]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={name}>
      <table className={style.table}>
        <caption>{name}</caption>
        <thead>
          <tr>
            <th scope="col">{say("take.step")}</th>
            <th scope="col">{say("hist.count")}</th>
            {QUANTILES.map((part) => (
              <th key={part} scope="col">
                {`${Math.round(100 * part)} %`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((column) => (
            <tr key={column}>
              <th scope="row">
                {formatStep(block.steps[column]!)}
                {block.members && block.members[column]! > 1 && ` – ${formatStep(block.lastSteps![column]!)}`}
              </th>
              <td>{formatCount(block.totals[column]!)}</td>
              {block.lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={at}>{Number.isNaN(line[column]!) ? "–" : formatValue(line[column]!, 4)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
