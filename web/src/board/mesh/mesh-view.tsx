/** The mesh of one run at one step: picture, gestures and caption. */

import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { meshFileUrl } from "../../api/meshes";
import { rawUrl } from "../../api/values";
import { devicePixels } from "../../chart/surface";
import { useWords } from "../../i18n/words";
import { fileName, saveFile, saveUrl } from "../../lib/download";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import { LoadError } from "../cards/load-error";
import { colorOf } from "../runs/line-styles";
import { defaultPointPx, POINT_PX, type Pose } from "../view/mesh-view";
import { onColorScheme, useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import type { BoxTheme } from "./box";
import { basisOf, distanceOf, type Frame, matrixOf, reachOf } from "./camera";
import { Caption } from "./caption";
import { includePicture, useFrame, usePose } from "./frames";
import { PointerGestures, poseAfterKey, poseAfterWheel, type ViewGeometry } from "./gestures";
import { type MeshScene, meshScene, type Rgb } from "./mesh-scene";
import style from "./mesh-view.module.css";
import { type MeshName, type MeshPicture, meshAt, type RunMesh, useMeshPicture } from "./meshes";
import type { Fog, RenderInput } from "./render-input";
import { type Renderer, renderMesh } from "./renderer";

interface MeshViewProps {
  mesh: RunMesh;
  /** Null: the last. */
  step: number | null;
  sample: number;
}

export function MeshView({ mesh, step, sample }: MeshViewProps) {
  const value = meshAt(mesh, step);
  if (!value) return null;
  const name = {
    run: mesh.run,
    name: mesh.mesh.name,
    at: value.key,
    sample: Math.min(sample, mesh.mesh.samples - 1),
  };
  return <OneValue mesh={mesh} name={name} value={value} wanted={step} />;
}

interface OneValueProps {
  mesh: RunMesh;
  name: MeshName;
  value: { step: number; wall: number };
  wanted: number | null;
}

function OneValue({ mesh, name, value, wanted }: OneValueProps) {
  const say = useWords();
  const { picture, stale, error, retry } = useMeshPicture(name);
  const [means, setMeans] = useState<Renderer>("gpu");
  const canvas = useRef<HTMLCanvasElement>(null);
  const empty = picture?.points.length === 0;
  const state = error ? "error" : !picture ? "loading" : empty ? "empty" : "ready";
  return (
    <section
      className={style.run}
      aria-label={mesh.lineStyle.label}
      data-run={mesh.lineStyle.name}
      data-state={state}
      data-means={means}
      aria-busy={stale || undefined}
    >
      <div className={style.frame}>
        {picture && !empty && (
          <MeshCanvas
            mesh={mesh}
            name={name}
            picture={picture}
            step={value.step}
            canvas={canvas}
            onMeans={setMeans}
          />
        )}
        {error && <LoadError className={style.over} error={error} onRetry={retry} />}
        {empty && <div className={style.over}>{say("mesh.nothing")}</div>}
      </div>
      <Caption
        lineStyle={mesh.lineStyle}
        step={value.step}
        wall={value.wall}
        wanted={wanted}
        picture={picture}
        means={means}
        menu={<MeshMenu name={name} tag={mesh.mesh.tag} step={value.step} canvas={canvas} />}
      />
    </section>
  );
}

interface MeshCanvasProps {
  mesh: RunMesh;
  name: MeshName;
  picture: MeshPicture;
  step: number;
  canvas: RefObject<HTMLCanvasElement | null>;
  onMeans(means: Renderer): void;
}

function MeshCanvas({ mesh, name, picture, step, canvas, onMeans }: MeshCanvasProps) {
  const say = useWords();
  const key = `${name.run}\n${name.name}\n${name.sample}`;
  const frame = useFrame(name.name);
  const [pose, setPose] = usePose(key);
  const scene = meshScene(mesh.mesh.config);
  const box = useRef<HTMLDivElement>(null);
  const ground = useDrawing({ canvas, box, mesh, picture, frame, pose, scene, onMeans });
  const hands = useGestures(box, pose, setPose, ground);
  // Again after a fit, which resets it.
  useEffect(() => {
    if (!frame || picture) includePicture(name.name, key, picture);
  }, [name.name, key, picture, frame]);
  return (
    <div
      ref={box}
      className={style.stage}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys turn it
      tabIndex={0}
      aria-label={say("mesh.view", { name: name.name, run: mesh.lineStyle.label, step })}
      aria-description={say("mesh.keys")}
      title={say("mesh.keys")}
      data-testid="mesh-view"
      {...hands}
    >
      <canvas ref={canvas} className={style.canvas} />
    </div>
  );
}

interface DrawInput {
  canvas: RefObject<HTMLCanvasElement | null>;
  box: RefObject<HTMLDivElement | null>;
  mesh: RunMesh;
  picture: MeshPicture;
  frame: Frame | null;
  pose: Pose;
  scene: MeshScene;
  onMeans(means: Renderer): void;
}

/** Draws the picture at most once per frame; returns what gestures need to know. */
function useDrawing({ canvas, box, mesh, picture, frame, pose, scene, onMeans }: DrawInput): ViewGeometry {
  const { points, wire, axes } = useView((view) => view.mesh);
  const scheme = useColorScheme();
  const size = useSize(box);
  const aspect = size.width / Math.max(1, size.height);
  const color = rgbOf(colorOf(mesh.lineStyle, scheme));
  useEffect(() => {
    const paper = canvas.current;
    if (!paper || !frame || size.width === 0) return;
    const request = requestAnimationFrame(() => {
      const ratio = devicePixels();
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      if (paper.width !== width || paper.height !== height) Object.assign(paper, { width, height });
      const middle = ([0, 1, 2] as const).map((axis) => (picture.low[axis] + picture.high[axis]) / 2);
      const written = scene.pointSize === null ? null : pointPxOf(scene, frame, pose, aspect, size.height);
      const shot: RenderInput = {
        picture,
        matrix: matrixOf(frame, middle as unknown as [number, number, number], pose, scene.camera, aspect),
        basis: basisOf(pose),
        scene,
        color: scene.color ?? color,
        pointPx: (points ?? written ?? defaultPointPx(picture.points.length / 3)) * ratio,
        wire: wire || scene.wire,
        fog: picture.colors || picture.faces.length > 0 ? null : fogOf(paper, scene, pose, aspect),
      };
      onMeans(renderMesh(paper, shot, axes ? themeOf(paper) : null, ratio));
      paper.dataset.drawn = String(picture.points.length / 3);
    });
    return () => cancelAnimationFrame(request);
  });
  return { camera: scene.camera, aspect, heightPx: size.height };
}

function useSize(box: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  // Another theme has other colours, so redraw.
  const [, redraw] = useState(0);
  useEffect(() => onColorScheme(() => redraw((count) => count + 1)), []);
  return size;
}

/** The size of points that the writer gave, at the distance of the camera's target. */
function pointPxOf(scene: MeshScene, frame: Frame, pose: Pose, aspect: number, heightPx: number): number {
  const inRadii = (scene.pointSize ?? 0) / frame.radius;
  const px = (inRadii / (2 * reachOf(scene.camera, pose.zoom, aspect))) * heightPx;
  return Math.min(POINT_PX.most, Math.max(POINT_PX.least, px));
}

function useGestures(
  box: RefObject<HTMLDivElement | null>,
  pose: Pose,
  setPose: (pose: Pose, final: boolean) => void,
  ground: ViewGeometry,
) {
  const [hand] = useState(() => new PointerGestures());
  const latest = useRef({ pose, setPose });
  latest.current = { pose, setPose };
  const update = (next: Pose, final: boolean) => {
    latest.current.pose = next;
    setPose(next, final);
  };
  useEffect(() => {
    const element = box.current!;
    const onWheel = (event: WheelEvent) => {
      // The plain wheel scrolls the page, unless the view has the focus.
      if (!event.altKey && !event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      const next = poseAfterWheel(latest.current.pose, event.deltaY);
      latest.current.pose = next;
      latest.current.setPose(next, true);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [box]);
  const at = (event: PointerEvent) => ({ x: event.clientX, y: event.clientY });
  const lift = (event: PointerEvent) => {
    if (!hand.busy) return;
    hand.up(event.pointerId);
    if (!hand.busy) update(latest.current.pose, true);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
      hand.down(event.pointerId, at(event), event.button === 2 || event.shiftKey);
    },
    onPointerMove: (event: PointerEvent) => {
      const next = hand.move(event.pointerId, at(event), latest.current.pose, ground);
      if (next) update(next, false);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const next = poseAfterKey(latest.current.pose, event.key, event.shiftKey, ground);
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      update(next, true);
    },
  };
}

function fogOf(element: Element, { camera }: MeshScene, pose: Pose, aspect: number): Fog {
  const paper = getComputedStyle(element).getPropertyValue("--sunken").trim();
  return { paper: rgbOf(paper), from: distanceOf(camera, pose.zoom, aspect) - 1 };
}

function themeOf(element: Element): BoxTheme {
  const computed = getComputedStyle(element);
  return {
    line: computed.getPropertyValue("--axis").trim(),
    text: computed.getPropertyValue("--text-2").trim(),
    surface: computed.getPropertyValue("--sunken").trim(),
    font: computed.fontFamily,
  };
}

/** `#rrggbb` as run colours are. */
function rgbOf(color: string): Rgb {
  const bits = Number.parseInt(color.slice(1), 16);
  return [(bits >> 16) / 255, ((bits >> 8) & 255) / 255, (bits & 255) / 255];
}

interface MeshMenuProps {
  name: MeshName;
  /** The tag of the vertices. */
  tag: string;
  step: number;
  canvas: RefObject<HTMLCanvasElement | null>;
}

function MeshMenu({ name, tag, step, canvas }: MeshMenuProps) {
  const say = useWords();
  const raw = rawUrl({ plugin: "mesh", run: name.run, tag, at: name.at });
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="quiet" size="small" icon="more" label={say("mesh.take", { run: name.run })} />
      }
    >
      <MenuItem onSelect={() => saveUrl(meshFileUrl(name))}>{say("mesh.ply")}</MenuItem>
      <MenuItem onSelect={() => void savePicture(canvas.current, `${name.run}-${name.name}-${step}`)}>
        {say("take.png")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => saveUrl(raw)}>{say("mesh.raw")}</MenuItem>
    </Menu>
  );
}

async function savePicture(canvas: HTMLCanvasElement | null, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => {
    if (canvas) canvas.toBlob(done);
    else done(null);
  });
  if (!blob) return;
  saveFile(blob, `${fileName(name)}.png`);
}
