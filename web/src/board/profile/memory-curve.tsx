/** What is allocated and reserved on a device over time, as steps; a table behind the picture has the same figures. */

import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { DeviceMemoryRow, MemoryCurve } from "../../api/profiles";
import { Chart, type ChartSeries, readTheme } from "../../chart";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { slotColor } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import style from "./memory.module.css";
import { momentAt, stepsOf, unitOf } from "./memory-points";
import { type PictureColumn, PictureTable } from "./picture-table";

const ALLOCATED_SLOT = 0;
const RESERVED_SLOT = 5;
const HEADROOM = 1.05;

export function MemoryCurveChart({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const scheme = useColorScheme();
  const { curve } = device;
  const table = useId();
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
        <div ref={host} className={style.host} role="img" aria-label={label} aria-details={table} />
      </div>
      <CurveTable id={table} curve={curve} hasReserved={hasReserved} />
    </figure>
  );
}

function CurveTable({ id, curve, hasReserved }: { id: string; curve: MemoryCurve; hasReserved: boolean }) {
  const say = useWords();
  const moments = useMemo(() => curve.time_us.map((_, at) => at), [curve]);
  const columns: PictureColumn<number>[] = [
    {
      key: "time",
      head: say("profile.memory.time"),
      cell: (at) => formatMicroseconds(curve.time_us[at]!),
    },
    {
      key: "allocated",
      head: say("profile.memory.allocated"),
      cell: (at) => bytes(curve.allocated_bytes[at]!),
    },
  ];
  if (hasReserved)
    columns.push({
      key: "reserved",
      head: say("profile.memory.reserved"),
      cell: (at) => bytes(curve.reserved_bytes[at]!),
    });
  return <PictureTable id={id} label={say("profile.memory.curveTable")} columns={columns} rows={moments} />;
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
