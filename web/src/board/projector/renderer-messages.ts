/** Messages between the page and the worker that renders. */

import type { Camera } from "./camera";
import type { Cell } from "./labels";
import type { FrameStats } from "./renderer";
import type { Palette } from "./splat";

export type ToWorker =
  | { kind: "canvas"; canvas: OffscreenCanvas }
  | { kind: "size"; width: number; height: number; ratio: number }
  | { kind: "place"; body: ArrayBuffer; calm: boolean }
  | { kind: "paint"; codes: Uint8Array; palette: Palette }
  | { kind: "standOut"; states: Uint8Array }
  | { kind: "follow"; rows: Uint32Array }
  | { kind: "labels"; cell: Cell | null }
  | { kind: "drag"; dx: number; dy: number; rotates: boolean }
  | { kind: "zoom"; factor: number; x?: number; y?: number }
  | { kind: "fit" }
  | { kind: "look"; camera: Camera }
  | { kind: "find"; id: number; x: number; y: number; within: number }
  | { kind: "enclose"; id: number; line: readonly number[] }
  | { kind: "shown"; id: number }
  | { kind: "picture"; id: number; palette: Palette; ratio: number };

/** Positions of all points, to be drawn elsewhere. */
export interface ShownPoints {
  x: Float32Array;
  y: Float32Array;
  far: Float32Array;
  codes: Uint8Array;
  states: Uint8Array;
}

export type FromWorker =
  | { kind: "drawn"; drawn: FrameStats; drawMs: number; width: number; height: number }
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "fault"; message: string };
