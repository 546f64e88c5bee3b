/** One tag of the page: its frame, and its images laid out as the page has them. */

import { useEffect, useRef, useState } from "react";
import { imageUrl } from "../../api/images";
import { saveAddress } from "../../base/save";
import { Card } from "../../panel/card";
import { Failed } from "../../panel/failed";
import { copyText } from "../../state/clipboard";
import { showFull, useFull } from "../../state/full";
import type { TagInfo } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import { notify } from "../../state/notice";
import { useUnion } from "../../state/steps";
import { useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { Compare } from "./compare";
import { Film } from "./film";
import { FullImage } from "./full-image";
import { Grid } from "./grid";
import style from "./image-section.module.css";
import { type ImageSeries, useImageSeries, valueNear } from "./series";

interface ImageSectionProps {
  tag: TagInfo;
  runs: readonly RunLook[];
  /** Told the steps of the tag, for the slider of the page. */
  onSteps(tag: string, steps: readonly number[]): void;
}

export function ImageSection({ tag, runs, onSteps }: ImageSectionProps) {
  const say = useWords();
  const name = tag.tag;
  const card = useRef<HTMLElement>(null);
  const mode = useView((view) => view.imageMode);
  const { list, known, error, retry } = useImageSeries(name, runs);
  const steps = useUnion(list.map(({ series }) => series));
  useEffect(() => onSteps(name, steps), [name, steps, onSteps]);
  const step = useView((view) => view.pin?.step ?? null);
  const [open, setOpen] = useState<{ run: string; sample: number } | null>(null);
  const asked = useFull((full) => full.tag === name);
  const state = error ? "error" : !known ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const close = () => {
    setOpen(null);
    if (asked) showFull(null);
  };
  return (
    <div className={style.section}>
      <Card
        ref={card}
        tag={name}
        displayName={tag.display_name}
        summary={known && say("images.summary", { runs: list.length, steps: steps.length })}
        actions={<Actions tag={name} list={list} step={step} />}
      >
        <div className={style.body}>
          {state === "loading" && <div className={style.waiting} />}
          {state === "empty" && <p className={style.nothing}>{say("images.empty")}</p>}
          {error && (
            <Failed
              className={style.nothing}
              error={error}
              otherwise={say("images.failed")}
              onRetry={retry}
            />
          )}
          {state === "ready" && mode === "grid" && (
            <Grid tag={name} list={list} step={step} onOpen={(run, sample) => setOpen({ run, sample })} />
          )}
          {state === "ready" && mode === "film" && <Film tag={name} list={list} step={step} />}
          {state === "ready" && mode === "compare" && <Compare tag={name} list={list} step={step} />}
        </div>
      </Card>
      {(open || asked) && list.length > 0 && (
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

/** A menu with more is no help. */
const MOST_SAVED = 20;

export function Actions({ tag, list, step }: ActionsProps) {
  const say = useWords();
  const copy = async (text: string) => notify((await copyText(text)) ? "action.copied" : "notice.notCopied");
  return (
    <>
      <Button look="quiet" size="small" icon="full" label={say("card.full")} onClick={() => showFull(tag)} />
      <Menu align="end" trigger={<Button look="quiet" size="small" icon="more" label={say("card.more")} />}>
        {list.slice(0, MOST_SAVED).map((images) => {
          const value = valueNear(images, step);
          return (
            value && (
              <MenuItem
                key={images.look.id}
                onSelect={() =>
                  saveAddress(imageUrl({ run: images.run, tag, at: value.at, sample: 0 }, true))
                }
              >
                {say("images.saveOf", { run: images.look.label })}
              </MenuItem>
            )
          );
        })}
        <MenuLine />
        <MenuItem onSelect={() => void copy(tag)}>{say("card.copyName")}</MenuItem>
      </Menu>
    </>
  );
}
