/** A menu at a position of the page, opened and closed by its owner: for a row, a header, or the pointer. */

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import style from "./popup.module.css";
import { usePopupLayer } from "./popup-layer";

interface MenuAtProps {
  label: string;
  anchor: HTMLElement | { x: number; y: number };
  onClose(): void;
  children: ReactNode;
}

export function MenuAt({ label, anchor, onClose, children }: MenuAtProps) {
  const box =
    anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : { ...anchor, width: 0, height: 0 };
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          style={{
            position: "fixed",
            left: box.x,
            top: box.y,
            width: box.width,
            height: box.height,
            opacity: 0,
            pointerEvents: "none",
          }}
          aria-label={label}
          aria-hidden="true"
          tabIndex={-1}
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={usePopupLayer()}>
        <DropdownMenu.Content
          className={`${style.popup} ${style.menu}`}
          align="start"
          sideOffset={2}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A popover that opened in its place has the focus by now and keeps it.
            const free = document.activeElement === null || document.activeElement === document.body;
            if (free && anchor instanceof HTMLElement) anchor.focus({ preventScroll: true });
          }}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
