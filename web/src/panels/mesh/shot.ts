/** One picture to be taken of a mesh: everything that whoever draws it must know. Sizes in pixels of the device. */

import type { MeshPicture } from "../../api/meshes";
import type { Basis } from "./lens";
import type { Light, Rgb, Staging } from "./staging";

export interface Shot {
  picture: MeshPicture;
  /** From the numbers of the mesh, counted from the middle of its box, to the screen. */
  matrix: Float32Array;
  basis: Basis;
  staging: Staging;
  /** Of what has no colours of its own. */
  color: Rgb;
  pointPx: number;
  wire: boolean;
  haze: Haze | null;
}

/** Points of one colour fade into the paper the further away they are: nothing else tells how deep a cloud is. */
export interface Haze {
  paper: Rgb;
  /** How far away it begins; two radii further it is thickest. */
  from: number;
}

/** Of the colour of the paper, where haze is thickest. */
export const MOST_HAZE = 0.65;

const FAINT = 0.5;
const STRONG = 0.6;

/** The lights of a shot: the writer's, or one that comes with the camera and some from everywhere. */
export function lightsOf({ staging, basis }: Shot): readonly Light[] {
  if (staging.lights) return staging.lights;
  const { back, up, right } = basis;
  const lean = (at: 0 | 1 | 2) => back[at] + 0.4 * up[at] + 0.3 * right[at];
  return [
    { from: null, color: [FAINT, FAINT, FAINT] },
    { from: [lean(0), lean(1), lean(2)], color: [STRONG, STRONG, STRONG] },
  ];
}
