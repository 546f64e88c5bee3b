import { describe, expect, test } from "vitest";
import { clampPose, DEFAULT_MESH, DEFAULT_POSE, type MeshView, parseMesh, printMesh } from "./mesh-view";

describe("the page of meshes in the address", () => {
  test("says nothing of what is as always", () => {
    expect(printMesh(DEFAULT_MESH)).toBe("");
  });

  test("says what was chosen, and is read back", () => {
    const view: MeshView = {
      share: false,
      pose: { yaw: -1.25, pitch: 0.5, zoom: 2.5, x: 0.25, y: -3 },
      points: 5,
      wire: true,
      axes: true,
    };
    expect(printMesh(view)).toBe("share=false;wire=true;axes=true;points=5;camera=-1.25:0.5:2.5:0.25:-3");
    expect(parseMesh(printMesh(view))).toEqual(view);
  });

  test("what makes no sense takes its default", () => {
    expect(parseMesh("share=perhaps;points=many;camera=1:2;wire")).toEqual(DEFAULT_MESH);
  });

  test("numbers out of range are brought into it", () => {
    expect(parseMesh("points=900")?.points).toBe(16);
    expect(parseMesh("camera=0:9:1e9:0:0")?.pose).toEqual(
      clampPose({ ...DEFAULT_POSE, yaw: 0, pitch: 9, zoom: 1e9 }),
    );
  });

  test("turning on and on comes round again", () => {
    expect(clampPose({ ...DEFAULT_POSE, yaw: 7 * Math.PI }).yaw).toBeCloseTo(-Math.PI);
  });
});
