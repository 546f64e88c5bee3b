/** Meshes: which there are, and one as numbers to be drawn. The block is described in `events/meshes.py`. */

import { getBytes, mediaUrl, postJson } from "./client";
import type { MeshesAnswer, MeshSeries as SentMesh } from "./schema.gen";

export type MeshSeries = Omit<SentMesh, "walls"> & { walls: readonly number[] };

/** One mesh of one value: run and mesh by their names. */
export interface MeshName {
  run: string;
  name: string;
  at: string;
  sample: number;
}

type Point = readonly [number, number, number];

export interface MeshPicture {
  /** x, y, z of each point, from the middle of the box. */
  points: Float32Array;
  /** Three places of points for each face. */
  faces: Uint32Array;
  /** Red, green, blue of each point, 0 to 255; null where none were written. */
  colors: Uint8Array | null;
  /** The corners of the box, as they were written. */
  low: Point;
  high: Point;
  /** In the logs. */
  held: number;
  heldFaces: number;
  /** Of these: vertices that are nowhere, faces whose vertices are not there. */
  broken: number;
  brokenFaces: number;
  /** Fewer points than there are. */
  thinned: boolean;
  /** Too many faces for a page: their vertices are shown. */
  faceless: boolean;
  /** The colours were of another number than the vertices. */
  miscolored: boolean;
}

const HEAD_BYTES = 80;
const [THINNED, COLORED, FACELESS, MISCOLORED] = [1, 2, 4, 8];

export async function askMeshes(signal?: AbortSignal): Promise<readonly MeshSeries[]> {
  const { meshes } = await postJson<MeshesAnswer>("meshes", {}, signal);
  return meshes.map((mesh) => ({ ...mesh, walls: mesh.walls.map(Number) }));
}

export async function askMesh(name: MeshName, signal?: AbortSignal): Promise<MeshPicture> {
  return readMesh(await getBytes(`meshes/data?${parameters(name)}`, signal));
}

/** Where the whole mesh can be had as a file. */
export function meshFileUrl(name: MeshName): string {
  return mediaUrl("meshes/file", parameters(name), "name");
}

function parameters({ run, name, at, sample }: MeshName): URLSearchParams {
  return new URLSearchParams({ run, name, at, sample: String(sample) });
}

/** Reads a block. Throws RangeError where it is cut short. */
export function readMesh(block: ArrayBuffer): MeshPicture {
  const [count, faces, held, heldFaces, broken, brokenFaces, flags] = new Uint32Array(
    block,
    0,
    8,
  ) as unknown as [number, number, number, number, number, number, number];
  const box = new Float64Array(block, 32, 6) as unknown as [number, number, number, number, number, number];
  const corners = HEAD_BYTES + count * 12;
  const has = (bit: number | undefined) => (flags & (bit ?? 0)) !== 0;
  return {
    points: new Float32Array(block, HEAD_BYTES, count * 3),
    faces: new Uint32Array(block, corners, faces * 3),
    colors: has(COLORED) ? new Uint8Array(block, corners + faces * 12, count * 3) : null,
    low: [box[0], box[1], box[2]],
    high: [box[3], box[4], box[5]],
    held,
    heldFaces,
    broken,
    brokenFaces,
    thinned: has(THINNED),
    faceless: has(FACELESS),
    miscolored: has(MISCOLORED),
  };
}
