/** Buttons of a picture that show less of it, more of it, or everything. */

import { useWords } from "../i18n/words";
import { Button } from "./button";

const STEP = 1.25;

/** `onZoom` is told how many times as large things are to be. */
export function ZoomButtons({ onZoom, onFit }: { onZoom(by: number): void; onFit(): void }) {
  const say = useWords();
  return (
    <>
      <Button size="small" variant="quiet" icon="plus" label={say("zoom.in")} onClick={() => onZoom(STEP)} />
      <Button
        size="small"
        variant="quiet"
        icon="minus"
        label={say("zoom.out")}
        onClick={() => onZoom(1 / STEP)}
      />
      <Button size="small" variant="quiet" icon="fit" label={say("zoom.fit")} onClick={onFit} />
    </>
  );
}
