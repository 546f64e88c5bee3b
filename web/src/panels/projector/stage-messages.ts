/** What the page and the worker that draws say to each other. */

import type { Camera } from "./camera";
import type { Cell } from "./labels";
import type { Palette } from "./splat";
import type { Drawn } from "./stage";

export type ToStage =
  | { kind: "canvas"; canvas: OffscreenCanvas }
  | { kind: "size"; width: number; height: number; ratio: number }
  | { kind: "place"; body: ArrayBuffer; calm: boolean }
  | { kind: "paint"; codes: Uint8Array; palette: Palette }
  | { kind: "standOut"; states: Uint8Array }
  | { kind: "follow"; rows: Uint32Array }
  | { kind: "labels"; cell: Cell | null }
  | { kind: "drag"; dx: number; dy: number; turns: boolean }
  | { kind: "zoom"; factor: number; x?: number; y?: number }
  | { kind: "fit" }
  | { kind: "look"; camera: Camera }
  | { kind: "find"; id: number; x: number; y: number; within: number }
  | { kind: "enclose"; id: number; line: readonly number[] }
  | { kind: "shown"; id: number }
  | { kind: "picture"; id: number; palette: Palette; ratio: number };

/** Where all points stood, to be drawn by others. */
export interface ShownPoints {
  x: Float32Array;
  y: Float32Array;
  far: Float32Array;
  codes: Uint8Array;
  states: Uint8Array;
}

export type FromStage =
  | { kind: "drawn"; drawn: Drawn; drawMs: number; width: number; height: number }
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "fault"; message: string };
