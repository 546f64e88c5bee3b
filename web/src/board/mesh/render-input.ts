/** Everything needed to render one picture of a mesh. Sizes are in device pixels. */

import type { MeshPicture } from "../../api/meshes";
import type { Basis } from "./camera";
import type { Light, MeshScene, Rgb } from "./mesh-scene";

export interface RenderInput {
  picture: MeshPicture;
  /** From mesh coordinates, relative to the middle of its box, to the screen. */
  matrix: Float32Array;
  basis: Basis;
  scene: MeshScene;
  /** Colour of points without their own. */
  color: Rgb;
  pointPx: number;
  wire: boolean;
  fog: Fog | null;
}

/** Points of one colour fade into the background with distance, which shows the depth of a cloud. */
export interface Fog {
  paper: Rgb;
  /** Distance at which it begins; it is thickest two radii further away. */
  from: number;
}

/** The share of the background color at the far end of the fog. */
export const MAX_FOG = 0.65;

const FAINT = 0.5;
const STRONG = 0.6;

/** The lights: the writer's, or one at the camera and an ambient one. */
export function lightsOf({ scene, basis }: RenderInput): readonly Light[] {
  if (scene.lights) return scene.lights;
  const { back, up, right } = basis;
  const lean = (at: 0 | 1 | 2) => back[at] + 0.4 * up[at] + 0.3 * right[at];
  return [
    { from: null, color: [FAINT, FAINT, FAINT] },
    { from: [lean(0), lean(1), lean(2)], color: [STRONG, STRONG, STRONG] },
  ];
}
