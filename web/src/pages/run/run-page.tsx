/** One run: how it stands, what it was given, what it reached, what people wrote about it, and its curves. */

import { type ReactNode, useEffect, useMemo } from "react";
import { formatStep } from "../../base/number";
import { statusText } from "../../panels/runs/cell-text";
import { CardGrid } from "../../panels/scalars/card-grid";
import { now } from "../../state/clock";
import { looksUnder } from "../../state/drawn";
import { type RunFacts, shownStatus, useFacts } from "../../state/facts";
import { type TagInfo, useRunList, useStatus, useTags, wallTime } from "../../state/lists";
import { colorOf, dashOf, useLooks } from "../../state/looks";
import { lostTip } from "../../state/lost";
import { useFigures } from "../../state/seriesstats";
import { useShade } from "../../state/theme";
import { commit, useView } from "../../state/view";
import { DEFAULT_PAGE } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { Swatch } from "../../widgets/swatch";
import { ago, bytes, dateTime, duration } from "../../words/format";
import { useWords } from "../../words/words";
import { ConfigTable } from "./config-table";
import { Damage } from "./damage";
import { Files } from "./files";
import { NamePart, NotePart } from "./notes";
import style from "./run.module.css";
import { TagTable } from "./tag-table";

export default function RunPage() {
  const name = useView((view) => view.subject);
  const run = useFacts().find((each) => each.name === name);
  const listed = useRunList().data !== undefined;
  // While the server reads, more runs come.
  const known = useStatus().data?.loading === false && listed;
  useEffect(() => {
    if (known || run) document.documentElement.dataset.ready = "true";
  }, [known, run]);
  if (run) return <About run={run} />;
  return known ? <Gone name={name} /> : <main className={style.page} aria-busy="true" />;
}

function Gone({ name }: { name: string }) {
  const say = useWords();
  return (
    <main className={style.page}>
      <div className={style.gone}>
        <h2>{say("run.gone")}</h2>
        <p>{say("run.goneWhy", { run: name })}</p>
        <Button look="primary" onClick={() => commit({ page: DEFAULT_PAGE, subject: "" })}>
          {say("missing.back")}
        </Button>
      </div>
    </main>
  );
}

function About({ run }: { run: RunFacts }) {
  const say = useWords();
  const tags = useOwnTags(run);
  const runs = useMemo(() => [run], [run]);
  const { figures } = useFigures(tags, runs);
  const looks = useLooks();
  const look = looks.get(run.id);
  const shade = useShade();
  const cards = useMemo(
    () =>
      tags.flatMap((tag) => {
        const runs = look ? looksUnder(tag, run, look) : [];
        return runs.length > 0 ? [{ tag, runs }] : [];
      }),
    [tags, run, look],
  );
  const only = () =>
    commit({ page: DEFAULT_PAGE, subject: "", runs: { base: "none", shown: [run.name], hidden: [] } });
  return (
    <main className={style.page} id="cards" tabIndex={-1} data-run={run.name}>
      <header className={style.head}>
        {look && <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />}
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
        <Facts run={run} tags={tags.length} />
        <Part title={say("run.config")}>
          <ConfigTable config={run.config} />
        </Part>
        <NotePart run={run} />
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

/** With the baseline, if there is one; else with those that are compared already. */
function compareWith(name: string): readonly string[] {
  const { baseline, compare } = useView.getState();
  const others = baseline !== null ? [baseline] : compare;
  return [...others.filter((each) => each !== name), name];
}

function useOwnTags(run: RunFacts): readonly TagInfo[] {
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

function Facts({ run, tags }: { run: RunFacts; tags: number }) {
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
    [say("run.lost"), run.lost === null ? null : lostTip(run.lost)],
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
