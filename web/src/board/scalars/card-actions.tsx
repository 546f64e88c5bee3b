/** The buttons of a card: its range, pin, full screen, and the menu with everything else. */

import { Suspense, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { choose } from "../view/cards";
import { showFullScreen } from "../view/full-screen-card";
import { togglePin } from "../view/pins";
import { useView } from "../view/view";
import { boxOf, zoomBack } from "../view/zoom";
import type { PopoverKind } from "./card-popovers";

interface CardActionsProps {
  tag: string;
  ignoreOutliers: boolean;
  hasBaseline: boolean;
  onPopover(kind: PopoverKind, at: HTMLElement | null): void;
  /** The card is full screen. */
  full?: boolean;
  /** Its tags are fixed by a layout. */
  fixedTags?: boolean;
}

const CardMenu = lazyPart(() => import("./card-menu"));

export function CardActions({
  tag,
  ignoreOutliers,
  hasBaseline,
  onPopover,
  full = false,
  fixedTags = false,
}: CardActionsProps) {
  const say = useWords();
  const box = useRef<HTMLSpanElement>(null);
  // Few menus are opened, so each card has only the button until then.
  const [menuRequested, setMenuRequested] = useState(false);
  const pinned = useView((view) => view.pinned.includes(tag));
  const zoomed = useView((view) => boxOf(view, tag) !== null || view.zoom !== null);
  const fit = () => (zoomed ? zoomBack() : choose(tag, { ignoreOutliers: !ignoreOutliers }));
  const more = (
    <Button
      variant="quiet"
      size="small"
      icon="more"
      label={say("card.more")}
      aria-haspopup="menu"
      onClick={() => setMenuRequested(true)}
    />
  );
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon="fit"
        label={say(zoomed ? "card.reset" : ignoreOutliers ? "card.fit" : "card.robust")}
        onClick={fit}
      />
      <Button
        variant="quiet"
        size="small"
        icon="pin"
        aria-pressed={pinned}
        label={say(pinned ? "card.unpin" : "card.pin")}
        onClick={() => togglePin(tag)}
      />
      {!full && (
        <Button
          variant="quiet"
          size="small"
          icon="full"
          label={say("card.full")}
          onClick={() => showFullScreen(tag)}
        />
      )}
      <span ref={box} style={{ display: "contents" }}>
        {menuRequested ? (
          <Suspense fallback={more}>
            <CardMenu
              tag={tag}
              label={say("card.more")}
              hasBaseline={hasBaseline}
              fixedTags={fixedTags}
              onPopover={(kind) => onPopover(kind, box.current?.querySelector("button") ?? null)}
            />
          </Suspense>
        ) : (
          more
        )}
      </span>
    </>
  );
}
