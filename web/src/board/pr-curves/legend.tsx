/** The runs of a card with their statistics. Hovering one highlights it everywhere. */

import { useWords } from "../../i18n/words";
import { formatShare, formatStep } from "../../lib/number";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf } from "../runs/line-styles";
import { hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import type { PrMode } from "../view/view-state";
import style from "./legend.module.css";
import { areaUnderRoc } from "./points";
import type { RunCurve } from "./pr-curves";

interface LegendProps {
  tag: string;
  curves: readonly RunCurve[];
  mode: PrMode;
  /** Null shows the last step of each run. */
  step: number | null;
}

export function Legend({ tag, curves, mode, step }: LegendProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const front = useInteraction((interaction) => interaction.hoveredRun);
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
          {curves.map(({ lineStyle, curve }) => {
            const area = mode === "roc" ? areaUnderRoc(curve) : curve.average_precision;
            return (
              <tr
                key={lineStyle.id}
                data-run={lineStyle.name}
                data-step={curve.step}
                data-ap={curve.average_precision}
                className={front === lineStyle.id ? style.front : undefined}
                onPointerEnter={() => hover(lineStyle.id, "table")}
                onPointerLeave={() => hover(null, "table")}
              >
                <td>
                  <span className={style.run}>
                    <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
                    <WrappedName name={lineStyle.label} title={lineStyle.name} />
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
