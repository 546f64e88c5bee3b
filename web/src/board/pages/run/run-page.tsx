/** One run: status, hyperparameters, results, notes and curves. */

import { type ReactNode, useMemo } from "react";
import { ago, bytes, dateTime, duration } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { now } from "../../../lib/current-time";
import { naturalOrder } from "../../../lib/natural-order";
import { formatChosen, formatStep } from "../../../lib/number";
import { usePageReady } from "../../../lib/use-page-ready";
import { Button } from "../../../ui/button";
import { Swatch } from "../../../ui/swatch";
import { type TagInfo, useProblems, useRunList, useStatus, useTags, wallTime } from "../../data/lists";
import { statusText } from "../../run-table/cell-text";
import { lineStylesOfRun } from "../../runs/card-lines";
import { colorOf, dashOf, useLineStyles } from "../../runs/line-styles";
import { MadeBy } from "../../runs/made-by";
import { nonfiniteTip } from "../../runs/nonfinite-metrics";
import { type ConfigValue, type RunDetails, shownStatus, useRunDetails } from "../../runs/run-details";
import { useRunJobs } from "../../runs/run-jobs";
import { useSeriesSummaries } from "../../runs/series-stats";
import { CardGrid } from "../../scalars/card-grid";
import { useColorScheme } from "../../view/theme";
import { commit, useView } from "../../view/view";
import { DEFAULT_PAGE } from "../../view/view-state";
import { Files } from "./files";
import { NamePart, NotePart } from "./notes";
import style from "./run.module.css";
import { TagTable } from "./tag-table";

export default function RunPage() {
  const name = useView((view) => view.subject);
  const run = useRunDetails().find((each) => each.name === name);
  const listed = useRunList().data !== undefined;
  // While the server reads logs, the run may still appear.
  const known = useStatus().data?.loading === false && listed;
  usePageReady(known || run !== undefined);
  if (run) return <About run={run} />;
  return known ? <NotFound name={name} /> : <main className={style.page} aria-busy="true" />;
}

function NotFound({ name }: { name: string }) {
  const say = useWords();
  return (
    <main className={style.page}>
      <div className={style.gone}>
        <h2>{say("run.gone")}</h2>
        <p>{say("run.goneWhy", { run: name })}</p>
        <Button variant="primary" onClick={() => commit({ page: DEFAULT_PAGE, subject: "" })}>
          {say("missing.back")}
        </Button>
      </div>
    </main>
  );
}

function About({ run }: { run: RunDetails }) {
  const say = useWords();
  const tags = useOwnTags(run);
  const runs = useMemo(() => [run], [run]);
  const { figures } = useSeriesSummaries(tags, runs);
  const lineStyles = useLineStyles();
  const lineStyle = lineStyles.get(run.id);
  const scheme = useColorScheme();
  const cards = useMemo(
    () =>
      tags.flatMap((tag) => {
        const runs = lineStyle ? lineStylesOfRun(tag, run, lineStyle) : [];
        return runs.length > 0 ? [{ tag, runs }] : [];
      }),
    [tags, run, lineStyle],
  );
  const only = () =>
    commit({ page: DEFAULT_PAGE, subject: "", runs: { base: "none", shown: [run.name], hidden: [] } });
  return (
    <main className={style.page} id="cards" tabIndex={-1} data-run={run.name}>
      <header className={style.head}>
        {lineStyle && <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />}
        <NamePart run={run} />
        <span className={style.status} data-status={shownStatus(run)}>
          {statusText(run)}
        </span>
        <span className={style.grow} />
        <Button onClick={() => commit({ page: "compare", subject: "", compare: compareWith(run.name) })}>
          {say("run.compare")}
        </Button>
        <Button onClick={only}>{say("runs.only")}</Button>
      </header>
      <div className={style.parts}>
        <Details run={run} tags={tags.length} />
        <Part title={say("run.config")}>
          <ConfigTable config={run.config} />
        </Part>
        <NotePart run={run} />
        <Makers run={run.name} />
        {run.run.damage_regions > 0 && (
          <Part title={say("damage.title", { size: bytes(run.run.damage_bytes) })}>
            <Damage run={run.name} />
          </Part>
        )}
      </div>
      <div className={style.tables}>
        <Part title={say("run.tags")}>
          <TagTable tags={tags} run={run} figures={figures} />
        </Part>
        <Part title={say("run.files")}>
          <Files run={run.run} />
        </Part>
      </div>
      <h3 className={style.section}>{say("compare.curves")}</h3>
      <CardGrid cards={cards} />
    </main>
  );
}

