/** A popover beside an element of the page, opened and closed by its owner. */

import { Popover } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import style from "./popup.module.css";
import { usePopupLayer } from "./popup-layer";

interface AnchoredPopoverProps {
  label: string;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
}

export function AnchoredPopover({
  label,
  anchor,
  onClose,
  children,
  side = "bottom",
  align = "end",
}: AnchoredPopoverProps) {
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal container={usePopupLayer()}>
        <Popover.Content
          className={`${style.popup} ${style.sheet}`}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
