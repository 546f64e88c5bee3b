/**
 * One image: pixels unchanged, large ones only on request. The server reads its size from the file, without decoding.
 */

import { useEffect, useReducer, useState } from "react";
import { type ImageInfo, type ImageName, imageUrl } from "../../api/images";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { type DrawnSize, type Extent, isHuge } from "./fit";
import style from "./picture.module.css";

interface PictureProps {
  name: ImageName;
  info: ImageInfo;
  /** Its displayed size. */
  fit: DrawnSize;
  alt: string;
  onDecoded?(image: HTMLImageElement): void;
}

/** URLs of huge images that the user requested. */
const requestedUrls = new Set<string>();

export function Picture({ name, info, fit, alt, onDecoded }: PictureProps) {
  const say = useWords();
  const url = imageUrl(name);
  const [, redraw] = useReducer((version: number) => version + 1, 0);
  const [broken, setBroken] = useState<string | null>(null);
  const box = { width: fit.width, height: fit.height };
  if (!info.media_type.startsWith("image/")) {
    return <Placeholder box={box}>{say("images.notImage", { size: bytes(info.size_bytes) })}</Placeholder>;
  }
  if (isHuge(info) && !requestedUrls.has(url)) {
    const ask = () => {
      requestedUrls.add(url);
      redraw();
    };
    const [width, height] = [formatStep(info.width), formatStep(info.height)];
    return (
      <Placeholder box={box}>
        <span>{say("images.huge", { width, height, size: bytes(info.size_bytes) })}</span>
        <Button size="small" onClick={ask}>
          {say("images.ask")}
        </Button>
      </Placeholder>
    );
  }
  if (broken === url) return <Placeholder box={box}>{say("images.broken")}</Placeholder>;
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

/** A placeholder for an image. */
export function Placeholder({ box, children }: { box: Extent; children: React.ReactNode }) {
  return (
    <span className={style.instead} style={{ width: box.width, minHeight: Math.min(box.height, box.width) }}>
      {children}
    </span>
  );
}

/** Prefetches images that may be needed next. */
export function usePrefetch(urls: readonly string[]): void {
  const text = urls.join("\n");
  useEffect(() => {
    for (const url of text.split("\n")) if (url !== "") new Image().src = url;
  }, [text]);
}
