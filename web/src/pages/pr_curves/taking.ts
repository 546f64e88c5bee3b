/** The curves of a card as files: every threshold exactly as the API gives it, or the picture on white paper. */

import { formatStep, formatValue } from "../../base/number";
import { fileName, saveFile } from "../../base/save";
import { csvTable, exactNumber } from "../../base/table";
import { readTheme } from "../../chart";
import { PART_DASHES } from "../../panels/pr_curves/draw";
import { AXIS_WORDS, drawnRuns } from "../../panels/pr_curves/model";
import { picture, toPng, toSvg } from "../../panels/pr_curves/picture";
import { areaUnderRoc, type Domain, domainOf, rowAt } from "../../panels/pr_curves/points";
import type { TagInfo } from "../../state/lists";
import type { PrCurve, RunCurve } from "../../state/prcurves";
import { useView } from "../../state/view";
import type { PrMode } from "../../state/viewstate";
import { say } from "../../words/words";

export function takeCsv({ tag }: TagInfo, curves: readonly RunCurve[]): void {
  saveFile(csvOf(tag, curves), `${fileName(tag)}.csv`, "text/csv");
}

const HEAD = ["run", "tag", "step", "threshold", "precision", "recall", "f1", "tp", "fp", "tn", "fn"];

/** One row per run and threshold. */
export function csvOf(tag: string, curves: readonly RunCurve[]): string {
  const rows = curves.flatMap(({ look, curve }) =>
    curve.thresholds.map((_, at) => {
      const { threshold, precision, recall, f1, tp, fp, tn, fn } = rowAt(curve, at);
      const numbers = [threshold, precision, recall, f1, tp, fp, tn, fn].map(exactNumber);
      return [look.name, tag, String(curve.step), ...numbers];
    }),
  );
  return csvTable({ head: HEAD, rows, numeric: HEAD.map((_, at) => at > 1) });
}

export function takeJson({ tag }: TagInfo, curves: readonly RunCurve[]): void {
  saveFile(jsonOf(tag, curves), `${fileName(tag)}.json`, "application/json");
}

/** The answer of the API, with the names of the runs. */
export function jsonOf(tag: string, curves: readonly RunCurve[]): string {
  const text = { tag, curves: curves.map(({ look, curve }) => ({ ...curve, run: look.name })) };
  return `${JSON.stringify(text, (_, value) => (Number.isFinite(value) || typeof value !== "number" ? value : String(value)), 2)}\n`;
}

export function takeSvg(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null): void {
  saveFile(toSvg(sheetOf(tag, curves, zoom)), `${fileName(tag.tag)}.svg`, "image/svg+xml");
}

export async function takePng(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null): Promise<void> {
  saveFile(await toPng(sheetOf(tag, curves, zoom)), `${fileName(tag.tag)}.png`, "image/png");
}

function sheetOf(tag: TagInfo, curves: readonly RunCurve[], zoom: Domain | null) {
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
  const ends = new Map(curves.map(({ look, curve }) => [look.id, curve]));
  return picture(
    { ...model, theme: paperTheme(), highlighted: null },
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

/** The light theme, also where the page is dark. */
function paperTheme() {
  const probe = document.createElement("div");
  probe.dataset.theme = "light";
  document.body.append(probe);
  const theme = readTheme(probe);
  probe.remove();
  return theme;
}
