/** Every threshold of one run's curve with its counts. The marked one is highlighted. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { Select } from "../../ui/select";
import { placeOf, rowAt } from "./points";
import { markThreshold, pointAt, type RunCurve, useThreshold } from "./pr-curves";
import style from "./thresholds.module.css";

const ROW_PX = 22;
const COUNTS = ["tp", "fp", "tn", "fn"] as const;

export function Thresholds({ curves }: { curves: readonly RunCurve[] }) {
  const say = useWords();
  const [chosen, choose] = useState("");
  const readable = curves.filter(({ curve }) => curve.thresholds.length > 0);
  const shown = readable.find(({ lineStyle }) => lineStyle.name === chosen) ?? readable[0];
  if (!shown) return null;
  const { name, label } = shown.lineStyle;
  return (
    <>
      <div className={style.head}>
        <Select
          label={say("tip.run")}
          value={name}
          options={readable.map(({ lineStyle }) => ({ value: lineStyle.name, label: lineStyle.label }))}
          onChange={choose}
        />
      </div>
      <Table key={name} run={shown} label={say("pr.table", { run: label })} />
    </>
  );
}

function Table({ run: { curve }, label }: { run: RunCurve; label: string }) {
  const say = useWords();
  const scroll = useRef<HTMLElement>(null);
  const threshold = useThreshold();
  const marked = threshold === null ? -1 : placeOf(curve, threshold);
  const rows = useVirtualizer({
    count: curve.thresholds.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const hovering = useRef(false);
  useEffect(() => {
    if (marked >= 0 && !hovering.current) rows.scrollToIndex(marked, { align: "center" });
  }, [marked, rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
    <section ref={scroll} className={style.scroll} aria-label={label} tabIndex={0}>
      <table
        className={style.table}
        aria-rowcount={curve.thresholds.length + 1}
        style={{ height: rows.getTotalSize() + ROW_PX }}
        onPointerEnter={() => {
          hovering.current = true;
        }}
        onPointerLeave={() => {
          hovering.current = false;
          pointAt(null);
        }}
      >
        <thead>
          <tr>
            {[say("pr.threshold"), "P", "R", "F1", "TP", "FP", "TN", "FN"].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.getVirtualItems().map(({ index, start }) => {
            const row = rowAt(curve, index);
            return (
              <tr
                key={index}
                aria-rowindex={index + 2}
                data-threshold={row.threshold}
                aria-current={index === marked || undefined}
                style={{ transform: `translateY(${start + ROW_PX}px)` }}
                onPointerEnter={() => pointAt(row.threshold)}
                onClick={() => markThreshold(row.threshold)}
              >
                <td>{formatValue(row.threshold, 4)}</td>
                <td>{formatValue(row.precision, 4)}</td>
                <td>{formatValue(row.recall, 4)}</td>
                <td>{formatValue(row.f1, 4)}</td>
                {COUNTS.map((count) => (
                  <td key={count}>{formatValue(row[count])}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
