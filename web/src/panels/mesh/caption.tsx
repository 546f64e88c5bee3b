/** What stands under a mesh: the run, the step, how much of it is drawn and what could not be. */

import type { ReactNode } from "react";
import type { MeshPicture } from "../../api/meshes";
import { formatStep } from "../../base/number";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useShade } from "../../state/theme";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { count, dateTime } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./caption.module.css";
import type { Means } from "./stage";

interface CaptionProps {
  look: RunLook;
  step: number;
  /** Seconds since the epoch. */
  wall: number;
  /** The step asked for, null for the last. */
  wanted: number | null;
  picture: MeshPicture | null;
  means: Means;
  menu: ReactNode;
}

export function Caption({ look, step, wall, wanted, picture, means, menu }: CaptionProps) {
  const say = useWords();
  const shade = useShade();
  const near = wanted !== null && step !== wanted;
  return (
    <div className={style.caption}>
      <div className={style.line}>
        <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
        <WrappedName name={look.label} title={look.name} />
        <span
          className={style.step}
          data-step={step}
          data-near={near || undefined}
          title={Number.isFinite(wall) ? dateTime(wall) : undefined}
        >
          {say("step.label")} {near && "≈\u2009"}
          {formatStep(step)}
        </span>
        <span className={style.grow} />
        {menu}
      </div>
      {picture && <Amounts picture={picture} means={means} />}
    </div>
  );
}

function Amounts({ picture, means }: { picture: MeshPicture; means: Means }) {
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
