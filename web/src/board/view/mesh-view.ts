/**
 * The state of the mesh page as one value of the address: `wire=true;points=4;camera=0.6:0.4:1:0:0`. Only what
 * differs from the defaults is written; invalid parts take their defaults. Pure.
 */

import { flag, number } from "./view-codec";

/**
 * The camera: yaw about the upright axis and pitch (radians), `zoom` (1 shows everything), and an offset `x`, `y` (in
 * radii of the scene).
 */
export interface Pose {
  yaw: number;
  pitch: number;
  zoom: number;
  x: number;
  y: number;
}

export interface MeshView {
  /** All views share one camera. */
  share: boolean;
  pose: Pose;
  /** Diameter of points in px; null uses the writer's size or the default. */
  points: number | null;
  wire: boolean;
  axes: boolean;
}

export const DEFAULT_POSE: Pose = { yaw: 0.6, pitch: 0.4, zoom: 1, x: 0, y: 0 };

export const DEFAULT_MESH: MeshView = {
  share: true,
  pose: DEFAULT_POSE,
  points: null,
  wire: false,
  axes: false,
};

export const POINT_PX = { least: 1, most: 16 };
export const ZOOM = { least: 0.05, most: 200 };

/** The more points, the smaller they are drawn. */
export function defaultPointPx(points: number): number {
  return points > 50_000 ? 1.5 : points > 5000 ? 2.5 : points > 500 ? 4 : 6;
}

/** Looking straight up or down has no upright axis. */
export const MAX_PITCH = Math.PI / 2 - 0.01;

export function printMesh(view: MeshView): string {
  const parts: string[] = [];
  if (!view.share) parts.push("share=false");
  if (view.wire) parts.push("wire=true");
  if (view.axes) parts.push("axes=true");
  if (view.points !== null) parts.push(`points=${view.points}`);
  const camera = poseText(view.pose);
  if (camera !== poseText(DEFAULT_POSE)) parts.push(`camera=${camera}`);
  return parts.join(";");
}

export function parseMesh(text: string): MeshView | undefined {
  const fields = new Map(text.split(";").map((part) => part.split("=", 2) as [string, string]));
  const on = (name: string, usual: boolean) => flag(fields.get(name) ?? "") ?? usual;
  return {
    share: on("share", true),
    wire: on("wire", false),
    axes: on("axes", false),
    points: pointsFrom(fields.get("points") ?? ""),
    pose: poseFrom(fields.get("camera") ?? "") ?? DEFAULT_POSE,
  };
}

/** Limits a pose to the range of the camera. */
export function clampPose({ yaw, pitch, zoom, x, y }: Pose): Pose {
  const turn = 2 * Math.PI;
  return {
    yaw: yaw - turn * Math.round(yaw / turn),
    pitch: Math.min(MAX_PITCH, Math.max(-MAX_PITCH, pitch)),
    zoom: Math.min(ZOOM.most, Math.max(ZOOM.least, zoom)),
    x: Math.min(1e4, Math.max(-1e4, x)),
    y: Math.min(1e4, Math.max(-1e4, y)),
  };
}

function pointsFrom(text: string): number | null {
  const size = number(text);
  return size === undefined ? null : Math.min(POINT_PX.most, Math.max(POINT_PX.least, size));
}

function poseText({ yaw, pitch, zoom, x, y }: Pose): string {
  return [yaw, pitch, zoom, x, y].map((each) => Number(each.toPrecision(4))).join(":");
}

function poseFrom(text: string): Pose | undefined {
  const [yaw, pitch, zoom, x, y, ...rest] = text.split(":").map(number);
  if (yaw === undefined || pitch === undefined || zoom === undefined) return undefined;
  if (x === undefined || y === undefined || rest.length > 0) return undefined;
  return clampPose({ yaw, pitch, zoom, x, y });
}
