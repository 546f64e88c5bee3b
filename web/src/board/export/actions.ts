/** Exports of cards: what each item of an export menu does. */

import { fetchExport } from "../../api/export";
import type { ExportFile, ExportRequest } from "../../api/schema.gen";
import { copyText } from "../../lib/clipboard";
import { copyPicture, fileName, saveFile } from "../../lib/download";
import { latexTable, markdownTable } from "../../lib/table";
import { type Progress, runExport } from "../cards/exports";
import { queries, statusQuery } from "../data/lists";
import { notify } from "../view/notice";
import { useView } from "../view/view";
import { printView } from "../view/view-address";
import { pngOf, svgOf } from "./card-image";
import { tableOf } from "./card-table";
import { type ExportCard, runIds, tagOf } from "./export-card";

export type PointFormat = "csv" | "json";

export function exportSvg(card: ExportCard): Promise<void> {
  return exportFile(card, "svg", async ({ signal }, name) => {
    saveFile(await svgOf(card, useView.getState(), signal), name, "image/svg+xml");
  });
}

export function exportPng(card: ExportCard): Promise<void> {
  return exportFile(card, "png", async ({ signal }, name) => {
    saveFile(await pngOf(card, useView.getState(), signal), name);
  });
}

export function copyPng(card: ExportCard): Promise<void> {
  return exportFile(card, "png", async ({ signal }) => {
    await copyPicture(pngOf(card, useView.getState(), signal));
    notify("take.copied");
  });
}

export function copyTable(card: ExportCard, form: "markdown" | "latex"): Promise<void> {
  return exportFile(card, form === "latex" ? "tex" : "md", async ({ signal }) => {
    const table = await tableOf(card, useView.getState(), signal);
    await copyText(form === "latex" ? latexTable(table) : markdownTable(table));
    notify("take.copied");
  });
}

/** Exports every point of the drawn runs, as stored. */
export function exportPoints(
  cards: readonly ExportCard[],
  title: string,
  format: PointFormat,
): Promise<void> {
  const name = fileName(title);
  return runExport(`${name}.${format}`, (progress) => saveExport(cards, { format, name }, progress));
}

/** Exports pictures of all cards, every point of each, and the view itself. */
export function exportArchive(cards: readonly ExportCard[], title: string): Promise<void> {
  const name = fileName(title);
  return runExport(`${name}.zip`, async (progress) => {
    const files = await drawAll(cards, progress);
    files.push({ name: "view.json", text: viewText(cards) });
    await saveExport(cards, { archive: true, files, name }, progress);
  });
}

function exportFile(
  card: ExportCard,
  ending: string,
  work: (progress: Progress, name: string) => Promise<void>,
): Promise<void> {
  const name = `${fileName(tagOf(card))}.${ending}`;
  return runExport(name, (progress) => work(progress, name));
}

/** Number of cards that share a request for their points. */
const AT_ONCE = 6;

async function drawAll(cards: readonly ExportCard[], { signal, report }: Progress): Promise<ExportFile[]> {
  const view = useView.getState();
  const files: ExportFile[] = [];
  for (let from = 0; from < cards.length; from += AT_ONCE) {
    report(from, cards.length);
    const images = cards.slice(from, from + AT_ONCE).map(async (card) => {
      // Let the page run between two pictures.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { name: `charts/${tagOf(card)}.svg`, text: await svgOf(card, view, signal) };
    });
    files.push(...(await Promise.all(images)));
  }
  report(0, 0);
  return files;
}

async function saveExport(
  cards: readonly ExportCard[],
  options: Omit<ExportRequest, "series">,
  { signal, report: tell }: Progress,
): Promise<void> {
  const series = cards.flat().map(({ tag, runs }) => ({ tag: tag.tag, runs: runIds(runs) }));
  const blob = await fetchExport({ ...options, series }, signal, (bytes) => tell(bytes, 0));
  saveFile(blob, `${options.name}.${options.archive ? "zip" : options.format}`);
}

/** A description of the view, for readers of the archive. */
function viewText(cards: readonly ExportCard[]): string {
  const { axis, xTag, smoothing, ...view } = useView.getState();
  const runs = new Map(
    cards.flat().flatMap((part) => part.runs.map((lineStyle) => [lineStyle.id, lineStyle])),
  );
  const text = {
    address: printView({ axis, xTag, smoothing, ...view }, ""),
    logdir: queries.getQueryData<{ logdir: string }>(statusQuery.queryKey)?.logdir ?? "",
    taken: new Date().toISOString(),
    axis: axis === "tag" ? xTag : axis,
    smoothing,
    cards: cards.map((card) => card.map(({ tag }) => tag.tag)),
    runs: [...runs.values()].map(({ name, label }) => (label === name ? { name } : { name, label })),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}
