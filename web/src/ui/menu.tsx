/** A drop-down menu; Radix handles keys, focus and position. */

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Icon } from "./icon";
import style from "./popup.module.css";
import { usePopupLayer } from "./popup-layer";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  defaultOpen?: boolean;
  onOpenChange?(open: boolean): void;
}

export function Menu({ trigger, children, align = "start", defaultOpen = false, onOpenChange }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen} {...(onOpenChange && { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={usePopupLayer()}>
        <DropdownMenu.Content
          className={`${style.popup} ${style.menu}`}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  children: ReactNode;
  end?: ReactNode;
  disabled?: boolean;
  onSelect?(): void;
}

export function MenuItem({ children, end, disabled = false, onSelect }: ItemProps) {
  return (
    <DropdownMenu.Item className={style.item} disabled={disabled} onSelect={() => onSelect?.()}>
      {children}
      {end !== undefined && <span className={style.end}>{end}</span>}
    </DropdownMenu.Item>
  );
}

export function MenuCheck({
  children,
  end,
  checked,
  disabled = false,
  onChange,
}: ItemProps & { checked: boolean; onChange(on: boolean): void }) {
  return (
    <DropdownMenu.CheckboxItem
      className={style.item}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
    >
      <DropdownMenu.ItemIndicator className={style.tick}>
        <Icon name="check" size={12} />
      </DropdownMenu.ItemIndicator>
      {children}
      {end !== undefined && <span className={style.end}>{end}</span>}
    </DropdownMenu.CheckboxItem>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; lang?: string }[];
  onChange(value: Value): void;
}

/** A group of menu items of which one is checked. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Label className={style.label}>{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
        {options.map((option) => (
          <DropdownMenu.RadioItem
            key={option.value}
            className={style.item}
            value={option.value}
            lang={option.lang}
          >
            <DropdownMenu.ItemIndicator className={style.tick}>
              <Icon name="check" size={12} />
            </DropdownMenu.ItemIndicator>
            {option.label}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </DropdownMenu.Group>
  );
}

/** A submenu. */
export function MenuSub({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={style.item}>
        {label}
        <span className={style.end}>
          <Icon name="right" size={12} />
        </span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={usePopupLayer()}>
        <DropdownMenu.SubContent
          className={`${style.popup} ${style.menu}`}
          sideOffset={2}
          collisionPadding={8}
        >
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

/** `wrap`: a sentence that wraps at the width of the menu. */
export function MenuLabel({ children, wrap = false }: { children: ReactNode; wrap?: boolean }) {
  return <DropdownMenu.Label className={wrap ? style.sentence : style.label}>{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className={style.line} />;
}
