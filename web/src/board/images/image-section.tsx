/** One tag of the page: its frame, and its images in the chosen layout. */

import { useEffect, useRef, useState } from "react";
import { imageUrl } from "../../api/images";
import { useWords } from "../../i18n/words";
import { saveUrl } from "../../lib/download";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import { Card } from "../cards/card";
import { LoadError } from "../cards/load-error";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { copyWithNotice } from "../view/copy-with-notice";
import { showFullScreen, useFullScreenCard } from "../view/full-screen-card";
import { useStepUnion } from "../view/steps";
import { useView } from "../view/view";
import { Compare } from "./compare";
import { FilmStrip } from "./film-strip";
import { FullImage } from "./full-image";
import { Grid } from "./grid";
import style from "./image-section.module.css";
import { type ImageSeries, useImageSeries, valueNear } from "./image-series";

interface ImageSectionProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Called with the steps of the tag, for the slider of the page. */
  onSteps(tag: string, steps: readonly number[]): void;
}

export function ImageSection({ tag, runs, onSteps }: ImageSectionProps) {
  const say = useWords();
  const name = tag.tag;
  const card = useRef<HTMLElement>(null);
  const mode = useView((view) => view.imageMode);
  const { list, loaded, error, retry } = useImageSeries(name, runs);
  const steps = useStepUnion(list.map(({ series }) => series));
  useEffect(() => onSteps(name, steps), [name, steps, onSteps]);
  const step = useView((view) => view.pin?.step ?? null);
  const [open, setOpen] = useState<{ run: string; sample: number } | null>(null);
  const fullScreen = useFullScreenCard((full) => full.tag === name);
  const state = error ? "error" : !loaded ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const close = () => {
    setOpen(null);
    if (fullScreen) showFullScreen(null);
  };
  return (
    <div className={style.section}>
      <Card
        ref={card}
        tag={name}
        displayName={tag.display_name}
        summary={loaded && say("images.summary", { runs: list.length, steps: steps.length })}
        actions={<Actions tag={name} list={list} step={step} />}
      >
        <div className={style.body}>
          {state === "loading" && <div className={style.waiting} />}
          {state === "empty" && <p className={style.nothing}>{say("images.empty")}</p>}
          {error && (
            <LoadError
              className={style.nothing}
              error={error}
              otherwise={say("images.failed")}
              onRetry={retry}
            />
          )}
          {state === "ready" && mode === "grid" && (
            <Grid tag={name} list={list} step={step} onOpen={(run, sample) => setOpen({ run, sample })} />
          )}
          {state === "ready" && mode === "film" && <FilmStrip tag={name} list={list} step={step} />}
          {state === "ready" && mode === "compare" && <Compare tag={name} list={list} step={step} />}
        </div>
      </Card>
      {(open || fullScreen) && list.length > 0 && (
        <FullImage
          tag={tag}
          list={list}
          step={step}
          run={open?.run ?? list[0]!.run}
          sample={open?.sample ?? 0}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ActionsProps {
  tag: string;
  list: readonly ImageSeries[];
  step: number | null;
}

/** Maximum number of menu items. */
const MAX_SAVED = 20;

export function Actions({ tag, list, step }: ActionsProps) {
  const say = useWords();
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon="full"
        label={say("card.full")}
        onClick={() => showFullScreen(tag)}
      />
      <Menu
        align="end"
        trigger={<Button variant="quiet" size="small" icon="more" label={say("card.more")} />}
      >
        {list.slice(0, MAX_SAVED).map((images) => {
          const value = valueNear(images, step);
          return (
            value && (
              <MenuItem
                key={images.lineStyle.id}
                onSelect={() => saveUrl(imageUrl({ run: images.run, tag, at: value.at, sample: 0 }, true))}
              >
                {say("images.saveOf", { run: images.lineStyle.label })}
              </MenuItem>
            )
          );
        })}
        <MenuLine />
        <MenuItem onSelect={() => void copyWithNotice(tag)}>{say("card.copyName")}</MenuItem>
      </Menu>
    </>
  );
}
