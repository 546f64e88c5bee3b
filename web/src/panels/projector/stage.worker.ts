/** The worker that draws the points: a stage, a canvas of its own, and messages; a picture for each frame at most. */

import { Stage } from "./stage";
import type { FromStage, ShownPoints, ToStage } from "./stage-messages";

/** What of a worker's world is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<ToStage>) => void) | null;
  postMessage(message: FromStage, transfer?: Transferable[]): void;
  requestAnimationFrame?(callback: () => void): number;
}

const scope = self as unknown as Scope;
const stage = new Stage();
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

function take(message: ToStage): void {
  switch (message.kind) {
    case "canvas":
      canvas = message.canvas;
      context = canvas.getContext("2d", { alpha: false });
      break;
    case "size":
      size = message;
      stage.resize(message);
      break;
    case "place":
      stage.place(message.body, performance.now(), message.calm);
      break;
    case "paint":
      stage.paint(message.codes, message.palette);
      break;
    case "standOut":
      stage.standOut(message.states);
      break;
    case "follow":
      stage.followed = message.rows;
      break;
    case "labels":
      stage.cell = message.cell;
      break;
    case "drag":
      stage.drag(message.dx, message.dy, message.turns);
      break;
    case "zoom":
      stage.zoom(message.factor, message.x, message.y);
      break;
    case "fit":
      stage.fit();
      break;
    case "look":
      stage.look(message.camera);
      break;
    default:
      answer(message);
      return;
  }
  plan();
}

/** Questions about the last picture; they need no other one. */
function answer(message: ToStage & { id: number }): void {
  const { id } = message;
  const say = (answer: unknown) => scope.postMessage({ kind: "answer", id, answer });
  if (message.kind === "find") say(stage.find(message.x, message.y, message.within));
  else if (message.kind === "enclose") say(stage.enclose(message.line));
  else if (message.kind === "shown") {
    const { places, codes, states } = stage.shown;
    const { x, y, far } = places;
    const points: ShownPoints = { x, y, far, codes, states };
    say(points);
  } else if (message.kind === "picture") {
    const made = imageOf(message.ratio);
    stage.copy(pixelsOf(made), message.palette, message.ratio);
    const paper = new OffscreenCanvas(made.width, made.height);
    paper.getContext("2d")!.putImageData(made, 0, 0);
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
  const drawn = stage.draw(pixelsOf(image), begin, ratio);
  context.putImageData(image, 0, 0);
  const drawMs = performance.now() - begin;
  scope.postMessage({ kind: "drawn", drawn, drawMs, width, height }, [drawn.marks.buffer]);
  if (drawn.moving) plan();
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
