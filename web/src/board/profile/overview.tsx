/** What one must know about a capture in ten seconds: steps, what they are made of, operators, hosts, problems. */

import { apiUrl } from "../../api/client";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import { AdviceList } from "./advice-list";
import { CategoryBars } from "./category-bars";
import { DeviceBreakdown } from "./device-breakdown";
import { hostKey, hostLabel, percent } from "./labels";
import style from "./overview.module.css";
import { Problems } from "./problems";
import {
  type CaptureName,
  type HostSummary,
  MAX_STEPS,
  type Overview,
  showProfile,
  useOperators,
  useSteps,
} from "./profiles";
import { SkewTable } from "./skew-table";
import { StepBars } from "./step-bars";
import { StepOnCharts } from "./step-on-charts";

const FORMATS = [
  { format: "perfetto", title: "Perfetto" },
  { format: "speedscope", title: "speedscope" },
] as const;
const TOP = { search: "", sort: "self_us", descending: true, limit: 8 } as const;

interface OverviewProps {
  name: CaptureName;
  /** The name of its run; empty if it has none. */
  run: string;
  overview: Overview;
}

export function OverviewPart({ name, run, overview }: OverviewProps) {
  const say = useWords();
  const steps = useSteps(name, overview.steps > 0).data;
  const { hosts, problems } = overview;
  return (
    <section className={style.page} aria-label={say("profile.view.overview")} data-testid="profile-overview">
      <Problems problems={problems} />
      {overview.advice.length > 0 && <AdviceList rows={overview.advice} />}
      <section className={style.card} aria-label={say("profile.steps")}>
        <h2>{say("profile.steps")}</h2>
        {overview.steps === 0 ? (
          <p className={style.note}>{say("profile.noSteps")}</p>
        ) : (
          <>
            {hosts.map((host) => (
              <StepFacts key={hostKey(host)} host={host} run={run} named={hosts.length > 1} />
            ))}
            {steps && <StepBars steps={steps.steps} hosts={hosts} run={run} />}
            {overview.steps > MAX_STEPS && (
              <p className={style.note}>{say("profile.firstSteps", { count: MAX_STEPS })}</p>
            )}
            {hosts.some((host) => host.steps?.inferred) && (
              <p className={style.note}>
                {say("profile.inferredSteps", {
                  name: steps?.steps.find((step) => step.inferred)?.name ?? "…",
                })}
              </p>
            )}
          </>
        )}
      </section>
      {overview.devices.length > 0 && (
        <section className={style.card} aria-label={say("profile.breakdown")}>
          <h2>{say("profile.breakdown")}</h2>
          <DeviceBreakdown devices={overview.devices} />
        </section>
      )}
      {overview.skew > 0 && <SkewTable name={name} total={overview.skew} />}
      <section className={style.card} aria-label={say("profile.categories")}>
        <h2>{say("profile.categories")}</h2>
        <CategoryBars hosts={hosts} />
      </section>
      <TopOperators name={name} total={overview.operators} />
      <section className={style.card} aria-label={say("profile.hosts")}>
        <h2>{say("profile.hosts")}</h2>
        <div className={style.wide}>
          <table className={style.table}>
            <thead>
              <tr>
                <th scope="col">{say("profile.host")}</th>
                <th scope="col" className={style.number}>
                  {say("profile.duration")}
                </th>
                <th scope="col" className={style.number}>
                  {say("profile.events")}
                </th>
                <th scope="col" className={style.number}>
                  {say("profile.tracks")}
                </th>
                <th scope="col" className={style.number}>
                  {say("profile.meanStep")}
                </th>
              </tr>
            </thead>
            <tbody>
              {hosts.map((host) => (
                <tr key={hostKey(host)}>
                  <th scope="row">{hostLabel(host)}</th>
                  <td className={style.number}>{formatMicroseconds(host.duration_us)}</td>
                  <td className={style.number}>{count(host.slices)}</td>
                  <td className={style.number}>{count(host.tracks)}</td>
                  <td className={style.number}>
                    {host.steps ? formatMicroseconds(host.steps.mean_us) : "–"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className={style.note}>
          {say("profile.download")}
          {FORMATS.map(({ format, title }) => (
            <a
              key={format}
              className={style.link}
              href={apiUrl(`profiles/export?${new URLSearchParams({ ...name, format })}`)}
              download
            >
              {title}
            </a>
          ))}
        </p>
      </section>
    </section>
  );
}

/** "2.81 ms ± 1.34 ms", and which step was the slowest. */
function StepFacts({ host, run, named }: { host: HostSummary; run: string; named: boolean }) {
  const say = useWords();
  const { steps } = host;
  if (!steps) return null;
  const spread = steps.stddev_us === null ? "" : ` ± ${formatMicroseconds(steps.stddev_us)}`;
  return (
    <p className={style.fact}>
      {named && <span className={style.host}>{hostLabel(host)}</span>}
      <strong>{formatMicroseconds(steps.mean_us) + spread}</strong>
      <span className={style.note}>
        {say("profile.stepCount", { count: steps.count })}
        {steps.inferred && ` (${say("profile.inferred")})`}
        {" · "}
        {say("profile.slowest", { step: steps.slowest, time: formatMicroseconds(steps.max_us) })}
      </span>
      <StepOnCharts run={run} step={{ step: steps.slowest, inferred: steps.inferred }} />
    </p>
  );
}

function TopOperators({ name, total }: { name: CaptureName; total: number }) {
  const say = useWords();
  const found = useOperators(name, TOP, total > 0).data;
  const all = found?.all_self_us ?? 0;
  return (
    <section className={style.card} aria-label={say("profile.topOperators")}>
      <h2>{say("profile.topOperators")}</h2>
      {total === 0 && <p className={style.note}>{say("profile.noOperators")}</p>}
      {found && found.operators.length > 0 && (
        <>
          <table className={style.table}>
            <thead>
              <tr>
                <th scope="col">{say("profile.column.name")}</th>
                <th scope="col" className={style.number}>
                  {say("profile.column.count")}
                </th>
                <th scope="col" className={style.number}>
                  {say("profile.column.self_us")}
                </th>
                <th scope="col" className={style.number}>
                  {say("profile.share")}
                </th>
              </tr>
            </thead>
            <tbody>
              {found.operators.map((row) => (
                <tr key={`${row.name} ${row.category} ${row.scope}`}>
                  <th scope="row" className={style.name}>
                    <bdi className={style.operator}>{row.name}</bdi>
                    {row.scope !== "" && <bdi className={style.scope}>{row.scope}</bdi>}
                  </th>
                  <td className={style.number}>{count(row.count)}</td>
                  <td className={style.number}>{formatMicroseconds(row.self_us)}</td>
                  <td className={style.number}>{percent(row.self_us, all)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div>
            <Button size="small" onClick={() => showProfile({ view: "operators" })}>
              {say("profile.allOperators", { count: total })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
