/** The worker that renders the points: a renderer, a canvas and messages; at most one picture per frame. */

import { PointRenderer } from "./renderer";
import type { FromWorker, ShownPoints, ToWorker } from "./renderer-messages";

/** The part of the worker's global scope that is used. */
interface Scope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  requestAnimationFrame?(callback: () => void): number;
}

const scope = self as unknown as Scope;
const renderer = new PointRenderer();
const nextFrame =
  scope.requestAnimationFrame?.bind(scope) ?? ((callback: () => void) => setTimeout(callback, 16));

let canvas: OffscreenCanvas | null = null;
let context: OffscreenCanvasRenderingContext2D | null = null;
let image: ImageData | null = null;
let size = { width: 1, height: 1, ratio: 1 };
let due = false;

scope.onmessage = ({ data }) => {
  try {
    take(data);
  } catch (fault) {
    scope.postMessage({ kind: "fault", message: fault instanceof Error ? fault.message : String(fault) });
  }
};

function take(message: ToWorker): void {
  switch (message.kind) {
    case "canvas":
      canvas = message.canvas;
      context = canvas.getContext("2d", { alpha: false });
      break;
    case "size":
      size = message;
      renderer.resize(message);
      break;
    case "place":
      renderer.place(message.body, performance.now(), message.calm);
      break;
    case "paint":
      renderer.paint(message.codes, message.palette);
      break;
    case "standOut":
      renderer.standOut(message.states);
      break;
    case "follow":
      renderer.followed = message.rows;
      break;
    case "labels":
      renderer.cell = message.cell;
      break;
    case "drag":
      renderer.drag(message.dx, message.dy, message.rotates);
      break;
    case "zoom":
      renderer.zoom(message.factor, message.x, message.y);
      break;
    case "fit":
      renderer.fit();
      break;
    case "look":
      renderer.pointStyle(message.camera);
      break;
    default:
      answer(message);
      return;
  }
  plan();
}

/** Queries about the last picture, which need no new one. */
function answer(message: ToWorker & { id: number }): void {
  const { id } = message;
  const say = (answer: unknown) => scope.postMessage({ kind: "answer", id, answer });
  if (message.kind === "find") say(renderer.find(message.x, message.y, message.within));
  else if (message.kind === "enclose") say(renderer.enclose(message.line));
  else if (message.kind === "shown") {
    const { places, codes, states } = renderer.shown;
    const { x, y, far } = places;
    const points: ShownPoints = { x, y, far, codes, states };
    say(points);
  } else if (message.kind === "picture") {
    const image = imageOf(message.ratio);
    renderer.copy(pixelsOf(image), message.palette, message.ratio);
    const paper = new OffscreenCanvas(image.width, image.height);
    paper.getContext("2d")!.putImageData(image, 0, 0);
    void paper.convertToBlob({ type: "image/png" }).then(say);
  }
}

function plan(): void {
  if (due) return;
  due = true;
  nextFrame(draw);
}

function draw(): void {
  due = false;
  if (canvas === null || context === null) return;
  const begin = performance.now();
  const { width, height, ratio } = size;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (image === null || image.width !== across || image.height !== down) {
    image = imageOf(ratio);
    canvas.width = across;
    canvas.height = down;
  }
  const stats = renderer.draw(pixelsOf(image), begin, ratio);
  context.putImageData(image, 0, 0);
  const drawMs = performance.now() - begin;
  scope.postMessage({ kind: "drawn", drawn: stats, drawMs, width, height }, [stats.marks.buffer]);
  if (stats.moving) plan();
}

function imageOf(ratio: number): ImageData {
  return new ImageData(
    Math.max(1, Math.round(size.width * ratio)),
    Math.max(1, Math.round(size.height * ratio)),
  );
}

function pixelsOf({ width, height, data }: ImageData) {
  return { width, height, pixels: new Uint32Array(data.buffer) };
}
