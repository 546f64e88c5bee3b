/** Meshes: the list, and the geometry of one. `events/meshes.py` describes the format. */

import { getBytes, mediaUrl, postJson } from "./client";
import type { MeshesResponse, MeshSeries as SentMesh } from "./schema.gen";

export type MeshSeries = Omit<SentMesh, "walls"> & { walls: readonly number[] };

/** One mesh of one value, by the names of run and mesh. */
export interface MeshName {
  run: string;
  name: string;
  at: string;
  sample: number;
}

type Point = readonly [number, number, number];

export interface MeshPicture {
  /** x, y, z of each point, relative to the middle of the box. */
  points: Float32Array;
  /** Three indices of points per face. */
  faces: Uint32Array;
  /** Red, green and blue of each point, 0 to 255; null if there are none. */
  colors: Uint8Array | null;
  /** The corners of the box, in the units of the file. */
  low: Point;
  high: Point;
  /** The numbers in the logs. */
  held: number;
  heldFaces: number;
  /** Of these: vertices without coordinates, and faces with missing vertices. */
  broken: number;
  brokenFaces: number;
  /** Downsampled: fewer points than in the logs. */
  thinned: boolean;
  /** There are too many faces for a page, so only the vertices are shown. */
  faceless: boolean;
  /** The number of colours differs from that of the vertices. */
  miscolored: boolean;
}

const HEAD_BYTES = 80;
const [THINNED, COLORED, FACELESS, MISCOLORED] = [1, 2, 4, 8];

export async function fetchMeshes(signal?: AbortSignal): Promise<readonly MeshSeries[]> {
  const { meshes } = await postJson<MeshesResponse>("meshes", {}, signal);
  return meshes.map((mesh) => ({ ...mesh, walls: mesh.walls.map(Number) }));
}

export async function fetchMesh(name: MeshName, signal?: AbortSignal): Promise<MeshPicture> {
  return readMesh(await getBytes(`meshes/data?${parameters(name)}`, signal));
}

/** URL of the whole mesh as a file. */
export function meshFileUrl(name: MeshName): string {
  return mediaUrl("meshes/file", parameters(name), "name");
}

function parameters({ run, name, at, sample }: MeshName): URLSearchParams {
  return new URLSearchParams({ run, name, at, sample: String(sample) });
}

/** Decodes a block. Throws RangeError if it is truncated. */
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
