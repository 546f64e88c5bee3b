/** What is allocated and reserved on a device over time, as steps; a table behind the picture has the same figures. */

import { useEffect, useMemo, useRef, useState } from "react";
import type { DeviceMemoryRow, MemoryCurve } from "../../api/profiles";
import { Chart, type ChartSeries, readTheme } from "../../chart";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { slotColor } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import style from "./memory.module.css";
import { momentAt, stepsOf, unitOf } from "./memory-points";

const ALLOCATED_SLOT = 0;
const RESERVED_SLOT = 5;
const HEADROOM = 1.05;
const TABLE_ROWS = 100;

export function MemoryCurveChart({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const scheme = useColorScheme();
  const { curve } = device;
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [moment, setMoment] = useState<number | null>(null);
  const hasReserved = curve.reserved_bytes.some((size) => size > 0);
  const largest = useMemo(
    () => Math.max(1, ...curve.allocated_bytes, ...curve.reserved_bytes),
    [curve.allocated_bytes, curve.reserved_bytes],
  );
  const unit = unitOf(largest);
  const lines = useMemo(
    () => [
      { word: "profile.memory.allocated" as const, sizes: curve.allocated_bytes, slot: ALLOCATED_SLOT },
      ...(hasReserved
        ? [{ word: "profile.memory.reserved" as const, sizes: curve.reserved_bytes, slot: RESERVED_SLOT }]
        : []),
    ],
    [curve, hasReserved],
  );
  const series = useMemo(
    () =>
      lines.map(
        ({ word, sizes, slot }, at): ChartSeries =>
          lineOf(at, say(word), slotColor(slot, scheme), stepsOf(curve.time_us, sizes, unit.size)),
      ),
    [lines, curve, scheme, unit.size, say],
  );
  useEffect(() => {
    const created = new Chart(host.current!, {
      onCursor: (x) => {
        created.setCursor(x, null);
        setMoment(x);
      },
      onZoom: () => {},
      onPin: () => {},
    });
    const observer = new ResizeObserver(([entry]) => created.resize(entry!.contentRect));
    observer.observe(host.current!);
    chart.current = created;
    return () => {
      observer.disconnect();
      created.destroy();
    };
  }, []);
  useEffect(() => {
    chart.current?.set({
      ...{ series, axis: "relative", xRange: null, yRange: [0, (largest * HEADROOM) / unit.size] },
      ...{ logY: false, ignoreOutliers: false, smoothing: 0, highlighted: null },
      theme: readTheme(host.current!),
    });
  }, [series, largest, unit.size]);
  const shown = moment === null ? null : momentAt(curve, moment * 1e6);
  const label = say("profile.memory.curve", { device: device.device, peak: bytes(device.peak_bytes) });
  return (
    <figure className={style.figure}>
      <figcaption className={style.legend}>
        {lines.map(({ word, sizes, slot }) => (
          <span key={word}>
            <i style={{ background: slotColor(slot, scheme) }} />
            {say(word)}
            {shown !== null && `: ${bytes(sizes[shown]!)}`}
          </span>
        ))}
        <span className={style.unit}>
          {shown === null ? unit.name : formatMicroseconds(curve.time_us[shown]!)}
        </span>
      </figcaption>
      <div className={style.chart}>
        <div ref={host} className={style.host} role="img" aria-label={label} />
      </div>
      <CurveTable curve={curve} hasReserved={hasReserved} />
    </figure>
  );
}

function CurveTable({ curve, hasReserved }: { curve: MemoryCurve; hasReserved: boolean }) {
  const say = useWords();
  const each = Math.ceil(curve.time_us.length / TABLE_ROWS) || 1;
  const rows = curve.time_us.flatMap((time, at) => (at % each === 0 ? [{ time, at }] : []));
  return (
    <details className={style.details}>
      <summary>{say("profile.memory.curveTable")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={style.scroll} tabIndex={0} aria-label={say("profile.memory.curveTable")}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{say("profile.memory.time")}</th>
              <th scope="col">{say("profile.memory.allocated")}</th>
              {hasReserved && <th scope="col">{say("profile.memory.reserved")}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ time, at }) => (
              <tr key={at}>
                <th scope="row">{formatMicroseconds(time)}</th>
                <td>{bytes(curve.allocated_bytes[at]!)}</td>
                {hasReserved && <td>{bytes(curve.reserved_bytes[at]!)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function lineOf(
  run: number,
  label: string,
  color: string,
  { x, y }: { x: Float64Array; y: Float64Array },
): ChartSeries {
  return {
    ...{ run, label, color, dash: [], x, y, aux: null, sx: null, sy: null },
    ...{ restarts: new Float64Array(), raw: true, held: x.length, inRange: x.length },
  };
}
