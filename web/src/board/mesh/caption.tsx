/** The caption of a mesh: run, step, how much is drawn, and what could not be. */

import type { ReactNode } from "react";
import type { MeshPicture } from "../../api/meshes";
import { count, dateTime } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import style from "./caption.module.css";
import type { Renderer } from "./renderer";

interface CaptionProps {
  lineStyle: LineStyle;
  step: number;
  /** Seconds since the epoch. */
  wall: number;
  /** The requested step, null for the last. */
  wanted: number | null;
  picture: MeshPicture | null;
  means: Renderer;
  menu: ReactNode;
}

export function Caption({ lineStyle, step, wall, wanted, picture, means, menu }: CaptionProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const near = wanted !== null && step !== wanted;
  return (
    <div className={style.caption}>
      <div className={style.line}>
        <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
        <WrappedName name={lineStyle.label} title={lineStyle.name} />
        <span
          className={style.step}
          data-step={step}
          data-near={near || undefined}
          title={Number.isFinite(wall) ? dateTime(wall) : undefined}
        >
          {say("tip.step", { step: (near ? "≈\u2009" : "") + formatStep(step) })}
        </span>
        <span className={style.grow} />
        {menu}
      </div>
      {picture && <Amounts picture={picture} means={means} />}
    </div>
  );
}

function Amounts({ picture, means }: { picture: MeshPicture; means: Renderer }) {
  const say = useWords();
  const shown = picture.points.length / 3;
  const faces = picture.faces.length / 3;
  const faults = [
    picture.broken > 0 && say("mesh.broken", { count: picture.broken }),
    picture.brokenFaces > 0 && say("mesh.brokenFaces", { count: picture.brokenFaces }),
    picture.faceless && say("mesh.faceless", { count: picture.heldFaces }),
    picture.miscolored && say("mesh.miscolored"),
    means === "cpu" && say("mesh.cpu"),
  ].filter((fault) => fault !== false);
  return (
    <p className={style.amounts} data-testid="mesh-amounts">
      {picture.thinned
        ? say("mesh.thinned", { shown: count(shown), held: count(picture.held) })
        : faces > 0
          ? say("mesh.faces", { count: faces, vertices: count(picture.held) })
          : say("mesh.points", { count: picture.held })}
      {faults.map((fault) => (
        <span key={fault} className={style.fault}>
          {fault}
        </span>
      ))}
    </p>
  );
}
