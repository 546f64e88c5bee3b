/** Everything that can be taken away of cards: what each choice of a menu does. */

import { askExport } from "../../api/export";
import type { ExportFile, ExportQuestion } from "../../api/schema.gen";
import { copyPicture, fileName, saveFile } from "../../base/save";
import { latexTable, markdownTable } from "../../base/table";
import { copyText } from "../../state/clipboard";
import { queries, statusQuery } from "../../state/lists";
import { notify } from "../../state/notice";
import { type Progress, take } from "../../state/taking";
import { useView } from "../../state/view";
import { printView } from "../../state/viewstate";
import { runIds, type TakenCard, tagOf } from "./card";
import { pngOf, svgOf } from "./picture";
import { tableOf } from "./table";

export type PointFormat = "csv" | "json";

export function takeSvg(card: TakenCard): Promise<void> {
  return takeFile(card, "svg", async ({ signal }, name) => {
    saveFile(await svgOf(card, useView.getState(), signal), name, "image/svg+xml");
  });
}

export function takePng(card: TakenCard): Promise<void> {
  return takeFile(card, "png", async ({ signal }, name) => {
    saveFile(await pngOf(card, useView.getState(), signal), name);
  });
}

export function copyPng(card: TakenCard): Promise<void> {
  return takeFile(card, "png", async ({ signal }) => {
    await copyPicture(pngOf(card, useView.getState(), signal));
    notify("take.copied");
  });
}

export function copyTable(card: TakenCard, form: "markdown" | "latex"): Promise<void> {
  return takeFile(card, form === "latex" ? "tex" : "md", async ({ signal }) => {
    const table = await tableOf(card, useView.getState(), signal);
    await copyText(form === "latex" ? latexTable(table) : markdownTable(table));
    notify("take.copied");
  });
}

/** Every point of the runs drawn, as they are stored. */
export function takePoints(cards: readonly TakenCard[], title: string, format: PointFormat): Promise<void> {
  const name = fileName(title);
  return take(`${name}.${format}`, (progress) => fetchExport(cards, { format, name }, progress));
}

/** Pictures of all cards, every point of each, and the view itself. */
export function takeArchive(cards: readonly TakenCard[], title: string): Promise<void> {
  const name = fileName(title);
  return take(`${name}.zip`, async (progress) => {
    const files = await drawAll(cards, progress);
    files.push({ name: "view.json", text: viewText(cards) });
    await fetchExport(cards, { archive: true, files, name }, progress);
  });
}

function takeFile(
  card: TakenCard,
  ending: string,
  work: (progress: Progress, name: string) => Promise<void>,
): Promise<void> {
  const name = `${fileName(tagOf(card))}.${ending}`;
  return take(name, (progress) => work(progress, name));
}

/** So many cards at once share a request for their points. */
const AT_ONCE = 6;

async function drawAll(cards: readonly TakenCard[], { signal, tell }: Progress): Promise<ExportFile[]> {
  const view = useView.getState();
  const files: ExportFile[] = [];
  for (let from = 0; from < cards.length; from += AT_ONCE) {
    tell(from, cards.length);
    const drawn = cards.slice(from, from + AT_ONCE).map(async (card) => {
      // The page goes on between two pictures.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { name: `charts/${tagOf(card)}.svg`, text: await svgOf(card, view, signal) };
    });
    files.push(...(await Promise.all(drawn)));
  }
  tell(0, 0);
  return files;
}

async function fetchExport(
  cards: readonly TakenCard[],
  asked: Omit<ExportQuestion, "series">,
  { signal, tell }: Progress,
): Promise<void> {
  const series = cards.flat().map(({ tag, runs }) => ({ tag: tag.tag, runs: runIds(runs) }));
  const blob = await askExport({ ...asked, series }, signal, (bytes) => tell(bytes, 0));
  saveFile(blob, `${asked.name}.${asked.archive ? "zip" : asked.format}`);
}

/** How the page looked, for those who find the archive later. */
function viewText(cards: readonly TakenCard[]): string {
  const { axis, xTag, smoothing, ...view } = useView.getState();
  const runs = new Map(cards.flat().flatMap((part) => part.runs.map((look) => [look.id, look])));
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
