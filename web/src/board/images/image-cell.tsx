/** An image with its actions: full screen, download. */

import { type ImageInfo, type ImageName, imageUrl } from "../../api/images";
import { type Say, useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Icon } from "../../ui/icon";
import { type DrawnSize, SMALL_HEIGHT_PX } from "./fit";
import style from "./image-cell.module.css";
import { Picture } from "./picture";

interface ImageCellProps {
  name: ImageName;
  info: ImageInfo;
  fit: DrawnSize;
  /** The label of the run. */
  label: string;
  step: number;
  /** The step has several images. */
  several: boolean;
  onOpen?(): void;
}

export function ImageCell({ name, info, fit, label, step, several, onOpen }: ImageCellProps) {
  const say = useWords();
  const image = nameOf(say, name, label, step, several);
  const isImage = info.media_type.startsWith("image/");
  return (
    <div
      className={style.cell}
      data-testid="image"
      data-small={fit.height < SMALL_HEIGHT_PX || undefined}
      data-run={label}
      data-step={step}
      data-sample={name.sample}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button beside is for keys */}
      <div
        className={style.place}
        data-opens={(onOpen && isImage) || undefined}
        onClick={isImage ? onOpen : undefined}
      >
        <Picture name={name} info={info} fit={fit} alt={image} />
        {isImage && !info.whole && <span className={style.torn}>{say("images.torn")}</span>}
      </div>
      <div className={style.hands}>
        {onOpen && isImage && (
          <button
            type="button"
            className={style.hand}
            aria-label={say("images.full", { image })}
            title={say("images.full", { image })}
            onClick={onOpen}
          >
            <Icon name="full" size={14} />
          </button>
        )}
        <a
          className={style.hand}
          href={imageUrl(name, true)}
          download
          aria-label={say("images.save", { image })}
          title={say("images.save", { image })}
        >
          <Icon name="download" size={14} />
        </a>
      </div>
    </div>
  );
}

/** The text alternative of an image. */
export function nameOf(say: Say, name: ImageName, run: string, step: number, several: boolean): string {
  const words = { tag: name.tag, run, step: formatStep(step) };
  return several ? say("images.nameOf", { ...words, sample: name.sample + 1 }) : say("images.name", words);
}
