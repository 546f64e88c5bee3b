/** One tag: the clips of each visible run at the step of the page, below each other. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { fetchClips } from "../../api/audio";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Card } from "../cards/card";
import { type RunSeries, useRunSeries, valueNear } from "../cards/run-series";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { useView } from "../view/view";
import style from "./audio-card.module.css";
import { ClipRow } from "./clip-row";

export const PLUGIN = "audio";

/** Clips of one value shown before somebody asks for more. */
const FIRST_CLIPS = 4;
/** Runs shown before somebody asks for more. */
const FIRST_RUNS = 12;

export function AudioCard({ tag, runs }: { tag: TagInfo; runs: readonly LineStyle[] }) {
  const say = useWords();
  const { list, loaded, error, retry } = useRunSeries(PLUGIN, tag.tag, runs);
  const [most, setMost] = useState(FIRST_RUNS);
  const card = useRef<HTMLElement>(null);
  const state = error ? "error" : !loaded ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  return (
    <Card
      ref={card}
      tag={tag.tag}
      displayName={tag.display_name}
      suffix={tag.display_name && tag.display_name !== tag.tag ? tag.tag : undefined}
      summary={null}
      actions={null}
    >
      {state === "empty" && <p className={style.none}>{say("card.empty")}</p>}
      {state === "loading" && <div className={style.waiting} />}
      {error && <Failed error={error} onRetry={retry} />}
      {state === "ready" &&
        list
          .slice(0, most)
          .map((series) => <RunClips key={series.lineStyle.id} tag={tag.tag} series={series} />)}
      {state === "ready" && list.length > most && (
        <div className={style.foot}>
          <Button variant="quiet" size="small" onClick={() => setMost(list.length)}>
            {say("text.moreRuns", { count: list.length - most })}
          </Button>
        </div>
      )}
    </Card>
  );
}

function RunClips({ tag, series }: { tag: string; series: RunSeries }) {
  const say = useWords();
  const wanted = useView((view) => view.pin?.step ?? null);
  const [most, setMost] = useState(FIRST_CLIPS);
  const value = valueNear(series, wanted)!;
  const name = { run: series.run, tag, at: value.key };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["clips", name.run, tag, name.at],
    queryFn: ({ signal }) => fetchClips(name, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className={style.waiting} />;
  if (data.clips.length === 0) return <p className={style.none}>{say("card.empty")}</p>;
  return (
    <div aria-busy={isPlaceholderData}>
      {data.clips.slice(0, most).map((clip, sample) => (
        <ClipRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a clip is named by its place
          key={sample}
          tag={tag}
          name={name}
          lineStyle={series.lineStyle}
          step={value.step}
          wall={value.wall}
          wanted={wanted}
          sample={sample}
          several={data.clips.length > 1}
          clip={clip}
        />
      ))}
      {data.clips.length > most && (
        <div className={style.foot}>
          <Button variant="quiet" size="small" onClick={() => setMost(data.clips.length)}>
            {say("audio.allClips", { count: data.clips.length - most })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const say = useWords();
  return (
    <div className={style.none} role="alert">
      {error.message}
      <Button size="small" icon="reload" onClick={onRetry}>
        {say("action.retry")}
      </Button>
    </div>
  );
}
