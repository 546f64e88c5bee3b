/**
 * The scene that a writer described: camera, lights, material. The names are those of the library that TensorBoard
 * uses; they are only looked up, never run, and numbers are validated. Pure.
 */

import { type Camera, DEFAULT_CAMERA, type Vector } from "./camera";

/** Red, green and blue from 0 to 1. */
export type Rgb = readonly [number, number, number];

export interface Light {
  /** Direction of the light; null for ambient light. */
  from: Vector | null;
  color: Rgb;
}

export interface MeshScene {
  camera: Camera;
  /** Null uses the defaults, a light at the camera and an ambient one. */
  lights: readonly Light[] | null;
  /** Show colours unchanged by lights. */
  unlit: boolean;
  wire: boolean;
  /** Size of points in mesh coordinates. */
  pointSize: number | null;
  color: Rgb | null;
}

export const DEFAULT_SCENE: MeshScene = {
  camera: DEFAULT_CAMERA,
  lights: null,
  unlit: false,
  wire: false,
  pointSize: null,
  color: null,
};

const MAX_LIGHTS = 4;
const FROM_ABOVE: Vector = [0, 1, 0];
const WHITE: Rgb = [1, 1, 1];

/** Invalid text gives the defaults. */
export function meshScene(text: string): MeshScene {
  const json = parsed(text);
  const camera = record(json.camera);
  const material = record(json.material);
  const orthographic = name(camera) === "OrthographicCamera";
  return {
    camera: { orthographic, fov: within(camera.fov, 5, 150) ?? DEFAULT_CAMERA.fov },
    lights: lightsOf(json.lights),
    unlit: name(material) === "MeshBasicMaterial",
    wire: material.wireframe === true,
    pointSize: within(material.size, 1e-9, 1e9),
    color: rgbOf(material.color),
  };
}

function lightsOf(said: unknown): readonly Light[] | null {
  if (!Array.isArray(said)) return null;
  const lights = said.slice(0, MAX_LIGHTS).flatMap((each) => lightOf(record(each)) ?? []);
  return lights.length > 0 ? lights : null;
}

function lightOf(said: Readonly<Record<string, unknown>>): Light | null {
  const strength = within(said.intensity, 0, 10) ?? 1;
  const color = (rgbOf(said.color) ?? WHITE).map((part) => part * strength) as unknown as Rgb;
  switch (name(said)) {
    case "AmbientLight":
    case "HemisphereLight":
      return { from: null, color };
    case "DirectionalLight":
    case "PointLight":
    case "SpotLight":
      return { from: vector(said.position) ?? FROM_ABOVE, color };
    default:
      return null;
  }
}

/** `#rgb`, `#rrggbb`, or a number. */
function rgbOf(said: unknown): Rgb | null {
  let whole = within(said, 0, 0xffffff);
  if (typeof said === "string" && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(said)) {
    const digits = said.slice(1);
    whole = Number.parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
  }
  if (whole === null) return null;
  const bits = Math.floor(whole);
  return [(bits >> 16) / 255, ((bits >> 8) & 255) / 255, (bits & 255) / 255];
}

function vector(said: unknown): Vector | null {
  if (!Array.isArray(said) || said.length !== 3) return null;
  const [x, y, z] = said.map((each) => within(each, -1e9, 1e9));
  if (x == null || y == null || z == null || Math.hypot(x, y, z) === 0) return null;
  return [x, y, z];
}

function within(said: unknown, least: number, most: number): number | null {
  return typeof said === "number" && said >= least && said <= most ? said : null;
}

function name(said: Readonly<Record<string, unknown>>): string {
  return typeof said.cls === "string" ? said.cls : "";
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return record(JSON.parse(text || "{}"));
  } catch {
    return {};
  }
}

function record(said: unknown): Readonly<Record<string, unknown>> {
  return typeof said === "object" && said !== null && !Array.isArray(said)
    ? (said as Record<string, unknown>)
    : {};
}
