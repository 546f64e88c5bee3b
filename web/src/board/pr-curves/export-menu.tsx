/** Exports of a card of curves: every threshold as CSV or JSON, and the picture. */

import { readSchemeTheme } from "../../chart";
import { say, useWords } from "../../i18n/words";
import { fileName, saveFile } from "../../lib/download";
import { formatStep, formatValue } from "../../lib/number";
import { csvTable, exactNumber } from "../../lib/table";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import type { TagInfo } from "../data/lists";
import { useView } from "../view/view";
import type { PrMode } from "../view/view-state";
import { PART_DASHES } from "./draw";
import { AXIS_WORDS, drawnRuns } from "./model";
import { picture, toPng, toSvg } from "./picture";
import { areaUnderRoc, type Domain, domainOf, rowAt } from "./points";
import type { PrCurve, RunCurve } from "./pr-curves";

interface ExportMenuProps {
  tag: TagInfo;
  curves: readonly RunCurve[];
  zoom: Domain | null;
}

export function ExportMenu({ tag, curves, zoom }: ExportMenuProps) {
  const say = useWords();
  return (
    <Menu
      align="end"
      trigger={
        <Button
          variant="quiet"
          size="small"
          icon="more"
          label={say("card.more")}
          disabled={curves.length === 0}
        />
      }
    >
      <MenuItem onSelect={() => exportSvg(tag, curves, zoom)}>{say("take.svg")}</MenuItem>
      <MenuItem onSelect={() => void exportPng(tag, curves, zoom)}>{say("take.png")}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => exportCsv(tag, curves)}>{say("take.csv")}</MenuItem>
      <MenuItem onSelect={() => exportJson(tag, curves)}>{say("take.json")}</MenuItem>
    </Menu>
  );
}

function exportCsv({ tag }: TagInfo, curves: readonly RunCurve[]): void {
  saveFile(csvOf(tag, curves), `${fileName(tag)}.csv`, "text/csv");
}

const HEAD = ["run", "tag", "step", "threshold", "precision", "recall", "f1", "tp", "fp", "tn", "fn"];

/** One row per run and threshold. */
function csvOf(tag: string, curves: readonly RunCurve[]): string {
  const rows = curves.flatMap(({ lineStyle, curve }) =>
    curve.thresholds.map((_, at) => {
      const { threshold, precision, recall, f1, tp, fp, tn, fn } = rowAt(curve, at);
      const numbers = [threshold, precision, recall, f1, tp, fp, tn, fn].map(exactNumber);
      return [lineStyle.name, tag, String(curve.step), ...numbers];
    }),
  );
  return csvTable({ head: HEAD, rows, numeric: HEAD.map((_, at) => at > 1) });
}

function exportJson({ tag }: TagInfo, curves: readonly RunCurve[]): void {
  saveFile(jsonOf(tag, curves), `${fileName(tag)}.json`, "application/json");
}

/** The response of the API, with the names of the runs. */
function jsonOf(tag: string, curves: readonly RunCurve[]): string {
  const text = { tag, curves: curves.map(({ lineStyle, curve }) => ({ ...curve, run: lineStyle.name })) };
  return `${JSON.stringify(text, (_, value) => (Number.isFinite(value) || typeof value !== "number" ? value : String(value)), 2)}\n`;
}

function exportSvg(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null): void {
  saveFile(toSvg(pictureOf(tag, curves, zoom)), `${fileName(tag.tag)}.svg`, "image/svg+xml");
}

async function exportPng(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null): Promise<void> {
  saveFile(await toPng(pictureOf(tag, curves, zoom)), `${fileName(tag.tag)}.png`, "image/png");
}

function pictureOf(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null) {
  const { prMode: mode, isoF1, unitScale } = useView.getState();
  const runs = drawnRuns(curves, mode, "light");
  const { x, y } = AXIS_WORDS[mode];
  const lines = runs.flatMap((run) => run.lines);
  const model = {
    mode,
    runs,
    domain: zoom ?? domainOf(lines, unitScale),
    isoF1,
    xName: say(x),
    yName: say(y),
  };
  const ends = new Map(curves.map(({ lineStyle, curve }) => [lineStyle.id, curve]));
  return picture(
    { ...model, theme: readSchemeTheme("light"), highlighted: null },
    tag.display_name || tag.tag,
    runs.map(({ run, label }) => {
      const curve = ends.get(run)!;
      return `${label} · ${figureOf(mode, curve)} · ${say("tip.step", { step: formatStep(curve.step) })}`;
    }),
    mode === "threshold" ? partsOf() : [],
  );
}

function figureOf(mode: PrMode, curve: PrCurve): string {
  const area = mode === "roc" ? areaUnderRoc(curve) : null;
  return area === null ? `AP ${formatValue(curve.average_precision, 4)}` : `AUC ${formatValue(area, 4)}`;
}

function partsOf() {
  return [
    { name: say("pr.precision"), dash: PART_DASHES.precision! },
    { name: say("pr.recall"), dash: PART_DASHES.recall! },
    { name: "F1", dash: PART_DASHES.f1! },
  ];
}
