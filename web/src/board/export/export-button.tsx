/** The button that exports many cards: a section, or the whole view. Its menu is loaded on first use. */

import { Suspense, useState } from "react";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";

const ExportMenu = lazyPart(() => import("./export-menu"));

export interface ExportButtonProps {
  /** Label that says what is exported. */
  label: string;
  /** The name of the file. */
  title: string;
  /** The tags of the cards; called when the menu opens. */
  tags(): readonly string[];
  size?: "usual" | "small";
}

export function ExportButton({ label, title, tags, size = "small" }: ExportButtonProps) {
  const [open, setOpen] = useState(false);
  const buttonProps = { buttonProps: "quiet", size, icon: "download", label } as const;
  const button = <Button {...buttonProps} aria-haspopup="menu" onClick={() => setOpen(true)} />;
  if (!open) return button;
  return (
    <Suspense fallback={button}>
      <ExportMenu
        title={title}
        tags={tags}
        button={buttonProps}
        onClose={() => setTimeout(() => setOpen(false), 0)}
      />
    </Suspense>
  );
}
