/** The tooltip: statistics of every run of a card at one threshold. */

import { useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import type { PointedThreshold } from "./curve-plot";
import { placeOf, rowAt } from "./points";
import type { RunCurve } from "./pr-curves";
import style from "./tip.module.css";

interface TipProps {
  pointed: PointedThreshold;
  curves: readonly RunCurve[];
}

const MAX_ROWS = 8;
const GAP_PX = 20;
const EDGE_PX = 8;

export function CurveTip({ pointed, curves }: TipProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ x: 0, y: 0 });
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = box.current!;
    setPlace(placed({ width, height }, pointed));
  }, [pointed]);
  const scheme = useColorScheme();
  const readable = curves.filter(({ curve }) => curve.thresholds.length > 0);
  const ordered = [
    ...readable.filter(({ lineStyle }) => lineStyle.id === pointed.run),
    ...readable.filter(({ lineStyle }) => lineStyle.id !== pointed.run),
  ];
  const rest = ordered.length - MAX_ROWS;
  return createPortal(
    <div
      ref={box}
      role="tooltip"
      className={style.tip}
      data-testid="tip"
      data-shown=""
      data-threshold={pointed.threshold}
      style={{ transform: `translate(${place.x}px, ${place.y}px)` }}
    >
      <div className={style.head}>{say("pr.at", { threshold: formatValue(pointed.threshold, 4) })}</div>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col">{say("tip.run")}</th>
            {["P", "R", "F1", "TP", "FP", "TN", "FN"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, MAX_ROWS).map(({ lineStyle, curve }) => {
            const row = rowAt(curve, placeOf(curve, pointed.threshold));
            return (
              <tr
                key={lineStyle.id}
                className={lineStyle.id === pointed.run ? style.nearest : undefined}
                data-run={lineStyle.name}
              >
                <td className={style.run}>
                  <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
                  <WrappedName name={lineStyle.label} title="" />
                </td>
                {[row.precision, row.recall, row.f1].map((value, at) => (
                  <td key={at === 0 ? "p" : at === 1 ? "r" : "f1"}>{formatValue(value, 3)}</td>
                ))}
                <td data-count="tp">{formatValue(row.tp)}</td>
                <td data-count="fp">{formatValue(row.fp)}</td>
                <td data-count="tn">{formatValue(row.tn)}</td>
                <td data-count="fn">{formatValue(row.fn)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rest > 0 && <div className={style.foot}>{say("tip.more", { count: rest })}</div>}
    </div>,
    document.body,
  );
}

/** Beside the pointer, on the side with more room, inside the window. */
function placed(
  { width, height }: { width: number; height: number },
  { clientX, clientY }: PointedThreshold,
) {
  const right = clientX <= innerWidth / 2;
  const x = right ? clientX + GAP_PX : clientX - GAP_PX - width;
  const fits = x >= EDGE_PX && x + width <= innerWidth - EDGE_PX;
  // In a window too narrow for either side, such as a phone's: above the finger.
  const y = fits ? clientY - height / 3 : clientY - GAP_PX - height;
  return {
    x: Math.round(Math.max(EDGE_PX, Math.min(x, innerWidth - EDGE_PX - width))),
    y: Math.round(Math.max(EDGE_PX, Math.min(y, innerHeight - EDGE_PX - height))),
  };
}
