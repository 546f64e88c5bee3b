/** One run of a tag, full screen, with a table of its percentiles as a text alternative. */

import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { saveUrl } from "../../lib/download";
import { formatStep, formatValue } from "../../lib/number";
import { Button } from "../../ui/button";
import { openModal } from "../../ui/modal";
import { Select } from "../../ui/select";
import { Swatch } from "../../ui/swatch";
import { Title } from "../cards/card";
import type { TagInfo } from "../data/lists";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { moveCursor } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { columnAxis, spanOf } from "./columns";
import { exportPicture } from "./export";
import style from "./full-screen.module.css";
import { type HistogramBlock, QUANTILES, seriesUrl, useHistogramMap } from "./histograms";
import { isCurves } from "./picture";
import { requestOf } from "./request";
import { RunPlot } from "./run-plot";
import { formatCount } from "./tip-content";
import { Choices, ModeChoice } from "./tools";
import { useSize } from "./use-size";

interface FullScreenProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Id of the run shown first. */
  first: number | null;
  onClose(): void;
  /** Shows the previous or next card; null if there are no others. */
  onNeighbour: ((direction: 1 | -1) => void) | null;
}

export default function FullScreen({ tag, runs, first, onClose, onNeighbour }: FullScreenProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const box = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(first);
  const lineStyle = runs.find(({ id }) => id === chosen) ?? runs[0]!;
  const size = useSize(place);
  const view = useView();
  const ids = useMemo(() => runs.map(({ id }) => id), [runs]);
  const { map } = useHistogramMap(size && requestOf(tag.tag, [lineStyle.id], ids, view, size));
  const block = map?.blocks.find(({ run }) => run === lineStyle.id) ?? null;
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
      // Removing the element also closes it, which is not a request to close.
      onClose={() => box.current && onClose()}
    >
      <header className={style.head}>
        <Title tag={tag.tag} displayName={tag.display_name} />
        <span className={style.run}>
          <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
          <Select
            label={say("hist.run")}
            value={String(lineStyle.id)}
            options={runs.map(({ id, label }) => ({ value: String(id), label }))}
            onChange={(id) => choose(Number(id))}
          />
        </span>
        <ModeChoice />
        <Choices />
        <span className={style.actions}>
          {onNeighbour && (
            <>
              <Button
                variant="quiet"
                icon="left"
                label={say("full.previous")}
                onClick={() => onNeighbour(-1)}
              />
              <Button variant="quiet" icon="right" label={say("full.next")} onClick={() => onNeighbour(1)} />
            </>
          )}
          {(["svg", "png"] as const).map((format) => (
            <Button
              key={format}
              variant="quiet"
              size="small"
              title={say(`take.${format}`)}
              onClick={() => exportPicture(tag.tag, [lineStyle], format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
          {(["csv", "json"] as const).map((format) => (
            <Button
              key={format}
              variant="quiet"
              size="small"
              title={say(`hist.${format}`)}
              onClick={() => saveUrl(seriesUrl(lineStyle.name, tag.tag, format))}
            >
              {format.toUpperCase()}
            </Button>
          ))}
          <Button variant="quiet" icon="close" label={`${say("action.close")} (Esc)`} onClick={onClose} />
        </span>
      </header>
      <div ref={place} className={style.picture}>
        {map && block && span && (
          <RunPlot tag={tag.tag} lineStyle={lineStyle} map={map} block={block} span={span} />
        )}
      </div>
      {block && <Percentiles block={block} run={lineStyle.label} />}
    </dialog>
  );
}

/** A row for every column. */
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