/** The jobs of the hub that have made it; nothing if no job has, or none that the visitor may see. */
function Makers({ run }: { run: string }) {
  const say = useWords();
  const { jobs = [] } = useRunJobs(run);
  if (jobs.length === 0) return null;
  return (
    <Part title={say("madeBy.part")}>
      {jobs.map((job) => (
        <MadeBy key={job.id} job={job} />
      ))}
    </Part>
  );
}

/** Compares with the baseline, if there is one, otherwise with the runs already compared. */
function compareWith(name: string): readonly string[] {
  const { baseline, compare } = useView.getState();
  const others = baseline !== null ? [baseline] : compare;
  return [...others.filter((each) => each !== name), name];
}

function useOwnTags(run: RunDetails): readonly TagInfo[] {
  const tags = useTags();
  return useMemo(() => {
    const ids = [run.id, ...run.folded];
    return tags.filter((tag) => ids.some((id) => tag.runs.includes(id)));
  }, [tags, run]);
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={style.part} aria-label={title}>
      <h3 className={style.section}>{title}</h3>
      {children}
    </section>
  );
}

function Details({ run, tags }: { run: RunDetails; tags: number }) {
  const say = useWords();
  const { last_wall_time, last_step, points, restarts } = run.run;
  const last = wallTime(last_wall_time);
  const lines: [string, string | null][] = [
    [say("info.created"), run.created === null ? null : dateTime(run.created)],
    [say("info.duration"), run.duration === null ? null : duration(run.duration)],
    [say("run.lastEvent"), last === null ? null : `${dateTime(last)} · ${ago(Math.max(0, now() - last))}`],
    [say("run.lastStep"), last_step === null ? null : formatStep(last_step)],
    [say("info.points"), formatStep(points)],
    [say("run.tags"), formatStep(tags)],
    [say("run.lost"), run.nonfinite === null ? null : nonfiniteTip(run.nonfinite)],
    [say("run.restarts"), restarts > 0 ? formatStep(restarts) : null],
  ];
  return (
    <Part title={say("run.about")}>
      <dl className={style.facts}>
        {lines.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Part>
  );
}

function ConfigTable({ config }: { config: Readonly<Record<string, ConfigValue>> }) {
  const say = useWords();
  const entries = useMemo(() => Object.entries(config).sort(([a], [b]) => naturalOrder(a, b)), [config]);
  if (entries.length === 0) return <p className={style.nothing}>{say("compare.noConfig")}</p>;
  return (
    <dl className={style.facts}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt title={key}>
            <bdi>{key}</bdi>
          </dt>
          <dd title={String(value)}>
            <bdi>{typeof value === "number" ? formatChosen(value) : String(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Damage({ run }: { run: string }) {
  const say = useWords();
  const problems = useProblems(true).data?.problems.filter((problem) => problem.run === run) ?? [];
  return (
    <>
      <p className={style.nothing}>{say("damage.why")}</p>
      <ul className={style.damage}>
        {problems.map(({ file, offset, length, kind, message }) => (
          <li key={`${file} ${offset}`}>
            <bdi>{file}</bdi>
            <span>
              {kind === "damage"
                ? say("damage.place", { offset: formatStep(offset), length: formatStep(length) })
                : message}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
