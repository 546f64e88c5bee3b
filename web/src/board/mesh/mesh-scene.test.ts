import { describe, expect, test } from "vitest";
import { DEFAULT_SCENE, meshScene } from "./mesh-scene";

describe("the scene in its writer's words", () => {
  test("as tutorials have it", () => {
    const said = {
      camera: { cls: "PerspectiveCamera", fov: 75 },
      lights: [
        { cls: "AmbientLight", color: "#ffffff", intensity: 0.5 },
        { cls: "DirectionalLight", color: 0xff0000, position: [0, -1, 2] },
      ],
      material: { cls: "MeshBasicMaterial", wireframe: true, color: "#0f0", size: 0.05 },
    };
    expect(meshScene(JSON.stringify(said))).toEqual({
      camera: { orthographic: false, fov: 75 },
      lights: [
        { from: null, color: [0.5, 0.5, 0.5] },
        { from: [0, -1, 2], color: [1, 0, 0] },
      ],
      unlit: true,
      wire: true,
      pointSize: 0.05,
      color: [0, 1, 0],
    });
  });

  test("a camera without depth", () => {
    expect(meshScene('{"camera": {"cls": "OrthographicCamera"}}').camera.orthographic).toBe(true);
  });

  test.each(["", "{}", "null", "not json", "[]", '"x"', "{", '{"camera": [], "lights": {}, "material": 5}'])(
    "says nothing in %j",
    (text) => {
      expect(meshScene(text)).toEqual(DEFAULT_SCENE);
    },
  );

  test("names are looked up, never run, and numbers must be some", () => {
    const said = {
      camera: { cls: "constructor", fov: "60" },
      lights: [{ cls: "__proto__" }, { cls: "eval" }, null, 7],
      material: {
        cls: "alert(1)",
        size: Number.MAX_VALUE,
        color: "url(https://example.org)",
        wireframe: "yes",
      },
    };
    expect(meshScene(JSON.stringify(said))).toEqual(DEFAULT_SCENE);
  });

  test("of a thousand lights the first few shine", () => {
    const lights = Array.from({ length: 1000 }, () => ({ cls: "PointLight" }));
    expect(meshScene(JSON.stringify({ lights })).lights).toHaveLength(4);
  });
});
