/** The memory of each device: how much is used over time, who holds it at the peak, and the largest blocks there. */

import { useQuery } from "@tanstack/react-query";
import { type CaptureName, type DeviceMemoryRow, fetchMemory } from "../../api/profiles";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { hostLabel } from "./labels";
import style from "./memory.module.css";
import { MemoryCurveChart } from "./memory-curve";
import { BlockTable, HolderTable } from "./memory-tables";
import { Problems } from "./problems";

/** Columns of a curve that are fetched: no page is wider. */
const COLUMNS = 1500;

export function MemoryPart({ name }: { name: CaptureName }) {
  const say = useWords();
  const { data, error } = useQuery({
    queryKey: ["profiles", "memory", name],
    queryFn: ({ signal }) => fetchMemory(name, COLUMNS, signal),
    retry: false,
  });
  return (
    <section className={style.page} aria-label={say("profile.view.memory")} data-testid="profile-memory">
      {error ? (
        <p className={style.note} role="alert">
          {error.message}
        </p>
      ) : !data ? (
        <p className={style.note} role="status">
          {say("profile.reading")}
        </p>
      ) : (
        <>
          <Problems problems={data.problems} />
          {data.devices.length === 0 && <p className={style.note}>{say("profile.memory.none")}</p>}
          {data.devices.map((device) => (
            <DevicePart key={`${device.rank} ${device.host} ${device.device}`} device={device} />
          ))}
        </>
      )}
    </section>
  );
}

function DevicePart({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const hasCurve = device.curve.time_us.length > 0;
  const isNamed = device.host !== "" || device.rank !== null;
  const title = isNamed ? `${hostLabel(device)} · ${device.device}` : device.device;
  return (
    <section className={style.card} aria-label={title} data-testid="memory-device">
      <h2>{title}</h2>
      <Facts device={device} />
      {hasCurve && <MemoryCurveChart device={device} />}
      <h3>{say(hasCurve ? "profile.memory.holders" : "profile.memory.inUse")}</h3>
      <HolderTable device={device} />
      <details className={style.details}>
        <summary>{say("profile.memory.blocks")}</summary>
        <BlockTable device={device} />
      </details>
    </section>
  );
}

function Facts({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const unused = device.peak_reserved_bytes - device.peak_bytes;
  const facts: [string, string][] = [];
  if (device.peak_us !== null) {
    const time = say("profile.memory.atTime", { time: formatMicroseconds(device.peak_us) });
    facts.push([say("profile.memory.peak"), `${bytes(device.peak_bytes)} ${time}`]);
    if (unused > 0) facts.push([say("profile.memory.unused"), bytes(unused)]);
  }
  facts.push([say("profile.memory.live"), bytes(device.live_bytes)]);
  if (device.largest_free_bytes !== null)
    facts.push([say("profile.memory.largestFree"), bytes(device.largest_free_bytes)]);
  return (
    <dl className={style.facts}>
      {facts.map(([word, value]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
