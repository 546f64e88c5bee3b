import { memo } from "react";
import { formatStep } from "../../base/number";
import type { RunInfo } from "../../state/lists";
import { highlighted, hold, hover, useScene } from "../../state/scene";
import { slotColor, slotDash } from "../../state/slot";
import { useShade } from "../../state/theme";
import { Check } from "../../widgets/check";
import { Mark } from "../../widgets/mark";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import { DamageMark } from "./damage-mark";
import style from "./run-row.module.css";

interface RunRowProps {
  run: RunInfo;
  visible: boolean;
  fresh: boolean;
  span: readonly [number, number] | null;
  top: number;
  /** Place among all rows, for readers of the screen: only a few rows exist. */
  place: number;
  count: number;
  onSwitch(run: RunInfo, on: boolean): void;
  onOnly(run: RunInfo): void;
}

export const RunRow = memo(
  function RunRow({ run, visible, fresh, span, top, place, count, onSwitch, onOnly }: RunRowProps) {
    const say = useWords();
    const shade = useShade();
    const front = useScene((scene) => highlighted(scene) === run.id);
    const held = useScene((scene) => scene.held === run.id);
    return (
      <li
        className={style.row}
        style={{ transform: `translateY(${top}px)` }}
        data-testid="run-row"
        data-run={run.name}
        data-slot={run.slot}
        data-front={front || undefined}
        data-off={!visible || undefined}
        data-new={fresh || undefined}
        aria-posinset={place}
        aria-setsize={count}
        onMouseEnter={() => hover(run.id, "table")}
        onMouseLeave={() => hover(null, "table")}
      >
        <label className={style.box} title={say("runs.boxTip")} onDoubleClick={() => onOnly(run)}>
          <Check
            checked={visible}
            aria-label={say("runs.show", { run: run.name })}
            onChange={(event) => onSwitch(run, event.target.checked)}
          />
        </label>
        <Swatch color={slotColor(run.slot, shade)} dash={slotDash(run.slot)} off={!visible} />
        <button
          type="button"
          className={held ? `${style.name} ${style.held}` : style.name}
          title={run.name}
          aria-pressed={held}
          onClick={() => hold(run.id)}
          onFocus={() => hover(run.id, "table")}
          onBlur={() => hover(null, "table")}
        >
          <bdi>
            <Mark text={run.name} span={span} />
          </bdi>
        </button>
        {run.damage_bytes > 0 && <DamageMark run={run} />}
        {run.status === "live" && (
          <span className={style.live} role="img" aria-label={say("runs.live")} title={say("runs.live")} />
        )}
        {run.last_step !== null && <span className={style.step}>{formatStep(run.last_step)}</span>}
      </li>
    );
  },
  (a, b) =>
    a.run === b.run &&
    a.visible === b.visible &&
    a.fresh === b.fresh &&
    a.top === b.top &&
    a.place === b.place &&
    a.count === b.count &&
    a.span?.[0] === b.span?.[0] &&
    a.span?.[1] === b.span?.[1] &&
    a.onSwitch === b.onSwitch &&
    a.onOnly === b.onOnly,
);
