/** The buttons of a card: its range, pin, full screen, and the menu with everything else. */

import { lazy, Suspense, useRef, useState } from "react";
import { choose } from "../../state/cards";
import { showFull } from "../../state/full";
import { togglePin } from "../../state/pins";
import { useView } from "../../state/view";
import { boxOf, zoomBack } from "../../state/zoom";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import type { SheetKind } from "./card-sheets";

interface CardActionsProps {
  tag: string;
  ignoreOutliers: boolean;
  hasBaseline: boolean;
  onSheet(kind: SheetKind, at: HTMLElement | null): void;
  /** The card fills the window already. */
  full?: boolean;
  /** Its tags were chosen elsewhere, and stay. */
  made?: boolean;
}

const CardMenu = lazy(() => import("./card-menu"));

export function CardActions({
  tag,
  ignoreOutliers,
  hasBaseline,
  onSheet,
  full = false,
  made = false,
}: CardActionsProps) {
  const say = useWords();
  const box = useRef<HTMLSpanElement>(null);
  // A hundred cards scroll by for each one whose menu is opened: until then there is only the button.
  const [asked, setAsked] = useState(false);
  const pinned = useView((view) => view.pinned.includes(tag));
  const zoomed = useView((view) => boxOf(view, tag) !== null || view.zoom !== null);
  const fit = () => (zoomed ? zoomBack() : choose(tag, { ignoreOutliers: !ignoreOutliers }));
  const more = (
    <Button
      look="quiet"
      size="small"
      icon="more"
      label={say("card.more")}
      aria-haspopup="menu"
      onClick={() => setAsked(true)}
    />
  );
  return (
    <>
      <Button
        look="quiet"
        size="small"
        icon="fit"
        label={say(zoomed ? "card.reset" : ignoreOutliers ? "card.fit" : "card.robust")}
        onClick={fit}
      />
      <Button
        look="quiet"
        size="small"
        icon="pin"
        aria-pressed={pinned}
        label={say(pinned ? "card.unpin" : "card.pin")}
        onClick={() => togglePin(tag)}
      />
      {!full && (
        <Button
          look="quiet"
          size="small"
          icon="full"
          label={say("card.full")}
          onClick={() => showFull(tag)}
        />
      )}
      <span ref={box} style={{ display: "contents" }}>
        {asked ? (
          <Suspense fallback={more}>
            <CardMenu
              tag={tag}
              label={say("card.more")}
              hasBaseline={hasBaseline}
              made={made}
              onSheet={(kind) => onSheet(kind, box.current?.querySelector("button") ?? null)}
            />
          </Suspense>
        ) : (
          more
        )}
      </span>
    </>
  );
}
