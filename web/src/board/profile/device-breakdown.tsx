/** What steps are made of on each device: a bar of work, what of it is not hidden, and idle time; a table of the same. */

import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useColorScheme } from "../view/theme";
import bar from "./category-bars.module.css";
import { hostLabel, percent } from "./labels";
import style from "./overview.module.css";
import { type Category, categoryColor, type DeviceSummary } from "./profiles";

interface Part {
  key: "compute" | "communication" | "copy" | "other" | "input" | "idle";
  time: number;
  hidden?: number;
}

export function DeviceBreakdown({ devices }: { devices: readonly DeviceSummary[] }) {
  const several = new Set(devices.map(hostLabel)).size > 1;
  return devices.map((device) => (
    <DeviceBar key={`${device.rank} ${device.host} ${device.device}`} device={device} several={several} />
  ));
}

function DeviceBar({ device, several }: { device: DeviceSummary; several: boolean }) {
  const say = useWords();
  const scheme = useColorScheme();
  const name = several ? `${hostLabel(device)} · ${device.device}` : device.device;
  const parts = partsOf(device).filter(({ time }) => time > 0);
  const color = ({ key }: Part) =>
    key === "idle" ? "var(--line)" : categoryColor((key === "other" ? "host" : key) as Category, scheme);
  const word = ({ key }: Part) =>
    key === "idle" || key === "other" || key === "input"
      ? say(`profile.part.${key}`)
      : say(`profile.category.${key}`);
  return (
    <div className={bar.host}>
      <div className={bar.name}>
        {name}
        {device.steps > 0 && ` · ${say("profile.stepCount", { count: device.steps })}`}
      </div>
      <div className={bar.bar} aria-hidden="true">
        {parts.map((part) => (
          <span
            key={part.key}
            style={{
              flexGrow: (part.time - (part.hidden ?? 0)) / device.duration_us,
              background: color(part),
            }}
            title={`${word(part)}: ${formatMicroseconds(part.time)}`}
          />
        ))}
      </div>
      <table className={bar.table} aria-label={`${say("profile.breakdown")}: ${name}`}>
        <tbody>
          {parts.map((part) => (
            <tr key={part.key}>
              <th scope="row">
                <span className={bar.swatch} style={{ background: color(part) }} />
                {word(part)}
                {(part.hidden ?? 0) > 0 && (
                  <span className={style.scope}>
                    {say("profile.hidden", { share: percent(part.hidden ?? 0, part.time) })}
                  </span>
                )}
              </th>
              <td>{formatMicroseconds(part.time)}</td>
              <td>{percent(part.time, device.duration_us)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Idle time without that in which the host prepares input; what is neither work nor idle is of other kinds. */
function partsOf(device: DeviceSummary): Part[] {
  const { compute_us, communication_us, copy_us, hidden_communication_us, hidden_copy_us } = device;
  const isCpu = device.device === "CPU";
  const known = compute_us + communication_us - hidden_communication_us + copy_us - hidden_copy_us;
  const other = device.busy_us - known - (isCpu ? device.input_us : 0);
  return [
    { key: "compute", time: compute_us },
    { key: "communication", time: communication_us, hidden: hidden_communication_us },
    { key: "copy", time: copy_us, hidden: hidden_copy_us },
    { key: "other", time: other > 1e-3 ? other : 0 },
    { key: "input", time: device.input_us },
    { key: "idle", time: device.idle_us - (isCpu ? 0 : device.input_us) },
  ];
}
