/** The details of the chosen slice: times, arguments, and the ways to others of its name. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import type { SliceName } from "../view/profile-view";
import { hostLabel } from "./labels";
import { type CaptureName, useSlice } from "./profiles";
import style from "./slice-details.module.css";

interface SliceDetailsProps {
  name: CaptureName;
  slice: SliceName | null;
  /** Goes to another slice, by when it begins and how long it takes. */
  onGo(slice: SliceName, start: number, duration: number): void;
}

export function SliceDetailsPart({ name, slice, onGo }: SliceDetailsProps) {
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
      <dl className={style.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data.args.length > 0 && (
        <>
          <h3 className={style.sub}>{say("profile.args")}</h3>
          <dl className={style.facts}>
            {data.args.map((arg) => (
              <div key={arg.name}>
                <dt>{arg.name}</dt>
                <dd>{arg.cut ? `${arg.value}…` : arg.value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
