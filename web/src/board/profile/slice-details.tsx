/** The details of the chosen slice: times, arguments, and the ways to others of its name. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Breakable } from "../../ui/breakable";
import { Button } from "../../ui/button";
import type { SliceName } from "../view/profile-view";
import { hostLabel } from "./labels";
import { NodeLink } from "./node-link";
import { type CaptureName, type LinkedSlice, useSlice } from "./profiles";
import style from "./slice-details.module.css";

interface SliceDetailsProps {
  name: CaptureName;
  /** The name of the run of the capture; empty if it has none. */
  run: string;
  slice: SliceName | null;
  /** Goes to another slice, by when it begins and how long it takes, and where it is if that is known. */
  onGo(slice: SliceName, start: number, duration: number, place?: LinkedSlice): void;
}

export function SliceDetailsPart({ name, run, slice, onGo }: SliceDetailsProps) {
  const say = useWords();
  const { data, error } = useSlice(name, slice);
  if (slice === null) return <p className={style.hint}>{say("profile.sliceHint")}</p>;
  if (error) return <p className={style.hint}>{error.message}</p>;
  if (!data) return null;
  const facts = [
    [say("profile.duration"), formatMicroseconds(data.duration_us)],
    [say("profile.column.self_us"), formatMicroseconds(data.self_us)],
    [say("profile.start"), formatMicroseconds(data.start_us)],
    [say("profile.column.category"), say(`profile.category.${data.category}`)],
    [say("profile.track"), `${data.process} · ${data.track}`],
    [say("profile.host"), hostLabel(data)],
  ] as const;
  const go = (to: typeof data.next) => {
    if (to) onGo({ host: slice.host, slice: to.slice }, to.start_us, to.duration_us);
  };
  return (
    <section className={style.part} aria-label={say("profile.slice")} data-testid="slice">
      <h2 className={style.title}>
        <bdi>{data.name}</bdi>
      </h2>
      <div className={style.ways}>
        <Button
          size="small"
          icon="left"
          label={say("profile.previous")}
          disabled={data.previous === null}
          onClick={() => go(data.previous)}
        />
        <span className={style.place}>
          {say("profile.ofSameName", { index: count(data.index + 1), total: count(data.total) })}
        </span>
        <Button
          size="small"
          icon="right"
          label={say("profile.next")}
          disabled={data.next === null}
          onClick={() => go(data.next)}
        />
      </div>
      <NodeLink name={name} run={run} slice={data} />
      <dl className={style.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {(["comes_from", "leads_to"] as const).map((way) => (
        <Links
          key={way}
          label={say(`profile.${way}`)}
          slices={data[way]}
          onGo={(to) => onGo({ host: slice.host, slice: to.slice }, to.start_us, to.duration_us, to)}
        />
      ))}
      {data.args.length > 0 && (
        <>
          <h3 className={style.sub}>{say("profile.args")}</h3>
          <dl className={style.facts}>
            {data.args.map((arg) => (
              <div key={arg.name}>
                <dt>
                  <Breakable>{arg.name}</Breakable>
                </dt>
                <dd>{arg.cut ? `${arg.value}…` : arg.value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

interface LinksProps {
  label: string;
  slices: readonly LinkedSlice[];
  onGo(slice: LinkedSlice): void;
}

/** Slices at the other ends of flows. */
function Links({ label, slices, onGo }: LinksProps) {
  if (slices.length === 0) return null;
  return (
    <>
      <h3 className={style.sub}>{label}</h3>
      <ul className={style.links} aria-label={label}>
        {slices.map((each) => (
          <li key={each.slice}>
            <Button className={style.link} size="small" variant="quiet" onClick={() => onGo(each)}>
              <bdi className={style.cut}>{each.name}</bdi>
              <span className={style.place}>{each.track}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
