/**
 * One image in its place: pixels as they are, large ones only when asked for. What the size is was read from the image
 * by the server; nothing is decoded to find out.
 */

import { useEffect, useReducer, useState } from "react";
import { type ImageInfo, type ImageName, imageUrl } from "../../api/images";
import { formatStep } from "../../base/number";
import { Button } from "../../widgets/button";
import { bytes } from "../../words/format";
import { useWords } from "../../words/words";
import { type Extent, type Fitted, isHuge } from "./fit";
import style from "./picture.module.css";

interface PictureProps {
  name: ImageName;
  info: ImageInfo;
  /** How large it is drawn. */
  fit: Fitted;
  alt: string;
  onDecoded?(image: HTMLImageElement): void;
}

/** Addresses of huge images that somebody asked for. */
const asked = new Set<string>();

export function Picture({ name, info, fit, alt, onDecoded }: PictureProps) {
  const say = useWords();
  const url = imageUrl(name);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [broken, setBroken] = useState<string | null>(null);
  const box = { width: fit.width, height: fit.height };
  if (!info.media_type.startsWith("image/")) {
    return <Instead box={box}>{say("images.notImage", { size: bytes(info.size_bytes) })}</Instead>;
  }
  if (isHuge(info) && !asked.has(url)) {
    const ask = () => {
      asked.add(url);
      redraw();
    };
    const [width, height] = [formatStep(info.width), formatStep(info.height)];
    return (
      <Instead box={box}>
        <span>{say("images.huge", { width, height, size: bytes(info.size_bytes) })}</span>
        <Button size="small" onClick={ask}>
          {say("images.ask")}
        </Button>
      </Instead>
    );
  }
  if (broken === url) return <Instead box={box}>{say("images.broken")}</Instead>;
  return (
    <img
      className={style.image}
      src={url}
      alt={alt}
      width={fit.width}
      height={fit.height}
      loading="lazy"
      decoding="async"
      draggable={false}
      data-pixelated={fit.pixelated || undefined}
      onLoad={(event) => onDecoded?.(event.currentTarget)}
      onError={() => setBroken(url)}
    />
  );
}

/** Stands where an image would. */
export function Instead({ box, children }: { box: Extent; children: React.ReactNode }) {
  return (
    <span className={style.instead} style={{ width: box.width, minHeight: Math.min(box.height, box.width) }}>
      {children}
    </span>
  );
}

/** Has the browser fetch images that may be wanted next. */
export function useAhead(urls: readonly string[]): void {
  const text = urls.join("\n");
  useEffect(() => {
    for (const url of text.split("\n")) if (url !== "") new Image().src = url;
  }, [text]);
}
