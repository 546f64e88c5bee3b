/** A popover beside the control that opened it. */

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import style from "./popup.module.css";
import { usePopupLayer } from "./popup-layer";

interface PopoverProps {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  align?: "start" | "center" | "end";
  defaultOpen?: boolean;
  onOpenChange?(open: boolean): void;
}

export function Popover({
  trigger,
  label,
  children,
  align = "end",
  defaultOpen = false,
  onOpenChange,
}: PopoverProps) {
  return (
    <Radix.Root defaultOpen={defaultOpen} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={usePopupLayer()}>
        <Radix.Content
          className={`${style.popup} ${style.sheet}`}
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
