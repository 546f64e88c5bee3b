/** The button that takes many cards away: a section, or the whole view. Its menu is loaded when it is asked for. */

import { lazy, Suspense, useState } from "react";
import { Button } from "../../widgets/button";

const CardsMenu = lazy(() => import("./cards-menu"));

export interface TakeAwayProps {
  /** Says what is taken. */
  label: string;
  /** Names the file. */
  title: string;
  /** Those that name the cards, asked for when the menu opens. */
  tags(): readonly string[];
  size?: "usual" | "small";
}

export function TakeAway({ label, title, tags, size = "small" }: TakeAwayProps) {
  const [open, setOpen] = useState(false);
  const look = { look: "quiet", size, icon: "download", label } as const;
  const button = <Button {...look} aria-haspopup="menu" onClick={() => setOpen(true)} />;
  if (!open) return button;
  return (
    <Suspense fallback={button}>
      <CardsMenu
        title={title}
        tags={tags}
        button={look}
        onClose={() => setTimeout(() => setOpen(false), 0)}
      />
    </Suspense>
  );
}
