/** The mesh of one run at one step: the picture, the hands on it, and what stands under it. */

import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { devicePixels } from "../../chart/surface";
import { Failed } from "../../panel/failed";
import { colorOf } from "../../state/looks";
import { type MeshName, type MeshPicture, meshAt, type RunMesh, useMeshPicture } from "../../state/meshes";
import { POINT_PX, type Pose, usualPx } from "../../state/meshview";
import { onShade, useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import type { BoxTheme } from "./box";
import { Caption } from "./caption";
import { countIn, useFrame, usePose } from "./frames";
import { type Ground, Hand, keyed, wheeled } from "./gestures";
import { basisOf, distanceOf, type Frame, matrixOf, reachOf } from "./lens";
import { MeshMenu } from "./mesh-menu";
import style from "./mesh-view.module.css";
import type { Haze, Shot } from "./shot";
import { type Means, takePicture } from "./stage";
import { type Rgb, type Staging, stagingOf } from "./staging";

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
  const { picture, waiting, error, retry } = useMeshPicture(name);
  const [means, setMeans] = useState<Means>("gpu");
  const canvas = useRef<HTMLCanvasElement>(null);
  const empty = picture?.points.length === 0;
  const state = error ? "error" : !picture ? "loading" : empty ? "empty" : "ready";
  return (
    <section
      className={style.run}
      aria-label={mesh.look.label}
      data-run={mesh.look.name}
      data-state={state}
      data-means={means}
      aria-busy={waiting || undefined}
    >
      <div className={style.frame}>
        {picture && !empty && (
          <Stage
            mesh={mesh}
            name={name}
            picture={picture}
            step={value.step}
            canvas={canvas}
            onMeans={setMeans}
          />
        )}
        {error && <Failed className={style.over} error={error} onRetry={retry} />}
        {empty && <div className={style.over}>{say("mesh.nothing")}</div>}
      </div>
      <Caption
        look={mesh.look}
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

interface StageProps {
  mesh: RunMesh;
  name: MeshName;
  picture: MeshPicture;
  step: number;
  canvas: RefObject<HTMLCanvasElement | null>;
  onMeans(means: Means): void;
}

function Stage({ mesh, name, picture, step, canvas, onMeans }: StageProps) {
  const say = useWords();
  const key = `${name.run}\n${name.name}\n${name.sample}`;
  const frame = useFrame(name.name);
  const [pose, setPose] = usePose(key);
  const staging = stagingOf(mesh.mesh.config);
  const box = useRef<HTMLDivElement>(null);
  const ground = useDrawn({ canvas, box, mesh, picture, frame, pose, staging, onMeans });
  const hands = useHands(box, pose, setPose, ground);
  // Again after a fit, which forgets all.
  useEffect(() => {
    if (!frame || picture) countIn(name.name, key, picture);
  }, [name.name, key, picture, frame]);
  return (
    <div
      ref={box}
      className={style.stage}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys turn it
      tabIndex={0}
      aria-label={say("mesh.view", { name: name.name, run: mesh.look.label, step })}
      aria-description={say("mesh.keys")}
      title={say("mesh.keys")}
      data-testid="mesh-view"
      {...hands}
    >
      <canvas ref={canvas} className={style.canvas} />
    </div>
  );
}

interface Drawn {
  canvas: RefObject<HTMLCanvasElement | null>;
  box: RefObject<HTMLDivElement | null>;
  mesh: RunMesh;
  picture: MeshPicture;
  frame: Frame | null;
  pose: Pose;
  staging: Staging;
  onMeans(means: Means): void;
}

/** Keeps the picture on the canvas, drawn at most once a frame; what hands must know of it. */
function useDrawn({ canvas, box, mesh, picture, frame, pose, staging, onMeans }: Drawn): Ground {
  const { points, wire, axes } = useView((view) => view.mesh);
  const shade = useShade();
  const size = useSize(box);
  const aspect = size.width / Math.max(1, size.height);
  const color = rgbOf(colorOf(mesh.look, shade));
  useEffect(() => {
    const paper = canvas.current;
    if (!paper || !frame || size.width === 0) return;
    const request = requestAnimationFrame(() => {
      const ratio = devicePixels();
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      if (paper.width !== width || paper.height !== height) Object.assign(paper, { width, height });
      const middle = ([0, 1, 2] as const).map((axis) => (picture.low[axis] + picture.high[axis]) / 2);
      const written =
        staging.pointSize === null ? null : pointPxOf(staging, frame, pose, aspect, size.height);
      const shot: Shot = {
        picture,
        matrix: matrixOf(frame, middle as unknown as [number, number, number], pose, staging.lens, aspect),
        basis: basisOf(pose),
        staging,
        color: staging.color ?? color,
        pointPx: (points ?? written ?? usualPx(picture.points.length / 3)) * ratio,
        wire: wire || staging.wire,
        haze: picture.colors || picture.faces.length > 0 ? null : hazeOf(paper, staging, pose, aspect),
      };
      onMeans(takePicture(paper, shot, axes ? themeOf(paper) : null, ratio));
      paper.dataset.drawn = String(picture.points.length / 3);
    });
    return () => cancelAnimationFrame(request);
  });
  return { lens: staging.lens, aspect, heightPx: size.height };
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
  // Another theme has other colours, which the canvas must be given.
  const [, redraw] = useState(0);
  useEffect(() => onShade(() => redraw((count) => count + 1)), []);
  return size;
}

/** The size that the writer gave points, where the camera looks. */
function pointPxOf(staging: Staging, frame: Frame, pose: Pose, aspect: number, heightPx: number): number {
  const inRadii = (staging.pointSize ?? 0) / frame.radius;
  const px = (inRadii / (2 * reachOf(staging.lens, pose.zoom, aspect))) * heightPx;
  return Math.min(POINT_PX.most, Math.max(POINT_PX.least, px));
}

function useHands(
  box: RefObject<HTMLDivElement | null>,
  pose: Pose,
  setPose: (pose: Pose, final: boolean) => void,
  ground: Ground,
) {
  const [hand] = useState(() => new Hand());
  const latest = useRef({ pose, setPose });
  latest.current = { pose, setPose };
  const put = (next: Pose, final: boolean) => {
    latest.current.pose = next;
    setPose(next, final);
  };
  useEffect(() => {
    const element = box.current!;
    const onWheel = (event: WheelEvent) => {
      // The wheel alone scrolls the page, unless one is at work here.
      if (!event.altKey && !event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      const next = wheeled(latest.current.pose, event.deltaY);
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
    if (!hand.busy) put(latest.current.pose, true);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
      hand.down(event.pointerId, at(event), event.button === 2 || event.shiftKey);
    },
    onPointerMove: (event: PointerEvent) => {
      const next = hand.move(event.pointerId, at(event), latest.current.pose, ground);
      if (next) put(next, false);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const next = keyed(latest.current.pose, event.key, event.shiftKey, ground);
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      put(next, true);
    },
  };
}

function hazeOf(element: Element, { lens }: Staging, pose: Pose, aspect: number): Haze {
  const paper = getComputedStyle(element).getPropertyValue("--sunken").trim();
  return { paper: rgbOf(paper), from: distanceOf(lens, pose.zoom, aspect) - 1 };
}

function themeOf(element: Element): BoxTheme {
  const given = getComputedStyle(element);
  return {
    line: given.getPropertyValue("--axis").trim(),
    text: given.getPropertyValue("--text-2").trim(),
    surface: given.getPropertyValue("--sunken").trim(),
    font: given.fontFamily,
  };
}

/** `#rrggbb` as run colours are. */
function rgbOf(color: string): Rgb {
  const bits = Number.parseInt(color.slice(1), 16);
  return [(bits >> 16) / 255, ((bits >> 8) & 255) / 255, (bits & 255) / 255];
}
