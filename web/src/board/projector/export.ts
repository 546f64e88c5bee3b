/** Exports of the projector: the picture, rows with their columns and vectors, and the metadata. */

import { fetchLabels, fetchVectors, metadataUrl } from "../../api/projector";
import { fileName, saveFile } from "../../lib/download";
import { csvTable, exactNumber } from "../../lib/table";
import { notify } from "../view/notice";
import type { Coloring } from "./coloring";
import type { OverlayTheme } from "./overlay";
import { drawPicture, MAX_SHAPES, type Picture, sizeOf, svgOf, TITLE_PX } from "./picture";
import type { Rows } from "./rows";
import type { Scene } from "./scene";
import type { Tensor } from "./tensors";

/** What a picture needs besides the points. */
export interface PictureOptions {
  tensor: Tensor;
  /** Colours for a light background, whatever the theme. */
  coloring(): Coloring;
  theme(): OverlayTheme;
  title: string;
  legendTitle: string;
  solid: boolean;
}

/** Saves a file; `name` is any text, without the extension. */
export function save(content: Blob | string, name: string, ending: string, type: string): void {
  saveFile(content, fileName(name) + ending, type);
}

const RATIO = 2;
const BATCH_SIZE = 500;

export function notifyFailure(fault: unknown): void {
  notify("projector.take.failed", { why: fault instanceof Error ? fault.message : String(fault) });
}

/** Exports the selected rows with all their columns, and optionally their vectors, as CSV. */
export async function exportRows(tensor: Tensor, rows: Rows, vectors: boolean): Promise<void> {
  try {
    const columns = tensor.columns.map(({ name }) => name);
    const cells = await Promise.all(
      columns.map((column) => inLots(rows, async (lot) => (await fetchLabels(tensor, column, lot)).labels)),
    );
    const numbers = vectors
      ? await inLots(rows, async (lot) => (await fetchVectors(tensor, lot)).vectors)
      : [];
    const dims = vectors ? Array.from({ length: tensor.dims }, (_, dim) => String(dim)) : [];
    const head = ["row", ...columns, ...dims];
    const body = [...rows].map((row, at) => [
      String(row),
      ...cells.map((column) => column[at] ?? ""),
      ...(numbers[at] ?? []).map(exactNumber),
    ]);
    save(
      csvTable({ head, rows: body, numeric: head.map(() => false) }),
      `${tensor.name}-rows`,
      ".csv",
      "text/csv",
    );
  } catch (fault) {
    notifyFailure(fault);
  }
}

async function inLots<Item>(rows: Rows, ask: (lot: number[]) => Promise<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < rows.length; at += BATCH_SIZE)
    items.push(...(await ask([...rows.subarray(at, at + BATCH_SIZE)])));
  return items;
}

export async function exportMetadata(tensor: Tensor): Promise<void> {
  const answer = await fetch(metadataUrl(tensor));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  save(await answer.blob(), `${tensor.name}-metadata`, ".tsv", "text/tab-separated-values");
}

export async function exportPicture(
  scene: Scene,
  options: PictureOptions,
  kind: "svg" | "png",
): Promise<void> {
  const { tensor, title, legendTitle, solid } = options;
  const coloring = options.coloring();
  const { palette } = coloring;
  const points = await scene.shown();
  const { width, height } = scene.size;
  const picture: Picture = {
    title,
    legendTitle,
    width,
    height,
    points,
    solid,
    coloring,
    labels: scene.labels,
    theme: options.theme(),
  };
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  if (kind === "svg") {
    const image = points.x.length > MAX_SHAPES ? await dataUrl(await scene.picture(palette, RATIO)) : null;
    const measure = (text: string, font: string) => {
      pen.font = font;
      return pen.measureText(text).width;
    };
    save(svgOf(picture, measure, image), tensor.name, ".svg", "image/svg+xml");
    return;
  }
  const size = sizeOf(picture);
  canvas.width = Math.round(size.width * RATIO);
  canvas.height = Math.round(size.height * RATIO);
  pen.scale(RATIO, RATIO);
  pen.fillStyle = picture.theme.paper;
  pen.fillRect(0, 0, size.width, size.height);
  const image = await createImageBitmap(await scene.picture(palette, RATIO));
  pen.drawImage(image, 0, TITLE_PX, width, height);
  drawPicture(pen, picture, false);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) save(blob, tensor.name, ".png", "image/png");
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
