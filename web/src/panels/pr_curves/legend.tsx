/** The runs of a card with what their curves come to. Pointing at one brings it forward everywhere. */

import { formatShare, formatStep } from "../../base/number";
import { colorOf, dashOf } from "../../state/looks";
import type { RunCurve } from "../../state/prcurves";
import { hover, useScene } from "../../state/scene";
import { useShade } from "../../state/theme";
import type { PrMode } from "../../state/viewstate";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import style from "./legend.module.css";
import { areaUnderRoc } from "./points";

interface LegendProps {
  tag: string;
  curves: readonly RunCurve[];
  mode: PrMode;
  /** Null is the last of each run. */
  step: number | null;
}

export function Legend({ tag, curves, mode, step }: LegendProps) {
  const say = useWords();
  const shade = useShade();
  const front = useScene((scene) => scene.hovered);
  const steps = new Set(curves.map(({ curve }) => curve.step));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keys too
    <section className={style.legend} tabIndex={0} aria-label={say("pr.legend", { tag })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("tip.run")}</th>
            <th scope="col" title={say(mode === "roc" ? "pr.aucTitle" : "pr.apTitle")}>
              {mode === "roc" ? "AUC" : "AP"}
            </th>
            <th scope="col" title={say("pr.bestTitle")}>
              {say("pr.best")}
            </th>
          </tr>
        </thead>
        <tbody>
          {curves.map(({ look, curve }) => {
            const area = mode === "roc" ? areaUnderRoc(curve) : curve.average_precision;
            return (
              <tr
                key={look.id}
                data-run={look.name}
                data-step={curve.step}
                data-ap={curve.average_precision}
                className={front === look.id ? style.front : undefined}
                onPointerEnter={() => hover(look.id, "table")}
                onPointerLeave={() => hover(null, "table")}
              >
                <td>
                  <span className={style.run}>
                    <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
                    <WrappedName name={look.label} title={look.name} />
                    {(steps.size > 1 || (step !== null && step !== curve.step)) && (
                      <span
                        className={style.near}
                        title={say("pr.nearStep", { step: formatStep(curve.step) })}
                      >
                        {step !== null && step !== curve.step && "≈ "}
                        {formatStep(curve.step)}
                      </span>
                    )}
                  </span>
                </td>
                {curve.error ? (
                  <td colSpan={2} className={style.error} title={curve.error}>
                    {curve.error}
                  </td>
                ) : (
                  <>
                    <td>{area === null ? "–" : formatShare(area)}</td>
                    <td>{formatShare(curve.best_f1)}</td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
